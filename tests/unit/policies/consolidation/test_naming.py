"""What a procedure is called."""

from scrubjay.policies.consolidation.generalise import Parameter
from scrubjay.policies.consolidation.naming import name_of, triggers_of

HOST = Parameter("host", "string", "", "", ("queue-2", "queue-5"))
SAID = [
    ["The queue worker is stalled on queue-2. Please repair it."],
    ["Another stalled queue worker, this time on queue-5."],
]


def test_the_name_holds_what_was_asked_and_what_was_shared():
    assert "repair-stalled-queue-worker" == name_of(SAID, ["heartbeat", "start_worker"], [HOST])


def test_without_an_action_in_words_the_tools_tell():
    assert name_of([["mail is late"], ["mail is late"]], ["drain", "start_worker"], []).startswith(
        "start-"
    )


def test_without_words_it_is_named_after_its_last_tool():
    assert "do-ping-host" == name_of([[], []], ["ping_host"], [])


def test_triggers_hold_slots_and_no_values():
    assert (
        "repair stalled queue worker",
        "The queue worker is stalled on ${host}.",
        "Another stalled queue worker, this time on ${host}.",
    ) == triggers_of(SAID, [HOST], "repair-stalled-queue-worker")
