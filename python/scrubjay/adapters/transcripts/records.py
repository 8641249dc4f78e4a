"""What a transcript yields: observations, problems, and how far the file has been read.

A damaged line is a value, not an exception: whoever reads decides whether it is fatal. A problem
says where and what, never what the line contained.
"""

from __future__ import annotations

from typing import NamedTuple

from scrubjay.base.trace import Observation

__all__ = ["Problem", "Record"]


class Problem(NamedTuple):
    """A line (or array element), counted from 1, that could not be read, and why."""

    line: int
    reason: str


class Record(NamedTuple):
    """One thing read: exactly one of ``observation`` and ``problem`` is there.

    ``position`` says how far the unpacked file was read when this record had been taken: the
    byte after its line or element, or, for all but the last record of one, a byte inside it. It
    grows from record to record and is the same at every reading, also after more was appended.
    ``line`` counts lines, or elements of the array, from 1.
    """

    observation: Observation | None
    problem: Problem | None
    position: int
    line: int
    session_title: str = ""
