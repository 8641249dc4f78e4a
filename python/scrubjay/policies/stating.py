"""Stating: turns the words of an explicit fact into a checked statement."""

from __future__ import annotations

from datetime import datetime
from typing import TypedDict, Unpack

from scrubjay.base.clock import instant_of
from scrubjay.base.errors import AuthorityError, ClockError, InvalidArgumentError
from scrubjay.base.provenance import Authority, Channel, Role, authority_of
from scrubjay.base.trace import Precision
from scrubjay.policies.believing import Statement
from scrubjay.policies.door import (
    check_content,
    check_flag,
    check_fraction,
    check_known,
    check_member,
    check_name,
)
from scrubjay.policies.intake import DEFAULT_SESSION, principal_of, scope_of

__all__ = ["FactFields", "statement_of"]

_FUNCTION = "remember"


class FactFields(TypedDict, total=False):
    """What may be said of a fact; each may be left out or None."""

    subject: str | None
    predicate: str | None
    object: str | None
    valid_from: datetime | int | None
    valid_to: datetime | int | None
    confidence: float
    pin: bool
    invariant: bool
    functional: bool | None
    scope: str | None
    principal: str | None
    role: str


def statement_of(
    text: str | None,
    *,
    channel: Channel,
    default_scope: str | None,
    **fact: Unpack[FactFields],
) -> Statement:
    """Return one checked explicit fact.

    Raises:
        InvalidArgumentError: neither a text nor a whole triple, or a part of it is impossible.
        AuthorityError: a pin or an invariant from below the authority of a user.
        ClockError: a naive time, or an end not after the start.
    """
    check_known(_FUNCTION, fact, FactFields)
    role = check_member(_FUNCTION, "role", fact.get("role", Role.USER), Role)
    names = _triple(fact.get("subject"), fact.get("predicate"), fact.get("object"))
    if text is None and not names[0]:
        msg = f"{_FUNCTION}: nothing to remember, got no text and no subject, expected either"
        raise InvalidArgumentError(msg)
    pinned = check_flag(_FUNCTION, "pin", fact.get("pin"))
    invariant = check_flag(_FUNCTION, "invariant", fact.get("invariant"))
    if pinned or invariant:
        _check_authority(authority_of(role, channel), channel)
    from_us, to_us = _validity(fact.get("valid_from"), fact.get("valid_to"))
    functional = fact.get("functional")
    if functional is not None:
        functional = check_flag(_FUNCTION, "functional", functional)
    if not names[0] and (from_us, to_us, functional) != (None, None, None):
        msg = (
            f"{_FUNCTION}: validity and cardinality belong to a fact, got them with only a text, "
            "expected subject, predicate and object as well"
        )
        raise InvalidArgumentError(msg)
    return Statement(
        text=check_content(_FUNCTION, " ".join(names) if text is None else text),
        scope=scope_of(_FUNCTION, fact.get("scope"), default_scope),
        session=DEFAULT_SESSION,
        principal=principal_of(_FUNCTION, fact.get("principal"), role),
        subject=names[0],
        predicate=names[1],
        object=names[2],
        valid_from_us=from_us,
        valid_to_us=to_us,
        precision=Precision.UNKNOWN if from_us is None else Precision.INSTANT,
        confidence=check_fraction(_FUNCTION, "confidence", fact.get("confidence", 1.0)),
        pinned=pinned,
        invariant=invariant,
        functional=functional,
    )


def _triple(*parts: object) -> tuple[str, str, str]:
    """Return subject, predicate and object with inner spaces folded, or three empty texts."""
    if all(part is None for part in parts):
        return ("", "", "")
    given = [
        part for part in parts if part is not None and not (isinstance(part, str) and not part)
    ]
    if len(given) < len(parts):
        msg = (
            f"{_FUNCTION}: a fact needs subject, predicate and object together, got "
            f"{len(given)} of them, expected all three or only a text"
        )
        raise InvalidArgumentError(msg)
    subject, predicate, object_ = (
        " ".join(check_name(_FUNCTION, what, part).split())
        for what, part in zip(("subject", "predicate", "object"), parts, strict=True)
    )
    return (subject, predicate, object_)


def _check_authority(authority: Authority, channel: Channel) -> None:
    if authority < Authority.USER_EXPLICIT:
        msg = (
            f"{_FUNCTION}: only a user or the system may pin or set an invariant, got "
            f"{authority.name.lower()} through {channel}, expected user authority; ask the user"
        )
        raise AuthorityError(msg)


def _validity(
    valid_from: datetime | int | None, valid_to: datetime | int | None
) -> tuple[int | None, int | None]:
    from_us = None if valid_from is None else instant_of(_FUNCTION, valid_from)
    to_us = None if valid_to is None else instant_of(_FUNCTION, valid_to)
    if from_us is not None and to_us is not None and to_us <= from_us:
        msg = (
            f"{_FUNCTION}: valid_to must lie after valid_from, got {to_us} us, "
            f"expected more than {from_us} us"
        )
        raise ClockError(msg)
    return from_us, to_us
