"""Batches: each observation exactly once, all or none. Covers policies.observing."""

from scrubjay import Observation
from scrubjay.base.provenance import Channel
from scrubjay.policies.observing import observe_batch


def batch(memory, observations, **more):
    parts = memory._parts
    parts.declare_space(now_us=parts.clock.now_us())
    return observe_batch(
        parts.store,
        parts.encoder,
        observations,
        channel=Channel.TRANSCRIPT,
        now_us=parts.clock.now_us(),
        **more,
    )


def placed(content, **more):
    return Observation(content=content, scope="s", session="s", principal="p", **more)


def test_ids_come_back_in_order_and_repeats_get_the_first_id(memory):
    report = batch(
        memory,
        [placed("a", message_id="1"), placed("b", message_id="2"), placed("a", message_id="1")],
    )
    assert (2, 1) == (report.stored, report.repeated)
    assert report.ids[0] == report.ids[2] != report.ids[1]


def test_progress_commits_with_its_turns(memory):
    batch(memory, [placed("a")], progress=("file", 120, "digest"))
    assert (120, "digest") == memory._parts.store.progress("file")
    batch(memory, [], progress=("file", 130, "digest2"))
    assert (130, "digest2") == memory._parts.store.progress("file")


def test_an_empty_batch_stores_nothing(memory):
    report = batch(memory, [])
    assert ((), 0, 0) == (report.ids, report.stored, report.repeated)
    assert [] == list(memory.engrams())


def test_more_sessions_than_are_kept_open_keep_their_context(memory):
    observations = [
        Observation(content=f"word{n}x{s}", scope="s", session=f"s{s}", principal="p")
        for n in range(3)
        for s in range(300)
    ]
    batch(memory, observations)
    assert memory.doctor().ok
    positions = [row.provenance.position for row in memory.engrams()]
    assert [0] * 300 + [1] * 300 + [2] * 300 == positions
