"""The recall cases of the acceptance list, each with two variants, through the public interface."""

import math
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from scrubjay import Memory
from scrubjay.base.errors import (
    EmbedderError,
    EmbedderMismatchError,
    InvalidArgumentError,
    ScrubjayError,
    UnitError,
)
from scrubjay.base.trace import Observation

NOTES = 10_000
SUBJECTS = ("build", "deploy", "invoice", "garden", "meeting", "backup", "recipe", "journey")
VERBS = ("failed", "went well", "was postponed", "needs review", "is done", "looks odd")


class Blind:
    """An embedder to which every text is the same."""

    name = "blind"
    dim = 8

    def __call__(self, texts):
        return np.ones((len(texts), self.dim), np.float32)


def filler(n):
    return f"The {SUBJECTS[n % 8]} of week {n // 8} {VERBS[n % 6]}, see ticket {n}."


def contents(answer):
    return [hit.content for hit in answer]


@pytest.fixture(scope="module")
def ten_thousand(tmp_path_factory):
    """10,000 notes under a blind embedder; three hold identifiers that occur once."""
    special = {
        1234: "Rollback of release kx-77-qz9 finished.",
        5678: "The certificate 9F:3A:77:B0 expires in May.",
        9012: "getQuarterlyTotals in src/billing/totals.py rounds half up.",
    }
    with Memory.open(tmp_path_factory.mktemp("notes") / "m", embedder=Blind(), seed=1) as memory:
        memory.observe_many(
            Observation(content=special.get(n, filler(n)), session=f"s{n // 50}")
            for n in range(NOTES)
        )
        yield memory


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what happened to kx-77-qz9?", "Rollback of release kx-77-qz9 finished."),
        ("9F:3A:77:B0", "The certificate 9F:3A:77:B0 expires in May."),
        (
            "who wrote getQuarterlyTotals",
            "getQuarterlyTotals in src/billing/totals.py rounds half up.",
        ),
        (
            "src/billing/totals.py",
            "getQuarterlyTotals in src/billing/totals.py rounds half up.",
        ),
    ],
)
def test_r1_an_identifier_among_ten_thousand_notes_is_found(ten_thousand, question, expected):
    answer = ten_thousand.recall(question, 3)
    assert answer[0].content == expected


def test_r1_an_identifier_is_found_through_a_scope_filter(memory):
    memory.observe_many(
        Observation(content=filler(n), session="s", scope="a" if n % 2 else "b") for n in range(600)
    )
    memory.observe("Order ZX-4411 left the warehouse.", scope="a")
    assert contents(memory.recall("ZX-4411", 1, scope="a")) == ["Order ZX-4411 left the warehouse."]
    assert "Order ZX-4411 left the warehouse." not in contents(memory.recall("ZX-4411", scope="b"))


@pytest.fixture
def family(memory):
    """A memory of a few ordinary facts."""
    for text in (
        "My dog is called Rex and he loves the beach.",
        "We moved the billing service from PostgreSQL to ClickHouse in March.",
        "My sister Anna is getting married in June.",
        "The nightly backup failed because the disk was full.",
        "I have been learning the violin for two years.",
    ):
        memory.observe(text)
    return memory


@pytest.mark.parametrize(
    "nonsense",
    ["flurbo grimplex snorvatch", "xqzt", "tungsten hexafluoride enzymes", "\u2603 \u2603 \u2603"],
)
def test_r2_nonsense_gets_an_empty_answer_marked_abstained(family, nonsense):
    answer = family.recall(nonsense)
    assert len(answer) == 0
    assert answer.abstained
    assert not answer.unknown_scope


def test_r2_an_answer_that_speaks_to_the_question_does_not_abstain(family):
    answer = family.recall("what is my dog called?", 1)
    assert not answer.abstained
    assert "Rex" in answer[0].content


def test_r2_relevance_compares_across_questions(family):
    exact = family.recall("why did the nightly backup fail, was the disk full?", 1)[0]
    vague = family.recall("is there anything about a disk, a printer or a router?", 1)[0]
    assert exact.relevance > vague.relevance
    assert 0.0 < vague.relevance < exact.relevance <= 1.0


def test_r3_a_hit_just_under_the_threshold_is_counted(family):
    hit = family.recall("what is my dog called?", 1)[0]
    passed = family.recall("what is my dog called?", 1, min_score=hit.score)
    refused = family.recall("what is my dog called?", 1, min_score=math.nextafter(hit.score, 1.0))
    assert contents(passed) == [hit.content]
    assert len(refused) == 0
    assert refused.filtered == passed.filtered + 1
    assert refused.abstained


def test_r3_what_speaks_too_faintly_is_counted_without_a_bound(family):
    family.observe("The dog of our neighbour barks.", session="elsewhere")
    question = "dog food prices compared by brand, weight, vendor, region and season of 2019"
    answer = family.recall(question)
    assert answer.filtered >= 1


def test_r4_nine_restatements_take_one_place_and_tell_their_count(memory):
    for n in range(9):
        text = "The user prefers dark mode" + (".", "!", "")[n % 3]
        memory.observe(text.upper() if n % 2 else text, session=f"s{n}")
    memory.observe("The user prefers light mode.", session="other")
    answer = memory.recall("which mode does the user prefer?", 5)
    assert [hit.count for hit in answer] == [9, 1]
    assert len(set(answer[0].restated) | {answer[0].id}) == 9


def test_r4_statements_of_two_people_never_fold(memory):
    memory.observe("My favourite colour is purple.", principal="ann")
    memory.observe("My favourite colour is purple.", principal="bob")
    memory.observe("My favourite colour is cyan.", principal="bob")
    assert [hit.count for hit in memory.recall("favourite colour")] == [1, 1, 1]


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("她昨天买了一只猫", "猫"),
        ("我们下周在北京大学见面", "北京大学"),
        ("東京タワーで写真を撮りました", "東京タワー"),
        ("고양이가 소파에서 자고 있다", "고양이"),
        ("เขาชอบดื่มน้ำชาตอนเช้า", "น้ำชา"),
        ("Она купила новую книгу вчера", "книгу"),
        ("قرأت الكتاب أمس في المكتبة", "كتاب"),
        ("वह रोज़ हिन्दी में किताब पढ़ती है", "किताब"),
    ],
)
def test_r5_text_of_any_script_is_found_by_word(memory, text, word):
    for other in (
        "天气很好",
        "明日は雨です",
        "오늘은 비가 온다",
        "วันนี้ฝนตก",
        "Сегодня дождь",
        "المطر اليوم",
    ):
        memory.observe(other, session="weather")
    memory.observe(text, session="said")
    assert memory.recall(word, 1)[0].content == text


def test_r5_text_of_any_script_is_found_by_word_in_a_large_store(ten_thousand):
    ten_thousand.observe("我们下周在清华大学见面", session="cjk")
    assert ten_thousand.recall("清华大学", 1)[0].content == "我们下周在清华大学见面"


HOSTILE = [
    " ".join(f"word{n}" for n in range(200)),
    "dog " * 12_500,
    "dog AND (rex OR NOT beach) NEAR/3 *",
    'dog "rex',
    "dog* -rex ^beach {x} tokens: dog",
    "'; DROP TABLE engram; -- dog",
    "dog \U0001f415\U0001f3fd\u200d\U0001f9af",
    "dog\x00rex",
    "dog \ud800 rex",
    "\u202edog\u202c \ufeff",
    "*",
    '"',
    "AND",
]


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_r6_no_question_is_a_syntax_error(family, question):
    answer = family.recall(question)
    assert len(answer) <= 10
    if "rex" in question.lower():
        assert "Rex" in answer[0].content


@pytest.mark.parametrize("question", HOSTILE, ids=range(len(HOSTILE)))
def test_r6_no_question_is_a_syntax_error_in_full_text(ten_thousand, question):
    assert len(ten_thousand.recall(question, 3)) <= 3


@pytest.mark.parametrize("question", ["", "   ", "\n\t\x00"])
def test_r6_a_blank_question_is_refused(family, question):
    with pytest.raises(InvalidArgumentError, match="query is empty"):
        family.recall(question)


def test_r7_a_filter_that_one_in_a_thousand_passes_still_fills_the_answer(memory):
    memory.observe_many(
        Observation(
            content=f"The deploy of week {n} failed.",
            session=f"s{n // 100}",
            scope="rare" if n % 1000 == 0 else "common",
        )
        for n in range(12_000)
    )
    answer = memory.recall("which deploy failed?", 10, scope="rare")
    assert len(answer) == 10
    assert {hit.engram.scope for hit in answer} == {"rare"}
    assert answer.truncated


def test_r7_a_window_of_event_time_filters_inside_the_search(memory):
    for day in range(60):
        memory.observe(
            f"The deploy of day {day} failed.",
            session=f"s{day}",
            event_time=datetime(1990, 1, 1, tzinfo=UTC) + timedelta(days=day),
        )
    answer = memory.recall(
        "which deploy failed?",
        10,
        since=datetime(1990, 1, 11, tzinfo=UTC),
        until=datetime(1990, 1, 14, tzinfo=UTC),
    )
    assert {"day 10", "day 11", "day 12"} == {hit.content[14:20] for hit in answer}


def test_r8_a_k_beyond_the_store_gives_a_short_answer(family):
    answer = family.recall("dog backup violin sister billing", 1000)
    assert len(answer) == 5
    assert not answer.truncated


def test_r8_an_empty_store_answers_nothing(memory):
    answer = memory.recall("anything at all")
    assert list(answer) == []
    assert answer.abstained
    assert answer.certified


@pytest.mark.parametrize("k", [0, -1])
def test_r8_a_k_below_one_is_a_value_error(family, k):
    with pytest.raises(ValueError, match=r"recall: k .*got") as refusal:
        family.recall("dog", k)
    assert isinstance(refusal.value, UnitError | InvalidArgumentError)


def test_r9_a_corrected_text_no_longer_answers_to_its_old_meaning(memory):
    old = memory.observe("The staging cluster lives in Frankfurt.", session="a")
    assert memory.recall("Frankfurt", 1)[0].id == old
    memory.forget(ids=[old])
    new = memory.observe("The staging cluster lives in Dublin.", session="a")
    assert contents(memory.recall("Frankfurt")) == []
    assert memory.recall("Dublin", 1)[0].id == new
    vague = memory.recall("Where is the staging cluster?", 5)
    assert [hit.id for hit in vague] == [new]


def test_r9_a_superseded_belief_gives_way_to_its_successor(memory, clock):
    memory.remember(subject="Anna", predicate="lives_in", object="Oslo", functional=True)
    clock.advance(days=30)
    memory.remember(subject="Anna", predicate="lives_in", object="Lima", functional=True)
    answer = contents(memory.recall("Where does Anna live?", kinds=["belief"]))
    assert len(answer) == 1
    assert "Lima" in answer[0]


def test_r10_a_cut_answer_says_so_and_its_cursor_continues_it(memory):
    for n in range(23):
        memory.observe(f"The deploy of week {n} failed.", session=f"s{n}")
    seen, cursor, flags = [], None, []
    while True:
        answer = memory.recall("which deploy failed?", 5, cursor=cursor)
        seen += [hit.id for hit in answer]
        flags.append(answer.truncated)
        cursor = answer.cursor
        if cursor is None:
            break
    assert [True, True, True, True, False] == flags
    assert len(seen) == len(set(seen)) == 23
    whole = memory.recall("which deploy failed?", 50)
    assert [hit.id for hit in whole] == seen
    assert not whole.truncated


@pytest.mark.parametrize(
    "bad",
    [
        lambda texts: np.full((len(texts), 4), np.nan, np.float32),
        lambda texts: np.full((len(texts), 4), np.inf, np.float32),
        lambda texts: np.ones((len(texts), 4 + texts[0].count("zebra")), np.float32),
    ],
    ids=["nan", "inf", "changing dimension"],
)
def test_r11_a_broken_embedder_is_refused_before_anything_is_stored(tmp_path, bad):
    def embed(texts):
        return bad(texts) if "zebra" in texts[0] else np.ones((len(texts), 4), np.float32)

    with Memory.open(tmp_path / "m", embedder=embed, seed=1) as memory:
        memory.observe("a good text")
        before = memory.stats()
        with pytest.raises(ScrubjayError):
            memory.observe("zebra")
        assert before == memory.stats()
        with pytest.raises(EmbedderError):
            memory.recall("zebra")
        assert contents(memory.recall("good text")) == ["a good text"]


def test_r11_a_text_without_meaning_is_stored_and_found_by_word(tmp_path):
    def embed(texts):
        return np.zeros((len(texts), 4), np.float32)

    with Memory.open(tmp_path / "m", embedder=embed, seed=1) as memory:
        memory.observe("only words here")
        assert contents(memory.recall("which words?")) == ["only words here"]


def test_r11_another_embedder_is_refused_and_told_how_to_re_embed(tmp_path):
    with Memory.open(tmp_path / "m", seed=1) as memory:
        memory.observe("hello there")
    with pytest.raises(EmbedderMismatchError, match="reembed"):
        Memory.open(tmp_path / "m", embedder=Blind(), seed=1)


def test_i3_a_scope_never_written_is_marked_and_never_a_plain_empty_answer(family):
    for asked in ({"scope": "nowhere"}, {"under": "now"}, {"scope": ["nowhere", "nobody"]}):
        answer = family.recall("dog", **asked)
        assert len(answer) == 0
        assert answer.unknown_scope
    mixed = family.recall("dog", scope=["main", "nowhere"])
    assert mixed.unknown_scopes == ("nowhere",)
    assert "Rex" in mixed[0].content
