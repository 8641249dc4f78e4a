"""What a transcript yields: observations, problems, and where in the file they stood.

A damaged line is a value, not an exception: whoever reads decides whether it is fatal. A problem
says where and what, never what the line contained.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, NamedTuple

from scrubjay.base.trace import Observation

if TYPE_CHECKING:
    from scrubjay.adapters.transcripts.stream import ByteStream

__all__ = ["Problem", "Reading", "Record", "failed"]


class Problem(NamedTuple):
    """A line (or array element), counted from 1, that could not be read, and why."""

    line: int
    reason: str


class Record(NamedTuple):
    """One thing read: exactly one of ``observation`` and ``problem`` is there.

    ``position`` never falls from record to record and is the same at every reading, also after
    more was appended: for line formats the byte offset of the line (uncompressed) plus the index
    of the message inside it, for array formats the ordinal of the message.
    ``line`` counts lines, or elements of the array, from 1.
    """

    observation: Observation | None
    problem: Problem | None
    position: int
    line: int
    session_title: str = ""


class Reading:
    """One pass over one file: its bytes, the name for what names no session, what was left out.

    ``skipped`` counts by reason what is no message (bookkeeping lines, abandoned branches).
    """

    def __init__(self, stream: ByteStream, stem: str) -> None:
        """Begin with nothing left out."""
        self.stream = stream
        self.stem = stem
        self.skipped: Counter[str] = Counter()


def failed(line: int, position: int, reason: str) -> Record:
    """Return the record of something that could not be read."""
    return Record(None, Problem(line, reason), position, line)
