"""Tell the format of a transcript by its first bytes.

The rules look at keys that only one format has; a file that fits none is refused rather than
guessed, since a wrong guess would store nonsense with the authority of a user.
"""

from __future__ import annotations

from pathlib import Path

import msgspec

from scrubjay.adapters.transcripts.stream import ByteStream
from scrubjay.base.errors import TranscriptError

__all__ = ["FORMATS", "detect"]

FORMATS = ("openai", "claude_code", "chatgpt", "locomo", "plain")
"""What ``open_transcript`` can read."""

_HEAD_BYTES = 1024 * 1024
_LINES = 50
_CHATGPT_KEYS = (b'"mapping"', b'"current_node"')
_LOCOMO_KEYS = (b'"dia_id"', b'"session_1"', b'"session_1_date_time"')
_LOCOMO_FIRST_KEYS = (b'"qa"', b'"evidence"')
_CLAUDE_KEYS = frozenset({"sessionId", "parentUuid", "leafUuid", "isSidechain", "snapshot"})
_PLAIN_KEYS = frozenset({"role", "content", "time", "session", "id", "name"})
_PLAIN_ROLES = frozenset({"user", "assistant", "system", "document"})


def detect(path: str | Path) -> str:
    """Return the format of a file.

    Raises:
        TranscriptError: no format fits; the message says how to name one.
        StorageError: the file cannot be read.

    Cost: reads at most 1 MiB of text.
    """
    path = Path(path)
    with ByteStream(path) as stream:
        head = _head(stream)
    found = _of_array(head) or _of_lines(head)
    if found is None:
        what = "an empty file" if not head.strip() else f"{head[:20]!r}..."
        msg = (
            f"detect: {path.name} fits no transcript format, got {what}, expected one of "
            f"{', '.join(FORMATS)}; name the format if you know it"
        )
        raise TranscriptError(msg)
    return found


def _head(stream: ByteStream) -> bytes:
    pieces, size = [], 0
    while size < _HEAD_BYTES and (piece := stream.read(_HEAD_BYTES - size)):
        pieces.append(piece)
        size += len(piece)
    return b"".join(pieces).strip()


def _of_array(head: bytes) -> str | None:
    """Tell an array (or one pretty-printed object) by keys that stand anywhere in its start."""
    whole = head[:1] == b"[" or (head[:1] == b"{" and not _is_json(head.partition(b"\n")[0]))
    one_object = head[:1] == b"{" and b"\n" not in head
    if not whole and not one_object:
        return None
    if all(key in head for key in _CHATGPT_KEYS) or (whole and _CHATGPT_KEYS[0] in head):
        return "chatgpt"
    if any(key in head for key in _LOCOMO_KEYS) or all(key in head for key in _LOCOMO_FIRST_KEYS):
        return "locomo"
    return None


def _of_lines(head: bytes) -> str | None:
    """Tell a line format by the first lines that are objects."""
    plain = False
    for line in head.split(b"\n")[:_LINES]:
        keys = _keys(line)
        if keys is None:
            continue
        if "type" in keys and keys.keys() & _CLAUDE_KEYS:
            return "claude_code"
        if "messages" in keys:
            return "openai"
        if "role" not in keys or not keys.keys() & {"content", "tool_calls", "function_call"}:
            continue
        if not _is_plain(keys):
            return "openai"
        plain = True
    return "plain" if plain else None


def _is_plain(keys: dict[str, msgspec.Raw]) -> bool:
    role = bytes(keys["role"]).strip(b'"').decode(errors="replace")
    content = bytes(keys.get("content", b""))
    return keys.keys() <= _PLAIN_KEYS and role in _PLAIN_ROLES and content[:1] == b'"'


def _keys(line: bytes) -> dict[str, msgspec.Raw] | None:
    try:
        return msgspec.json.decode(line, type=dict[str, msgspec.Raw])
    except (msgspec.DecodeError, RecursionError):
        return None


def _is_json(line: bytes) -> bool:
    return _keys(line) is not None
