"""The directory's mark, and one safe folder for each tenant."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.errors import (
    CorruptionError,
    FormatVersionError,
    InvalidArgumentError,
    StorageError,
)
from scrubjay.base.ids import SeededEntropy
from scrubjay.store.directory import (
    MARK_NAME,
    check_tenant,
    encode_tenant,
    open_mark,
    read_mark,
    write_whole,
)

ODD = ["*", "%", "..", ".", "/", "a/b", "a' OR '1'='1", "A", "a", "ü", "~", "x" * 200, "東" * 200]


def test_i14_each_tenant_has_one_folder_and_no_two_share_it():
    names = [encode_tenant(name) for name in ODD]
    assert len(ODD) == len({name.lower() for name in names})
    for name in names:
        assert 1 <= len(name) <= 200
        assert name not in {".", ".."}
        assert "/" not in name
        assert name.isascii()


@given(st.text(st.characters(blacklist_categories=["Cs"], blacklist_characters="\0"),
               min_size=1, max_size=200), st.text(min_size=1, max_size=200))  # fmt: skip
def test_different_tenants_have_different_folders(one, two):
    try:
        check_tenant(two)
    except InvalidArgumentError:
        return
    assert (one == two) is (encode_tenant(one).lower() == encode_tenant(two).lower())


@pytest.mark.parametrize("bad", ["", "x" * 201, "a\0b", "a\ud800"])
def test_an_impossible_tenant_is_refused(bad):
    with pytest.raises(InvalidArgumentError, match="tenant name"):
        check_tenant(bad)


def test_the_mark_is_made_once_and_read_ever_after(tmp_path):
    assert None is read_mark(tmp_path / "m")
    made = open_mark(tmp_path / "m", SeededEntropy(1))
    assert made == open_mark(tmp_path / "m", SeededEntropy(2)) == read_mark(tmp_path / "m")
    assert int.from_bytes(SeededEntropy(1).token(3), "big") == made.node


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("", CorruptionError),
        ("{", CorruptionError),
        ("[]", CorruptionError),
        ('{"format":1}', CorruptionError),
        ('{"format":1,"node":"x"}', CorruptionError),
        ('{"format":1,"node":1,"other":2}', CorruptionError),
        ('{"format":2,"node":1}', FormatVersionError),
        ("\xff\xfe", CorruptionError),
    ],
)
def test_a_mark_that_is_not_ours_is_refused_and_kept(tmp_path, text, error):
    path = tmp_path / MARK_NAME
    path.write_bytes(text.encode("latin-1"))
    with pytest.raises(error, match=MARK_NAME):
        open_mark(tmp_path, SeededEntropy(1))
    assert text.encode("latin-1") == path.read_bytes()


def test_i10_a_path_that_is_a_file_is_refused(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text("mine")
    for bad in (path, path / "below"):
        with pytest.raises(StorageError, match="choose"):
            open_mark(bad, SeededEntropy(1))
    assert "mine" == path.read_text()


def test_a_failed_write_leaves_the_old_file(tmp_path):
    target = tmp_path / "f"
    target.write_text("old")
    with pytest.raises(StorageError):
        write_whole(target, b"new", temporary=tmp_path / "nowhere" / "f")
    assert "old" == target.read_text()
    write_whole(target, b"new", temporary=tmp_path / "f.new")
    assert ["f"] == [path.name for path in tmp_path.iterdir()]
    assert "new" == target.read_text()
