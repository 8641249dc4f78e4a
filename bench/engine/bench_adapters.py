"""What it costs to read a transcript and to embed a text, in processor time of one process.

| workload | measures |
|---|---|
| openai   | lines/s of 60,000 OpenAI messages (user, call, result in turn), records thrown away |
| chatgpt  | MB/s of an export of 400 conversations of 20 messages, records thrown away |
| static   | texts/s of the default embedder on 2,000 sentences, in batches of 256 |
| first    | time from opening the default embedder to its first vector, best of 5 |

No chance enters: the texts are counted sentences. Processor time, all threads together.
"""

import json
import time
from pathlib import Path

import pytest

from scrubjay.adapters.embedders.static import StaticEmbedder
from scrubjay.adapters.transcripts import open_transcript

LINES = 60_000
CONVERSATIONS, MESSAGES = 400, 20
TEXTS, BATCH = 2000, 256


def seconds(work) -> float:
    """Return the processor time of one call."""
    start = time.process_time()
    work()
    return time.process_time() - start


def message(n: int) -> dict:
    """Return the n-th message of an endless shift."""
    shared = {"id": f"m{n}", "timestamp": f"2026-03-02T08:{n // 60 % 60:02d}:{n % 60:02d}+01:00"}
    if n % 3 == 0:
        text = f"Please look at queue {n}, it has felt slow since this morning."
        return {**shared, "role": "user", "name": "operator", "content": text}
    if n % 3 == 1:
        function = {"name": "host_vitals", "arguments": json.dumps({"host": f"queue-{n}"})}
        call = {"id": f"c{n}", "type": "function", "function": function}
        return {**shared, "role": "assistant", "content": None, "tool_calls": [call]}
    output = json.dumps({"load": 1.2, "memory_pct": n % 100})
    return {
        **shared,
        "role": "tool",
        "tool_call_id": f"c{n - 1}",
        "exit_code": 0,
        "content": output,
    }


def conversation(n: int) -> dict:
    """Return the n-th conversation of an export: a straight line of messages."""
    mapping = {}
    for turn in range(MESSAGES):
        role = ("user", "assistant")[turn % 2]
        text = f'Sentence {turn} of conversation {n}, "quoted" and somewhat longer. ' * 6
        body = {"author": {"role": role}, "content": {"parts": [text]}, "create_time": 1.7e9 + turn}
        parent = f"{n}-{turn - 1}" if turn else None
        mapping[f"{n}-{turn}"] = {"parent": parent, "message": body}
    return {"id": str(n), "mapping": mapping, "current_node": f"{n}-{MESSAGES - 1}"}


@pytest.fixture(scope="module")
def lines(tmp_path_factory) -> Path:
    """A file of messages."""
    path = tmp_path_factory.mktemp("bench") / "lines.jsonl"
    path.write_text("".join(json.dumps(message(n)) + "\n" for n in range(LINES)))
    return path


@pytest.fixture(scope="module")
def export(tmp_path_factory) -> Path:
    """A file of conversations."""
    path = tmp_path_factory.mktemp("bench") / "conversations.json"
    path.write_text(json.dumps([conversation(n) for n in range(CONVERSATIONS)]))
    return path


def test_openai_lines(lines, claim):
    transcript = open_transcript(lines)
    assert all(record.observation is not None for record in transcript)
    spent = min(seconds(lambda: sum(1 for _ in transcript)) for _ in range(3))
    claim("transcript-openai-lines-per-second", LINES / spent, "/s", at_least=50_000)


def test_chatgpt_export(export, claim):
    transcript = open_transcript(export)
    spent = min(seconds(lambda: sum(1 for _ in transcript)) for _ in range(3))
    claim("transcript-chatgpt-mb-per-second", export.stat().st_size / spent / 1e6, "MB/s")


def test_static_embedder(claim):
    embedder = StaticEmbedder()
    texts = [message(3 * n)["content"] for n in range(TEXTS)]
    embedder.embed(texts[:1])

    def work():
        for start in range(0, TEXTS, BATCH):
            embedder.embed(texts[start : start + BATCH])

    claim("static-embedder-texts-per-second", TEXTS / min(seconds(work) for _ in range(3)), "/s")


def test_first_vector(claim):
    spent = min(seconds(lambda: StaticEmbedder().embed_query("hello")) for _ in range(5))
    claim("static-embedder-first-vector-ms", 1e3 * spent, "ms")
