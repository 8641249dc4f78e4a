"""What an import may bring in: the bounds that the door keeps for everything written here.

An export is a file that people edit. Its types are checked where a line is read; here its values
are, before anything of the line is written, so that no import leaves rows behind that a later call
cannot live with. Each check raises CorruptionError with the number of the line.
"""

from __future__ import annotations

from collections.abc import Iterable

from scrubjay.base.clock import MAX_US, MIN_US
from scrubjay.base.errors import CorruptionError
from scrubjay.base.ids import format_id, instant_in
from scrubjay.base.limits import MAX_CONTENT_BYTES, MAX_NAME_CHARS
from scrubjay.base.trace import INTENTION_STATUSES, Assertion, Engram, Firing, Intention, Skill

__all__ = [
    "Line",
    "check_assertion",
    "check_engram",
    "check_firing",
    "check_intention",
    "check_skill",
]

_MOST = 2**32 - 1
_LAST_POSITION = 2**62
_DAY_MIN = 24 * 60
_INSTANT_BYTES = 8
_NODE = slice(8, 11)


class Line:
    """One line of an export, by its number; refuses what is out of bounds."""

    def __init__(self, number: int) -> None:
        """Speak of line ``number``, counted from 1."""
        self._number = number

    def refuse(self, what: str, got: object, expected: str) -> None:
        """Raise CorruptionError."""
        msg = (
            f"import: line {self._number}: {what} is impossible, got {got!s:.60}, expected "
            f"{expected}; nothing was imported, export the memory again"
        )
        raise CorruptionError(msg)

    def between(self, what: str, value: float, low: float, high: float) -> None:
        """Refuse a number outside a closed range, or that is none."""
        if not low <= value <= high:
            self.refuse(what, value, f"{low} to {high}")

    def instants(self, **values: int | None) -> None:
        """Refuse instants outside years 1 to 9999; None is no instant."""
        for what, value in values.items():
            if value is not None and not MIN_US <= value <= MAX_US:
                self.refuse(what, value, "an instant of the years 1 to 9999")

    def names(self, **values: str) -> None:
        """Refuse names that are too long or hold NUL."""
        for what, value in values.items():
            if len(value) > MAX_NAME_CHARS or "\0" in value:
                self.refuse(what, repr(value), f"at most {MAX_NAME_CHARS} characters without NUL")

    def texts(self, **values: str) -> None:
        """Refuse texts that are too long."""
        for what, value in values.items():
            if len(value.encode()) > MAX_CONTENT_BYTES:
                self.refuse(what, repr(value), f"at most {MAX_CONTENT_BYTES} bytes")

    def said(self, **values: str) -> None:
        """Refuse blank texts."""
        for what, value in values.items():
            if not value.strip():
                self.refuse(what, repr(value), "some text")


def check_engram(line: Line, engram: Engram) -> None:
    """Refuse a row that no call could have written."""
    source = engram.provenance
    line.instants(
        id=instant_in(engram.id),
        recorded_us=engram.recorded_us,
        event_us=engram.event_us,
        last_us=engram.last_us,
        evict_at_us=engram.evict_at_us,
    )
    line.between("event_offset_min", engram.event_offset_min, -_DAY_MIN, _DAY_MIN)
    line.between("salience", engram.salience, 0, 1)
    line.between("quality", engram.quality, 0, 1)
    line.between("frequency", engram.frequency, 0, _MOST)
    line.between("position", source.position, 0, _LAST_POSITION)
    if engram.half_life_us is not None:
        line.between("half_life_us", engram.half_life_us, 1, MAX_US)
    line.texts(content=engram.content)
    line.names(principal=source.principal, session=source.session, message_id=source.message_id)
    _check_parents(line, engram)


def _check_parents(line: Line, engram: Engram) -> None:
    """A row is derived from older ones, so lineage has no cycle."""
    for parent in engram.provenance.parents:
        same_node = parent[_NODE] == engram.id[_NODE]
        order = slice(None) if same_node else slice(_INSTANT_BYTES)
        if parent == engram.id or parent[order] > engram.id[order]:
            line.refuse("parents", format_id(parent), f"rows older than {format_id(engram.id)}")


def check_assertion(line: Line, assertion: Assertion) -> None:
    """Refuse a statement that no call could have made."""
    line.instants(
        recorded_us=assertion.recorded_us,
        event_us=assertion.event_us,
        valid_from_us=assertion.valid_from_us,
        valid_to_us=assertion.valid_to_us,
    )
    line.between("confidence", assertion.confidence, 0, 1)
    line.between("authority", assertion.authority, 0, 255)
    triple = {
        "subject": assertion.subject,
        "predicate": assertion.predicate,
        "object": assertion.object,
    }
    line.names(principal=assertion.principal, **triple)
    line.said(**triple)


def check_skill(line: Line, skill: Skill) -> None:
    """Refuse a skill that no cycle could have learned."""
    line.names(name=skill.name)
    line.said(name=skill.name)
    line.texts(description=skill.description, parameters=skill.parameters)
    for what, count in (
        ("version", skill.version),
        ("successes", skill.successes),
        ("failures", skill.failures),
    ):
        line.between(what, count, 0, _MOST)


def check_intention(line: Line, intention: Intention) -> None:
    """Refuse an intention that no call could have made."""
    _check_known(line, "status", intention.status, INTENTION_STATUSES)
    line.instants(
        due_us=intention.due_us,
        expires_us=intention.expires_us,
        created_us=intention.created_us,
    )
    line.texts(action=intention.action)
    line.said(action=intention.action)


def check_firing(line: Line, firing: Firing) -> None:
    """Refuse a firing that never was."""
    line.instants(
        occurrence_us=firing.occurrence_us,
        fired_us=firing.fired_us,
        leased_until_us=firing.leased_until_us,
        acknowledged_us=firing.acknowledged_us,
    )
    line.between("token", firing.token, 0, _LAST_POSITION)


def _check_known(line: Line, what: str, value: str, known: Iterable[str]) -> None:
    if value not in known:
        line.refuse(what, repr(value), f"one of {', '.join(known)}")
