"""The cycle: one transaction, nothing lost, nothing twice."""

import pytest

from scrubjay.base.clock import DAY_US, HOUR_US
from scrubjay.base.errors import ConflictError
from scrubjay.base.trace import Category, Kind, RowFilter, State
from scrubjay.policies.consolidation.cycle import apply_cycle, plan_cycle
from scrubjay.systems.semantic import Beliefs

ALL = RowFilter(states=tuple(State))


def cycle(store, encoder, now_us):
    return apply_cycle(store, encoder, plan_cycle(store, now_us=now_us), now_us=now_us)


def everything(store):
    """Return every row and record, as text that can be compared."""
    return [
        *map(repr, store.engrams(where=ALL)),
        *map(repr, store.assertions()),
        *map(repr, store.intentions()),
        *map(repr, store.skills()),
    ]


def facts(store, now_us):
    return [(b.subject, b.predicate, b.object) for b in Beliefs(store).facts(now_us=now_us)]


@pytest.fixture
def told(put, row):
    put(
        row("user", "I live in Oslo.", principal="ada"),
        row("user", "Never deploy on Fridays.", principal="ada"),
        *row.call("probe", {}, '{"host": "web-3", "state": "up", "load": 3}'),
        row("user", "I moved to Bergen.", principal="ada"),
    )
    return row.now_us


def test_a_cycle_reads_writes_and_reports(store, encoder, told):
    report = cycle(store, encoder, told)
    assert (5, 1, 4, 1, 0, ()) == (
        report.read,
        report.episodes,
        report.beliefs_new,
        report.beliefs_closed,
        report.archived,
        report.refused,
    )
    assert ("ada", "lives_in", "Bergen") in facts(store, told)
    assert ("ada", "lives_in", "Oslo") not in facts(store, told)


def test_what_was_closed_leaves_the_default_search_and_a_rule_is_pinned(store, encoder, told):
    cycle(store, encoder, told)
    rows = {r.content: r for r in store.engrams(kinds=[Kind.BELIEF], where=ALL)}
    assert State.SUPERSEDED is rows["ada lives in Oslo"].state
    rule = rows["ada: Never deploy on Fridays"]
    assert (True, Category.INVARIANT, State.HOT) == (rule.pinned, rule.category, rule.state)


def test_planning_changes_nothing_and_is_deterministic(store, told):
    before, seq = everything(store), store.last_seq()
    assert plan_cycle(store, now_us=told) == plan_cycle(store, now_us=told)
    assert (before, seq) == (everything(store), store.last_seq())


def test_f2_sixty_cycles_over_unchanged_data_lose_nothing(store, encoder, told):
    cycle(store, encoder, told)
    kept, seq = everything(store), store.last_seq()
    for n in range(60):
        report = cycle(store, encoder, told + n)
        assert (0, 0, 0) == (report.read, report.beliefs_new, report.archived)
    assert (kept, seq) == (everything(store), store.last_seq())


def test_b15_applying_a_plan_twice_changes_nothing_and_says_so(store, encoder, told):
    plan = plan_cycle(store, now_us=told)
    apply_cycle(store, encoder, plan, now_us=told)
    kept = everything(store)
    assert apply_cycle(store, encoder, plan, now_us=told).already_applied
    assert kept == everything(store)


@pytest.mark.parametrize("fail_at", [0, 1, 2, 3])
def test_f4_a_cycle_that_fails_leaves_the_state_as_it_was(store, failing_encoder, told, fail_at):
    before, seq = everything(store), store.last_seq()
    with pytest.raises(RuntimeError, match="the embedder broke"):
        cycle(store, failing_encoder(fail_at), told)
    assert (before, seq) == (everything(store), store.last_seq())
    assert 4 == cycle(store, failing_encoder(), told).beliefs_new


def test_f6_a_row_that_arrives_between_plan_and_apply_is_read_by_the_next(
    store, encoder, told, put, row
):
    plan = plan_cycle(store, now_us=told)
    put(row("user", "I speak Norwegian.", principal="ada"))
    apply_cycle(store, encoder, plan, now_us=told)
    report = cycle(store, encoder, told + 1)
    assert (1, 1) == (report.read, report.beliefs_new)


def test_a_plan_that_was_overtaken_is_refused(store, encoder, told, put, row):
    plan = plan_cycle(store, now_us=told)
    with store.write(now_us=told) as tx:
        tx.erase([plan.read[0]])
    kept = everything(store)
    with pytest.raises(ConflictError, match=r"erased since.*plan again"):
        apply_cycle(store, encoder, plan, now_us=told)
    assert kept == everything(store)


def test_two_cycles_that_overlap_are_refused(store, encoder, told, put, row):
    small = plan_cycle(store, now_us=told, limit=2)
    whole = plan_cycle(store, now_us=told)
    apply_cycle(store, encoder, small, now_us=told)
    with pytest.raises(ConflictError, match="2 of 5 rows were consolidated"):
        apply_cycle(store, encoder, whole, now_us=told)


def test_f1_after_two_idle_months_what_was_learned_is_there_and_telemetry_is_archived(
    store, encoder, told
):
    cycle(store, encoder, told)
    later = told + 61 * DAY_US
    report = cycle(store, encoder, later)
    assert 5 == report.archived
    assert ("ada", "lives_in", "Bergen") in facts(store, later)
    hot = list(store.engrams(where=RowFilter(states=(State.HOT,))))
    assert {Kind.BELIEF} == {r.kind for r in hot}
    cold = list(store.engrams(where=RowFilter(states=(State.ARCHIVED,))))
    assert 5 == len(cold)
    with store.write(now_us=later) as tx:
        assert 5 == tx.restore([r.id for r in cold])


def test_what_was_never_read_is_never_archived(store, encoder, told):
    plan = plan_cycle(store, now_us=told + 61 * DAY_US, limit=2)
    assert set(plan.archive) == set(plan.read)


def test_faded_telemetry_goes_in_the_cycle_that_read_it(store, encoder, told):
    report = cycle(store, encoder, told + 8 * HOUR_US)
    assert 1 == report.archived, "the tool result; dialogue lives for days"


def test_pinned_rows_stay_hot(store, encoder, told):
    pinned = next(iter(store.engrams(kinds=[Kind.TOOL_RESULT])))
    with store.write(now_us=told) as tx:
        tx.set_pinned(pinned.local, pinned=True)
    cycle(store, encoder, told + 61 * DAY_US)
    assert State.HOT is store.engram(pinned.id).state


def test_f3_what_was_used_since_the_plan_stays(store, encoder, told):
    later = told + 61 * DAY_US
    plan = plan_cycle(store, now_us=later)
    used = store.engram(plan.archive[0])
    with store.write(now_us=later) as tx:
        tx.reinforce(used.local, last_us=later, evict_at_us=later + DAY_US)
    apply_cycle(store, encoder, plan, now_us=later)
    assert State.HOT is store.engram(used.id).state


def test_i12_old_events_recorded_today_fade_from_today(store, encoder, put, row):
    today = 700 * DAY_US
    put(row("user", "I live in Oslo.", recorded_us=today), now_us=today)
    assert 0 == cycle(store, encoder, today + DAY_US).archived


def test_b16_erasing_the_episode_that_closed_a_belief_makes_it_current_again(store, encoder, told):
    cycle(store, encoder, told)
    moved = next(r for r in store.engrams(kinds=[Kind.TURN]) if "Bergen" in r.content)
    with store.write(now_us=told) as tx:
        tx.erase([moved.id])
    assert ("ada", "lives_in", "Oslo") in facts(store, told)


def test_the_journal_holds_numbers_and_ids_and_no_content(store, encoder, told):
    cycle(store, encoder, told)
    [event] = [e for e in store.journal_events() if e.event == "sleep"]
    assert '"read":5' in event.detail
    assert "Oslo" not in event.detail


def test_intentions_and_skills_are_kept(store, encoder, put, row):
    for n in range(2):
        put(
            row("user", "The worker is stalled, please repair it.", session=f"s{n}"),
            *row.call("drain", {"worker": f"w{n}"}, session=f"s{n}"),
            *row.call("start", {"worker": f"w{n}"}, session=f"s{n}"),
        )
    put(row("user", "Remind me in 2 hours to check the oven.", session="r"))
    report = cycle(store, encoder, row.now_us)
    assert (1, 1) == (report.skills, report.intentions)
    assert ["repair-stalled-worker"] == [s.name for s in store.skills()]
    assert ["check the oven"] == [i.action for i in store.intentions(status="armed")]
