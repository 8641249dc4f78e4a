"""Looking at the first bytes of a file tells foreign from damaged, and drops no lock."""

import pytest

from scrubjay.base.errors import FormatVersionError
from scrubjay.store.header import refuse_foreign
from tests.rows import NOW_US, add, open_at


def test_only_what_is_no_database_is_refused(tmp_path):
    store = open_at(tmp_path / "m")
    refuse_foreign(tmp_path / "m/tenants/default/memory.sqlite", vfs=None)
    refuse_foreign(tmp_path / "nothing", vfs=None)
    (tmp_path / "text").write_text("words, and more of them")
    with pytest.raises(FormatVersionError, match="not a SQLite database"):
        refuse_foreign(tmp_path / "text", vfs=None)
    store.close()


def test_looking_during_a_write_does_not_let_another_writer_in(tmp_path):
    store, other = open_at(tmp_path / "m"), open_at(tmp_path / "m")
    with store.write(now_us=NOW_US) as tx:
        add(tx, "x")
        refuse_foreign(tmp_path / "m/tenants/default/memory.sqlite", vfs=None)
        assert not other._writer._database.try_begin_immediate()
    assert ["x"] == [row.content for row in other.engrams()]
