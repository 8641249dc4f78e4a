"""An export holds all logical state, the same bytes for the same history, and imports back."""

import subprocess
import sys

import msgspec
import pytest

from scrubjay.base.errors import ConflictError, CorruptionError, FormatVersionError
from scrubjay.base.ids import SeededEntropy
from scrubjay.base.trace import (
    Category,
    Firing,
    Intention,
    Kind,
    RowFilter,
    Skill,
    SkillStep,
    State,
    ToolCall,
    ToolResult,
)
from scrubjay.store import import_lines, verify
from tests.rows import NOW_US, add, assertion, index, open_at

ALL = RowFilter(states=tuple(State))


def live_a_life(root):
    """Write something of everything, with restarts, and return the export."""
    store = open_at(root)
    with store.write(now_us=NOW_US) as tx:
        tx.put_meta("embedder", "x")
        rows = [add(tx, f"turn {n} ü\0", scope=f"org/{n % 2}") for n in range(40)]
        add(
            tx,
            "tool",
            kind=Kind.TOOL_RESULT,
            category=Category.TELEMETRY,
            tool_calls=(ToolCall(call_id="1", name="n", arguments="{}"),),
            tool_result=ToolResult(call_id="1", name="n", exit_code=3),
        )
        tx.put_progress("source", position=3, digest="d")
        tx.journal("observed", subject=rows[0].id.hex(), detail='{"n":40}')
    store.close()
    store = open_at(root, entropy=SeededEntropy(8))
    with store.write(now_us=NOW_US + 5) as tx:
        belief = add(tx, "b", kind=Kind.BELIEF, origin={"parents": (rows[1].id, rows[0].id)})
        tx.add_assertion(assertion(belief, valid_from_us=-1, confidence=0.1 + 0.2))
        pending = add(tx, "p", kind=Kind.BELIEF, state=State.PENDING)
        tx.add_assertion(assertion(pending, object="Rome"))
        tx.declare_predicate("lives_in", functional=True)
        for version in (1, 2):
            row = add(tx, f"s{version}", kind=Kind.SKILL)
            tx.add_skill(
                Skill(
                    id=row.id,
                    scope="main",
                    name="s",
                    description="d",
                    triggers=("t",),
                    parameters="{}",
                    steps=(SkillStep(tool="t", arguments="{}"),),
                    version=version,
                )
            )
        plan = add(tx, "i", kind=Kind.INTENTION)
        tx.add_intention(Intention(id=plan.id, scope="main", action="call", due_us=7))
        tx.put_firing(Firing(intention=plan.id, occurrence_us=7, fired_us=8, token=2))
        tx.archive(rows[3:6])
        tx.reinforce(rows[7].local, last_us=NOW_US + 9, evict_at_us=None)
        tx.journal("slept")  # fmt: skip
    with store.write(now_us=NOW_US + 6) as tx:
        tx.erase([rows[20].id])
        tx.restore([rows[4].id])
        index(tx, rows[4].local, rows[4].content)
    lines = list(store.export_lines())
    report = verify(store, None)
    store.close()
    return lines, report


def test_the_same_history_gives_the_same_bytes_in_two_processes(tmp_path):
    script = (
        "import sys; sys.path.insert(0, '.')\n"
        "from pathlib import Path\n"
        "from tests.unit.store.test_export import live_a_life\n"
        "sys.stdout.buffer.write(b''.join(live_a_life(Path(sys.argv[1]))[0]))\n"
    )
    exports = [
        subprocess.run(
            [sys.executable, "-c", script, str(tmp_path / name)], check=True, capture_output=True
        ).stdout
        for name in ("one", "two")
    ]
    assert exports[0] == exports[1]
    assert 50 < exports[0].count(b"\n")


def test_an_export_comes_back_whole(tmp_path):
    lines, report = live_a_life(tmp_path / "one")
    assert report.ok
    store = open_at(tmp_path / "two", entropy=SeededEntropy(99))
    with store.write(now_us=NOW_US + 7) as tx:
        assert len(lines) - 1 == import_lines(tx, lines)
        for row in store.engrams():
            index(tx, row.local, row.content)
    assert lines[1:-1] == list(store.export_lines())[1:-1]
    assert 2 == store.counts()["state_archived"]
    assert () == verify(store, None).findings
    assert 2 == len(list(store.search_archive(where=RowFilter(), limit=9)))


def test_ids_do_not_come_again_after_an_import_into_the_same_node(tmp_path):
    lines, _ = live_a_life(tmp_path / "one")
    store = open_at(tmp_path / "two")
    with store.write(now_us=NOW_US) as tx:
        import_lines(tx, lines)
        new = tx.new_id()
    known = {row.id for row in store.engrams(where=ALL)}
    assert max(id_[11:] for id_ in known) < new[11:]


def test_no_local_key_and_no_hash_is_exported(tmp_path):
    lines, _ = live_a_life(tmp_path / "one")
    for line in lines:
        fields = msgspec.json.decode(line).get("engram", {})
        assert not {"local", "seq", "salt", "content_hash", "vector"} & set(fields)


@pytest.mark.parametrize(
    ("harm", "error"),
    [
        (lambda lines: [], CorruptionError),
        (lambda lines: lines[:-1], CorruptionError),
        (lambda lines: lines[1:], FormatVersionError),
        (lambda lines: lines[:3] + lines[4:], CorruptionError),
        (lambda lines: [*lines[:2], b"{broken\n", *lines[2:]], CorruptionError),
        (lambda lines: [*lines[:2], b'{"type":"new"}\n', *lines[2:]], CorruptionError),
        (lambda lines: [*lines, lines[-1]], FormatVersionError),
        (lambda lines: [lines[0], *lines], FormatVersionError),
        (lambda lines: [lines[0].replace(b'"format":1', b'"format":9'), *lines[1:]],
         FormatVersionError),
        (lambda lines: [line.replace(b"turn 5", b"turn 6") for line in lines], CorruptionError),
    ],
)  # fmt: skip
def test_a_damaged_export_imports_nothing(tmp_path, harm, error):
    lines, _ = live_a_life(tmp_path / "one")
    store = open_at(tmp_path / "two")
    with pytest.raises(error, match="import"), store.write(now_us=NOW_US) as tx:
        import_lines(tx, harm(lines))
    assert 0 == store.last_seq()
    assert [] == list(store.engrams(where=ALL))
    assert not any((tmp_path / "two").rglob("*.parquet"))


def test_a_store_that_holds_something_is_not_imported_into(tmp_path):
    lines, _ = live_a_life(tmp_path / "one")
    store = open_at(tmp_path / "one")
    with pytest.raises(ConflictError, match="not empty"), store.write(now_us=NOW_US) as tx:
        import_lines(tx, lines)
    assert lines == list(store.export_lines())


def test_an_export_is_one_snapshot(tmp_path):
    live_a_life(tmp_path / "one")
    store, other = open_at(tmp_path / "one"), open_at(tmp_path / "one")
    expected = list(store.export_lines())
    running = store.export_lines()
    first = next(running)
    with other.write(now_us=NOW_US) as tx:
        add(tx, "late")
    assert expected == [first, *running]
    assert expected != list(store.export_lines())
