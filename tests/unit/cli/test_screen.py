"""What is printed: safe for a terminal, whole in a pipe."""

import io
import json

import pytest
from rich.console import Console

from scrubjay.cli.screen import (
    clean,
    count,
    day,
    minute,
    one_line,
    print_fields,
    print_indented,
    print_json,
    span,
)


@pytest.mark.parametrize(
    "hostile",
    ["\x1b[2J", "\x07", "\r", "\x9b31m", "\x00", "\u202e", "\ud800", "\x7f"],
)
def test_no_memory_can_drive_the_terminal(hostile):
    assert hostile[0] not in clean(f"before {hostile} after")


@pytest.mark.parametrize("text", ["tab\tand\nline", "семь", "七", "👩‍💻", "می‌خواهم"])
def test_honest_text_of_any_script_passes_unchanged(text):
    assert text == clean(text)


def test_one_line_has_one_line_and_a_limit():
    assert "a b" == one_line("a\n\n b", 10)
    assert "abcd…" == one_line("abcdefgh", 5)
    assert "abcde" == one_line("abcde", 5)


def test_unknown_instants_are_dashes():
    assert ("—", "—") == (day(None), minute(None))


def test_instants_are_utc():
    assert "2026-03-23" == day(1_774_224_000_000_000)
    assert "2026-03-23 00:00Z" == minute(1_774_224_000_000_000)


@pytest.mark.parametrize(
    ("us", "text"),
    [
        (0, "0 s"),
        (12, "12 µs"),
        (1_500_000, "1.5 s"),
        (3_600_000_000, "1 h"),
        (-86_400_000_000, "-1 d"),
        (90 * 86_400_000_000, "90 d"),
    ],
)
def test_spans_take_the_largest_sensible_unit(us, text):
    assert text == span(us)


def test_counts_agree_with_their_nouns():
    assert ["0 turns", "1 turn", "2 memories", "37 days"] == [
        count(0, "turn"),
        count(1, "turn"),
        count(2, "memory"),
        count(37, "day"),
    ]


def test_json_is_whole_and_unescaped(capsys):
    value = {"text": "ü" * 5000, "n": [1, None, True]}
    print_json(value)
    out = capsys.readouterr().out
    assert value == json.loads(out)
    assert "ü" in out


def test_a_report_becomes_lines_that_fit_80_columns_and_lose_nothing():
    out = io.StringIO()
    values = {"rows": {"hot": 1200}, "list": [1, 2], "note": "x" * 200, "ok": True, "now_us": 0}
    print_fields(Console(file=out, width=80), "A report", values)
    lines = out.getvalue().splitlines()
    assert "A report" == lines[0]
    assert max(len(line) for line in lines) <= 80
    assert 200 == out.getvalue().count("x")
    for name, value in [
        ("rows: hot", "1,200"),
        ("list", "2"),
        ("ok", "yes"),
        ("now", "1970-01-01 00:00Z"),
    ]:
        assert any(name in line and value in line for line in lines)


def test_wrapped_text_keeps_its_margin():
    out = io.StringIO()
    print_indented(Console(file=out, width=20), "one two three four five six", 4, hang=2)
    assert ["    one two three", "      four five six"] == out.getvalue().splitlines()
