"""What a bench may ask for: ``claim`` records a published number; all are shown at the end."""

from collections.abc import Callable

import pytest

from bench.claims import Claim

_CLAIMS = pytest.StashKey[list[Claim]]()


def pytest_configure(config: pytest.Config) -> None:
    """Start with no claims."""
    config.stash[_CLAIMS] = []


@pytest.fixture
def claim(request: pytest.FixtureRequest) -> Callable[..., None]:
    """Record ``claim(name, value, unit="x", at_least=…, at_most=…)``; a missed bound fails."""

    def record(
        name: str,
        value: float,
        unit: str = "x",
        *,
        at_least: float | None = None,
        at_most: float | None = None,
    ) -> None:
        made = Claim(name, float(value), unit, at_least, at_most)
        request.config.stash[_CLAIMS].append(made)
        assert made.held, made.line()

    return record


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Show every claim of this run, the missed ones included."""
    for made in terminalreporter.config.stash[_CLAIMS]:
        terminalreporter.write_line(made.line())
