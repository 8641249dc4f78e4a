"""The channel fixes the authority, and the numbers that are stored never move."""

import itertools

import msgspec
import pytest

from scrubjay.base.provenance import (
    Authority,
    Channel,
    Plane,
    Provenance,
    Role,
    authority_of,
    plane_of,
)


def test_stored_numbers_are_what_they_were():
    assert {"OBSERVED": 10, "ASSISTANT": 20, "USER_EXPLICIT": 30, "SYSTEM": 40} == {
        rank.name: int(rank) for rank in Authority
    }
    assert {"USER": 0, "OBSERVED": 1} == {plane.name: int(plane) for plane in Plane}


def test_authority_is_the_lattice_of_the_design():
    order = [Authority.OBSERVED, Authority.ASSISTANT, Authority.USER_EXPLICIT, Authority.SYSTEM]
    assert order == sorted(Authority)


@pytest.mark.parametrize(
    ("role", "granted"),
    [
        (Role.USER, Authority.USER_EXPLICIT),
        (Role.ASSISTANT, Authority.ASSISTANT),
        (Role.TOOL, Authority.OBSERVED),
        (Role.DOCUMENT, Authority.OBSERVED),
        (Role.SYSTEM, Authority.SYSTEM),
    ],
)
def test_role_fixes_authority_on_a_plain_channel(role, granted):
    assert granted is authority_of(role, Channel.TRANSCRIPT)


@pytest.mark.parametrize("role", list(Role))
def test_mcp_is_an_assistant_at_most(role):
    assert authority_of(role, Channel.MCP) <= Authority.ASSISTANT


@pytest.mark.parametrize(("role", "channel"), list(itertools.product(Role, Channel)))
def test_no_channel_raises_what_a_role_may(role, channel):
    assert authority_of(role, channel) <= authority_of(role, Channel.API)


def test_what_tools_and_documents_say_is_observed():
    observed = [role for role in Role if plane_of(role) is Plane.OBSERVED]
    assert [Role.TOOL, Role.DOCUMENT] == observed


def test_provenance_cannot_be_edited():
    stamped = Provenance(
        role=Role.TOOL,
        channel=Channel.API,
        principal="tail_log",
        authority=Authority.OBSERVED,
        plane=Plane.OBSERVED,
        session="monday",
    )
    with pytest.raises(AttributeError):
        stamped.authority = Authority.SYSTEM
    assert stamped == msgspec.structs.replace(stamped)
