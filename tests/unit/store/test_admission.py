"""What an import lets in: exports edited by hand, resealed so that only the edit is wrong."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from scrubjay import ManualClock, Memory
from scrubjay.base.errors import ScrubjayError
from scrubjay.store.admission import Line

Lines = list[dict[str, Any]]


def _embed(texts: list[str]) -> list[list[float]]:
    return [[1.0, float(len(text) % 7)] for text in texts]


@pytest.fixture(scope="module")
def export(tmp_path_factory) -> Lines:
    """The lines of an export with every kind of row, hot and cold."""
    folder, clock = tmp_path_factory.mktemp("export"), ManualClock()
    with Memory.open(folder / "m", embedder=_embed, clock=clock, seed=1) as memory:
        memory.observe("an old turn about the disk", session="old")
        memory.remember(subject="billing", predicate="uses", object="PostgreSQL")
        memory.remind("look again", clock.now_us() + 10)
        memory.sleep()
        clock.advance(days=300)
        memory.sleep()
        memory.observe("a fresh turn about web-3")
        memory.observe("another fresh turn")
        memory.due()
        memory.export(folder / "e")
    return [json.loads(line) for line in (folder / "e").read_text().splitlines()]


def _sealed(lines: Lines, path: Path) -> Path:
    body = [
        json.dumps(line, separators=(",", ":"), sort_keys=True, ensure_ascii=False).encode() + b"\n"
        for line in lines
        if line["type"] != "end"
    ]
    digest = hashlib.sha256(b"".join(body)).hexdigest()
    end = json.dumps({"type": "end", "lines": len(body), "sha256": digest}).encode() + b"\n"
    path.write_bytes(b"".join([*body, end]))
    return path


def _set(kind: str, key: str, value: object, *, within: str | None = None) -> Callable[..., None]:
    def change(lines: Lines) -> None:
        row = [line for line in lines if line["type"] == kind][-1]
        row = row.get(kind, row)
        (row if within is None else row[within])[key] = value

    return change


def _cycle(lines: Lines) -> None:
    first, second = [line["engram"] for line in lines if line["type"] == "engram"][-2:]
    first["provenance"]["parents"] = [second["id"]]
    second["provenance"]["parents"] = [first["id"]]


def _twice(lines: Lines) -> None:
    lines.insert(2, next(line for line in lines if line["type"] == "engram"))


EDITS: dict[str, Callable[[Lines], None]] = {
    "a cycle in the lineage": _cycle,
    "an id twice": _twice,
    "a node that does not fit": _set("scrubjay", "node", -5),
    **{
        f"engram.{key} = {value!s:.20}": _set("engram", key, value)
        for key, value in [
            ("content", "x" * 3_000_000), ("recorded_us", 10**30),
            ("recorded_us", 2**62), ("event_us", -(2**63)), ("last_us", 2**63 - 1), ("salience", 5),
            ("salience", -1), ("frequency", -1), ("frequency", 2**62), ("half_life_us", 0),
            ("half_life_us", -1), ("quality", 9), ("event_offset_min", 10**9), ("id", "ff" * 16),
            ("kind", 99), ("scope", "a//b"),
        ]
    },
    **{
        f"provenance.{key} = {value!s:.20}": _set("engram", key, value, within="provenance")
        for key, value in [
            ("position", -1), ("position", 2**63 - 1), ("message_id", "x" * 5000),
            ("authority", 99), ("principal", "a\0"),
        ]
    },
    **{
        f"assertion.{key} = {value!s:.20}": _set("assertion", key, value)
        for key, value in [
            ("confidence", 9), ("subject", ""), ("subject", "x" * 5000), ("predicate", "\0"),
            ("valid_from_us", 2**62), ("id", "00" * 16), ("precision", 77),
        ]
    },
    **{
        f"intention.{key} = {value!s:.20}": _set("intention", key, value)
        for key, value in [("status", "zzz"), ("due_us", 2**62), ("action", "")]
    },
    "firing.token = -1": _set("firing", "token", -1),
    "journal.seq = 99": _set("journal", "seq", 99),
    "journal.now_us = 2**62": _set("journal", "now_us", 2**62),
}  # fmt: skip


@pytest.mark.parametrize("edit", EDITS)
def test_an_edited_export_is_refused_and_nothing_of_it_is_kept(tmp_path, export, edit):
    lines = json.loads(json.dumps(export))
    EDITS[edit](lines)
    whole, edited = _sealed(export, tmp_path / "whole"), _sealed(lines, tmp_path / "edited")
    with Memory.open(tmp_path / "m", embedder=_embed, clock=ManualClock(), seed=1) as memory:
        with pytest.raises(ScrubjayError):
            memory.import_(edited)
        assert [] == list(memory.engrams(include_archived=True))
        assert len(export) == memory.import_(whole)
        assert () == memory.doctor().findings


@pytest.mark.parametrize("nested", [b"[" * 100_000, b'{"a":' * 100_000])
def test_a_line_nested_too_deep_is_refused(tmp_path, memory, nested):
    (tmp_path / "deep").write_bytes(nested + b"\n")
    with pytest.raises(ScrubjayError, match="line 1"):
        memory.import_(tmp_path / "deep")


def test_a_refusal_names_its_line():
    with pytest.raises(ScrubjayError, match="line 7: salience is impossible, got nan"):
        Line(7).between("salience", float("nan"), 0, 1)
