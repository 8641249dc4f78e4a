import json

from scrubjay.adapters.transcripts import open_transcript
from scrubjay.adapters.transcripts.locomo import LocomoReader
from scrubjay.adapters.transcripts.stream import Item
from scrubjay.base.clock import format_us
from scrubjay.base.provenance import Role
from tests.data import require_data

SAMPLE = {
    "qa": [{"question": "Who bakes?", "evidence": ["D1:2"], "category": 4}],
    "conversation": {
        "speaker_a": "Ida",
        "speaker_b": "Ola",
        "session_10_date_time": "9:00 am on 2 June, 2023",
        "session_10": [{"speaker": "Ola", "dia_id": "D10:1", "text": "Ten."}],
        "session_2_date_time": "12:30 am on 9 May, 2023",
        "session_2": [
            {
                "speaker": "Ida",
                "dia_id": "D2:1",
                "text": "Look!",
                "blip_caption": "a loaf of bread",
            },
            {"speaker": "Ola", "dia_id": "D2:2", "text": "", "query": "bread"},
        ],
    },
    "sample_id": "conv-1",
}


def parse(sample):
    reader = LocomoReader("long")
    data = json.dumps(sample).encode()
    return reader.parse(Item(1, 0, len(data), data), data), reader


def test_sessions_come_by_number_and_turns_a_second_apart():
    (first, last), reader = parse(SAMPLE)
    assert ("session_2", "session_10") == (first.session, last.session)
    assert "Ida: Look! [a loaf of bread]" == first.content
    assert ("locomo/conv-1", "D2:1", "Ida", Role.USER) == (
        first.scope,
        first.message_id,
        first.principal,
        first.role,
    )
    assert ["2023-05-09T00:30:00Z", "2023-06-02T09:00:00Z"] == [
        format_us(one.event_us) for one in (first, last)
    ]
    assert {"empty": 1} == reader.skipped


def test_a_bad_date_costs_its_session_and_a_bad_turn_itself():
    conversation = {
        "session_1_date_time": "some day",
        "session_1": [{"speaker": "Ida", "text": "lost"}],
        "session_2": [{"speaker": 4, "text": "x"}, {"speaker": "Ola", "text": "kept"}],
    }
    outcomes, _ = parse({"conversation": conversation})
    assert "long:1 session_1: not a time" in outcomes[0]
    assert "long:1 session_2 turn 1: unexpected shape" in outcomes[1]
    assert ("Ola: kept", None, 1) == (
        outcomes[2].content,
        outcomes[2].event_us,
        outcomes[2].position,
    )


def test_the_five_given_conversations_are_read_whole():
    transcript = open_transcript(require_data("locomo/locomo5.json.gz"))
    records = list(transcript)
    assert "locomo" == transcript.format
    assert 2760 == len(records)
    assert [] == [record.problem for record in records if record.problem]
    places = {(one.scope, one.session, one.message_id) for one, *_ in records}
    assert 2760 == len(places)
    by_scope = {}
    for one, *_ in records:
        by_scope.setdefault(one.scope, []).append(one.event_us)
    assert 5 == len(by_scope)
    assert all(times == sorted(set(times)) for times in by_scope.values())
