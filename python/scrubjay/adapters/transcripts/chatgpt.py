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

from typing import TYPE_CHECKING, NamedTuple

import msgspec

from scrubjay.adapters.transcripts.fields import (
    MalformedError,
    Part,
    check_text,
    decode_reason,
    moment_of,
    name_of,
    role_of,
    text_of_parts,
)
from scrubjay.adapters.transcripts.records import Record, failed
from scrubjay.adapters.transcripts.stream import iter_elements
from scrubjay.base.provenance import Role
from scrubjay.base.trace import Observation, ToolCall, ToolResult

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.adapters.transcripts.records import Reading
    from scrubjay.adapters.transcripts.times import Moment

__all__ = ["read"]

_SILENT = frozenset({"thoughts", "reasoning_recap", "model_editable_context"})
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
    message: msgspec.Raw | None = None


class _Conversation(msgspec.Struct, frozen=True):
    mapping: dict[str, _Node]
    current_node: str | None = None
    conversation_id: str | None = None
    id: str | None = None
    title: str | None = None
    create_time: float | None = None


class _Place(NamedTuple):
    session: str
    start: Moment | None
    line: int
    ordinal: int


class _Stamp(msgspec.Struct, frozen=True):
    create_time: float | None = None


def read(reading: Reading) -> Iterator[Record]:
    """Yield one record per message on the visible path, conversations in file order."""
    ordinal = 0
    for number, _, data, reason in iter_elements(reading.stream):
        if data is None:
            yield failed(number, ordinal, reason)
            continue
        try:
            conversation = msgspec.json.decode(data, type=_Conversation)
            path = _path(conversation)
            session = name_of(
                "a conversation id",
                conversation.conversation_id,
                conversation.id,
                f"{reading.stem}:{number}",
            )
            start = moment_of(conversation.create_time)
        except (msgspec.DecodeError, RecursionError, MalformedError) as error:
            yield failed(number, ordinal, decode_reason(error))
            continue
        on_path = set(path)
        for key, node in conversation.mapping.items():
            if key not in on_path and _has_message(node):
                reading.skipped["abandoned branch"] += 1
        title = (conversation.title or "")[:_TITLE_CHARS]
        place = _Place(session, start, number, ordinal)
        for record in _messages(reading, conversation, path, place):
            yield record._replace(session_title=title)
            ordinal = record.position + 1


def _has_message(node: _Node) -> bool:
    return node.message is not None and bytes(node.message) != b"null"


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
    return max(leaves, key=lambda key: (_stamp(nodes[key]), key), default=None)


def _stamp(node: _Node) -> float:
    if not _has_message(node):
        return 0.0
    return msgspec.json.decode(node.message or b"{}", type=_Stamp).create_time or 0.0


def _messages(
    reading: Reading,
    conversation: _Conversation,
    path: list[str],
    place: _Place,
) -> Iterator[Record]:
    _, last, number, ordinal = place
    call = ToolCall(call_id="", name="", arguments="{}")
    for index, key in enumerate(path):
        node = conversation.mapping[key]
        if node.message is None or not _has_message(node):
            continue
        try:
            message = msgspec.json.decode(node.message, type=_Message)
            last = moment_of(message.create_time) or last
            observation = _observation(message, key, call)
        except (msgspec.DecodeError, MalformedError) as error:
            yield failed(number, ordinal, f"message {index}: {decode_reason(error)}")
            ordinal += 1
            continue
        if isinstance(observation, str):
            reading.skipped[observation] += 1
            continue
        call = observation.tool_calls[0] if observation.tool_calls else call
        placed = msgspec.structs.replace(
            observation,
            session=place.session,
            position=index,
            event_us=last.us if last else None,
            event_offset_min=0,
        )
        yield Record(placed, None, ordinal, number)
        ordinal += 1


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
    if role is Role.ASSISTANT and message.recipient not in {None, "", "all"}:
        name = name_of("a tool name", message.recipient)
        made = ToolCall(call_id=message_id, name=name, arguments=_arguments(text))
        return Observation(content="", role=role, message_id=message_id, tool_calls=(made,))
    if not text.strip():
        return "empty"
    if role is not Role.TOOL:
        return Observation(content=text, role=role, message_id=message_id)
    name = name_of("a tool name", message.author.name, call.name)
    result = ToolResult(
        call_id=call.call_id if call.name.partition(".")[0] == name.partition(".")[0] else "",
        name=name,
        is_error=content.content_type == "system_error",
    )
    return Observation(
        content=text, role=role, principal=name, message_id=message_id, tool_result=result
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
