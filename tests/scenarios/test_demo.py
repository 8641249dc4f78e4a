"""The demo's story, asserted from the memory it leaves, not from what is printed."""

import re
from datetime import UTC, datetime

import pytest
from typer.testing import CliRunner

from scrubjay.base.clock import datetime_of
from scrubjay.base.provenance import Authority, Plane
from scrubjay.base.trace import Category, Kind, State
from scrubjay.cli.app import app
from scrubjay.cli.story import live, open_story, sessions_of, story_folder

SESSIONS = sessions_of(story_folder())


@pytest.fixture(scope="module")
def lived(tmp_path_factory):
    """The memory after five weeks, open, and the days it lived."""
    memory, clock = open_story(tmp_path_factory.mktemp("demo") / "memory", SESSIONS)
    with memory:
        yield memory, list(live(memory, clock, SESSIONS))


def rows(memory):
    return list(memory.engrams(include_archived=True))


def objects(memory, subject, **kwargs):
    return {belief.object for belief in memory.beliefs.facts(subject, **kwargs)}


def day(us):
    return datetime_of(us).date().isoformat()


def test_every_message_of_the_five_weeks_is_there_once(lived):
    memory, days = lived
    lines = sum(len(path.read_text().splitlines()) for path in SESSIONS)
    assert lines == sum(one.turns for one in days)
    spoken = [r for r in rows(memory) if r.kind in {Kind.TURN, Kind.TOOL_RESULT}]
    assert (
        lines
        == len(spoken)
        == len({(r.provenance.session, r.provenance.message_id) for r in spoken})
    )


def test_old_telemetry_is_archived_and_can_still_be_found(lived):
    memory, _ = lived
    telemetry = [r for r in rows(memory) if r.category is Category.TELEMETRY]
    assert {State.ARCHIVED} == {r.state for r in telemetry}
    answer = memory.recall("host_vitals queue-2 latency", 5, include_archived=True)
    assert "archive" in {hit.source for hit in answer}


def test_facts_rules_and_skills_outlive_what_they_were_learned_from(lived):
    memory, _ = lived
    lasting = [
        r for r in rows(memory) if r.category in {Category.FACT, Category.INVARIANT, Category.SKILL}
    ]
    assert lasting
    assert State.ARCHIVED not in {r.state for r in lasting}


def test_the_metrics_store_was_postgresql_and_is_clickhouse_since_the_migration(lived):
    memory, _ = lived
    timeline = {
        belief.object: belief
        for belief in memory.beliefs.history("metrics store", "uses")
        if not belief.negated and not belief.hedged
    }
    assert {"PostgreSQL", "ClickHouse"} == set(timeline)
    assert "2026-03-23" == day(timeline["PostgreSQL"].valid_to_us)
    assert "2026-03-23" == day(timeline["ClickHouse"].valid_from_us)
    assert timeline["ClickHouse"].current
    assert not timeline["PostgreSQL"].current


def test_as_of_early_march_the_old_store_is_believed(lived):
    memory, _ = lived
    then = memory.beliefs.facts("metrics store", as_of=datetime(2026, 3, 10, tzinfo=UTC))
    assert {"PostgreSQL"} == {b.object for b in then if not b.hedged and not b.negated}


def test_what_holds_outranks_what_was_denied_or_only_guessed(lived):
    memory, _ = lived
    answer = memory.recall("What does the metrics store use?", 3)
    assert "metrics store uses ClickHouse" in answer[0].content
    assert 3 == len([hit for hit in answer if "metrics store" in hit.content])


def test_the_preference_changed_and_both_are_kept(lived):
    memory, _ = lived
    mine = [
        b for b in memory.beliefs.facts("operator", include_past=True) if "report" in b.predicate
    ]
    by_form = {belief.object: belief for belief in mine}
    assert {"PDF", "chat message"} == set(by_form)
    assert "2026-03-19" == day(by_form["PDF"].valid_to_us)
    assert by_form["chat message"].current


def test_a_plan_that_was_only_a_maybe_stays_one(lived):
    memory, _ = lived
    (maybe,) = memory.beliefs.facts("nightly backups")
    assert ("object storage", True) == (maybe.object, maybe.hedged)


def test_the_standing_rule_is_an_invariant_of_the_operator(lived):
    memory, _ = lived
    (rule,) = [r for r in rows(memory) if r.category is Category.INVARIANT]
    assert "never restart the billing service" in rule.content
    assert (True, None) == (rule.pinned, rule.evict_at_us)
    assert Authority.USER_EXPLICIT == rule.provenance.authority


def test_t1_orders_in_tool_output_stay_quotations(lived):
    memory, days = lived
    refused = [memory.engram(refusal.engram) for one in days for refusal in one.report.refused]
    assert {"read_ticket", "tail_log"} == {row.provenance.principal for row in refused}
    poison = re.compile("digest@reports.example|allows restarting")
    assert all(poison.search(row.content) for row in refused)
    assert {Plane.OBSERVED} == {row.provenance.plane for row in refused}
    learned = [r for r in rows(memory) if r.kind in {Kind.BELIEF, Kind.SKILL, Kind.INTENTION}]
    assert [] == [r.content for r in learned if poison.search(r.content)]
    assert [] == [r for r in learned if {row.id for row in refused} & set(r.provenance.parents)]


def test_one_repair_comes_out_of_three_with_its_parameters_and_recovery(lived):
    memory, _ = lived
    (skill,) = memory.skills.all()
    assert ["heartbeat", "queue_depth", "drain_worker", "start_worker", "queue_depth"] == [
        step.tool for step in skill.steps
    ]
    assert {"host", "service", "queue"} == set(re.findall(r"\$\{(\w+)\}", str(skill.steps)))
    assert ["release_lease"] == [step.tool for step in skill.recovery]
    assert 3 == skill.successes
    whole = str(skill.steps) + str(skill.recovery)
    assert not re.search(r"queue-\d|mailer|thumbnailer|invoicer|mail-out", whole)


def test_the_repair_is_found_by_the_words_of_a_new_stall(lived):
    memory, _ = lived
    (best,) = memory.skills.match("a queue worker is stalled again", 1)
    assert best.skill.name == memory.skills.all()[0].name


def test_p1_the_reminder_was_due_while_nobody_was_there_and_is_marked_late(lived):
    memory, _ = lived
    (item,) = memory.intentions.waiting()
    assert "renew the certificate" in item.intention.action
    assert "2026-04-07T07:00:00+00:00" == datetime_of(item.intention.due_us).isoformat()
    assert item.late


def test_only_the_newest_version_of_the_repair_is_found(lived):
    memory, _ = lived
    found = list(memory.recall("How do I repair a stalled queue worker?", 20))
    skills = [hit for hit in found if hit.engram.kind is Kind.SKILL]
    assert [memory.skills.all()[0].id] == [hit.id for hit in skills]
    assert found[0] == skills[0]


def test_the_rule_is_what_answers_the_question_about_billing(lived):
    memory, _ = lived
    assert "never restart" in memory.recall("May I restart the billing service?", 1)[0].content


def test_the_memory_is_sound(lived):
    memory, _ = lived
    assert memory.doctor().ok


def test_two_runs_print_the_same_and_export_the_same_bytes(tmp_path):
    told = []
    for run in ("a", "b"):
        place = tmp_path / run
        result = CliRunner().invoke(app, ["demo", "--dir", str(place)], env={"COLUMNS": "200"})
        assert 0 == result.exit_code, result.exception
        told.append(result.stdout.replace(str(place), "PLACE"))
        assert (
            0
            == CliRunner()
            .invoke(app, ["export", str(place / "export.jsonl"), "--dir", str(place / "memory")])
            .exit_code
        )
    assert told[0] == told[1]
    assert max(len(line) for line in told[0].splitlines() if "PLACE" not in line) <= 80
    first, second = tmp_path / "a", tmp_path / "b"
    for name in ("export.jsonl", "forgetting.svg"):
        assert (first / name).read_bytes() == (second / name).read_bytes()
