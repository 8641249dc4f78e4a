"""The committed sessions of the example are what its generator writes, and hold the story."""

import json
import subprocess
import sys
from datetime import datetime
from pathlib import Path

EXAMPLE = Path(__file__).parents[2] / "examples" / "ops_agent"
SESSIONS = sorted((EXAMPLE / "sessions").glob("*.jsonl"))


def messages():
    return [
        json.loads(line)
        for path in SESSIONS
        for line in path.read_text(encoding="utf-8").splitlines()
    ]


def test_committed_sessions_equal_what_the_generator_writes():
    run = subprocess.run(
        [sys.executable, EXAMPLE / "generate.py", "--check"],
        capture_output=True,
        text=True,
        check=False,
    )
    assert (0, "") == (run.returncode, run.stdout)


def test_time_never_runs_backwards_and_every_message_has_an_offset():
    times = [datetime.fromisoformat(message["timestamp"]) for message in messages()]
    assert sorted(times) == times
    assert {3600.0, 7200.0} == {time.utcoffset().total_seconds() for time in times}


def test_every_tool_result_answers_a_call_and_carries_its_exit_code():
    called = {call["id"] for m in messages() for call in m.get("tool_calls", ())}
    results = [m for m in messages() if m["role"] == "tool"]
    assert called == {m["tool_call_id"] for m in results}
    assert {0, 124} == {m["exit_code"] for m in results}


def test_the_weeks_are_large_enough_to_forget():
    assert 11 == len(SESSIONS)
    assert 250 <= len(messages()) <= 400
