"""Only restatements in the same words fold; whatever carries meaning keeps memories apart."""

import msgspec
import pytest

from scrubjay.base.ids import make_id
from scrubjay.base.provenance import Authority, Channel, Plane, Provenance, Role
from scrubjay.base.trace import Category, Engram, Kind
from scrubjay.policies.recall.folding import signature_of


def said(content, *, principal="ann", scope="main"):
    return Engram(
        id=make_id(now_us=0, node=1, counter=1),
        scope=scope,
        kind=Kind.TURN,
        category=Category.DIALOGUE,
        content=content,
        provenance=Provenance(
            role=Role.USER,
            channel=Channel.API,
            principal=principal,
            authority=Authority.USER_EXPLICIT,
            plane=Plane.USER,
            session="s",
        ),
        recorded_us=0,
        event_us=0,
        last_us=0,
        salience=0.4,
    )


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("Prefers dark mode.", "prefers the dark mode!"),
        ("The deploys failed", "The deploy failed."),
        ("Ça va très bien", "ça va très bien"),
    ],
)
def test_the_same_words_fold(first, second):
    assert signature_of(said(first)) == signature_of(said(second))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("favourite colour is purple", "favourite colour is cyan"),
        ("I do like it", "I do not like it"),
        ("I like it", "I don\u2019t like it"),
        ("Rex beat Max", "Max beat Rex"),
        ("room 12", "room 21"),
        ("before lunch", "after lunch"),
        ("my car", "your car"),
        ("???", "!!!"),
    ],
)
def test_different_statements_stay_apart(first, second):
    assert signature_of(said(first)) != signature_of(said(second))


def test_speaker_scope_and_plane_belong_to_a_statement():
    base = said("I prefer tea")
    assert signature_of(base) != signature_of(said("I prefer tea", principal="bob"))
    assert signature_of(base) != signature_of(said("I prefer tea", scope="other"))
    observed = msgspec.structs.replace(
        base, provenance=msgspec.structs.replace(base.provenance, plane=Plane.OBSERVED)
    )
    assert signature_of(base) != signature_of(observed)
