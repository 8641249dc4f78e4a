"""Words in every script are found, and no word is ever syntax."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.trace import Kind, RowFilter, State
from scrubjay.store.text import encode_words
from tests.rows import NOW_US, add, add_all, open_at


def found(store, *words, context=False, limit=10, **where):
    hits = store.match_text(words, context=context, where=RowFilter(**where), limit=limit)
    return [store.engrams_by_local([local])[local].content for local, _ in hits]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("我 昨天 去 东京", "东京"),
        ("昨日 デプロイ しました", "デプロイ"),
        ("배포 실패", "배포"),
        ("ระบบ ล่ม", "ระบบ"),
        ("очередь стоит", "очередь"),
        ("الخادم متوقف", "الخادم"),
        ("naïve café", "café"),
        ("the 🐦 sang", "🐦"),
        ("call snake_case now", "snake_case"),
        ("ipv4 10.0.0.1 here", "10.0.0.1"),
    ],
)
def test_r5_words_of_every_script_are_found(store, text, word):
    add_all(store, [text, "something else"])
    assert [text] == found(store, word)
    assert [text] == found(store, word, context=True)


@pytest.mark.parametrize(
    "word",
    ['"', "'", "AND", "OR", "NOT", "NEAR(", "*", "a*", "^a", "-", "{scope}:p1", "tokens:x", "\0",
     "a\0b", "\ud800", "🐦", " ", "p1", "s1", "a" * 50_000, "a b"],
)  # fmt: skip
def test_r6_no_query_word_is_syntax(store, word):
    add_all(store, ["plain words"])
    assert [] == found(store, word)
    assert ["plain words"] == found(store, word, "plain", *[f"w{n}" for n in range(200)])


def test_an_empty_query_finds_nothing(store):
    add_all(store, ["plain"])
    assert [] == found(store)
    assert [] == found(store, "", "")
    assert [] == found(store, "plain", limit=0)


def test_scores_are_positive_best_first_and_ties_by_local_key(store):
    add_all(store, ["b c", "a b", "a a a", "x y", "a b", "z z", "q r"])
    hits = store.match_text(["a"], context=False, where=RowFilter(), limit=10)
    assert [3, 2, 5] == [local for local, _ in hits]
    assert hits[1][1] == hits[2][1] > 0
    assert hits == store.match_text(["a"], context=False, where=RowFilter(), limit=3)
    assert hits[:2] == store.match_text(["a"], context=False, where=RowFilter(), limit=2)


def test_r9_new_words_replace_the_old_ones_in_both_tables(store):
    [row] = add_all(store, ["old words"])
    with store.write(now_us=NOW_US) as tx:
        tx.put_text(row.local, turn=["new"], context=["new", "around"])
    for context in (False, True):
        assert [] == found(store, "old", context=context)
        assert ["old words"] == found(store, "new", context=context)
    assert [] == found(store, "around")
    assert ["old words"] == found(store, "around", context=True)


def test_words_put_twice_in_one_write_are_those_put_last(store):
    with store.write(now_us=NOW_US) as tx:
        row = add(tx, "first")
        assert ["first"] == found(store, "first")
        tx.put_text(row.local, turn=["second"], context=["second"])
        tx.put_text(row.local, turn=["third"], context=["third"])
    assert [] == found(store, "first") + found(store, "second")
    assert ["first"] == found(store, "third")


def test_i13_exactly_the_asked_scopes_answer(store):
    scopes = ["org", "org/team", "org/team/ana", "org/team2", "org/teams", "other"]
    with store.write(now_us=NOW_US) as tx:
        for scope in scopes:
            add(tx, f"word {scope}", scope=scope)
    ids = store.scopes()
    assert set(scopes) == set(ids)
    cases = [
        ["org/team"],
        ["org/team", "org/team/ana"],
        ["org/team2", "other"],
        [path for path in scopes if path.startswith("org")],
        scopes,
        [],
    ]
    for asked in cases:
        where = tuple(ids[path] for path in asked)
        expected = sorted(f"word {path}" for path in asked)
        assert expected == sorted(found(store, "word", scope_ids=where))
    assert [] == found(store, "word", scope_ids=(999,))


def test_many_scattered_scopes_answer_like_few(store):
    with store.write(now_us=NOW_US) as tx:
        for n in range(200):
            add(tx, f"word {n}", scope=f"s/{n}")
    ids = store.scopes()
    asked = tuple(ids[f"s/{n}"] for n in range(0, 200, 2))
    got = found(store, "word", scope_ids=asked, limit=500)
    assert sorted(f"word {n}" for n in range(0, 200, 2)) == sorted(got)


def test_the_filter_holds_inside_the_search(store):
    with store.write(now_us=NOW_US) as tx:
        rows = [add(tx, f"word {n}") for n in range(60)]
        last = add(tx, "word tool", kind=Kind.TOOL_RESULT, event_us=5)
        tx.set_state([row.local for row in rows[:-1]], State.SUPERSEDED)
    assert ["word tool"] == found(store, "word", kinds=(Kind.TOOL_RESULT,), limit=1)
    assert ["word tool"] == found(store, "word", event_to_us=6, limit=1)
    assert {"word 59", "word tool"} == set(found(store, "word", limit=2))
    assert 59 == len(found(store, "word", states=(State.SUPERSEDED,), limit=100))
    assert last.local == 61


def test_frequencies_count_rows_and_not_scopes(store):
    add_all(store, ["a b", "a a", "c 東京", "p1"])
    words = ["a", "東京", "b", "zz", "", "p1", "a"]
    assert [2, 1, 1, 0, 0, 1, 2] == store.token_frequencies(words, context=False)
    assert [2] == store.token_frequencies(["a"], context=True)


def test_words_of_an_open_write_are_seen_by_its_thread_alone(tmp_path):
    store = open_at(tmp_path / "m")
    other = open_at(tmp_path / "m")
    with store.write(now_us=NOW_US) as tx:
        add(tx, "fresh")
        assert ["fresh"] == found(store, "fresh")
        assert [] == other.match_text(["fresh"], context=False, where=RowFilter(), limit=1)


@given(st.lists(st.text(min_size=1, max_size=8), max_size=8))
def test_encoding_keeps_words_apart_and_distinct(words):
    encoded = encode_words(words).split(" ") if words else []
    assert len(words) == len(encoded)
    assert len(set(words)) == len(set(encoded))
    assert all(word.isascii() and word.replace("_", "a").isalnum() for word in encoded)
