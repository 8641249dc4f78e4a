"""Plain lines: ``{"role": ..., "content": ..., "time": ...}``, the format to write by hand.

``time`` is ISO 8601 with an offset, epoch seconds or milliseconds, or may be missing. ``session``
and ``id`` are optional.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scrubjay.adapters.transcripts.fields import (
    MalformedError,
    check_text,
    decode_reason,
    moment_of,
    name_of,
    role_of,
)
from scrubjay.adapters.transcripts.records import Record, failed
from scrubjay.adapters.transcripts.stream import iter_lines
from scrubjay.base.trace import Observation

if TYPE_CHECKING:
    from collections.abc import Iterator

    from scrubjay.adapters.transcripts.records import Reading

__all__ = ["read"]


class _Line(msgspec.Struct, frozen=True):
    role: str
    content: str
    time: str | float | None = None
    session: str | int | None = None
    id: str | int | None = None
    name: str | None = None


_decode = msgspec.json.Decoder(_Line).decode


def read(reading: Reading) -> Iterator[Record]:
    """Yield one record per line, in file order."""
    for number, offset, data, reason in iter_lines(reading.stream):
        if data is None:
            yield failed(number, offset, reason)
            continue
        try:
            line = _decode(data)
            if not line.content.strip():
                reading.skipped["empty"] += 1
                continue
            observation = _observation(line, reading.stem, offset)
        except (msgspec.DecodeError, RecursionError, MalformedError) as error:
            yield failed(number, offset, decode_reason(error))
            continue
        yield Record(observation, None, offset, number)


def _observation(line: _Line, stem: str, position: int) -> Observation:
    moment = moment_of(line.time)
    return Observation(
        content=check_text(line.content),
        role=role_of(line.role),
        session=name_of("a session", line.session, stem),
        principal=name_of("a name", line.name),
        message_id=name_of("a message id", line.id),
        position=position,
        event_us=moment.us if moment else None,
        event_offset_min=moment.offset_min if moment else 0,
    )
