"""The doctor's single looks, where a whole examination would hide them."""

from scrubjay.store import checks
from tests.rows import NOW_US, SPACE, add, add_all, vector_of


def test_rows_with_another_space_only_lack_the_declared_one(store):
    rows = add_all(store, ["a", "b"])
    with store.write(now_us=NOW_US) as tx:
        tx.put_vector(rows[0].local, "new/8", vector_of("a"), 1.0)
        tx.put_meta("embedder", "new/8")
    with store.reader() as database:
        live = checks.live_locals(database)
        [finding] = checks.check_vectors(database, live)
    assert f"rows without a vector: local {rows[1].local}" == finding.problem


def test_before_a_space_is_declared_any_vector_will_do(store):
    with store.write(now_us=NOW_US) as tx:
        row = add(tx, "a")
        tx.put_vector(row.local, "other/8", vector_of("a"), 1.0)
    with store.reader() as database:
        assert [] == list(checks.check_vectors(database, {row.local}))
        assert [] == list(checks.check_index({row.local}, {row.local}))
    assert SPACE != "other/8"
