"""Where a memory came from, and how far its source may change things.

Provenance is stamped at the door and never edited. The channel fixes the authority; text cannot
raise it. The numbers are persisted: DO NOT CHANGE THESE ENUM VALUES.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec

from scrubjay.base.ids import EngramId

__all__ = ["Authority", "Channel", "Plane", "Provenance", "Role", "authority_of", "plane_of"]


class Role(StrEnum):
    """Who speaks in an observation."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    DOCUMENT = "document"
    SYSTEM = "system"


class Channel(StrEnum):
    """The door an observation came through."""

    API = "api"
    REMEMBER = "remember"
    MCP = "mcp"
    TRANSCRIPT = "transcript"
    SLEEP = "sleep"
    IMPORT = "import"


class Authority(IntEnum):
    """How far a source may change things; tools and documents share the lowest rank."""

    OBSERVED = 10
    ASSISTANT = 20
    USER_EXPLICIT = 30
    SYSTEM = 40


class Plane(IntEnum):
    """``USER`` holds what people and the agent said; ``OBSERVED`` what tools and files report."""

    USER = 0
    OBSERVED = 1


class Provenance(msgspec.Struct, frozen=True, kw_only=True):
    """The origin of one engram.

    ``principal`` names who is speaking (a user, an agent, a tool); corroboration counts distinct
    principals. ``parents`` are the engrams it was derived from; empty for what came from outside.
    """

    role: Role
    channel: Channel
    principal: str
    authority: Authority
    plane: Plane
    session: str
    message_id: str = ""
    position: int = 0
    parents: tuple[EngramId, ...] = ()


_AUTHORITY_BY_ROLE = {
    Role.USER: Authority.USER_EXPLICIT,
    Role.ASSISTANT: Authority.ASSISTANT,
    Role.TOOL: Authority.OBSERVED,
    Role.DOCUMENT: Authority.OBSERVED,
    Role.SYSTEM: Authority.SYSTEM,
}


def authority_of(role: Role, channel: Channel) -> Authority:
    """Return the authority of ``role`` speaking through ``channel``; MCP is an assistant at most.

    >>> authority_of(Role.USER, Channel.MCP).name
    'ASSISTANT'
    """
    granted = _AUTHORITY_BY_ROLE[role]
    return min(granted, Authority.ASSISTANT) if channel == Channel.MCP else granted


def plane_of(role: Role) -> Plane:
    """Return the plane that what ``role`` says lives in."""
    return Plane.OBSERVED if role in {Role.TOOL, Role.DOCUMENT} else Plane.USER
