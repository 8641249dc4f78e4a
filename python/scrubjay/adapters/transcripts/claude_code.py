"""Session files of Claude Code: one event per line, conversation among much bookkeeping.

What becomes an observation, and with whose authority:

===============================================  ===========================================
on the line                                      becomes
===============================================  ===========================================
``user``, text                                   a turn of the user
``user``, ``tool_result`` blocks                 one tool observation each
``user``, only ``<bash-stdout>`` or the like     a tool observation (output of a typed command)
``user`` in a sidechain                          a turn of the assistant, who wrote that prompt
``assistant``, text and ``tool_use`` blocks      a turn of the assistant with its calls
``isMeta``, compaction summaries, ``summary``,   nothing; counted in ``skipped``
``system``, snapshots, thinking
===============================================  ===========================================

``<system-reminder>`` spans inside a user line were put there by the program, so they are cut out:
otherwise they would speak with the user's authority. System events are left out for the same
reason: what they quote is not from the system. Each sidechain is a session of its own, since its
turns are interleaved with the main ones. The scope is the last component of the first ``cwd``.

The format is not published; it is read here as files of 2025 and 2026 show it. Unknown kinds of
line are counted, not guessed at.
"""

from __future__ import annotations

import re
from collections import Counter
from typing import ClassVar

import msgspec

from scrubjay.adapters.transcripts.fields import (
    NO_OUTPUT,
    CallNames,
    Part,
    check_text,
    json_text,
    moment_of,
    name_of,
    text_of_parts,
)
from scrubjay.adapters.transcripts.reading import Outcome, Split, derived_id
from scrubjay.adapters.transcripts.stream import Item, iter_lines
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Observation, ToolCall, ToolResult

__all__ = ["ClaudeCodeReader"]

_REMINDER = re.compile(r"<system-reminder>.*?</system-reminder>", re.DOTALL)
_CAVEAT = re.compile(r"<local-command-caveat>.*?</local-command-caveat>", re.DOTALL)
_OUTPUT = re.compile(
    r"\s*(?:<(?P<tag>(?:bash|local-command)-std(?:out|err))>.*?</(?P=tag)>\s*)+", re.DOTALL
)
_OUTPUT_TAG = re.compile(r"</?(?:bash|local-command)-std(?:out|err)>")
_COMMAND = re.compile(r"<command-name>(.*?)</command-name>", re.DOTALL)
_COMMAND_ARGUMENTS = re.compile(r"<command-args>(.*?)</command-args>", re.DOTALL)
_BASH_INPUT = re.compile(r"\s*<bash-input>(.*?)</bash-input>\s*", re.DOTALL)
_MESSAGES = frozenset({"user", "assistant"})
_TYPED_COMMAND = "typed command"


class _Block(msgspec.Struct, frozen=True):
    type: str = ""
    text: str | None = None
    id: str = ""
    name: str = ""
    input: msgspec.Raw = msgspec.Raw(b"{}")
    tool_use_id: str = ""
    content: str | list[str | Part | None] | None = None
    is_error: bool | None = None


class _Message(msgspec.Struct, frozen=True):
    content: str | list[_Block] = ""


class _Line(msgspec.Struct, frozen=True, rename="camel"):
    type: str = ""
    message: msgspec.Raw = msgspec.Raw(b"null")
    uuid: str | None = None
    session_id: str | None = None
    agent_id: str | None = None
    timestamp: str | float | None = None
    cwd: str | None = None
    is_sidechain: bool = False
    is_meta: bool = False
    is_compact_summary: bool = False
    is_api_error_message: bool = False


_decode = msgspec.json.Decoder(_Line).decode
_decode_message = msgspec.json.Decoder(_Message).decode


class ClaudeCodeReader:
    """Reads the turns and tool results of a session file."""

    split: ClassVar[Split] = staticmethod(iter_lines)
    title = ""

    def __init__(self, stem: str) -> None:
        """Begin; ``stem`` is the session of lines that name none."""
        self._stem = stem
        self._scope = ""
        self._names = CallNames()
        self.skipped: Counter[str] = Counter()

    def parse(self, item: Item, data: bytes) -> list[Outcome]:
        """Return the turn of a line and the tool results it carries."""
        line = _decode(data)
        self._scope = self._scope or _scope(line.cwd)
        left_out = _left_out(line)
        if left_out:
            self.skipped[left_out] += 1
            return []
        found = _observations(line, _decode_message(line.message), self._names)
        if not found:
            self.skipped["empty"] += 1
        moment = moment_of(line.timestamp)
        session = name_of("a session", line.session_id, self._stem)
        if line.is_sidechain:
            session = name_of("a session", f"{session}/{line.agent_id or 'sidechain'}")
        uuid = name_of("a uuid", line.uuid) or derived_id(item.offset, data)
        return [
            msgspec.structs.replace(
                one,
                session=session,
                scope=self._scope,
                message_id=uuid if index == 0 else name_of("a message id", f"{uuid}/{index}"),
                position=item.offset + index,
                event_us=moment.us if moment else None,
                event_offset_min=moment.offset_min if moment else 0,
            )
            for index, one in enumerate(found)
        ]


def _left_out(line: _Line) -> str:
    if line.type not in _MESSAGES:
        return f"type {line.type[:40]}" if line.type else "without a type"
    if line.is_meta:
        return "meta"
    if line.is_compact_summary:
        return "compaction summary"
    if line.is_api_error_message:
        return "error message"
    return "without a message" if bytes(line.message) == b"null" else ""


def _scope(cwd: str | None) -> str:
    """Name the project by the last component of its directory, on any system."""
    last = re.split(r"[/\\]", (cwd or "").rstrip("/\\"))[-1].strip()
    return f"claude-code/{check_text(last)[:100]}" if last else ""


def _observations(line: _Line, message: _Message, names: CallNames) -> list[Observation]:
    blocks = message.content
    if isinstance(blocks, str):
        blocks = [_Block(type="text", text=blocks)]
    role = Role.ASSISTANT if line.type == "assistant" or line.is_sidechain else Role.USER
    calls = tuple(
        ToolCall(
            call_id=name_of("a call id", block.id),
            name=name_of("a tool name", block.name),
            arguments=check_text(json_text(block.input)),
        )
        for block in blocks
        if block.type in {"tool_use", "server_tool_use"}
    )
    names.learn(calls)
    found = [_tool_result(block, names) for block in blocks if block.type == "tool_result"]
    texts = [block.text or "" for block in blocks if block.type == "text"]
    texts += ["[image]" for block in blocks if block.type == "image"]
    text = "\n".join(filter(None, texts))
    if line.type == "user":
        text, typed = _cleaned(text)
        if typed is not None:
            found.append(typed)
    if text.strip() or calls:
        found.insert(0, Observation(content=check_text(text), role=role, tool_calls=calls))
    return found


def _tool_result(block: _Block, names: CallNames) -> Observation:
    content = block.content
    text = text_of_parts(content) if isinstance(content, list) else content or ""
    call_id = name_of("a call id", block.tool_use_id)
    name = names.of(call_id)
    return Observation(
        content=check_text(text) if text.strip() else NO_OUTPUT,
        role=Role.TOOL,
        principal=name,
        tool_result=ToolResult(call_id=call_id, name=name, is_error=bool(block.is_error)),
    )


def _cleaned(text: str) -> tuple[str, Observation | None]:
    """Part what the user wrote from what the program wrote into the same line."""
    if "<" not in text:
        return text, None
    text = _CAVEAT.sub("", _REMINDER.sub("", text)).strip()
    if _OUTPUT.fullmatch(text):
        output = check_text(_OUTPUT_TAG.sub("", text).strip())
        result = ToolResult(call_id="", name=_TYPED_COMMAND)
        seen = Observation(
            content=output, role=Role.TOOL, principal=_TYPED_COMMAND, tool_result=result
        )
        return "", seen if output else None
    if match := _BASH_INPUT.fullmatch(text):
        return f"! {match[1].strip()}", None
    if (match := _COMMAND.search(text)) and text.startswith("<command-"):
        arguments = _COMMAND_ARGUMENTS.search(text)
        return f"{match[1].strip()} {arguments[1].strip() if arguments else ''}".strip(), None
    return text, None
