"""Scopes are literal paths; asking for one never widens to another."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.errors import InvalidArgumentError, NotFoundError
from scrubjay.base.trace import RowFilter
from scrubjay.store.scopes import ScopeTree, check_scope
from tests.rows import NOW_US, abandoned, add, add_all, open_at

ODD = ["*", "%", "_", "a' OR '1'='1", "org/*", "ORG", "org", "ö", "o" * 500, "..", " "]


def test_making_a_scope_makes_those_above_it(store):
    with store.write(now_us=NOW_US) as tx:
        deepest = tx.scope_id("org/team/ana")
        assert deepest == tx.scope_id("org/team/ana")
    assert {"org": 1, "org/team": 2, "org/team/ana": 3} == store.scopes()


@pytest.mark.parametrize("bad", ["", "/", "a/", "/a", "a//b", "a\0b", "x" * 501, "a\ud800"])
def test_i14_an_impossible_path_is_refused_and_nothing_is_made(store, bad):
    with pytest.raises(InvalidArgumentError, match="scope"), store.write(now_us=NOW_US) as tx:
        tx.scope_id(bad)
    assert {} == store.scopes()


def test_i14_odd_names_are_matched_literally(store):
    with store.write(now_us=NOW_US) as tx:
        for name in ODD:
            add(tx, f"in {name[:20]}", scope=name)
    ids = store.scopes()
    assert set(ODD) == set(ids)
    for name in ODD:
        where = RowFilter(scope_ids=(ids[name],))
        assert [f"in {name[:20]}"] == [row.content for row in store.engrams(where=where)]
        hits = store.match_text(["in"], context=False, where=where, limit=99)
        assert 1 == len(hits)


def test_a_scope_made_in_an_abandoned_write_does_not_linger(store):
    with abandoned(store) as tx:
        tx.scope_id("gone")
    add_all(store, ["x"], scope="kept")
    assert {"kept": 1} == store.scopes()


def test_scopes_made_elsewhere_are_seen_at_once(tmp_path):
    mine, theirs = open_at(tmp_path / "m"), open_at(tmp_path / "m")
    assert {} == mine.scopes()
    add_all(theirs, ["x"], scope="new")
    assert {"new": 1} == mine.scopes()
    add_all(mine, ["y"], scope="new")
    assert {"new": 1} == theirs.scopes()


def test_marks_of_an_unknown_scope_are_not_found(store):
    from scrubjay.store.scopes import ScopeBook

    with store.reader() as database, pytest.raises(NotFoundError):
        ScopeBook().marks(database, 7)


@given(st.data())
def test_a_cover_selects_exactly_what_was_asked(data):
    size = data.draw(st.integers(1, 12))
    parents = [None] + [data.draw(st.one_of(st.none(), st.integers(1, n))) for n in range(1, size)]
    tree = ScopeTree([(n + 1, f"path{n}", parent) for n, parent in enumerate(parents)])
    wanted = data.draw(st.sets(st.integers(1, size)))
    cover = tree.cover(wanted)
    if cover is None:
        assert set(range(1, size + 1)) == wanted
        return

    def lineage(id_):
        line = []
        while id_ is not None:
            line.append(id_)
            id_ = parents[id_ - 1]
        return line

    selected = {
        id_
        for id_ in range(1, size + 1)
        if f"s{id_}" in cover or any(f"p{above}" in cover for above in lineage(id_))
    }
    assert wanted == selected


def test_a_path_is_returned_as_it_is():
    assert "a/b" == check_scope("a/b")
