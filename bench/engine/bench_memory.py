"""A whole memory, end to end, on the five LoCoMo conversations (2,760 turns), default embedder.

| workload | measures |
|---|---|
| ingest | wall time of ``Memory.ingest`` of the file into a new directory, each batch committed |
| recall | median of ``recall(question, k=10)`` over 500 of its questions, embedding included |
| open   | wall time from a closed directory to the first answer |

No chance enters; every second question of the file is asked, in its order.
"""

import gzip
import itertools
import json
import statistics
import time
from pathlib import Path

import pytest

from scrubjay import Memory
from tests.data import require_data

TURNS = 2760
QUESTIONS = 500


@pytest.fixture(scope="module")
def transcript() -> Path:
    """The given conversations."""
    return require_data("locomo/locomo5.json.gz")


@pytest.fixture(scope="module")
def questions(transcript) -> list[str]:
    """Every second question asked about them, from all five."""
    with gzip.open(transcript, "rt", encoding="utf-8") as stream:
        samples = json.load(stream)
    asked = (pair["question"] for sample in samples for pair in sample["qa"])
    return list(itertools.islice(asked, 0, 2 * QUESTIONS, 2))


@pytest.fixture(scope="module")
def directory(tmp_path_factory) -> Path:
    """Where the memory of this module lives."""
    return tmp_path_factory.mktemp("bench") / "locomo.memory"


def seconds(work) -> float:
    """Return the wall time of one call."""
    start = time.perf_counter()
    work()
    return time.perf_counter() - start


def test_ingest(transcript, directory, claim):
    with Memory.open(directory) as memory:
        spent = seconds(lambda: memory.ingest(transcript))
        report = memory.stats()
    assert report is not None
    claim("ingest-locomo5-seconds", spent, "s", at_most=10.0)
    claim("ingest-locomo5-turns-per-second", TURNS / spent, "/s")


def test_recall(directory, questions, claim):
    with Memory.open(directory) as memory:
        memory.recall(questions[0])
        spent = [seconds(lambda asked=asked: memory.recall(asked, 10)) for asked in questions]
    claim("recall-p50-ms", 1e3 * statistics.median(spent), "ms", at_most=3.0)
    claim("recall-p95-ms", 1e3 * statistics.quantiles(spent, n=20)[-1], "ms")


def test_open_to_first_answer(directory, questions, claim):
    def work():
        with Memory.open(directory) as memory:
            memory.recall(questions[0])

    claim("open-to-first-answer-ms", 1e3 * min(seconds(work) for _ in range(5)), "ms")
