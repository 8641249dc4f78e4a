"""Composite search in the three worlds of the comparison, at five instants, against the scan."""

from collections.abc import Iterator

import numpy as np
import pytest

from bench.compare.measures.composite import INSTANTS, LATER, NEWER, T0_US, TERMS, WORLDS, Columns
from bench.compare.worlds import mixture
from scrubjay.index import Index, SearchResult, Weights

ROWS, DIM, QUERIES, K = 20_000, 64, 1000, 10

CASES = [(name, instant) for name in WORLDS for instant in (*INSTANTS, LATER)]

each_case = pytest.mark.parametrize(("name", "instant"), CASES)


def answers(index: Index, queries: np.ndarray, name: str, now_us: int) -> Iterator[tuple]:
    """Yield for each query what was found and what there is."""
    weights = Weights(**dict(zip(TERMS, WORLDS[name][1], strict=True)))
    asked = {"now_us": now_us, "weights": weights}
    found = index.search_batch(queries, K, **asked)
    yield from zip(found, index.search_batch(queries, K, **asked, exact=True), strict=True)


def lived(storage: str, ceiling: int | None) -> dict[tuple[str, str], list]:
    """Return the answers of all worlds of one frequency law, by world and instant.

    The index is built on 70 % of the rows and given the rest later, as newer rows first and then as
    old as the others.
    """
    drawn = mixture(ROWS + QUERIES, DIM)
    form = {} if ceiling is None else {"frequency": "saturating", "frequency_ceiling": ceiling}
    index = Index(DIM, storage=storage, exact_below=0, threads=2, **form)
    first, rest = np.split(np.arange(ROWS), [ROWS - round(NEWER * ROWS)])
    columns, newer = Columns(ROWS), Columns(ROWS)
    newer.last_us[rest] = T0_US
    for keys in (first, rest):
        index.add(keys, drawn[keys], now_us=T0_US, **newer.of(keys))
    names = [name for name, (law, _) in WORLDS.items() if law == ceiling]
    queries = drawn[ROWS:]
    found = {(n, LATER): [*answers(index, queries, n, INSTANTS["+1 d"])] for n in names}
    index.update(rest, last_us=columns.last_us[rest])
    for name in names:
        for instant, now_us in INSTANTS.items():
            found[name, instant] = [*answers(index, queries, name, now_us)]
    return found


@pytest.fixture(scope="module", params=["f32", "i8"])
def asked(request):
    laws = {ceiling for ceiling, _ in WORLDS.values()}
    return {case: pairs for law in laws for case, pairs in lived(request.param, law).items()}


def right(found: SearchResult, oracle: SearchResult) -> bool:
    """Tell whether an answer is as good as the oracle's: rows of equal scores may change places."""
    return found.scores.tobytes() == oracle.scores.tobytes()


@each_case
def test_certified_answers_are_those_of_the_scan(asked, name, instant):
    assert QUERIES == len(asked[name, instant])
    for found, oracle in asked[name, instant]:
        assert oracle.certified
        if found.certified:
            assert oracle.keys.tolist() == found.keys.tolist()
            assert right(found, oracle)


@each_case
def test_answers_whose_bound_is_met_are_those_of_the_scan_but_for_one_in_two_hundred(
    asked, name, instant
):
    met = [right(found, oracle) for found, oracle in asked[name, instant] if found.bound_met]
    assert np.mean(met) >= 0.995


@each_case
def test_nearly_every_answer_says_that_it_is_right(asked, name, instant):
    either = [found.certified or found.bound_met for found, _ in asked[name, instant]]
    assert np.mean(either) >= 0.95


@each_case
def test_answers_are_composed_and_not_scanned(asked, name, instant):
    plans = [found.plan for found, _ in asked[name, instant]]
    assert plans.count("composite") >= 0.95 * QUERIES
