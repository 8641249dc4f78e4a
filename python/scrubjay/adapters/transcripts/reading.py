"""The loop that all formats share: cut the file into items, parse each, account for all.

A format is a class: how its file is cut, and what one item says. Whatever goes wrong inside an
item stays inside it.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator
from typing import ClassVar, Protocol, TypeAlias

import msgspec

from scrubjay.adapters.transcripts.fields import MalformedError, decode_reason
from scrubjay.adapters.transcripts.records import Problem, Record
from scrubjay.adapters.transcripts.stream import ByteStream, Item
from scrubjay.base.trace import Observation

__all__ = ["Outcome", "Reader", "Split", "derived_id", "read"]

Outcome: TypeAlias = Observation | str
"""What became of one message: an observation, or the reason why there is none."""

Split: TypeAlias = Callable[[ByteStream], Iterator[Item]]


class Reader(Protocol):
    """One format, reading one file once.

    Attributes:
        split: How a file of this format is cut into items.
        title: The title of the session that the last parsed item belongs to, if it has one.
        skipped: What was left out on purpose, counted by reason.
    """

    split: ClassVar[Split]
    title: str
    skipped: Counter[str]

    def __init__(self, stem: str) -> None:
        """Begin; ``stem`` names what names itself in no other way."""
        ...

    def parse(self, item: Item, data: bytes) -> list[Outcome]:
        """Return what the item says, in order.

        Raises:
            MalformedError, msgspec.DecodeError, RecursionError: the whole item cannot be read.
        """
        ...


def read(stream: ByteStream, reader: Reader) -> Iterator[Record]:
    """Yield the records of a file in order; nothing in the file raises."""
    for item in type(reader).split(stream):
        if item.data is None:
            yield Record(None, Problem(item.number, item.reason), item.end, item.number)
            continue
        try:
            outcomes = reader.parse(item, item.data)
        except (msgspec.DecodeError, RecursionError, MalformedError) as error:
            outcomes = [decode_reason(error)]
        last = len(outcomes) - 1
        for index, outcome in enumerate(outcomes):
            position = item.end if index == last else item.offset + index + 1
            if isinstance(outcome, str):
                yield Record(None, Problem(item.number, outcome), position, item.number)
            else:
                yield Record(outcome, None, position, item.number, reader.title)


def derived_id(position: int, data: bytes) -> str:
    """Return an id for a message that has none: its place and what stands there.

    The same file gives the same ids; another file of the same name does not, unless the same line
    stands at the same place.

    >>> derived_id(120, b'{"role": "user", "content": "hello"}')
    '120-2305863d97ce591b'
    """
    return f"{position}-{hashlib.blake2b(data, digest_size=8).hexdigest()}"
