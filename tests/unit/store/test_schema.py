"""The schema keeps the promises that would be costly to add later."""

import re

import apsw
import pytest

from scrubjay.store.schema import FIRST_MIGRATION
from tests.rows import NOW_US, add, add_all

LOCAL_TABLES = {"tenant", "vector", "turn_text", "context_text", "turn_words", "context_words"}


def tables():
    found = re.findall(r"CREATE TABLE (\w+) \((.*?)\n\) (STRICT[^;]*);", FIRST_MIGRATION, re.DOTALL)
    return {name: (body, options) for name, body, options in found}


def test_every_table_is_strict():
    assert FIRST_MIGRATION.count("CREATE TABLE") == len(tables())


@pytest.mark.parametrize("name", sorted(set(tables()) - LOCAL_TABLES))
def test_every_logical_key_begins_with_the_tenant(name):
    body, _ = tables()[name]
    keys = re.findall(r"(?:PRIMARY KEY|UNIQUE) \(([^)]*)\)", body)
    leading = {key.split(",")[0].strip() for key in keys}
    own = re.search(r"^\s*(\w+)\s+INTEGER PRIMARY KEY", body, re.MULTILINE)
    assert leading <= {"tenant"}
    assert leading or own is not None
    assert re.search(r"^\s*tenant\s+INTEGER", body, re.MULTILINE)


def test_every_index_of_a_logical_key_begins_with_the_tenant():
    indexes = re.findall(r"CREATE (?:UNIQUE )?INDEX (\w+) ON (\w+) \((\w+)", FIRST_MIGRATION)
    local = {"vector_by_local", "engram_by_segment"}
    assert {"tenant"} == {first for name, _, first in indexes if name not in local}


ASKED_OFTEN = {
    "engram_to_evict": "e.state = 0 AND e.consolidated = 1 AND e.pinned = 0"
    " AND e.evict_at_us IS NOT NULL AND e.evict_at_us <= 5 ORDER BY e.evict_at_us, e.local",
    "engram_to_consolidate": "e.consolidated = 0 AND e.kind IN (1, 2, 7) AND e.state = 0"
    " AND e.local > 7 ORDER BY e.local",
    "engram_by_session": "e.session = 's' AND e.spoken = 1 AND e.scope_id = 1"
    " ORDER BY e.local DESC",
    "engram_by_message": "e.session = 's' AND e.scope_id = 1 AND e.message_id = 'm'"
    " AND e.message_id <> ''",
    "engram_by_position": "e.session = 's' AND e.scope_id = 1 AND e.position = 1"
    " AND e.message_id = ''",
}


@pytest.mark.parametrize("index", sorted(ASKED_OFTEN))
def test_what_is_asked_often_is_answered_by_an_index_in_order(store, index):
    query = "EXPLAIN QUERY PLAN SELECT 1 FROM engram e WHERE e.tenant = 1 AND "
    with store.reader() as database:
        plan = " ".join(row[3] for row in database.rows(query + ASKED_OFTEN[index]))
    assert index in plan
    assert "TEMP B-TREE" not in plan


def test_a_sweep_reads_what_it_evicts_not_what_it_holds(store):
    with store.write(now_us=NOW_US) as tx:
        rows = [add(tx, f"r{n}", evict_at_us=n) for n in range(20)]
        tx.set_consolidated([row.local for row in rows[5:]])
        tx.set_pinned(rows[6].local, pinned=True)
    due = store.evictable(now_us=8, limit=99)
    assert ["r5", "r7", "r8"] == [row.content for row in due]
    assert ["r5"] == [row.content for row in store.evictable(now_us=8, limit=1)]


@pytest.mark.parametrize(
    "change", ["state = 1", "content = NULL", "pinned = 2", "id = x'00'", "scope_id = 99"]
)
def test_impossible_rows_are_refused_by_the_database_itself(store, change):
    add_all(store, ["x"])
    raw = apsw.Connection(str(store.path / "tenants/default/memory.sqlite"))
    raw.pragma("foreign_keys", 1)
    with pytest.raises(apsw.ConstraintError):
        raw.execute(f"UPDATE engram SET {change}")
