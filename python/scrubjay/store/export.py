"""A whole tenant as canonical JSON Lines, out and in.

    {"node":…,"format":1,"type":"scrubjay"}          first
    predicate, engram, assertion, skill, intention, firing, progress, journal lines
    {"lines":…,"sha256":…,"type":"end"}              last, over all lines before it

Keys are sorted, ids are hex, rows stand in order of id or sequence. No local key, no vector, no
salt and no hash of a text leaves the store, so the same history gives the same bytes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from typing import Any

import msgspec

from scrubjay.base.errors import ConflictError, CorruptionError, FormatVersionError
from scrubjay.base.ids import format_id, parse_id
from scrubjay.base.ports import JournalEvent
from scrubjay.base.trace import Assertion, Engram, Firing, Intention, Skill, State
from scrubjay.store import admission, assertions, engrams, intentions, journal, skills
from scrubjay.store.admission import Line
from scrubjay.store.archive import fill_all
from scrubjay.store.connection import Database
from scrubjay.store.ledger import read_ledger
from scrubjay.store.segments import SegmentFolder
from scrubjay.store.transaction import SqliteTransaction

__all__ = ["EXPORT_FORMAT", "export_lines", "import_lines"]

EXPORT_FORMAT = 1
_PAGE = 500
_ARCHIVED_AT_ONCE = 1_000
_ID_KEYS = {"id", "intention", "parents"}
_NODE = slice(8, 11)
_COUNTER = slice(11, 16)
_NODES = 1 << 24
_POSITIONS = 2**62


class _Line(msgspec.Struct, frozen=True, kw_only=True, tag_field="type"):
    """One line of an export."""


class _Head(_Line, frozen=True, kw_only=True, tag="scrubjay"):
    format: int
    node: int


class _Predicate(_Line, frozen=True, kw_only=True, tag="predicate"):
    name: str
    functional: bool


class _Engram(_Line, frozen=True, kw_only=True, tag="engram"):
    engram: Engram


class _Assertion(_Line, frozen=True, kw_only=True, tag="assertion"):
    assertion: Assertion


class _Skill(_Line, frozen=True, kw_only=True, tag="skill"):
    skill: Skill


class _Intention(_Line, frozen=True, kw_only=True, tag="intention"):
    intention: Intention


class _Firing(_Line, frozen=True, kw_only=True, tag="firing"):
    firing: Firing


class _Progress(_Line, frozen=True, kw_only=True, tag="progress"):
    source: str
    position: int
    digest: str


class _Journal(_Line, frozen=True, kw_only=True, tag="journal"):
    seq: int
    now_us: int
    event: str
    subject: str
    detail: str


class _End(_Line, frozen=True, kw_only=True, tag="end"):
    lines: int
    sha256: str


_AnyLine = (
    _Head
    | _Predicate
    | _Engram
    | _Assertion
    | _Skill
    | _Intention
    | _Firing
    | _Progress
    | _Journal
    | _End
)


def _hex_ids(value: Any) -> Any:
    """Return builtin values with ids as hex; the local key and the commit stay behind."""
    if isinstance(value, bytes):
        return format_id(value)
    if isinstance(value, dict):
        return {key: _hex_ids(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_hex_ids(item) for item in value]
    return value


def _encode(line: _Line) -> bytes:
    plain = _hex_ids(msgspec.to_builtins(line, builtin_types=(bytes,)))
    if "engram" in plain:
        del plain["engram"]["local"], plain["engram"]["seq"]
    return msgspec.json.encode(plain, order="sorted") + b"\n"


def _raw_ids(value: Any, key: str = "") -> Any:
    """Undo ``_hex_ids``."""
    if isinstance(value, str) and key in _ID_KEYS:
        return parse_id(value)
    if isinstance(value, dict):
        return {name: _raw_ids(item, name) for name, item in value.items()}
    if isinstance(value, list):
        return [_raw_ids(item, key) for item in value]
    return value


def _decode(raw: bytes, number: int) -> _AnyLine:
    try:
        plain = _raw_ids(msgspec.json.decode(raw))
        line: _AnyLine = msgspec.convert(plain, _AnyLine, builtin_types=(bytes,))
    except (msgspec.DecodeError, UnicodeDecodeError, ValueError, RecursionError) as error:
        msg = f"import: line {number} cannot be read, got {error}; export the memory again"
        raise CorruptionError(msg) from error
    return line


def _rows(database: Database, folder: SegmentFolder) -> Iterator[Engram]:
    last = b""
    while rows := database.rows(
        engrams.SELECT + "WHERE e.tenant = 1 AND e.id > ? ORDER BY e.id LIMIT ?", (last, _PAGE)
    ):
        yield from fill_all(database, folder, map(engrams.from_row, rows))
        last = rows[-1][1]


def _events(database: Database) -> Iterator[JournalEvent]:
    after = 0
    while page := journal.events(database, after, _PAGE):
        yield from page
        after = page[-1].seq


def _body(database: Database, folder: SegmentFolder) -> Iterator[_Line]:
    yield _Head(format=EXPORT_FORMAT, node=read_ledger(database).node)
    for name, holds_one in assertions.functional(database).items():
        yield _Predicate(name=name, functional=holds_one)
    for engram in _rows(database, folder):
        yield _Engram(engram=engram)
    for assertion in assertions.select(database, pending=True):
        yield _Assertion(assertion=assertion)
    for skill in skills.select(database, scope=None, newest=False):
        yield _Skill(skill=skill)
    for intention in sorted(intentions.select(database, status=None), key=lambda one: one.id):
        yield _Intention(intention=intention)
    for firing in intentions.firings(database, unacknowledged=False):
        yield _Firing(firing=firing)
    for row in database.rows(
        "SELECT source, position, digest FROM progress WHERE tenant = 1 ORDER BY source"
    ):
        yield _Progress(source=row[0], position=row[1], digest=row[2])
    for event in _events(database):
        yield _Journal(**event._asdict())


def export_lines(database: Database, folder: SegmentFolder) -> Iterator[bytes]:
    """Yield the lines of one snapshot; the caller holds it open."""
    digest, count = hashlib.sha256(), 0
    for line in _body(database, folder):
        raw = _encode(line)
        digest.update(raw)
        count += 1
        yield raw
    yield _encode(_End(lines=count, sha256=digest.hexdigest()))


def import_lines(tx: SqliteTransaction, lines: Iterable[bytes]) -> int:
    """Write an export into an empty store, ids and audit chain included; return how many lines.

    Rows come without vectors and words, which the caller computes for those that are not cold;
    rows that were cold go into new segments.

    Raises:
        ConflictError: the store holds something already.
        FormatVersionError: not an export, or of a newer scrubjay.
        CorruptionError: a line is damaged, or lines are missing. Leave the write, then nothing
            was imported.
    """
    database = tx.read_through()
    held = database.rows(
        "SELECT (SELECT count(*) FROM engram) + (SELECT count(*) FROM journal)"
        " + (SELECT count(*) FROM predicate)"
    )[0][0]
    if held:
        msg = f"import: the store is not empty, got {held} rows; import into a new directory"
        raise ConflictError(msg)
    digest, count, ended = hashlib.sha256(), 0, False
    cold: list[Engram] = []
    for raw in lines:
        line = _decode(raw, count + 1)
        if ended or (count == 0) is not isinstance(line, _Head):
            msg = f"import: not an export, or lines out of place at {count + 1}"
            raise FormatVersionError(msg)
        if isinstance(line, _End):
            ended = True
            if (line.lines, line.sha256) != (count, digest.hexdigest()):
                msg = f"import: lines are missing or changed, got {count}, expected {line.lines}"
                raise CorruptionError(msg)
            continue
        digest.update(raw)
        count += 1
        _take(tx, line, cold, Line(count))
    if not ended:
        msg = f"import: the end is missing, got {count} lines; export the memory again"
        raise CorruptionError(msg)
    for start in range(0, len(cold), _ARCHIVED_AT_ONCE):
        tx.archive(cold[start : start + _ARCHIVED_AT_ONCE])
    return count


def _take(tx: SqliteTransaction, line: _AnyLine, cold: list[Engram], at: Line) -> None:
    match line:
        case _Head():
            at.between("node", line.node, 0, _NODES - 1)
            if line.format > EXPORT_FORMAT:
                msg = f"import: made by a newer scrubjay, got format {line.format}"
                raise FormatVersionError(msg)
        case _Predicate():
            at.names(name=line.name)
            tx.declare_predicate(line.name, functional=line.functional)
        case _Engram():
            admission.check_engram(at, line.engram)
            _take_engram(tx, line.engram, cold)
        case _Assertion():
            admission.check_assertion(at, line.assertion)
            tx.add_assertion(line.assertion)
        case _Skill():
            admission.check_skill(at, line.skill)
            tx.add_skill(line.skill)
        case _Intention():
            admission.check_intention(at, line.intention)
            tx.add_intention(line.intention)
        case _Firing():
            admission.check_firing(at, line.firing)
            tx.put_firing(line.firing)
        case _Progress():
            at.between("position", line.position, 0, _POSITIONS)
            tx.put_progress(line.source, position=line.position, digest=line.digest)
        case _Journal():
            at.instants(now_us=line.now_us)
            event = JournalEvent(line.seq, line.now_us, line.event, line.subject, line.detail)
            tx.append_line(event)
        case _End():
            return


def _take_engram(tx: SqliteTransaction, engram: Engram, cold: list[Engram]) -> None:
    if engram.id[_NODE] == tx.node.to_bytes(3, "big"):
        tx.claim_counter(int.from_bytes(engram.id[_COUNTER], "big"))
    if engram.state is State.ARCHIVED:
        engram = msgspec.structs.replace(engram, state=State.HOT)
        cold.append(engram)
    tx.add_engram(engram)
