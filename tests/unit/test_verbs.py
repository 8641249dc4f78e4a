"""The verbs of each system as found on a memory. Covers verbs, upkeep, assembly and aio."""

import asyncio

import pytest

from scrubjay import Memory, aio
from scrubjay.assembly import assemble
from scrubjay.base.errors import ClosedError, InvalidArgumentError, NotFoundError
from scrubjay.upkeep import Upkeep
from scrubjay.verbs import BeliefVerbs, WorkingVerbs


def test_working_memory_of_a_handle(memory, clock):
    kept = memory.working.encode("the task", salience=0.9, role="task").chunk
    for n in range(4):
        memory.working.encode(f"thought {n}", salience=0.5 + n / 100)
    pushed = memory.working.encode("louder", salience=0.8)
    assert "thought 0" == pushed.displaced.content
    assert memory.working.encode("fainter", salience=0.1).refused
    clock.advance(seconds=40)
    memory.working.rehearse(kept.id)
    clock.advance(seconds=10)
    assert ["the task"] == [chunk.content for chunk in memory.working.active()]
    assert ["the task"] == [chunk.content for chunk in memory.working.context(10)]
    assert ["the task"] == [chunk.content for chunk in memory.working.flush()]


def test_the_session_log_is_listed_and_rehearsed(memory, clock):
    memory.observe("first", session="s")
    memory.observe("second", session="s")
    page = memory.short_term.contents("s", limit=1)
    assert (["first"], True) == ([i.content for i in page.items], page.cursor is not None)
    rest = memory.short_term.contents("s", after=page.cursor)
    assert ["second"] == [item.content for item in rest.items]
    for _ in range(3):
        memory.short_term.retrieve(page.items[0].id)
    assert ["first"] == [routed.item.content for routed in memory.short_term.sweep().routed]


def test_what_happened_just_before(memory, clock):
    ids = [memory.observe(text, session="s") for text in ("one", "two", "three")]
    assert "two" == memory.episodes.just_before(ids[2]).content
    assert memory.episodes.just_before(ids[0]) is None
    around = memory.episodes.around(ids[1], before=1, after=1)
    assert ["one", "two", "three"] == [row.content for row in around]
    clock.advance(hours=2)
    memory.observe("after a pause", session="s")
    assert [3, 1] == [len(episode.turns) for episode in memory.episodes.all()]


def test_a_system_without_its_memory_is_an_error_of_the_caller(memory):
    with pytest.raises(NotFoundError):
        memory.episodes.around("0" * 32)
    assert isinstance(memory.beliefs, BeliefVerbs)
    assert isinstance(memory.working, WorkingVerbs)
    assert isinstance(memory, Upkeep)


def test_assembly_closes_what_it_opened_when_it_fails(tmp_path):
    with pytest.raises(InvalidArgumentError, match="unknown durability"):
        assemble(tmp_path / "m", durability="maybe")
    with pytest.raises(InvalidArgumentError, match="embedder"):
        assemble(tmp_path / "m", embedder="no-such")
    assert not (tmp_path / "m").exists()


def test_calls_run_in_a_thread(tmp_path):
    async def live():
        with Memory.open(tmp_path / "m") as memory:
            await asyncio.gather(*(aio.run(memory.observe, f"note {n} on birds") for n in range(5)))
            return len(await aio.run(memory.recall, "birds", k=9)), memory

    found, memory = asyncio.run(live())
    assert 5 == found
    with pytest.raises(ClosedError):
        memory.stats()
