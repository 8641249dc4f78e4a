"""A file is at a version or it is not: a step that fails leaves the one before."""

import pytest

from scrubjay.base.errors import StorageError
from scrubjay.store import migrations
from scrubjay.store.connection import open_database
from scrubjay.store.schema import APPLICATION_ID, FIRST_MIGRATION


def test_the_first_migration_marks_the_file(tmp_path):
    database = open_database(tmp_path / "db", mode="write")
    assert migrations.is_blank(database)
    migrations.create_schema(database, tenant="t", node=5)
    assert not migrations.is_blank(database)
    assert APPLICATION_ID == database.pragma("application_id") == int.from_bytes(b"SJAY", "big")
    assert migrations.CURRENT_VERSION == database.pragma("user_version") == 1
    migrations.check_format(database, "t")


def test_running_the_migrations_again_changes_nothing(tmp_path):
    database = open_database(tmp_path / "db", mode="write")
    migrations.create_schema(database, tenant="t", node=5)
    before = database.rows("SELECT sql FROM sqlite_schema")
    migrations.create_schema(database, tenant="other", node=6)
    assert before == database.rows("SELECT sql FROM sqlite_schema")
    assert [("t",)] == database.rows("SELECT name FROM tenant")


@pytest.mark.parametrize("at", [3, 9, 17])
def test_a_migration_that_fails_leaves_a_blank_file(tmp_path, monkeypatch, at):
    statements = FIRST_MIGRATION.split(";\n")
    broken = ";\n".join([*statements[:at], "NONSENSE", *statements[at:]])
    monkeypatch.setattr(migrations, "_MIGRATIONS", (broken,))
    database = open_database(tmp_path / "db", mode="write")
    with pytest.raises(StorageError):
        migrations.create_schema(database, tenant="t", node=5)
    assert migrations.is_blank(database)
    assert 0 == database.pragma("user_version") == database.pragma("application_id")


def test_a_later_step_starts_where_the_file_stands(tmp_path, monkeypatch):
    database = open_database(tmp_path / "db", mode="write")
    migrations.create_schema(database, tenant="t", node=5)
    steps = (FIRST_MIGRATION, "CREATE TABLE extra (x)")
    monkeypatch.setattr(migrations, "_MIGRATIONS", steps)
    migrations.create_schema(database, tenant="t", node=5)
    assert 2 == database.pragma("user_version")
    assert [] == database.rows("SELECT * FROM extra")
