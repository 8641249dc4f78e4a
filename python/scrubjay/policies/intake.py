"""Intake: turns what callers write into the checked values that policies work on."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path

import msgspec

from scrubjay.base.clock import instant_of, offset_min_of
from scrubjay.base.errors import (
    ArgumentTypeError,
    AuthorityError,
    ClockError,
    InvalidArgumentError,
    StorageError,
)
from scrubjay.base.ids import EngramId, parse_id
from scrubjay.base.provenance import Authority, Channel, Role, authority_of
from scrubjay.base.trace import Modality, Observation, Precision, ToolCall, ToolResult
from scrubjay.policies.believing import Statement
from scrubjay.policies.door import (
    check_content,
    check_event_time,
    check_fraction,
    check_listed,
    check_member,
    check_name,
    check_scope,
)
from scrubjay.policies.encoding import text_of
from scrubjay.policies.governance import Selection
from scrubjay.policies.recall import Hit

__all__ = [
    "action_of",
    "checked_batch",
    "checked_file",
    "checked_target",
    "ids_of",
    "name_of",
    "observation_of",
    "scope_of",
    "selection_of",
    "statement_of",
]

DEFAULT_SCOPE = "main"
DEFAULT_SESSION = "main"


def scope_of(function: str, scope: object) -> str:
    """Return a checked scope path; None means ``main``."""
    return DEFAULT_SCOPE if scope is None else check_scope(function, scope)


def observation_of(
    function: str,
    content: str,
    *,
    role: str,
    session: str | None,
    scope: str | None,
    principal: str | None,
    message_id: str | None,
    event_time: datetime | int | None,
    modality: str,
    tool_calls: Sequence[ToolCall],
    tool_result: ToolResult | None,
    now_us: int,
) -> Observation:
    """Return one checked observation.

    Raises:
        InvalidArgumentError, ClockError: impossible input; the text says which.
    """
    role_ = check_member(function, "role", role, Role)
    calls = tuple(check_listed(function, "tool_calls", tool_calls))
    observation = Observation(
        content=check_content(function, content, may_be_empty=bool(calls)),
        role=role_,
        session=DEFAULT_SESSION if session is None else check_name(function, "session", session),
        scope=scope_of(function, scope),
        principal=_principal(function, principal, role_),
        message_id="" if message_id is None else check_name(function, "message_id", message_id),
        event_us=None
        if event_time is None
        else check_event_time(function, event_time, now_us=now_us),
        event_offset_min=0 if event_time is None else offset_min_of(event_time),
        modality=check_member(function, "modality", modality, Modality),
        tool_calls=calls,
        tool_result=tool_result,
    )
    _check_calls(function, observation)
    return observation


def checked_batch(
    observations: Iterable[Observation], *, scope: str | None, now_us: int
) -> list[Observation]:
    """Return observations with defaults filled in, all checked before any is stored.

    Raises:
        InvalidArgumentError, ClockError: the text names the position of the bad item.
    """
    checked: list[Observation] = []
    for position, item in enumerate(check_listed("observe_many", "observations", observations)):
        function = f"observe_many: item {position}"
        if not isinstance(item, Observation):
            kind = type(item).__name__
            msg = f"{function}: has the wrong type, got {kind}, expected Observation"
            raise ArgumentTypeError(msg)
        checked.append(_checked(function, item, scope=scope, now_us=now_us))
    return checked


def _checked(function: str, item: Observation, *, scope: str | None, now_us: int) -> Observation:
    role = check_member(function, "role", item.role, Role)
    if item.event_us is not None:
        check_event_time(function, item.event_us, now_us=now_us)
    if item.position is not None and not 0 <= item.position < 1 << 62:
        msg = f"{function}: position is out of range, got {item.position}, expected >= 0"
        raise InvalidArgumentError(msg)
    observation = msgspec.structs.replace(
        item,
        content=check_content(function, item.content, may_be_empty=bool(item.tool_calls)),
        session=check_name(function, "session", item.session or DEFAULT_SESSION),
        scope=scope_of(function, item.scope or scope),
        principal=_principal(function, item.principal or None, role),
        message_id=item.message_id and check_name(function, "message_id", item.message_id),
        modality=check_member(function, "modality", item.modality, Modality),
    )
    _check_calls(function, observation)
    return observation


def statement_of(
    text: str | None,
    *,
    subject: str | None,
    predicate: str | None,
    object_: str | None,
    valid_from: datetime | int | None,
    valid_to: datetime | int | None,
    confidence: float,
    pin: bool,
    invariant: bool,
    functional: bool | None,
    scope: str | None,
    principal: str | None,
    role: str,
    channel: Channel,
) -> Statement:
    """Return one checked explicit fact.

    Raises:
        InvalidArgumentError: neither a text nor a whole triple, or a part of it is impossible.
        AuthorityError: a pin or an invariant from below the authority of a user.
    """
    function = "remember"
    role_ = check_member(function, "role", role, Role)
    triple = [subject, predicate, object_]
    if any(part is not None for part in triple) and not all(triple):
        msg = (
            f"{function}: a fact needs subject, predicate and object together, got {triple!r:.120}"
            ", expected all three or only a text"
        )
        raise InvalidArgumentError(msg)
    names = [
        "" if part is None else _term(function, what, part)
        for what, part in zip(("subject", "predicate", "object"), triple, strict=True)
    ]
    if text is None and subject is None:
        msg = f"{function}: nothing to remember, got no text and no subject, expected either"
        raise InvalidArgumentError(msg)
    authority = authority_of(role_, channel)
    if (pin or invariant) and authority < Authority.USER_EXPLICIT:
        msg = (
            f"{function}: only a user or the system may pin or set an invariant, got "
            f"{authority.name.lower()} through {channel}, expected user authority; ask the user"
        )
        raise AuthorityError(msg)
    valid_from_us = None if valid_from is None else instant_of(function, valid_from)
    valid_to_us = None if valid_to is None else instant_of(function, valid_to)
    if subject is None and (valid_from_us, valid_to_us, functional) != (None, None, None):
        msg = (
            f"{function}: validity and cardinality belong to a fact, got them with only a text, "
            "expected subject, predicate and object as well"
        )
        raise InvalidArgumentError(msg)
    if valid_from_us is not None and valid_to_us is not None and valid_to_us <= valid_from_us:
        msg = (
            f"{function}: valid_to must lie after valid_from, got {valid_to_us} us, "
            f"expected more than {valid_from_us} us"
        )
        raise ClockError(msg)
    return Statement(
        text=check_content(function, " ".join(names) if text is None else text),
        scope=scope_of(function, scope),
        session=DEFAULT_SESSION,
        principal=_principal(function, principal, role_),
        subject=names[0],
        predicate=names[1],
        object=names[2],
        valid_from_us=valid_from_us,
        valid_to_us=valid_to_us,
        precision=Precision.UNKNOWN if valid_from_us is None else Precision.INSTANT,
        confidence=check_fraction(function, "confidence", confidence),
        pinned=pin,
        invariant=invariant,
        functional=functional,
    )


def name_of(function: str, what: str, name: object) -> str | None:
    """Return a checked name, or None. Raises InvalidArgumentError or ArgumentTypeError."""
    return None if name is None else check_name(function, what, name)


def action_of(action: object) -> str:
    """Return the text of an intention. Raises InvalidArgumentError or ArgumentTypeError."""
    return check_content("plan", action)


def ids_of(hits: Iterable[Hit | EngramId | str]) -> list[EngramId]:
    """Return the ids of hits or ids. Raises ArgumentTypeError or InvalidArgumentError."""
    listed = check_listed("used", "hits", hits)
    return [hit.id if isinstance(hit, Hit) else parse_id(hit) for hit in listed]


def selection_of(
    ids: EngramId | str | Iterable[EngramId | str] | None,
    *,
    scope: str | None,
    session: str | None,
    principal: str | None,
) -> Selection:
    """Return what to forget.

    Raises:
        InvalidArgumentError: no condition at all, or a malformed id.
    """
    function = "forget"
    if ids is None and scope is None and session is None and principal is None:
        msg = (
            f"{function}: says nothing to select by, got no argument, "
            "expected ids, scope, session or principal"
        )
        raise InvalidArgumentError(msg)
    parsed: tuple[EngramId, ...] | None = None
    if ids is not None:
        listed = [ids] if isinstance(ids, bytes | str) else check_listed(function, "ids", ids)
        parsed = tuple(parse_id(id_) for id_ in listed)
    return Selection(
        ids=parsed,
        scope=None if scope is None else check_scope(function, scope),
        session=None if session is None else check_name(function, "session", session),
        principal=None if principal is None else check_name(function, "principal", principal),
    )


def checked_file(function: str, path: str | PathLike[str]) -> Path:
    """Return the path of a file that exists. Raises ArgumentTypeError or StorageError."""
    file = _path(function, path)
    if not file.is_file():
        what = "a directory" if file.is_dir() else "nothing there"
        msg = f"{function}: no such file, got {str(file)!r} ({what}), expected a readable file"
        raise StorageError(msg)
    return file


def checked_target(function: str, path: str | PathLike[str]) -> Path:
    """Return a path a file can be written to. Raises ArgumentTypeError or StorageError."""
    file = _path(function, path)
    if file.is_dir() or not file.parent.is_dir():
        msg = f"{function}: cannot write there, got {str(file)!r}, expected a file in a directory"
        raise StorageError(msg)
    return file


def _path(function: str, path: object) -> Path:
    if not isinstance(path, str | PathLike):
        kind = type(path).__name__
        msg = f"{function}: path has the wrong type, got {kind}, expected str or Path"
        raise ArgumentTypeError(msg)
    if "\0" in str(path):
        msg = f"{function}: path holds a NUL character, got {str(path)!r:.60}, expected a path"
        raise InvalidArgumentError(msg)
    return Path(path)


def _principal(function: str, principal: str | None, role: Role) -> str:
    return str(role.value) if principal is None else check_name(function, "principal", principal)


def _term(function: str, what: str, value: object) -> str:
    return " ".join(check_name(function, what, value).split())


def _check_calls(function: str, observation: Observation) -> None:
    for call in observation.tool_calls:
        if not isinstance(call, ToolCall):
            kind = type(call).__name__
            msg = f"{function}: a tool call has the wrong type, got {kind}, expected ToolCall"
            raise ArgumentTypeError(msg)
        check_name(function, "tool name", call.name)
    result = observation.tool_result
    if result is not None and not isinstance(result, ToolResult):
        kind = type(result).__name__
        msg = f"{function}: tool_result has the wrong type, got {kind}, expected ToolResult"
        raise ArgumentTypeError(msg)
    check_content(function, text_of(observation))
