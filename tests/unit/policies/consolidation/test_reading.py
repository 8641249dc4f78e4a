"""What sentences state: who, what, since when, how surely."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.clock import instant_of
from scrubjay.base.trace import Precision
from scrubjay.policies.consolidation.reading import read_sentence
from scrubjay.policies.consolidation.sentences import sentences_of


def on(year, month=1, day=1):
    return instant_of("test", datetime(year, month, day, tzinfo=UTC))


SAID_US = instant_of("test", datetime(2026, 3, 23, 8, tzinfo=UTC))


def read(text, said_us=SAID_US, offset_min=0):
    return [
        reading
        for sentence in sentences_of(text, speaker="ada")
        for reading in read_sentence(
            sentence, speaker="ada", event_us=said_us, offset_min=offset_min
        )
    ]


def triples(text):
    return [(r.finding.subject, r.finding.predicate, r.finding.object) for r in read(text)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Oslo.", ("ada", "lives_in", "Oslo")),
        ("I'm currently based in Oslo these days.", ("ada", "lives_in", "Oslo")),
        ("My brother lives in Bergen.", ("ada's brother", "lives_in", "Bergen")),
        ("I work at Acme Inc. now.", ("ada", "works_at", "Acme Inc")),
        ("Priya works for Acme.", ("Priya", "works_at", "Acme")),
        ("I'm a software engineer.", ("ada", "works_as", "software engineer")),
        ("I work as a nurse at the hospital.", ("ada", "works_as", "nurse")),
        ("Hi, my name is Ada Moss.", ("ada", "name", "Ada Moss")),
        ("My dog's name is Rex.", ("ada's dog", "name", "Rex")),
        ("I'm allergic to peanuts.", ("ada", "allergic_to", "peanuts")),
        ("I speak Norwegian fluently.", ("ada", "speaks", "Norwegian")),
        ("My favorite color is cyan.", ("ada", "favourite:colour", "cyan")),
        ("Priya's favourite tea is Assam.", ("Priya", "favourite:tea", "Assam")),
        ("Ada loves Chinese food.", ("Ada", "feels_about:chinese food", "loves")),
        ("I can't stand jazz.", ("ada", "feels_about:jazz", "hates")),
        ("I don't like fish.", ("ada", "feels_about:fish", "dislikes")),
        ("Ada doesn't like fish.", ("Ada", "feels_about:fish", "dislikes")),
        ("I prefer email for status reports.", ("ada", "prefers:status reports", "email")),
        ("I prefer the weekly report as a PDF.", ("ada", "prefers:weekly report", "PDF")),
        ("Project Alpha uses PostgreSQL.", ("Project Alpha", "uses", "PostgreSQL")),
        ("We're using GitHub Actions now.", ("ada's team", "uses", "GitHub Actions")),
        ("The status page runs on edge-1.", ("status page", "runs_on", "edge-1")),
        ("The mail queue lives on queue-2.", ("mail queue", "located_on", "queue-2")),
        ("Invoices are stored in S3.", ("Invoices", "kept_in", "S3")),
        ("Yes, invoices go through queue-7.", ("invoices", "goes_through", "queue-7")),
        ("The deploy region is now eu-west-1.", ("deploy region", "is_now", "eu-west-1")),
        ("The deploy branch changed from main to trunk.", ("deploy branch", "is_now", "trunk")),
        ("The certificate expires on 2026-04-10.", ("certificate", "expires_on", "2026-04-10")),
        ("Note that our API uses gRPC.", ("API", "uses", "gRPC")),
    ],
)
def test_a_statement_is_read(text, expected):
    findings = [r.finding for r in read(text) if not r.finding.negated]
    assert [expected] == [(f.subject, f.predicate, f.object) for f in findings]


@pytest.mark.parametrize(
    "text",
    [
        "Do I live in Oslo?",
        "If I live in Oslo, I will buy skis.",
        "She lives in Rome.",
        "Sounds like a plan!",
        "Looks like fun.",
        "I could use some recommendations.",
        "I want to move to Oslo.",
        "I'd like to change my flight from Rome to Oslo.",
        "You should use Kafka.",
        "I am a bit tired.",
        "I have a question.",
        'The mail said "I live in Oslo and work at Acme".',
        "> I live in Oslo",
        "```\nI live in Oslo\n```",
        "I love the way it looks.",
        "ok thanks",
        "",
    ],
)
def test_what_states_nothing_gives_nothing(text):
    assert [] == triples(text)


def test_two_clauses_are_two_statements():
    assert [("mail queue", "queue-2"), ("image queue", "queue-5")] == [
        (s, o)
        for s, _, o in triples(
            "The mail queue lives on queue-2 and the image queue lives on queue-5."
        )
    ]


def test_a_migration_asserts_the_new_and_denies_the_old_from_that_day():
    readings = read("The metrics store migrated from PostgreSQL to ClickHouse this morning.")
    assert [("ClickHouse", False), ("PostgreSQL", True)] == [
        (r.finding.object, r.finding.negated) for r in readings
    ]
    assert {(on(2026, 3, 23), None, Precision.DAY)} == {
        (r.from_us, r.to_us, r.precision) for r in readings
    }


def test_preferring_one_over_another_denies_the_other():
    assert [("tabs", False), ("spaces", True)] == [
        (r.finding.object, r.finding.negated) for r in read("I prefer tabs over spaces.")
    ]


@pytest.mark.parametrize(
    "text",
    [
        "I no longer live in Oslo.",
        "I don't live in Oslo any more.",
        "I do not live in Oslo anymore.",
    ],
)
def test_a_denial_is_negated(text):
    [reading] = read(text)
    assert ("lives_in", "Oslo", True) == (
        reading.finding.predicate,
        reading.finding.object,
        reading.finding.negated,
    )


@pytest.mark.parametrize(
    "text",
    [
        "I might move to Oslo.",
        "Maybe I move to Oslo.",
        "I'm thinking of moving to Oslo.",
        "I'm going to move to Oslo.",
        "I think I live in Oslo.",
    ],
)
def test_t8_a_hedge_is_hedged(text):
    [reading] = read(text)
    assert ("Oslo", True) == (reading.finding.object, reading.hedged)
    assert reading.confidence < 0.5


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I live in Oslo.", (None, None, Precision.UNKNOWN)),
        ("I have lived in Oslo since March 2021.", (on(2021, 3), None, Precision.MONTH)),
        ("I lived in Rome from 2015 to 2018.", (on(2015), on(2019), Precision.YEAR)),
        ("I worked for Acme in 2019.", (on(2019), on(2020), Precision.YEAR)),
        ("I used to live in Rome.", (None, SAID_US, Precision.UNKNOWN)),
        ("I joined Acme on 2020-02-29.", (on(2020, 2, 29), None, Precision.DAY)),
        ("From now on we use tabs.", (SAID_US, None, Precision.INSTANT)),
        ("We moved from Jenkins to Buildkite yesterday.", (on(2026, 3, 22), None, Precision.DAY)),
        ("I've lived in Oslo for 3 years.", (on(2023), None, Precision.YEAR)),
    ],
)
def test_dates_keep_the_precision_they_were_said_with(text, expected):
    reading = read(text)[0]
    assert expected == (reading.from_us, reading.to_us, reading.precision)


def test_b11_last_week_is_the_week_before_it_was_said_and_not_before_today():
    said_2019 = instant_of("test", datetime(2019, 5, 15, 12, tzinfo=UTC))
    [reading] = read("I moved to Oslo last week.", said_us=said_2019)
    assert (on(2019, 5, 6), Precision.MONTH) == (reading.from_us, reading.precision)


def test_b11_yesterday_counts_from_the_speakers_own_day():
    just_after_midnight = instant_of("test", datetime(2026, 3, 22, 23, 30, tzinfo=UTC))
    reading = read("I joined Acme yesterday.", said_us=just_after_midnight, offset_min=120)[0]
    assert on(2026, 3, 22) == reading.from_us


@given(st.text(max_size=300))
def test_no_text_breaks_the_reader(text):
    for reading in read(text):
        assert reading.finding.object


def test_text_that_tempts_backtracking_is_read_in_time():
    for unit in ("my ", "the a ", "I moved from ", "and ", "x-", "a, ", "live in "):
        assert isinstance(read(unit * 150), list)
