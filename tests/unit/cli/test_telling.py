"""The telling says what the store holds, whatever went in."""

import io
import json
import shlex

from rich.console import Console

from scrubjay.cli.story import live, open_story
from scrubjay.cli.telling import WIDTH, changed, tell


def told(tmp_path, *texts):
    """Tell one session of what an operator said."""
    path = tmp_path / "2026-03-01-only.jsonl"
    lines = [
        json.dumps(
            {
                "role": "user",
                "name": "operator",
                "content": text,
                "timestamp": f"2026-03-01T10:{minute:02}:00+01:00",
            }
        )
        for minute, text in enumerate(texts)
    ]
    path.write_text("\n".join(lines) + "\n")
    out = io.StringIO()
    memory, clock = open_story(tmp_path / "m", [path])
    with memory:
        days = list(live(memory, clock, [path]))
        tell(Console(file=out, width=WIDTH), memory, days, tmp_path)
        beliefs = memory.beliefs.facts(include_past=True)
    return out.getvalue(), beliefs


def test_another_life_gives_another_telling(tmp_path):
    text, _ = told(tmp_path, "The wiki uses MediaWiki.", "The wiki moved to BookStack today.")
    assert "BookStack" in text
    assert "ClickHouse" not in text
    assert (tmp_path / "forgetting.svg").read_text().startswith("<svg")


def test_what_to_try_next_survives_a_space_in_the_path(tmp_path):
    (tmp_path / "a b").mkdir()
    text, _ = told(tmp_path / "a b", "Good morning!")
    (line,) = [line for line in text.splitlines() if "scrubjay doctor" in line]
    assert ["scrubjay", "doctor", "--dir", str(tmp_path / "a b" / "memory")] == shlex.split(line)


def test_only_timelines_in_which_something_ended_count_as_changed(tmp_path):
    _, beliefs = told(
        tmp_path,
        "The wiki uses MediaWiki.",
        "The status page runs on edge-1.",
        "The wiki migrated from MediaWiki to BookStack today.",
    )
    assert {"BookStack", "MediaWiki"} == {belief.object for belief in changed(beliefs)}


def test_an_uneventful_life_can_be_told(tmp_path):
    text, beliefs = told(tmp_path, "Good morning!")
    assert [] == changed(beliefs)
    assert "nothing is due" in text
    assert "no skill came out" in text
    assert "nothing was refused" in text
