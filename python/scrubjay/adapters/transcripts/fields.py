"""Read the fields that several transcript formats share: roles, text, names, tool calls.

What comes out passes the memory's door: text that UTF-8 can hold, no NUL, not longer than one
memory may be. What does not is a ``MalformedError``, which the reader turns into a problem.
"""

from __future__ import annotations

from collections import OrderedDict

import msgspec

from scrubjay.adapters.transcripts.times import Moment, parse_time
from scrubjay.base.errors import ClockError
from scrubjay.base.limits import MAX_CONTENT_BYTES, MAX_NAME_CHARS
from scrubjay.base.provenance import Role
from scrubjay.base.trace import ToolCall

__all__ = [
    "NO_OUTPUT",
    "CallNames",
    "FunctionLine",
    "MalformedError",
    "Part",
    "ToolCallLine",
    "check_text",
    "decode_reason",
    "json_text",
    "moment_of",
    "name_of",
    "role_of",
    "text_of_parts",
    "tool_calls_of",
]

NO_OUTPUT = "(no output)"
"""The text of a tool result that has none; its exit code still counts."""

_ROLES = {
    "user": Role.USER,
    "human": Role.USER,
    "assistant": Role.ASSISTANT,
    "tool": Role.TOOL,
    "function": Role.TOOL,
    "system": Role.SYSTEM,
    "developer": Role.SYSTEM,
    "document": Role.DOCUMENT,
}
_PLACEHOLDERS = {
    "image": "[image]",
    "image_url": "[image]",
    "input_image": "[image]",
    "image_asset_pointer": "[image]",
    "input_audio": "[audio]",
    "audio_asset_pointer": "[audio]",
    "file": "[file]",
    "document": "[document]",
}
_SILENT = frozenset({"thinking", "redacted_thinking", "reasoning"})
_CALL_NAMES_KEPT = 10_000


class MalformedError(ValueError):
    """A record that cannot become an observation; the text is the reason, without content."""


class TextValue(msgspec.Struct, frozen=True):
    """The text of a part, where it is wrapped once more."""

    value: str = ""


class Part(msgspec.Struct, frozen=True):
    """A content part of any API; what holds no text is shown by a placeholder."""

    type: str = ""
    content_type: str = ""
    text: str | TextValue | None = None
    refusal: str | None = None
    transcript: str | None = None


class FunctionLine(msgspec.Struct, frozen=True):
    """The function of an OpenAI tool call; arguments are JSON text, or an object in some logs."""

    name: str
    arguments: msgspec.Raw = msgspec.Raw(b'"{}"')


class ToolCallLine(msgspec.Struct, frozen=True):
    """One entry of ``tool_calls``."""

    function: FunctionLine
    id: str = ""


class CallNames:
    """Remembers which tool each call id named, for results that do not repeat it; bounded."""

    def __init__(self) -> None:
        """Start with none."""
        self._names: OrderedDict[str, str] = OrderedDict()

    def learn(self, calls: tuple[ToolCall, ...]) -> None:
        """Take note of calls."""
        for call in calls:
            self._names[call.call_id] = call.name
            if len(self._names) > _CALL_NAMES_KEPT:
                self._names.popitem(last=False)

    def of(self, call_id: str) -> str:
        """Return the tool's name, or an empty string."""
        return self._names.get(call_id, "")


def role_of(value: str) -> Role:
    """Return the role a transcript names. Raises MalformedError."""
    role = _ROLES.get(value)
    if role is None:
        known = ", ".join(_ROLES)
        raise MalformedError(f"unknown role {value!r:.40}, expected one of {known}")
    return role


def check_text(value: str) -> str:
    """Return text a memory can hold.

    Raises:
        MalformedError: NUL, a lone surrogate, or more than 1 MiB of UTF-8.
    """
    if "\0" in value:
        raise MalformedError("the text holds a NUL character")
    if len(value) * 4 > MAX_CONTENT_BYTES:
        size = len(value.encode(errors="replace"))
        if size > MAX_CONTENT_BYTES:
            raise MalformedError(f"the text has {size} bytes, expected at most {MAX_CONTENT_BYTES}")
    if not value.isascii():
        try:
            value.encode()
        except UnicodeEncodeError:
            raise MalformedError("the text holds a lone surrogate") from None
    return value


def name_of(what: str, *values: str | int | None) -> str:
    """Return the first value that is there, as a name of at most 500 characters, else ''."""
    for value in values:
        if value is None or value == "":
            continue
        name = str(value)
        if len(name) > MAX_NAME_CHARS or not name.strip():
            raise MalformedError(
                f"{what} has {len(name)} characters, expected 1 to {MAX_NAME_CHARS}"
            )
        return check_text(name)
    return ""


def moment_of(*values: str | float | None) -> Moment | None:
    """Return the instant of the first value that is there. Raises MalformedError."""
    for value in values:
        if value is not None:
            try:
                moment = parse_time(value)
            except ClockError as error:
                raise MalformedError(str(error).removeprefix("parse_time: ")) from None
            if moment.us < 0:
                raise MalformedError("the time lies before 1970")
            return moment
    return None


def text_of_parts(parts: list[str | Part | None]) -> str:
    """Join the parts of a message by newlines: their text, or a placeholder for what is none."""
    texts = (part if isinstance(part, str) else _text_of_part(part) for part in parts if part)
    return "\n".join(text for text in texts if text)


def _text_of_part(part: Part) -> str:
    text = part.text.value if isinstance(part.text, TextValue) else part.text
    for candidate in (text, part.refusal, part.transcript):
        if candidate is not None:
            return candidate
    kind = part.type or part.content_type
    if kind in _SILENT:
        return ""
    return _PLACEHOLDERS.get(kind, f"[{kind[:40] or 'part'}]")


def tool_calls_of(
    lines: list[ToolCallLine] | None, legacy: FunctionLine | None = None
) -> tuple[ToolCall, ...]:
    """Return the calls of a message; arguments stay the JSON text that was sent.

    ``legacy`` is the single ``function_call`` of older logs, which has no id.
    """
    if not lines and legacy is None:
        return ()
    given = [(line.id, line.function) for line in lines or ()]
    if legacy is not None:
        given.append(("", legacy))
    return tuple(
        ToolCall(
            call_id=name_of("a call id", call_id),
            name=name_of("a tool name", function.name),
            arguments=check_text(json_text(function.arguments)),
        )
        for call_id, function in given
    )


def json_text(value: msgspec.Raw) -> str:
    """Return the JSON text that was sent: of a string its content, of anything else its source."""
    source = bytes(value)
    text = msgspec.json.decode(source, type=str) if source[:1] == b'"' else source.decode()
    return "{}" if text in {"", "null"} else text


def decode_reason(error: Exception) -> str:
    """Return why a record could not be read, without its content."""
    if isinstance(error, RecursionError):
        return "JSON nested too deeply"
    if isinstance(error, msgspec.ValidationError):
        return f"unexpected shape: {error}"
    if isinstance(error, msgspec.DecodeError):
        return f"not JSON: {error}"
    return str(error)
