"""Small policies between the facade and the systems.

Covers policies.reinforcement, policies.intending, policies.perception, policies.exchange,
policies.asking, policies.intake, policies.stating, policies.inspection and policies.spaces.
"""

import numpy as np
import pytest

from scrubjay import Memory, Weights
from scrubjay.base.clock import DAY_US, HOUR_US, SECOND_US
from scrubjay.base.errors import ConflictError, CorruptionError, StorageError
from scrubjay.base.provenance import Channel, Role
from scrubjay.base.trace import Kind, RowFilter
from scrubjay.policies.asking import recall_request
from scrubjay.policies.exchange import export_file
from scrubjay.policies.inspection import check_health, take_stats
from scrubjay.policies.intake import selection_of
from scrubjay.policies.intending import hand_out
from scrubjay.policies.perception import attend, sense
from scrubjay.policies.reinforcement import Reinforcer
from scrubjay.policies.spaces import check_space
from scrubjay.policies.stating import statement_of
from scrubjay.systems.sensory import SensoryBuffer
from scrubjay.systems.working import WorkingMemory


def ask(*, default_under=None, **filters):
    return recall_request("q", 5, default_under=default_under, **filters)


def test_a_question_without_scope_looks_under_the_handles_own():
    assert ("org",) == ask(default_under="org").under
    assert (None, ("b",)) == ((r := ask(default_under="org", scope="b")).under, r.scope)
    assert (Kind.BELIEF, Kind.TURN) == ask(kinds=["belief", "turn"]).kinds
    weights = Weights(relevance=1.0, recency=0.0, salience=0.0, frequency=0.0)
    assert weights == ask(weights=weights).effective_weights


def test_ids_to_forget_may_come_alone_or_listed_as_bytes_or_digits():
    id_ = bytes(range(16))
    for ids in (id_, id_.hex(), [id_], (id_.hex(),)):
        assert (id_,) == selection_of(ids, scope=None, session=None, principal=None).ids


def test_spaces_in_names_are_folded_and_the_text_follows():
    statement = statement_of(
        None,
        channel=Channel.REMEMBER,
        default_scope=None,
        subject=" the   office ",
        predicate="located_in",
        object="Bergen",
        valid_from=5,
    )
    assert "the office located_in Bergen" == statement.text
    assert (Role.USER, "main") == (statement.principal, statement.scope)


def test_p1_due_while_away_fires_once_and_is_marked_late(tmp_path, clock):
    with Memory.open(tmp_path / "m", clock=clock) as memory:
        memory.remind("water the plants", clock.now_us() + HOUR_US)
        assert [] == memory.due()
    clock.advance(days=3)
    with Memory.open(tmp_path / "m", clock=clock) as memory:
        (due,) = memory.due()
        assert (True, 3 * DAY_US - HOUR_US) == (due.late, due.late_us)
        assert [] == memory.due()
        memory.intentions.acknowledge(due.intention.id, token=due.firing.token)
        clock.advance(days=1)
        assert [] == memory.due()
        assert ["done"] == [i.status for i in memory.intentions.all()]


def test_p4_a_lease_that_ran_out_is_handed_to_another_and_fences_the_first(memory, clock):
    memory.remind("restart the job", clock.now_us())
    (first,) = memory.due()
    assert [] == memory.due()
    clock.advance(hours=1)
    (second,) = memory.due()
    assert second.redelivered
    with pytest.raises(ConflictError, match="stale"):
        memory.intentions.acknowledge(first.intention.id, token=first.firing.token)
    memory.intentions.acknowledge(second.intention.id, token=second.firing.token)


def test_p5_expired_and_cancelled_never_fire(memory, clock):
    memory.remind("a", clock.now_us() + 5, expires=clock.now_us() + 10)
    gone = memory.remind("b", clock.now_us() + 5)
    memory.intentions.cancel(gone.id)
    clock.advance(us=20)
    assert [] == hand_out(memory._parts.store, now_us=clock.now_us())
    assert {"expired", "cancelled"} == {i.status for i in memory.intentions.all()}


def test_nothing_due_writes_nothing(memory, clock):
    memory.remind("later", clock.now_us() + DAY_US)
    seq = memory.stats().last_seq
    assert [] == memory.due()
    assert seq == memory.stats().last_seq


def test_survivors_of_the_gate_enter_working_memory_once_and_the_rest_is_logged(memory):
    sensory, working = SensoryBuffer(sweep_threshold=0.0), WorkingMemory()
    store = memory._parts.store
    percept = sense(sensory, working, "the deploy failed", "textual", now_us=0)
    first = attend(store, sensory, working, now_us=SECOND_US)
    assert 1 == len(first.transferred) + percept.transferred
    assert [] == attend(store, sensory, working, now_us=2 * SECOND_US).transferred
    assert ["the deploy failed"] == [c.content for c in working.active(now_us=2 * SECOND_US)]
    strict = SensoryBuffer(sweep_threshold=0.7)
    sense(strict, working, "ok", "textual", now_us=0)
    sense(strict, working, b"..", "visual", now_us=0)
    assert 2 == len(attend(store, strict, working, now_us=9 * SECOND_US).expired)
    logged = [e.detail for e in store.journal_events() if e.event == "sensory-expired"]
    assert ['{"textual":1,"visual":1}'] == logged


def test_uses_in_one_hour_count_once_and_an_unknown_id_counts_none(memory, clock):
    id_ = memory.observe("x y z")
    uses = Reinforcer(memory._parts.store)
    assert 1 == uses.used([id_, id_], session="s", now_us=clock.now_us())
    assert 0 == uses.used([id_], session="s", now_us=clock.now_us() + HOUR_US - 1)
    with pytest.raises(KeyError):
        uses.used([id_, bytes(16)], session="t", now_us=clock.now_us())
    assert 1 == memory.engram(id_).frequency


def test_reinforcement_puts_eviction_off(memory, clock):
    id_ = memory.observe("x y z")
    before = memory.engram(id_).evict_at_us
    clock.advance(days=1)
    memory.used([id_])
    assert before + DAY_US < memory.engram(id_).evict_at_us


def test_an_export_appears_whole_or_not_at_all(memory, tmp_path):
    memory.observe("x y z")
    with pytest.raises(StorageError, match="cannot write"):
        export_file(memory._parts.store, tmp_path / "no" / "dir")
    memory.export(tmp_path / "out")
    assert ["out"] == [p.name for p in tmp_path.iterdir() if p.name.endswith("out")]


def test_an_import_gives_rows_the_context_they_had(memory, clock, tmp_path):
    for text in ("alpha", "bravo"):
        memory.observe(text, session="main")
    memory.remember("zulu stands alone")
    memory.observe("charlie", session="main")
    memory.export(tmp_path / "out")

    def found(store, word):
        hits = store.match_text([word], context=True, where=RowFilter(), limit=9)
        return {store.engrams_by_local([local])[local].content for local, _ in hits}

    with Memory.open(tmp_path / "copy", clock=clock) as copy:
        copy.import_(tmp_path / "out")
        for word in ("alpha", "bravo", "charli", "zulu"):
            expected = found(memory._parts.store, word)
            assert expected == found(copy._parts.store, word)
        assert {"zulu stands alone"} == expected


def test_a_cut_export_is_refused_and_imports_nothing(memory, tmp_path):
    for n in range(20):
        memory.observe(f"turn {n}")
    memory.export(tmp_path / "out")
    whole = (tmp_path / "out").read_bytes()
    (tmp_path / "cut").write_bytes(whole[: len(whole) // 2])
    with Memory.open(tmp_path / "copy") as copy:
        with pytest.raises(CorruptionError):
            copy.import_(tmp_path / "cut")
        assert [] == list(copy.engrams())
        copy.import_(tmp_path / "out")
        assert 20 == sum(1 for _ in copy.engrams())


def test_stats_count_what_is_there_and_the_doctor_agrees(memory):
    memory.observe("x y z")
    stats = take_stats(memory._parts.store, memory._parts.engine)
    assert (1, 1) == (stats.index_rows, stats.counts["engrams"])
    assert stats.index_bytes > 0
    assert check_health(memory._parts.store, memory._parts.engine).ok


def test_a_space_is_declared_at_the_first_write(tmp_path):
    with Memory.open(tmp_path / "m") as memory:
        assert not check_space(memory._parts.store, memory._parts.encoder.embedder)
        memory.observe("x")
        assert check_space(memory._parts.store, memory._parts.encoder.embedder)


def test_an_interrupted_reembedding_leaves_the_old_space_in_force(tmp_path):
    def fails_late(texts):
        if len(texts) < 256:
            msg = "out of quota"
            raise OSError(msg)
        return np.ones((len(texts), 4), np.float32) / 2

    with Memory.open(tmp_path / "m") as memory:
        for n in range(300):
            memory.observe(f"turn {n} about the harbour")
    with pytest.raises(OSError, match="quota"):
        Memory.reembed_directory(tmp_path / "m", embedder=fails_late)
    with Memory.open(tmp_path / "m") as memory:
        assert memory.recall("harbour turn 7")[0].content.startswith("turn 7 ")
        assert memory.doctor().ok
