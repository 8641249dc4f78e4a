import gzip
import json
import tracemalloc

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.adapters.transcripts import stream as module
from scrubjay.adapters.transcripts.stream import (
    MAX_ITEM_BYTES,
    ByteStream,
    iter_elements,
    iter_lines,
    unpacked_size,
)
from scrubjay.base.errors import StorageError

BOM = b"\xef\xbb\xbf"


@pytest.fixture
def items(tmp_path):
    def read(data, cut=iter_lines, name="file"):
        path = tmp_path / name
        path.write_bytes(data)
        with ByteStream(path) as stream:
            return list(cut(stream))

    return read


def test_lines_come_without_their_ends_and_with_their_places(items):
    found = items(b"one\r\n\n  \ntwo\nthree")
    assert [b"one", b"two", b"three"] == [item.data for item in found]
    assert [1, 4, 5] == [item.number for item in found]
    assert [(0, 5), (9, 13), (13, 18)] == [(item.offset, item.end) for item in found]


def test_a_byte_order_mark_is_no_part_of_the_first_line(items):
    found = items(BOM + b"one\ntwo\n")
    assert [(b"one", 3), (b"two", 7)] == [(item.data, item.offset) for item in found]


@pytest.mark.parametrize("cut", [iter_lines, iter_elements])
def test_nothing_comes_of_nothing(items, cut):
    for data in (b"", BOM, b"\n\n", gzip.compress(b"")):
        assert [] == items(data, cut)


def test_gzip_is_unpacked_by_its_content_not_its_name(items, tmp_path):
    plain = b"one\ntwo\n"
    assert items(plain) == items(gzip.compress(plain), name="packed.txt")
    assert len(plain) == unpacked_size(tmp_path / "packed.txt")
    assert len(plain) == unpacked_size(tmp_path / "file")


def test_a_damaged_gzip_gives_what_it_can_and_says_so(items):
    packed = gzip.compress(b"".join(b"line %d\n" % n for n in range(200_000)))
    for data in (packed[: len(packed) // 2], packed[:-4] + b"\0\0\0\0"):
        found = items(data)
        assert b"line 0" == found[0].data
        assert found[-1].data is None
        assert "gzip stream is damaged" in found[-1].reason


def test_a_line_of_60_mb_is_passed_over_in_bounded_memory(tmp_path):
    path = tmp_path / "huge"
    with path.open("wb") as out:
        out.write(b"before\n")
        out.writelines(b"x" * 1_000_000 for _ in range(60))
        out.write(b"\nafter\n")
    tracemalloc.start()
    with ByteStream(path) as stream:
        found = list(iter_lines(stream))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert [b"before", None, b"after"] == [item.data for item in found]
    assert f"longer than {MAX_ITEM_BYTES} bytes, got 60000001 bytes" == found[1].reason
    assert [1, 2, 3] == [item.number for item in found]
    assert found[1].end == found[2].offset
    assert peak < 2.5 * MAX_ITEM_BYTES


def test_an_element_over_the_limit_is_passed_over(items, monkeypatch):
    monkeypatch.setattr(module, "MAX_ITEM_BYTES", 1000)
    found = items(b'[{"a": 1}, "' + b"x" * 5000 + b'", {"b": [2]}]', iter_elements)
    assert [b'{"a": 1}', None, b'{"b": [2]}'] == [item.data for item in found]
    assert "longer than 1000 bytes" in found[1].reason


def test_an_array_that_never_closes_reports_its_last_element(items):
    found = items(b'[{"a": 1}, {"b": "x', iter_elements)
    assert [b'{"a": 1}', None] == [item.data for item in found]
    assert "the file ends inside" in found[1].reason


def test_one_object_is_one_element(items):
    data = b' {"a": [1, 2], "b": "}]"}\n'
    assert [data.strip()] == [item.data for item in items(data, iter_elements)]


def test_what_cannot_be_opened_is_a_typed_error(tmp_path):
    for path in (tmp_path, tmp_path / "absent"):
        with pytest.raises(StorageError, match="cannot be read"):
            ByteStream(path)


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=12,
)


class Chunked:
    """Stands in for a stream and hands out few bytes at a time."""

    offset, damage = 0, ""

    def __init__(self, data, size):
        self.pieces = [data[at : at + size] for at in range(0, len(data), size)]

    def read(self, _):
        return self.pieces.pop(0) if self.pieces else b""


@given(st.lists(values, max_size=6), st.integers(1, 9), st.booleans(), st.sampled_from([None, 2]))
def test_elements_are_those_of_a_json_parser_whatever_the_chunks(array, size, ascii_, indent):
    data = json.dumps(array, ensure_ascii=ascii_, indent=indent).encode(errors="surrogatepass")
    found = list(iter_elements(Chunked(data, size)))
    assert array == [json.loads(item.data) for item in found]
    assert [data[item.offset : item.end].strip() for item in found] == [item.data for item in found]
