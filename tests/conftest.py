"""What every test may ask for: a clock that stands still, a seed, entropy and an open memory."""

import os
from collections.abc import Iterator

import pytest
from hypothesis import settings

from scrubjay.base.clock import ManualClock
from scrubjay.base.ids import SeededEntropy

SEED = 20_000_101

# A failure must fail again on the next run, so examples derive from the test, not from the moment.
# HYPOTHESIS_PROFILE=explore looks for new ones.
settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
settings.register_profile("explore", deadline=None, print_blob=True, max_examples=1000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


@pytest.fixture
def clock() -> ManualClock:
    """A clock at 2000-01-01T00:00:00Z that moves only when told to."""
    return ManualClock()


@pytest.fixture
def seed() -> int:
    """The one seed of the tests."""
    return SEED


@pytest.fixture
def entropy(seed) -> SeededEntropy:
    """Entropy that repeats from run to run."""
    return SeededEntropy(seed)


@pytest.fixture
def memory(tmp_path, clock, seed, entropy) -> Iterator:
    """An open, empty memory in a directory of its own."""
    from scrubjay import Memory

    with Memory.open(
        tmp_path / "test.memory", create=True, clock=clock, seed=seed, entropy=entropy
    ) as opened:
        yield opened
