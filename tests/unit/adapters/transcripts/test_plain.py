import json

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.adapters.transcripts.fields import MalformedError
from scrubjay.adapters.transcripts.plain import PlainReader
from scrubjay.adapters.transcripts.stream import Item
from scrubjay.base.provenance import Role


def parse(line, offset=0):
    data = json.dumps(line).encode()
    return PlainReader("diary").parse(Item(1, offset, offset + len(data), data), data)


def test_a_line_is_a_turn():
    (one,) = parse(
        {"role": "user", "content": "Tea, please.", "time": "2026-01-02T03:04:05+05:30"}, 40
    )
    assert (Role.USER, "Tea, please.", "diary", 40, 330) == (
        one.role,
        one.content,
        one.session,
        one.position,
        one.event_offset_min,
    )
    assert 1767303245000000 == one.event_us


def test_a_blank_line_says_nothing():
    reader = PlainReader("diary")
    data = b'{"role": "user", "content": " \\n"}'
    assert [] == reader.parse(Item(1, 0, len(data), data), data)
    assert {"empty": 1} == reader.skipped


@pytest.mark.parametrize(
    "line",
    [
        {"role": "user"},
        {"content": "hi"},
        {"role": "user", "content": None},
        {"role": "user", "content": ["hi"]},
        {"role": "owner", "content": "hi"},
        {"role": "user", "content": "hi", "time": "2026-01-02T03:04:05"},
        {"role": "user", "content": "hi", "time": []},
        {"role": "user", "content": "a\0b"},
        ["user", "hi"],
    ],
)
def test_other_lines_are_refused(line):
    with pytest.raises((MalformedError, msgspec.DecodeError)):
        parse(line)


texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0")).filter(
    str.strip
)


@given(
    texts, st.sampled_from(["user", "assistant", "system", "document"]), st.integers(0, 10**11 - 1)
)
def test_what_was_written_is_read_back(content, role, seconds):
    (one,) = parse({"role": role, "content": content, "time": seconds})
    assert (role, content, seconds * 1_000_000) == (one.role, one.content, one.event_us)
