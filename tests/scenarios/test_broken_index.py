"""The bare index with wrong values in every argument, and at the ends of what it can hold."""

import inspect
from collections.abc import Callable
from datetime import UTC, datetime

import numpy as np
import pytest

from scrubjay import Filter, Index, ScrubjayError, Weights
from scrubjay import Weights as RecallWeights
from scrubjay.index import Weights as IndexWeights

EAST = np.array([1, 0, 0], np.float32)
WRONG = [
    True, -1, 10**30, 10**400, 1.5, float("nan"), "", "x" * 5000, b"a", {"a": 1}, object(), ["a"],
    np.array([1, 2]), np.array(["a"]), np.array([]), len, datetime(2000, 1, 1, tzinfo=UTC),
]  # fmt: skip


@pytest.fixture
def index() -> Index:
    filled = Index(3)
    filled.add(np.arange(3), np.eye(3, dtype=np.float32), now_us=0)
    return filled


def _raw(calls: dict[str, Callable[[], object]]) -> list[str]:
    """Return the calls that raised what scrubjay does not raise on purpose, or said too much."""
    found = []
    for name, call in calls.items():
        try:
            call()
        except ScrubjayError as error:
            found += [f"{name}: {len(str(error))} characters"] * (len(str(error)) > 500)
        except Exception as error:  # noqa: BLE001 - what else was raised is the finding
            found.append(f"{name}: {type(error).__name__}: {error!s:.60}")
    return found


def test_every_argument_of_the_index_refuses_a_wrong_value_by_a_typed_error(index):
    calls: dict[str, Callable[[], object]] = {}
    for at, value in enumerate(WRONG):
        for name in ("k", "now_us", "weights", "where"):
            given = {"query": EAST, "k": 1, "now_us": 0, name: value}
            calls[f"search {name} {at}"] = lambda given=given: index.search(**given)
        for name in inspect.signature(Index.add).parameters:
            given = {"keys": np.array([9]), "vectors": EAST[None], "now_us": 0, name: value}
            calls[f"add {name} {at}"] = lambda given=given: Index(3).add(**given)
        for name in ("storage", "frequency", "frequency_ceiling", "keep_originals", "isa"):
            calls[f"Index {name} {at}"] = lambda name=name, value=value: Index(2, **{name: value})
        for name in inspect.signature(Filter).parameters:
            calls[f"Filter {name} {at}"] = lambda name=name, value=value: index.search(
                EAST, 1, now_us=0, where=Filter(**{name: value})
            )
        for name in inspect.signature(Weights).parameters:
            for kind in (RecallWeights, IndexWeights):
                calls[f"{kind} {name} {at}"] = lambda kind=kind, name=name, value=value: kind(
                    **{name: value}
                )
        calls[f"remove {at}"] = lambda value=value: index.remove(np.array([7]), missing=value)
        calls[f"in {at}"] = lambda value=value: value in index
    calls = {name: call for name, call in calls.items() if not name.startswith("add self")}
    assert [] == _raw(calls)
    assert 3 == len(index)


@pytest.mark.parametrize("dim", [1, 4096])
def test_keys_at_both_ends_of_int64_are_found_and_removed_whatever_the_dimension(dim):
    keys = np.array([-(2**63), 2**63 - 1, 0, -1])
    rows = np.random.default_rng(20_000_101).normal(size=(4, dim)).astype(np.float32)
    index = Index(dim)
    index.add(keys, rows, now_us=0)
    assert set(keys.tolist()) == set(index.search(rows[0], 2**63 - 1, now_us=0).keys.tolist())
    assert 2 == index.remove(keys[:2])
    assert [-1, 0] == index.keys().tolist()
