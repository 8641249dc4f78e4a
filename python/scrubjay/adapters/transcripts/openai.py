"""OpenAI-style messages, one JSON object per line.

A line is one message (``role``, ``content``, ``tool_calls`` ...) or one conversation
(``{"messages": [...]}``). Additions found in logs are understood: ``id``, ``timestamp`` (or
``created_at``, ``time``), ``session`` (or ``session_id``), ``exit_code`` and ``is_error`` on tool
results. Without a session the messages of a file are one session named after the file, and each
conversation line is one of its own.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scrubjay.adapters.transcripts.fields import (
    CallNames,
    FunctionLine,
    MalformedError,
    Part,
    ToolCallLine,
    check_text,
    decode_reason,
    moment_of,
    name_of,
    role_of,
    text_of_parts,
    tool_calls_of,
)
from scrubjay.adapters.transcripts.records import Record, failed
from scrubjay.adapters.transcripts.stream import iter_lines
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Observation, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.adapters.transcripts.records import Reading

__all__ = ["read"]


class _Message(msgspec.Struct, frozen=True):
    role: str = ""
    content: str | list[str | Part | None] | None = None
    name: str | None = None
    tool_calls: list[ToolCallLine] | None = None
    function_call: FunctionLine | None = None
    tool_call_id: str | None = None
    exit_code: int | None = None
    is_error: bool = False
    id: str | int | None = None
    message_id: str | int | None = None
    timestamp: str | float | None = None
    created_at: str | float | None = None
    time: str | float | None = None
    session: str | int | None = None
    session_id: str | int | None = None
    conversation_id: str | int | None = None


class _Line(_Message, frozen=True):
    messages: list[_Message] | None = None


_decode = msgspec.json.Decoder(_Line).decode


def read(reading: Reading) -> Iterator[Record]:
    """Yield one record per message, in file order."""
    names = CallNames()
    for number, offset, data, reason in iter_lines(reading.stream):
        if data is None:
            yield failed(number, offset, reason)
            continue
        try:
            line = _decode(data)
            session = name_of("a session", line.session, line.session_id, line.conversation_id)
            if line.messages is not None:
                session = session or name_of("a session", line.id, f"{reading.stem}:{number}")
        except (msgspec.DecodeError, RecursionError, MalformedError) as error:
            yield failed(number, offset, decode_reason(error))
            continue
        messages = (line,) if line.messages is None else line.messages
        for position, message in enumerate(messages, offset):
            try:
                observation = _observation(message, names, position, session or reading.stem)
            except (msgspec.DecodeError, MalformedError) as error:
                yield failed(number, position, decode_reason(error))
                continue
            if observation is None:
                reading.skipped["empty"] += 1
            else:
                yield Record(observation, None, position, number)


def _observation(
    message: _Message, names: CallNames, position: int, session: str
) -> Observation | None:
    role = role_of(message.role)
    content = message.content
    text = text_of_parts(content) if isinstance(content, list) else content or ""
    calls = tool_calls_of(message.tool_calls, message.function_call)
    if not calls and role is not Role.TOOL and not text.strip():
        return None
    names.learn(calls)
    result = None
    if role is Role.TOOL:
        call_id = name_of("a call id", message.tool_call_id)
        result = ToolResult(
            call_id=call_id,
            name=name_of("a tool name", message.name, names.of(call_id)),
            exit_code=message.exit_code,
            is_error=message.is_error or bool(message.exit_code),
        )
    moment = moment_of(message.timestamp, message.created_at, message.time)
    return Observation(
        content=check_text(text),
        role=role,
        session=name_of("a session", message.session, message.session_id, session),
        principal=result.name if result else name_of("a name", message.name),
        message_id=name_of("a message id", message.id, message.message_id),
        position=position,
        event_us=moment.us if moment else None,
        event_offset_min=moment.offset_min if moment else 0,
        tool_calls=calls,
        tool_result=result,
    )
