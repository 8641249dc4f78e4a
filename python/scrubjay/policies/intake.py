"""Intake: turns what callers write into the checked values that policies work on."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from datetime import datetime
from os import PathLike
from pathlib import Path
from typing import TypedDict, Unpack

import msgspec

from scrubjay.base.clock import offset_min_of
from scrubjay.base.errors import (
    ArgumentTypeError,
    InvalidArgumentError,
    StorageError,
)
from scrubjay.base.ids import EngramId, parse_id
from scrubjay.base.provenance import Channel, Role
from scrubjay.base.trace import Modality, Observation, ToolCall, ToolResult
from scrubjay.policies.door import (
    check_content,
    check_count,
    check_event_time,
    check_flag,
    check_known,
    check_listed,
    check_member,
    check_name,
    check_scope,
    check_text,
)
from scrubjay.policies.encoding import text_of
from scrubjay.policies.governance import Selection
from scrubjay.policies.recall import Hit

__all__ = [
    "ObservationFields",
    "action_of",
    "channel_of",
    "checked_batch",
    "checked_file",
    "checked_target",
    "ids_of",
    "name_of",
    "observation_of",
    "principal_of",
    "scope_of",
    "selection_of",
    "session_of",
]

DEFAULT_SCOPE = "main"
DEFAULT_SESSION = "main"
_LAST_POSITION = 2**62 - 1
_DAY_MIN = 24 * 60
_INT32 = 2**31


def scope_of(function: str, scope: object, default: str | None = None) -> str:
    """Return a checked scope path; None means ``default``, and that ``main``."""
    return (default or DEFAULT_SCOPE) if scope is None else check_scope(function, scope)


class ObservationFields(TypedDict, total=False):
    """What may be said of an observation; each may be left out or None."""

    role: str
    session: str | None
    scope: str | None
    principal: str | None
    message_id: str | None
    event_time: datetime | int | None
    modality: str
    tool_calls: Sequence[ToolCall]
    tool_result: ToolResult | None


def observation_of(
    content: str,
    *,
    default_scope: str | None,
    now_us: int,
    **fields: Unpack[ObservationFields],
) -> Observation:
    """Return one checked observation.

    Raises:
        InvalidArgumentError, ClockError: impossible input; the text says which.
    """
    function = "observe"
    check_known(function, fields, ObservationFields)
    role = check_member(function, "role", fields.get("role", Role.USER), Role)
    calls = _calls_of(function, fields.get("tool_calls", ()))
    event_time = fields.get("event_time")
    session = name_of(function, "session", fields.get("session"))
    observation = Observation(
        content=check_content(function, content, may_be_empty=bool(calls)),
        role=role,
        session=DEFAULT_SESSION if session is None else session,
        scope=scope_of(function, fields.get("scope"), default_scope),
        principal=principal_of(function, fields.get("principal"), role),
        message_id=name_of(function, "message_id", fields.get("message_id")) or "",
        event_us=None
        if event_time is None
        else check_event_time(function, event_time, now_us=now_us),
        event_offset_min=0 if event_time is None else offset_min_of(event_time),
        modality=check_member(
            function, "modality", fields.get("modality", Modality.TEXTUAL), Modality
        ),
        tool_calls=calls,
        tool_result=_result_of(function, fields.get("tool_result")),
    )
    check_content(function, text_of(observation))
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
    event_us = item.event_us
    if event_us is not None:
        event_us = check_event_time(function, event_us, now_us=now_us)
    if item.position is not None:
        check_count(function, "position", item.position, at_least=0, at_most=_LAST_POSITION)
    offset_min = check_count(
        function, "event_offset_min", item.event_offset_min, at_least=-_DAY_MIN, at_most=_DAY_MIN
    )
    calls = _calls_of(function, item.tool_calls)
    observation = msgspec.structs.replace(
        item,
        content=check_content(function, item.content, may_be_empty=bool(calls)),
        role=role,
        session=_told(function, "session", item.session) or DEFAULT_SESSION,
        scope=scope_of(function, _told(function, "scope", item.scope), scope),
        principal=principal_of(function, _told(function, "principal", item.principal), role),
        message_id=_told(function, "message_id", item.message_id) or "",
        event_us=event_us,
        event_offset_min=offset_min,
        modality=check_member(function, "modality", item.modality, Modality),
        tool_calls=calls,
        tool_result=_result_of(function, item.tool_result),
    )
    check_content(function, text_of(observation))
    return observation


def _told(function: str, what: str, name: object) -> str | None:
    """Return a checked name, None for the empty text that stands for the default."""
    return None if isinstance(name, str) and not name else check_name(function, what, name)


def channel_of(function: str, channel: object) -> Channel:
    """Return the door an input came through. Raises InvalidArgumentError if there is none such."""
    return check_member(function, "channel", channel, Channel)


def principal_of(function: str, principal: object, role: Role) -> str:
    """Return who speaks: a checked name, by default that of the role."""
    return str(role.value) if principal is None else check_name(function, "principal", principal)


def name_of(function: str, what: str, name: object) -> str | None:
    """Return a checked name, or None. Raises InvalidArgumentError or ArgumentTypeError."""
    return None if name is None else check_name(function, what, name)


def action_of(action: object) -> str:
    """Return the text of an intention. Raises InvalidArgumentError or ArgumentTypeError."""
    return check_content("plan", action)


def session_of(function: str, session: object) -> str:
    """Return a checked session name, or the empty one that stands for none."""
    if isinstance(session, str) and not session:
        return ""
    return check_name(function, "session", session)


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
    is_file, is_folder = _kind_of(function, file)
    if not is_file:
        what = "a directory" if is_folder else "nothing there"
        msg = f"{function}: no such file, got {str(file)!r} ({what}), expected a readable file"
        raise StorageError(msg)
    return file


def checked_target(function: str, path: str | PathLike[str]) -> Path:
    """Return a path a file can be written to. Raises ArgumentTypeError or StorageError."""
    file = _path(function, path)
    is_file, _ = _kind_of(function, file)
    if (file.exists() and not is_file) or not _kind_of(function, file.parent)[1]:
        msg = f"{function}: cannot write there, got {str(file)!r}, expected a file in a directory"
        raise StorageError(msg)
    return file


def _kind_of(function: str, path: Path) -> tuple[bool, bool]:
    """Return whether a path is a file and whether it is a directory. Raises StorageError."""
    try:
        return path.is_file(), path.is_dir()
    except (OSError, UnicodeEncodeError) as error:
        reason = error.strerror if isinstance(error, OSError) else error.reason
        msg = (
            f"{function}: cannot look at {str(path)!r:.120}, got {reason}, "
            "expected a path this system can name and read"
        )
        raise StorageError(msg) from error


def _path(function: str, path: object) -> Path:
    if not isinstance(path, str | PathLike):
        kind = type(path).__name__
        msg = f"{function}: path has the wrong type, got {kind}, expected str or Path"
        raise ArgumentTypeError(msg)
    try:
        name = os.fsdecode(os.fsencode(path))
    except UnicodeEncodeError as error:
        msg = f"{function}: not a path, got {str(path)!r:.60}, expected one this system can name"
        raise InvalidArgumentError(msg) from error
    if "\0" in name:
        msg = f"{function}: path holds a NUL character, got {name!r:.60}, expected a path"
        raise InvalidArgumentError(msg)
    return Path(name)


def _calls_of(function: str, calls: Iterable[ToolCall]) -> tuple[ToolCall, ...]:
    """Return tool calls whose fields are what they are declared to be."""
    checked: list[ToolCall] = []
    for call in check_listed(function, "tool_calls", calls):
        if not isinstance(call, ToolCall):
            kind = type(call).__name__
            msg = f"{function}: a tool call has the wrong type, got {kind}, expected ToolCall"
            raise ArgumentTypeError(msg)
        checked.append(
            ToolCall(
                call_id=check_text(function, "call_id", call.call_id),
                name=check_name(function, "tool name", call.name),
                arguments=check_text(function, "tool arguments", call.arguments),
            )
        )
    return tuple(checked)


def _result_of(function: str, result: ToolResult | None) -> ToolResult | None:
    """Return how a tool ended, its fields being what they are declared to be."""
    if result is None:
        return None
    if not isinstance(result, ToolResult):
        kind = type(result).__name__
        msg = f"{function}: tool_result has the wrong type, got {kind}, expected ToolResult"
        raise ArgumentTypeError(msg)
    code = result.exit_code
    if code is not None:
        code = check_count(function, "exit_code", code, at_least=-_INT32, at_most=_INT32)
    return ToolResult(
        call_id=check_text(function, "call_id", result.call_id),
        name=check_text(function, "tool name", result.name),
        exit_code=code,
        is_error=check_flag(function, "is_error", result.is_error),
    )
