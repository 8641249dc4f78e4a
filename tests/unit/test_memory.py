"""The facade: what a user does with a memory, end to end."""

import threading

import pytest

from scrubjay import ManualClock, Memory, Observation, SeededEntropy
from scrubjay.base.clock import DAY_US, HOUR_US, SECOND_US
from scrubjay.base.errors import (
    ConflictError,
    EmbedderMismatchError,
    MissingTenantError,
    StorageError,
)
from scrubjay.base.trace import State


def contents(answer) -> list[str]:
    return [hit.content for hit in answer]


def test_what_is_observed_is_recalled_with_every_term_and_its_origin(memory):
    id_ = memory.observe("The disk of web-3 is full.", role="tool", principal="df")
    hit = memory.recall("disk full")[0]
    assert id_ == hit.id
    assert hit.score == pytest.approx(sum(hit.terms.values()), abs=1e-6)
    why = hit.why()
    for word in (*hit.terms, "df", "plane observed", "observed via api"):
        assert word in why


def test_recall_changes_nothing_and_use_reinforces_once_an_hour(memory, clock):
    id_ = memory.observe("The spare key is under the pot.")
    clock.advance(hours=5)
    before = memory.stats().last_seq
    hit = memory.recall("spare key")[0]
    assert before == memory.stats().last_seq
    assert (1, 0) == (hit.used(), hit.used())
    assert (1, clock.now_us()) == (memory.engram(id_).frequency, memory.engram(id_).last_us)
    assert 1 == memory.used([id_], session="another")
    clock.advance(hours=1)
    assert 1 == memory.used([id_])
    assert 3 == memory.engram(id_).frequency


def test_why_counts_in_words(memory, clock):
    id_ = memory.observe("The spare key is under the pot.")
    assert "; never used; hot; " in memory.recall("spare key")[0].why()
    for times in ("once", "2 times"):
        clock.advance(hours=5)
        assert 1 == memory.used([id_])
        assert f", {times}; hot; " in memory.recall("spare key")[0].why()


def test_b15_the_same_message_twice_is_one_row(memory):
    first = memory.observe("hello there", session="s", message_id="m1")
    assert first == memory.observe("hello there", session="s", message_id="m1")
    report = memory.observe_many(
        [
            Observation(content="hello there", session="s", message_id="m1"),
            Observation(content="new", session="s", message_id="m2"),
            Observation(content="new", session="s", message_id="m2"),
            Observation(content="by place", session="s", position=7),
            Observation(content="by place", session="s", position=7),
        ]
    )
    assert (2, 3) == (report.stored, report.repeated)
    assert first == report.ids[0]
    assert report.ids[1] == report.ids[2]
    assert 3 == sum(1 for _ in memory.engrams())


def test_the_same_words_of_a_user_are_a_new_event_without_an_id(memory):
    assert memory.observe("good morning") != memory.observe("good morning")


def test_a_failing_batch_stores_nothing(memory):
    with pytest.raises(ValueError, match="item 2"):
        memory.observe_many([Observation(content=text) for text in ("a", "b", "", "d")])
    assert [] == list(memory.engrams())


def test_f8_a_clock_that_steps_back_is_clamped_and_recorded(tmp_path):
    class Stepping:
        us = 1_000 * DAY_US

        def now_us(self):
            return self.us

    clock = Stepping()
    with Memory.open(tmp_path / "m", clock=clock) as memory:
        first = memory.engram(memory.observe("before the step"))
        clock.us -= 30 * DAY_US
        second = memory.engram(memory.observe("after the step"))
        third = memory.engram(memory.observe("still behind"))
        assert first.recorded_us == second.recorded_us == third.recorded_us
        recency = {hit.content: hit.terms["recency"] for hit in memory.recall("step behind")}
        assert 1 == len(set(recency.values()))
        assert all(0.0 <= value <= 1.0 for value in recency.values())
    with Memory.open(tmp_path / "m", clock=clock) as again:
        assert again.engram(again.observe("reopened")).recorded_us == first.recorded_us
        events = [event.event for event in again._parts.store.journal_events()]
    assert 2 == events.count("clock-stepped-back")


def test_i3_a_tenant_that_does_not_exist_is_refused_and_not_made(tmp_path):
    Memory.open(tmp_path / "m").close()
    before = sorted(p.name for p in (tmp_path / "m").rglob("*"))
    with pytest.raises(MissingTenantError, match="create=True"):
        Memory.open(tmp_path / "m", tenant="globex")
    assert before == sorted(p.name for p in (tmp_path / "m").rglob("*"))
    with Memory.open(tmp_path / "m", tenant="globex", create=True) as made:
        made.observe("a secret of globex")
    with Memory.open(tmp_path / "m") as other:
        assert [] == contents(other.recall("secret globex"))
    with Memory.open(tmp_path / "m", tenant="globex") as again:
        assert ["a secret of globex"] == contents(again.recall("secret globex"))


def test_another_embedder_is_refused_by_name_and_changed_by_command(tmp_path):
    import numpy as np

    def letters(texts):
        rows = np.array([[t.count(c) + 0.1 for c in "abcdefgh"] for t in texts], np.float32)
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    with Memory.open(tmp_path / "m") as memory:
        memory.observe("a bee had a cab")
    with pytest.raises(EmbedderMismatchError, match="scrubjay reembed"):
        Memory.open(tmp_path / "m", embedder=letters)
    assert 1 == Memory.reembed_directory(tmp_path / "m", embedder=letters)
    with Memory.open(tmp_path / "m", embedder=letters) as memory:
        assert ["a bee had a cab"] == contents(memory.recall("bee cab"))
        assert memory.doctor().ok
    with pytest.raises(EmbedderMismatchError, match="scrubjay reembed"):
        Memory.open(tmp_path / "m")


def vowels(texts):
    return [[text.count(c) + 0.1 for c in "aeiou"] for text in texts]


def test_a_transcript_read_first_binds_the_directory_to_its_embedder(tmp_path):
    file = tmp_path / "talk.jsonl"
    file.write_text('{"role": "user", "content": "The dog is called Rex."}\n')
    with Memory.open(tmp_path / "m") as memory:
        memory.ingest(file)
        assert memory.stats().embedder.startswith("static/")
    with pytest.raises(EmbedderMismatchError, match="scrubjay reembed"):
        Memory.open(tmp_path / "m", embedder=vowels)


def test_of_two_handles_on_a_new_directory_the_first_writer_decides_the_embedder(tmp_path):
    with Memory.open(tmp_path / "m") as first, Memory.open(tmp_path / "m", embedder=vowels) as late:
        first.observe("The dog is called Rex.")
        with pytest.raises(EmbedderMismatchError, match="scrubjay reembed"):
            late.observe("The cat is called Tom.")
        assert 1 == first.stats().counts["vectors"]
        assert first.doctor().ok


def test_explicit_facts_supersede_and_the_past_can_be_asked(memory, clock):
    memory.remember(subject="ops", predicate="uses_database", object="PostgreSQL", functional=True)
    then = clock.now_us()
    clock.advance(days=30)
    memory.remember(
        subject="ops", predicate="uses_database", object="ClickHouse", valid_from=clock.now_us()
    )
    assert ["ClickHouse"] == [belief.object for belief in memory.beliefs.facts("ops")]
    assert ["PostgreSQL"] == [b.object for b in memory.beliefs.facts("ops", as_of=then)]
    assert 2 == len(memory.beliefs.history("ops"))
    states = {row.content: row.state for row in memory.engrams()}
    assert State.SUPERSEDED == states["ops uses_database PostgreSQL"]
    assert ["ops uses_database ClickHouse"] == contents(
        memory.recall("which database does ops use")
    )


def test_b16_forgetting_what_closed_a_belief_makes_it_current_again(memory, clock):
    memory.remember(subject="ops", predicate="uses_database", object="PostgreSQL", functional=True)
    clock.advance(days=1)
    newer = memory.remember(
        subject="ops", predicate="uses_database", object="ClickHouse", valid_from=clock.now_us()
    )
    assert 1 == memory.forget(newer)
    assert ["PostgreSQL"] == [belief.object for belief in memory.beliefs.facts("ops")]
    assert [State.HOT] == [row.state for row in memory.engrams()]


def test_i1_i6_forgetting_a_person_is_exact_and_the_words_can_return(memory):
    for text in ("my cat is called Mio", "I like green tea"):
        memory.observe(text, principal="ada", session="s", message_id=text[:5])
    memory.observe("my dog is called Rex", principal="bo", session="s")
    assert 2 == memory.forget(principal="ada")
    assert ["my dog is called Rex"] == [row.content for row in memory.engrams()]
    assert "my cat is called Mio" not in contents(memory.recall("cat Mio called"))
    assert memory.doctor().ok
    memory.observe("my cat is called Mio", principal="ada", session="s", message_id="my ca")
    assert "my cat is called Mio" in contents(memory.recall("cat Mio"))


def test_forgetting_a_turn_takes_its_words_out_of_its_neighbours_context(memory):
    ids = [memory.observe(text, session="s") for text in ("alpha", "zebra", "gamma", "delta")]
    memory.forget(ids[1])
    assert [] == contents(memory.recall("zebra"))
    assert memory.doctor().ok


def test_every_write_is_seen_by_another_handle_at_once(tmp_path):
    with Memory.open(tmp_path / "m") as one, Memory.open(tmp_path / "m") as two:
        one.observe("the door code is 4711")
        assert ["the door code is 4711"] == contents(two.recall("door code"))
        two.forget([hit.id for hit in two.recall("door code")])
        assert [] == contents(one.recall("door code"))


def test_threads_share_one_handle(memory):
    def write(name):
        for n in range(25):
            memory.observe(f"note {n} of writer {name}", session=name)
            memory.recall(f"writer {name}", k=3)

    failures = []

    def guarded(name):
        try:
            write(name)
        except BaseException as error:  # noqa: BLE001 - reported below
            failures.append(error)

    threads = [threading.Thread(target=guarded, args=(f"w{n}",)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [] == failures
    assert 100 == sum(1 for _ in memory.engrams())
    assert memory.doctor().ok


def test_scope_of_the_handle_is_where_it_writes_and_looks(tmp_path):
    with Memory.open(tmp_path / "m", scope="org/a") as a, Memory.open(tmp_path / "m") as all_:
        a.observe("tea at four")
        all_.observe("tea at five", scope="org/b")
        all_.observe("tea at six", scope="org/a/sub")
        assert {"tea at four", "tea at six"} == set(contents(a.recall("tea")))
        assert {"tea at four", "tea at five", "tea at six"} == set(contents(all_.recall("tea")))
        assert ["tea at five"] == contents(a.recall("tea", scope="org/b"))


def test_a_path_that_is_a_file_is_refused_and_left_alone(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(StorageError, match="file"):
        Memory.open(file)
    assert "mine" == file.read_text()


def test_export_and_journal_are_byte_equal_from_run_to_run(tmp_path):
    def live(directory):
        clock = ManualClock()
        with Memory.open(directory, clock=clock, entropy=SeededEntropy(3)) as memory:
            memory.observe("We moved from PostgreSQL to ClickHouse yesterday.", session="s")
            clock.advance(hours=2)
            memory.observe("Remind me to renew the certificate on 9 January 2000.", session="s")
            memory.remember(subject="ops", predicate="uses", object="queue-2")
            memory.sleep()
            clock.advance(days=60)
            memory.sleep()
            memory.due()
            memory.used(memory.recall("certificate"))
            memory.export(directory.with_suffix(".jsonl"))
            journal = [tuple(event) for event in memory._parts.store.journal_events()]
        return directory.with_suffix(".jsonl").read_bytes(), journal

    assert live(tmp_path / "one") == live(tmp_path / "two")


def test_an_export_restores_a_memory_that_exports_the_same(memory, clock, tmp_path):
    memory.observe("The office is in Bergen.", session="s")
    memory.observe("It rains there.", session="s")
    memory.remember(subject="office", predicate="located_in", object="Bergen")
    memory.remind("water the plants", clock.now_us() + HOUR_US)
    memory.sleep()
    memory.export(tmp_path / "out.jsonl")
    with Memory.open(tmp_path / "copy", clock=clock) as copy:
        copy.import_(tmp_path / "out.jsonl")
        assert copy.doctor().ok
        assert contents(memory.recall("office Bergen")) == contents(copy.recall("office Bergen"))
        assert memory.beliefs.facts() == copy.beliefs.facts()
        assert memory.intentions.all() == copy.intentions.all()
        assert [row.id for row in memory.engrams()] == [row.id for row in copy.engrams()]
        with pytest.raises(ConflictError, match="holds memories"):
            copy.import_(tmp_path / "out.jsonl")


def test_opening_is_quick_and_sleeping_on_nothing_changes_nothing(memory):
    memory.observe("one turn")
    memory.sleep()
    before = [(row.id, row.state) for row in memory.engrams()]
    seq = memory.stats().last_seq
    report = memory.sleep()
    assert 0 == report.read
    assert before == [(row.id, row.state) for row in memory.engrams()]
    assert seq == memory.stats().last_seq


def test_what_stands_out_enters_working_memory(memory, clock):
    memory.observe("URGENT: the deploy of api failed with exit code 1, please fix it by 17:00!")
    moved = memory.sensory.attend()
    assert len(moved.transferred) + len(memory.working.active()) >= 1
    clock.advance(us=120 * SECOND_US)
    assert [] == memory.working.active()
    assert 1 == len(memory.short_term.contents().items)
