"""Ctrl-C ends a long call of the index at once and leaves the index whole."""

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

CHILD = Path(__file__).with_name("interrupted_call.py")
ROOT = CHILD.parents[2]

PROMISED_S = 0.1
SLACK_S = 2.9
"""Tests run beside others on few CPUs; ``./dev bench latency`` measures the promise itself."""


def interrupt(call, after_s, folder):
    """Start a process, interrupt its long call, and return its report and when the signal went."""
    command = [sys.executable, str(CHILD), call, str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as child:
        assert "ready\n" == child.stdout.readline()
        time.sleep(after_s)
        sent = time.monotonic()
        child.send_signal(signal.SIGINT)
        return json.loads(child.stdout.readline()), sent


@pytest.mark.parametrize(
    ("call", "after_s"),
    [
        ("add", 0.1),
        ("grow", 1.0),
        ("shrink", 0.3),
        ("search_batch", 0.3),
        ("save", 0.4),
        ("open", 0.4),
    ],
)
def test_ctrl_c_ends_the_call_and_leaves_all_whole(call, after_s, tmp_path):
    report, sent = interrupt(call, after_s, tmp_path)
    assert "KeyboardInterrupt" == report["ended"]
    assert [] == report["wrong"]
    assert report["at"] - sent < PROMISED_S + SLACK_S
