"""Reports and answers as JSON values: nothing lost, nothing that JSON cannot say."""

import json

from scrubjay.base.trace import Firing, Intention
from scrubjay.serve.values import answer_values, values_of


def test_ids_become_hex_digits_and_none_stays_none():
    values = values_of(Firing(intention=b"\x01\xff", occurrence_us=2, fired_us=3))
    assert ("01ff", 2, None) == (
        values["intention"],
        values["occurrence_us"],
        values["acknowledged_us"],
    )


def test_every_field_of_a_struct_is_there():
    intention = Intention(id=b"\x00" * 16, scope="a", action="b", due_us=1)
    assert list(Intention.__struct_fields__) == list(values_of(intention))


def test_an_answer_survives_json(memory):
    memory.observe("The heron cluster has four nodes.", principal="operator")
    answer = memory.recall("how many nodes has heron?")
    values = json.loads(json.dumps(answer_values(answer)))
    (hit,) = values["hits"]
    assert answer[0].id.hex() == hit["id"]
    assert answer[0].score == hit["score"]
    assert ("operator", "user_explicit", False) == (
        hit["principal"],
        hit["authority"],
        hit["untrusted"],
    )
    assert [] == values["unknown_scopes"]
