"""Recall over time and scopes: what is old is still found, what is elsewhere is not."""

import math
from datetime import UTC, datetime

import pytest

from scrubjay import Memory
from scrubjay.base.clock import DAY_US, HOUR_US, ManualClock
from scrubjay.base.trace import Observation, State


def contents(answer):
    return [hit.content for hit in answer]


def test_i13_exactly_the_asked_scopes_answer(memory):
    for scope in ("org/a", "org/a/x", "org/ab", "org", "other", "*", "%"):
        memory.observe(f"The deploy of {scope} failed.", scope=scope)

    def asked(**scopes):
        return {hit.engram.scope for hit in memory.recall("which deploy failed?", 20, **scopes)}

    assert asked(scope="org/a") == {"org/a"}
    assert asked(under="org/a") == {"org/a", "org/a/x"}
    assert asked(under="org") == {"org", "org/a", "org/a/x", "org/ab"}
    assert asked(scope=["org/ab", "other"]) == {"org/ab", "other"}
    assert asked(scope="other", under=["org/a"]) == {"org/a", "org/a/x", "other"}
    assert asked(scope="*") == {"*"}
    assert asked(under="%") == {"%"}


def transcript(clock):
    """Return the turns of a conversation that happened two years before now, in ten sessions."""
    begin = clock.now_us() - 730 * DAY_US
    facts = {
        2: "My daughter Clara was born in Lisbon.",
        5: "We adopted a tortoise called Archibald.",
        8: "I am allergic to penicillin.",
    }
    for session in range(10):
        for turn in range(8):
            text = f"Session {session}: talk about the weather and tea, part {turn}."
            yield Observation(
                content=facts[session] if session in facts and turn == 4 else text,
                session=f"session_{session}",
                message_id=f"D{session}:{turn}",
                event_us=begin + session * 7 * DAY_US + turn * 60_000_000,
            )


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Where was Clara born?", "Lisbon"),
        ("What is our tortoise called?", "Archibald"),
        ("Which medicine must I avoid, penicillin?", "penicillin"),
    ],
)
def test_i12_an_old_transcript_is_recalled_after_sleep_and_six_idle_months(
    memory, clock, question, expected
):
    turns = list(transcript(clock))
    for session in range(10):
        memory.observe_many(turns[session * 8 : session * 8 + 8])
        memory.sleep()
    for _ in range(6):
        clock.advance(days=30)
        memory.sleep()
    hits = memory.recall(question, 5)
    assert any(expected in hit.content for hit in hits)


def test_i12_what_left_for_the_archive_is_found_there_and_says_so(memory, clock):
    memory.observe_many(transcript(clock))
    memory.sleep()
    clock.advance(days=180)
    memory.sleep()
    cold = [row for row in memory.engrams(include_archived=True) if row.state is State.ARCHIVED]
    assert cold
    target = next(row for row in cold if "tortoise" in row.content)
    hit = next(h for h in memory.recall("our tortoise", 10) if h.id == target.id)
    assert hit.source == "archive"
    assert "archive" in hit.why()


def test_i12_a_question_about_the_past_reaches_the_archive(memory, clock):
    memory.observe_many(transcript(clock))
    memory.sleep()
    clock.advance(days=180)
    memory.sleep()
    for n in range(20):
        memory.observe(f"We saw a tortoise at zoo {n}.", session=f"zoo {n}")
    past = clock.now_us() - 180 * DAY_US
    answer = memory.recall("tortoise", 3, until=past)
    assert "We adopted a tortoise called Archibald." in contents(answer)
    assert all(hit.engram.event_us < past for hit in answer)
    everything = memory.recall("tortoise Archibald adopted", 3, include_archived=True)
    assert "Archibald" in everything[0].content


def test_f8_items_of_equal_age_have_equal_recency(memory):
    memory.observe_many(
        Observation(content=f"The deploy of week {n} failed.", session=f"s{n}") for n in range(5)
    )
    answer = memory.recall("which deploy failed?", 5)
    assert len({hit.terms["recency"] for hit in answer}) == 1


def test_f8_a_clock_stepped_back_gives_no_boost_and_no_nan(tmp_path):
    clock = ManualClock()
    with Memory.open(tmp_path / "m", clock=clock, seed=1) as memory:
        clock.advance(hours=10)
        memory.observe("The deploy failed.")
    with Memory.open(tmp_path / "m", clock=ManualClock(), seed=1) as memory:
        hit = memory.recall("what failed?", 1)[0]
    assert hit.terms["recency"] == pytest.approx(0.2)
    assert math.isfinite(hit.score)


def test_f8_recency_halves_in_one_half_life(memory, clock):
    memory.observe("The deploy failed.")
    clock.advance(us=48 * HOUR_US)
    assert memory.recall("deploy", 1)[0].terms["recency"] == pytest.approx(0.1)


def test_b3_recall_as_of_an_instant_tells_what_was_believed_then(memory, clock):
    def say(city, year):
        memory.remember(
            subject="Anna",
            predicate="lives_in",
            object=city,
            valid_from=datetime(year, 1, 1, tzinfo=UTC),
            functional=True,
        )

    say("Oslo", 1992)
    say("Lima", 1995)
    say("Oslo", 1998)

    def believed(year):
        then = datetime(year, 6, 1, tzinfo=UTC)
        answer = memory.recall("Where does Anna live?", kinds=["belief"], as_of=then)
        return [
            next(city for city in ("Oslo", "Lima") if city in text) for text in contents(answer)
        ]

    assert [["Oslo"], ["Lima"], ["Oslo"]] == [believed(year) for year in (1993, 1996, 1999)]
    assert believed(1990) == []


def test_i12_as_of_an_instant_of_an_imported_past_knows_only_what_had_happened(memory, clock):
    memory.observe_many(transcript(clock))
    clock.advance(days=1)
    adopted = clock.now_us() - (731 - 5 * 7) * DAY_US
    before = memory.recall("What is our tortoise called?", as_of=adopted - DAY_US)
    after = memory.recall("What is our tortoise called?", as_of=adopted + DAY_US)
    assert not any("Archibald" in text for text in contents(before))
    assert "Archibald" in contents(after)[0]
