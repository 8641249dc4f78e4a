"""``conversations.json`` of a ChatGPT account export: an array of message trees.

Each conversation has a ``mapping`` of nodes with ``parent`` links; editing a question or asking
for another answer makes a branch. What is read is the path that was last on screen, from the root
to ``current_node``; messages on other branches are counted in ``skipped``. Without a current node
the newest leaf stands for it.

==========================  ==================================================================
message                     becomes
==========================  ==================================================================
user, assistant             a turn; images and sound are placeholders in brackets
assistant to a tool         a turn with one tool call (recipient, text)
tool                        a tool observation of the call before it
custom instructions         a turn of the user, who wrote them
thoughts, hidden, empty     nothing; counted
==========================  ==================================================================

Times are float seconds; a message without one happened when its predecessor did. The session is
the conversation's id, its title comes with each record.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import msgspec

from scrubjay.adapters.transcripts.fields import (
    NO_OUTPUT,
    MalformedError,
    Part,
    check_text,
    decode_reason,
    moment_of,
    name_of,
    role_of,
    text_of_parts,
)
from scrubjay.adapters.transcripts.reading import Outcome, Split
from scrubjay.adapters.transcripts.stream import Item, iter_elements
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Observation, ToolCall, ToolResult

__all__ = ["ChatGPTReader"]

_SILENT = frozenset({"thoughts", "reasoning_recap", "model_editable_context"})
_NULL = b"null"
_TITLE_CHARS = 200


class _Author(msgspec.Struct, frozen=True):
    role: str
    name: str | None = None


class _Content(msgspec.Struct, frozen=True):
    content_type: str = "text"
    parts: list[str | Part | None] | None = None
    text: str | None = None
    result: str | None = None
    user_profile: str | None = None
    user_instructions: str | None = None


class _Metadata(msgspec.Struct, frozen=True):
    is_visually_hidden_from_conversation: bool | None = None


class _Message(msgspec.Struct, frozen=True):
    author: _Author
    content: _Content
    id: str | None = None
    create_time: float | None = None
    recipient: str | None = None
    metadata: _Metadata | None = None


class _Node(msgspec.Struct, frozen=True):
    parent: str | None = None
    message: msgspec.Raw = msgspec.Raw(b"null")


class _Conversation(msgspec.Struct, frozen=True):
    mapping: dict[str, _Node]
    current_node: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    title: str | None = None
    create_time: float | None = None


class _Stamp(msgspec.Struct, frozen=True):
    create_time: float | None = None


class ChatGPTReader:
    """Reads conversations, one element of the array each, along the path last on screen."""

    split: ClassVar[Split] = staticmethod(iter_elements)

    def __init__(self, stem: str) -> None:
        """Begin; ``stem`` names conversations without an id."""
        self._stem = stem
        self.title = ""
        self.skipped: Counter[str] = Counter()

    def parse(self, item: Item, data: bytes) -> list[Outcome]:
        """Return the messages of one conversation from its root to its current node."""
        conversation = msgspec.json.decode(data, type=_Conversation)
        path = _path(conversation)
        on_path = set(path)
        abandoned = (
            key not in on_path and _has_message(node) for key, node in conversation.mapping.items()
        )
        self.skipped["abandoned branch"] += sum(abandoned)
        self.title = (conversation.title or "")[:_TITLE_CHARS]
        return self._messages(conversation, path, item.number)

    def _messages(self, conversation: _Conversation, path: list[str], number: int) -> list[Outcome]:
        session = name_of(
            "a conversation id",
            conversation.conversation_id,
            conversation.id,
            f"{self._stem}:{number}",
        )
        last = moment_of(conversation.create_time)
        call = ToolCall(call_id="", name="", arguments="{}")
        outcomes: list[Outcome] = []
        for index, key in enumerate(path):
            raw = conversation.mapping[key].message
            if bytes(raw) == _NULL:
                continue
            try:
                message = msgspec.json.decode(raw, type=_Message)
                last = moment_of(message.create_time) or last
                one = _observation(message, key, call)
            except (msgspec.DecodeError, MalformedError) as error:
                outcomes.append(f"message {index}: {decode_reason(error)}")
                continue
            if isinstance(one, str):
                self.skipped[one] += 1
                continue
            call = one.tool_calls[0] if one.tool_calls else call
            event_us = last.us if last else None
            one = msgspec.structs.replace(one, session=session, position=index, event_us=event_us)
            outcomes.append(one)
        return outcomes


def _has_message(node: _Node) -> bool:
    return bytes(node.message) != _NULL


def _path(conversation: _Conversation) -> list[str]:
    """Return the node ids from the root to the current node."""
    nodes = conversation.mapping
    key = conversation.current_node
    if key not in nodes:
        key = _newest_leaf(nodes)
    path: list[str] = []
    seen: set[str] = set()
    while key is not None and key in nodes:
        if key in seen:
            raise MalformedError("the message tree runs in a circle")
        seen.add(key)
        path.append(key)
        key = nodes[key].parent
    return path[::-1]


def _newest_leaf(nodes: dict[str, _Node]) -> str | None:
    parents = {node.parent for node in nodes.values()}
    leaves = [key for key in nodes if key not in parents]
    return max(leaves, key=lambda key: (_stamp(nodes, key), key), default=None)


def _stamp(nodes: dict[str, _Node], leaf: str) -> float:
    """Return the time of a leaf, or of its nearest ancestor that has one."""
    seen: set[str] = set()
    key: str | None = leaf
    while key is not None and key in nodes and key not in seen:
        seen.add(key)
        if _has_message(nodes[key]):
            time = msgspec.json.decode(nodes[key].message, type=_Stamp).create_time
            if time is not None:
                return time
        key = nodes[key].parent
    return 0.0


def _observation(message: _Message, key: str, call: ToolCall) -> Observation | str:
    """Return what a message says, or the reason why it is left out."""
    content = message.content
    role = role_of(message.author.role)
    if content.content_type in _SILENT:
        return "thoughts"
    message_id = name_of("a message id", message.id, key)
    if content.content_type == "user_editable_context":
        text = "\n".join(filter(None, (content.user_profile, content.user_instructions)))
        if not text.strip():
            return "empty"
        return Observation(content=check_text(text), role=Role.USER, message_id=message_id)
    if message.metadata is not None and message.metadata.is_visually_hidden_from_conversation:
        return "hidden"
    text = check_text(_text(content))
    if role is Role.TOOL:
        return _tool_result(message, message_id, call, text)
    if role is Role.ASSISTANT and message.recipient not in {None, "", "all"}:
        name = name_of("a tool name", message.recipient)
        made = ToolCall(call_id=message_id, name=name, arguments=_arguments(text))
        return Observation(content="", role=role, message_id=message_id, tool_calls=(made,))
    if not text.strip():
        return "empty"
    return Observation(content=text, role=role, message_id=message_id)


def _tool_result(message: _Message, message_id: str, call: ToolCall, text: str) -> Observation:
    """Return a tool's answer, tied to the call before it if that went to the same tool."""
    name = name_of("a tool name", message.author.name, call.name)
    same = call.name.partition(".")[0] == name.partition(".")[0]
    return Observation(
        content=text if text.strip() else NO_OUTPUT,
        role=Role.TOOL,
        principal=name,
        message_id=message_id,
        tool_result=ToolResult(
            call_id=call.call_id if same else "",
            name=name,
            is_error=message.content.content_type == "system_error",
        ),
    )


def _text(content: _Content) -> str:
    parts = text_of_parts(content.parts) if content.parts else ""
    return "\n".join(filter(None, (parts, content.text, content.result)))


def _arguments(text: str) -> str:
    """Return the text if it is a JSON object, else an object that holds it."""
    try:
        msgspec.json.decode(text, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return msgspec.json.encode({"input": text}).decode()
    return text
