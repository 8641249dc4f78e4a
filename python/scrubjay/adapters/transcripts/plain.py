"""Plain lines: ``{"role": ..., "content": ..., "time": ...}``, the format to write by hand.

``time`` is ISO 8601 with an offset, epoch seconds or milliseconds, or may be missing. ``session``
and ``id`` are optional.
"""

from __future__ import annotations

from collections import Counter
from typing import ClassVar

import msgspec

from scrubjay.adapters.transcripts.fields import check_text, moment_of, name_of, role_of
from scrubjay.adapters.transcripts.reading import Outcome, Split, derived_id
from scrubjay.adapters.transcripts.stream import Item, iter_lines
from scrubjay.base.trace import Observation

__all__ = ["PlainReader"]


class _Line(msgspec.Struct, frozen=True):
    role: str
    content: str
    time: str | float | None = None
    session: str | int | None = None
    id: str | int | None = None
    name: str | None = None


_decode = msgspec.json.Decoder(_Line).decode


class PlainReader:
    """Reads one message per line."""

    split: ClassVar[Split] = staticmethod(iter_lines)
    title = ""

    def __init__(self, stem: str) -> None:
        """Begin; ``stem`` is the session of lines that name none."""
        self._stem = stem
        self.skipped: Counter[str] = Counter()

    def parse(self, item: Item, data: bytes) -> list[Outcome]:
        """Return the message of a line, nothing if it is empty."""
        line = _decode(data)
        if not line.content.strip():
            self.skipped["empty"] += 1
            return []
        moment = moment_of(line.time)
        return [
            Observation(
                content=check_text(line.content),
                role=role_of(line.role),
                session=name_of("a session", line.session, self._stem),
                principal=name_of("a name", line.name),
                message_id=name_of("a message id", line.id) or derived_id(item.offset, data),
                position=item.offset,
                event_us=moment.us if moment else None,
                event_offset_min=moment.offset_min if moment else 0,
            )
        ]
