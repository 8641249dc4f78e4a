"""Which moves tasks share."""

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.policies.consolidation.alignment import (
    clusters_of,
    common_subsequence,
    positions_in,
    working_steps,
)
from scrubjay.policies.consolidation.tasks import Step, Task

_shapes = st.lists(st.sampled_from([("a",), ("b",), ("c",)]), max_size=8)


def step(tool, *, ok=True):
    return Step(tool=tool, arguments={}, shape=(tool,), ok=ok, exit_code=0 if ok else 1)


def task(moves, at=0, scope="main"):
    """Return a task; an upper-case move fails."""
    steps = tuple(step(m.lower(), ok=m.islower()) for m in moves)
    return Task(
        scope=scope,
        session="s",
        principal="agent",
        started_us=at,
        steps=steps,
        triggers=("go",),
        asked_by_user=True,
        sources=(bytes([at]) * 16,),
    )


def is_within(short, long):
    rest = iter(long)
    return all(item in rest for item in short)


@given(_shapes, _shapes)
def test_the_common_part_is_within_both_and_symmetric_in_length(first, second):
    shared = common_subsequence(first, second)
    assert is_within(shared, first)
    assert is_within(shared, second)
    assert len(shared) == len(common_subsequence(second, first))


@given(_shapes)
def test_with_itself_it_is_all_common(moves):
    assert moves == common_subsequence(moves, moves)


def test_failed_and_repeated_moves_do_not_count():
    assert ["a", "b", "a"] == [s.tool for s in working_steps(task("aaXbba"))]


def test_tasks_that_share_enough_are_one_procedure():
    [cluster] = clusters_of([task("abcd", 1), task("abxcd", 2), task("ABCyzw", 3), task("acd", 4)])
    assert [1, 2, 4] == [t.started_us for t in cluster.tasks]
    assert [("a",), ("c",), ("d",)] == cluster.moves


def test_one_move_repeated_is_no_procedure():
    assert [] == clusters_of([task("aaaa", 1), task("aaaa", 2)])


def test_scopes_are_never_joined_and_failures_never_count():
    assert [] == clusters_of([task("abc", 1), task("abc", 2, scope="other")])
    assert [] == clusters_of([task("abC", 1), task("abC", 2)])


def test_moves_are_found_as_early_as_can_be():
    steps = [step(m) for m in "abcab"]
    assert [0, 1] == positions_in([("a",), ("b",)], steps)
    assert None is positions_in([("b",), ("b",), ("b",)], steps)
