"""What differs becomes a typed parameter."""

import json

from hypothesis import given
from hypothesis import strategies as st

from scrubjay.policies.consolidation.generalise import (
    generalise,
    schema_of,
    slots_in,
    unify,
)


def commands(*texts):
    return [{"command": text} for text in texts]


def names(template):
    return [(p.name, p.type, p.format) for p in template.parameters]


def test_values_that_vary_together_share_one_slot():
    made = generalise(
        [
            [{"host": "a-1", "service": "mail"}, {"host": "b-2", "service": "web"}],
            [{"target": "a-1"}, {"target": "b-2"}],
        ]
    )
    assert ('{"host":"${host}","service":"${service}"}', '{"target":"${host}"}') == made.arguments
    assert [("host", "string", ""), ("service", "string", "")] == names(made)


def test_what_is_equal_everywhere_stays():
    made = generalise([[{"n": 1, "x": "a"}, {"n": 1, "x": "a"}]])
    assert (('{"n":1,"x":"a"}',), ()) == made


def test_in_a_command_only_the_differing_word_is_a_slot():
    made = generalise(
        [
            commands("systemctl restart mail-worker", "systemctl restart web-worker"),
            commands("tail -n 5 /var/log/mail-worker.log", "tail -n 5 /var/log/web-worker.log"),
        ]
    )
    assert [
        "systemctl restart ${service}",
        "tail -n 5 /var/log/${service}.log",
    ] == [json.loads(a)["command"] for a in made.arguments]


def test_slots_are_named_after_flags_and_keys():
    made = generalise(
        [commands("run --queue mail -p 80 env=dev", "run --queue web -p 443 env=prod")]
    )
    assert [("queue", "string", ""), ("port", "integer", ""), ("env", "string", "")] == names(made)


def test_types_are_read_from_the_values():
    made = generalise(
        [
            [
                {"n": 1, "f": 1.5, "p": "/etc/a", "h": "10.0.0.1", "s": "x y"},
                {"n": 2, "f": 2.5, "p": "/etc/b", "h": "a.example.org", "s": "z"},
            ]
        ]
    )
    assert [
        ("n", "integer", ""),
        ("f", "number", ""),
        ("p", "string", "path"),
        ("h", "string", "hostname"),
        ("s", "string", ""),
    ] == names(made)


def test_the_schema_has_types_guards_and_examples():
    made = generalise([[{"host": "a-1", "n": 3}, {"host": "b-2", "n": 4}]])
    schema = json.loads(schema_of(made.parameters))
    assert (["host", "n"], ["a-1", "b-2"], [3, 4]) == (
        schema["required"],
        schema["properties"]["host"]["examples"],
        schema["properties"]["n"]["examples"],
    )
    assert "pattern" in schema["properties"]["host"]


def test_a_value_that_is_more_than_a_value_has_no_guard_that_would_let_it_through():
    made = generalise([[{"c": "a; rm"}, {"c": "b && c"}]])
    assert "" == made.parameters[0].pattern


def test_a_template_unifies_with_its_own_instances_and_no_others():
    instances = [{"host": "a-1", "log": "a-1.log"}, {"host": "b-2", "log": "b-2.log"}]
    [template] = generalise([instances]).arguments
    assert ["host"] == slots_in(template)
    assert all(unify(template, one, {}) for one in instances)
    assert unify(template, {"host": "c", "log": "c.log"}, {})
    assert not unify(template, {"host": "c", "log": "d.log"}, {})
    assert not unify(template, {"host": "c"}, {})
    assert not unify(template, instances[0], {"host": "elsewhere"})


_value = st.one_of(st.text(max_size=8), st.integers(), st.booleans())


@given(st.lists(st.fixed_dictionaries({"a": _value, "b": _value}), min_size=2, max_size=4))
def test_every_instance_can_be_had_back_from_template_and_values(instances):
    made = generalise([instances])
    for at, instance in enumerate(instances):
        for key, template in json.loads(made.arguments[0]).items():
            given_ = instance[key]
            if not made.parameters or not isinstance(template, str):
                assert given_ == template
                continue
            filled = template
            for parameter in made.parameters:
                filled = filled.replace(f"${{{parameter.name}}}", parameter.values[at])
            assert filled == (given_ if isinstance(given_, str) else json.dumps(given_))
