"""Skills: typed, checked, matched by words, never run."""

import msgspec
import pytest

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, NotFoundError
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Category, Engram, Kind, SkillStep
from scrubjay.systems.procedural import Skills, bind, new_skill

PARAMETERS = (
    '{"type":"object","properties":{"host":{"type":"string","pattern":"^[a-z0-9-]+$"},'
    '"count":{"type":"integer"}},"required":["host","count"]}'
)
STEPS = (
    SkillStep(tool="drain", arguments='{"host":"${host}"}', check="exit_code == 0"),
    SkillStep(tool="scale", arguments='{"n":"${count}","note":"to ${count} on ${host}"}'),
)


def skill(name="restart-stalled-worker", **changes):
    made = {
        "id_": b"\1" * 16,
        "scope": "main",
        "name": name,
        "description": "Drain and start a worker.",
        "triggers": ("the worker is stalled",),
        "parameters": PARAMETERS,
        "steps": STEPS,
    }
    return new_skill(**{**made, **changes})


@pytest.fixture
def keep(store):
    """Store a skill under an id of the store."""

    def put(**changes):
        with store.write(now_us=1) as tx:
            made = skill(**{"id_": tx.new_id(), **changes})
            tx.add_engram(
                Engram(
                    id=made.id,
                    scope="main",
                    kind=Kind.SKILL,
                    category=Category.SKILL,
                    content=made.name,
                    provenance=Provenance(
                        role=Role.ASSISTANT,
                        channel=Channel.SLEEP,
                        principal="agent",
                        authority=Authority.ASSISTANT,
                        plane=Plane.USER,
                        session="s",
                    ),
                    recorded_us=1,
                    event_us=1,
                    last_us=1,
                    salience=0.9,
                )
            )
            tx.add_skill(made)
        return made

    return put


def test_binding_fills_slots_with_their_types():
    steps = bind(skill(), {"host": "queue-2", "count": 3})
    assert ['{"host":"queue-2"}', '{"n":3,"note":"to 3 on queue-2"}'] == [
        s.arguments for s in steps
    ]


@pytest.mark.parametrize(
    "value", ["a; rm -rf /", "$(id)", "`id`", "../etc/passwd", "a\nb", "a|b", "UPPER"]
)
def test_t7_a_value_that_is_more_than_a_value_is_refused(value):
    with pytest.raises(InvalidArgumentError, match="host is refused"):
        bind(skill(), {"host": value, "count": 1})


def test_t7_even_without_a_guard_nothing_for_a_shell_gets_through():
    open_ended = PARAMETERS.replace(',"pattern":"^[a-z0-9-]+$"', "")
    with pytest.raises(InvalidArgumentError, match="host is refused"):
        bind(skill(parameters=open_ended), {"host": "$(id)", "count": 1})


def test_quotes_in_values_cannot_leave_their_json_string():
    open_ended = PARAMETERS.replace(',"pattern":"^[a-z0-9-]+$"', "")
    [step, _] = bind(skill(parameters=open_ended), {"host": '","x":"', "count": 1})
    assert {"host": '","x":"'} == msgspec.json.decode(step.arguments)


@pytest.mark.parametrize("count", ["3", True, 1.5])
def test_another_type_is_refused(count):
    with pytest.raises(ArgumentTypeError, match="count has the wrong type"):
        bind(skill(), {"host": "a", "count": count})


def test_missing_and_unknown_arguments_are_all_named():
    with pytest.raises(InvalidArgumentError, match=r"missing \['count', 'host'\], unknown \['x'\]"):
        bind(skill(), {"x": 1})


@pytest.mark.parametrize(
    ("changes", "what"),
    [
        ({"name": "Restart Worker"}, "name"),
        ({"steps": ()}, "no steps"),
        ({"description": "x" * 9216}, "bytes, expected at most 4096"),
        ({"parameters": "[]"}, "parameters"),
        ({"parameters": '{"type":"object","properties":{"a":{"type":"object"}}}'}, "parameters"),
        ({"steps": (SkillStep(tool="t", arguments="[1]"),)}, "step 1: arguments"),
        ({"steps": (SkillStep(tool="t", arguments='{"a":"${nobody}"}'),)}, "nobody"),
    ],
)
def test_t9_a_malformed_skill_is_refused(changes, what):
    with pytest.raises(InvalidArgumentError, match=what):
        skill(**changes)


def test_matching_finds_the_skill_whose_trigger_fits(store, keep):
    worker = keep()
    keep(name="rotate-logs", description="Rotate logs.", triggers=("the disk is full",))
    best = Skills(store).match("a worker on queue-9 has stalled")
    assert [worker.id] == [m.skill.id for m in best]
    assert 0.0 < best[0].score <= 1.0
    assert [] == Skills(store).match("what is for lunch")


def test_get_by_name(store, keep):
    keep()
    assert "restart-stalled-worker" == Skills(store).get("restart-stalled-worker").name
    assert 1 == len(Skills(store).list())
    with pytest.raises(NotFoundError, match="no such skill"):
        Skills(store).get("fly")
    with pytest.raises(InvalidArgumentError, match="k must be positive"):
        Skills(store).match("x", 0)
