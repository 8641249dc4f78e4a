"""Each kind of damage is seen and named; a sound store has no findings."""

import re

import apsw
import pytest

from scrubjay.base.trace import Category, Intention, Kind
from scrubjay.store import verify
from tests.rows import NOW_US, SPACE, add, add_all, assertion, index, open_at


@pytest.fixture
def rich(tmp_path):
    """A store with something of everything, closed, and the path of its database."""
    store = open_at(tmp_path / "m")
    rows = add_all(store, [f"row {n}" for n in range(30)])
    with store.write(now_us=NOW_US) as tx:
        tx.put_meta("embedder", SPACE)
        belief = add(
            tx, "b", kind=Kind.BELIEF, category=Category.FACT, origin={"parents": (rows[0].id,)}
        )
        tx.add_assertion(assertion(belief))
        plan = add(tx, "p", kind=Kind.INTENTION)
        tx.add_intention(Intention(id=plan.id, scope="main", action="call", due_us=1))
        tx.archive(rows[10:20])
        tx.journal("first")
        tx.journal("second")  # fmt: skip
    store.close()
    return tmp_path / "m"


def damage(root, sql):
    raw = apsw.Connection(str(root / "tenants/default/memory.sqlite"))
    for name in [
        row[0] for row in raw.execute("SELECT name FROM sqlite_schema WHERE type='trigger'")
    ]:
        raw.execute(f"DROP TRIGGER {name}")
    raw.pragma("ignore_check_constraints", 1)
    raw.execute(sql)
    raw.close()


def examine(root, index_locals=None):
    store = open_at(root)
    report = verify(store, index_locals)
    store.close()
    return report


def test_a_sound_store_has_no_findings_and_counts_everything(rich):
    report = examine(rich, set(range(1, 11)) | set(range(21, 33)))
    assert () == report.findings
    assert report.ok
    counted = (report.rows, report.vectors, report.turn_texts, report.context_texts)
    assert (22, 22, 22, 22) == counted
    assert (22, 10, 1, 2) == (
        report.index_rows, report.cold_rows, report.segments, report.journal_events,
    )  # fmt: skip


def test_an_empty_store_is_sound(store):
    assert () == verify(store, set()).findings


@pytest.mark.parametrize(
    ("sql", "part", "told"),
    [
        ("UPDATE engram SET content = 'other' WHERE local = 3", "rows", "changed"),
        ("DELETE FROM vector WHERE local = 3", "vectors", "without a vector: local 3"),
        ("UPDATE vector SET data = x'00' WHERE local = 3", "vectors", "1 bytes, expected 16"),
        ("INSERT INTO vector VALUES (1, 99, 1.0, zeroblob(16))", "vectors", "a row: local 99"),
        ("DELETE FROM turn_text WHERE rowid = 3", "turn_text", "without full text: local 3"),
        ("DELETE FROM context_text WHERE rowid = 3", "context_text", "without full text: local 3"),
        ("INSERT INTO turn_text (rowid, tokens, scope) VALUES (99, 'a', 's1')", "turn_text",
         "full text without a row: local 99"),
        ("DELETE FROM index_log WHERE local = 3", "index log", "not logged: local 3"),
        ("UPDATE index_log SET dropped = 1 WHERE local = 3", "index log", "not logged: local 3"),
        ("INSERT INTO index_log VALUES (1, 1, 99, 0)", "index log", "stands behind: local 99"),
        ("INSERT INTO index_log VALUES (1, 9, 3, 0)", "index log", "stands behind: local 3"),
        ("UPDATE journal SET event = 'x' WHERE seq = 1", "journal", "line 1 was changed"),
        ("DELETE FROM journal WHERE seq = 2", "journal", "ends at line 1"),
        ("UPDATE ledger SET seq = 0", "ledger", "seq 0 is behind"),
        ("UPDATE ledger SET id_counter = 3", "ledger", "id counter 3 is behind 32"),
        ("DELETE FROM engram WHERE kind = 6", "links", "intention lines without a row"),
        ("DELETE FROM engram WHERE kind = 4", "links", "assertion lines without a row"),
        ("DELETE FROM engram WHERE kind = 4", "links", "parent lines without a row"),
        ("DELETE FROM engram WHERE local = 12", "archive", "rows in it that are not cold"),
        ("UPDATE engram SET content_hash = x'00' WHERE local = 12", "archive", "text of"),
        ("UPDATE engram SET scope_id = 77 WHERE local = 3", "database", "names nothing"),
        ("UPDATE turn_text_data SET block = x'0000' WHERE id > 10", "database", "turn_text"),
    ],
)  # fmt: skip
def test_damage_in_the_database_is_named(rich, sql, part, told):
    damage(rich, sql)
    found = [finding for finding in examine(rich).findings if finding.part == part]
    assert [told in finding.problem for finding in found].count(True) >= 1, found
    assert all(finding.remedy for finding in found)


def test_damage_in_the_index_is_named(rich):
    live = set(range(1, 11)) | set(range(21, 33))
    findings = examine(rich, (live - {1, 2}) | {500}).findings
    expected = [
        "rows the index does not hold: local 1, 2",
        "index entries without a row: local 500",
    ]
    assert expected == [finding.problem for finding in findings]
    assert {"index"} == {finding.part for finding in findings}


def test_long_lists_are_cut(rich):
    findings = examine(rich, set()).findings
    assert ["rows the index does not hold: local 1, 2, 3, 4, 5 and 17 more"] == [
        finding.problem for finding in findings
    ]


@pytest.mark.parametrize("harm", ["flip", "cut", "lose"])
def test_damage_in_the_archive_is_named(rich, harm):
    [path] = (rich / "tenants/default/archive").iterdir()
    data = bytearray(path.read_bytes())
    data[len(data) // 2] ^= 1
    if harm == "lose":
        path.unlink()
    else:
        path.write_bytes(data if harm == "flip" else data[:-7])
    [finding] = examine(rich).findings
    assert "archive" == finding.part
    assert path.name in finding.problem
    assert "backup" in finding.remedy


def test_a_stray_file_is_named_while_the_store_is_open(rich):
    store = open_at(rich)
    (rich / "tenants/default/archive/stray.parquet").write_bytes(b"x")
    [finding] = verify(store, None).findings
    assert ("archive", "a file no commit knows: stray.parquet") == (finding.part, finding.problem)


@pytest.mark.parametrize("seed", range(12))
def test_i15_a_flipped_page_of_the_database_is_never_silent(rich, seed):
    import numpy as np

    rng = np.random.default_rng(seed)
    path = rich / "tenants/default/memory.sqlite"
    clean = path.read_bytes()
    store = open_at(rich)
    expected = list(store.export_lines())
    store.close()
    data = bytearray(clean)
    page = int(rng.integers(1, len(data) // 4096)) * 4096
    data[page : page + 4096] = bytes(rng.integers(0, 256, 4096, np.uint8))
    path.write_bytes(data)
    told = ""
    try:
        report = examine(rich)
    except OSError as error:
        told = str(error)
    else:
        told = " ".join(finding.remedy for finding in report.findings)
    if not told:
        # The page was a free one: everything must still be there.
        store = open_at(rich)
        assert expected == list(store.export_lines())
        store.close()
    else:
        assert re.search("restore|reembed|export", told)


def test_a_row_indexed_again_is_sound_again(rich):
    damage(rich, "DELETE FROM turn_text WHERE rowid = 3")
    store = open_at(rich)
    with store.write(now_us=NOW_US) as tx:
        index(tx, 3, "row 2")
    assert () == verify(store, None).findings


def test_rows_committed_after_the_index_was_read_are_not_held_against_it(store):
    (early,) = add_all(store, ["early"])
    seq = store.last_seq()
    (late,) = add_all(store, ["late"])
    assert () == verify(store, {early.local}, index_seq=seq).findings
    assert ["index"] == [f.part for f in verify(store, {early.local}).findings]
    with store.write(now_us=NOW_US) as tx:
        tx.erase([early.id])
    assert () == verify(store, {early.local}, index_seq=seq).findings
    assert ["index"] == [f.part for f in verify(store, {late.local, 99}, index_seq=seq).findings]
