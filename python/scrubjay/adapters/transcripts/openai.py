"""OpenAI-style messages, one JSON object per line.

A line is one message (``role``, ``content``, ``tool_calls`` ...) or one conversation
(``{"messages": [...]}``). Additions found in logs are understood: ``id``, ``timestamp`` (or
``created_at``, ``time``), ``session`` (or ``session_id``), ``exit_code`` and ``is_error`` on tool
results. Without a session the messages of a file are one session named after the file, and each
conversation line is one of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import ClassVar

import msgspec

from scrubjay.adapters.transcripts.fields import (
    NO_OUTPUT,
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
from scrubjay.adapters.transcripts.reading import Outcome, Split, derived_id
from scrubjay.adapters.transcripts.stream import Item, iter_lines
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Observation, ToolResult

__all__ = ["OpenAIReader"]


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


class OpenAIReader:
    """Reads messages and conversations, one JSON object per line."""

    split: ClassVar[Split] = staticmethod(iter_lines)
    title = ""

    def __init__(self, stem: str) -> None:
        """Begin; ``stem`` is the session of messages that name none."""
        self._stem = stem
        self._names = CallNames()
        self.skipped: Counter[str] = Counter()

    def parse(self, item: Item, data: bytes) -> list[Outcome]:
        """Return the message of a line, or all messages of a conversation."""
        line = _decode(data)
        session = name_of("a session", line.session, line.session_id, line.conversation_id)
        messages: Sequence[_Message] = (line,)
        if line.messages is None:
            session = session or self._stem
        else:
            session = session or name_of("a session", line.id, f"{self._stem}:{item.number}")
            messages = line.messages
        outcomes: list[Outcome] = []
        for position, message in enumerate(messages, item.offset):
            try:
                outcome = self._observation(message, position, session, data)
            except (msgspec.DecodeError, MalformedError) as error:
                outcomes.append(decode_reason(error))
                continue
            if outcome is None:
                self.skipped["empty"] += 1
            else:
                outcomes.append(outcome)
        return outcomes

    def _observation(
        self, message: _Message, position: int, session: str, data: bytes
    ) -> Observation | None:
        role = role_of(message.role)
        content = message.content
        text = text_of_parts(content) if isinstance(content, list) else content or ""
        calls = tool_calls_of(message.tool_calls, message.function_call)
        self._names.learn(calls)
        result = None
        if role is Role.TOOL:
            result = self._result(message)
            text = text if text.strip() else NO_OUTPUT
        elif not calls and not text.strip():
            return None
        moment = moment_of(message.timestamp, message.created_at, message.time)
        return Observation(
            content=check_text(text),
            role=role,
            session=name_of("a session", message.session, message.session_id, session),
            principal=result.name if result else name_of("a name", message.name),
            message_id=name_of("a message id", message.id, message.message_id)
            or derived_id(position, data),
            position=position,
            event_us=moment.us if moment else None,
            event_offset_min=moment.offset_min if moment else 0,
            tool_calls=calls,
            tool_result=result,
        )

    def _result(self, message: _Message) -> ToolResult:
        call_id = name_of("a call id", message.tool_call_id)
        return ToolResult(
            call_id=call_id,
            name=name_of("a tool name", message.name, self._names.of(call_id)),
            exit_code=message.exit_code,
            is_error=message.is_error or bool(message.exit_code),
        )
