"""Evidence recall on LoCoMo, by a memory built through the public interface.

| workload | what it measures |
|---|---|
| ingest | all turns of the file through ``Memory.ingest``, default embedder and durability |
| static cosine | the default embedding alone: cosine of the mean of token vectors |
| BM25 turn | full text of the same store, each turn alone |
| BM25 context | full text of the same store, each turn with two predecessors and one successor |
| scrubjay | ``Memory.recall``, as anyone calls it |
| latency | one ``recall`` with k = 10 after another, embedding of the question included, warm |

Metric: for each question the share of its distinct evidence turns among the first k hits, then the
mean over questions. A hit counts for its own turn only: the text of neighbours earns nothing, and
one turn counts once. Questions are asked in the scope of their conversation. Questions whose
evidence names no turn of the file are left out; all five categories count, which is the reading
that reproduces the .62 and .755 published for the two full-text baselines.

    python bench/quality/locomo.py --data ../shared/data/locomo/locomo5.json.gz
"""

import argparse
import gzip
import json
import re
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

from bench.claims import Claim
from scrubjay import Memory
from scrubjay.adapters.embedders import open_embedder
from scrubjay.base.ids import SeededEntropy
from scrubjay.base.tokens import query_tokens
from scrubjay.base.trace import Kind, RowFilter
from scrubjay.store import SqliteStore, open_store

DEPTHS = (5, 10, 20)
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open", 4: "single-hop", 5: "adversarial"}
SEED = 20_000_101
_TURN = re.compile(r"D\d+:\d+")

Method = Callable[["Asked"], Sequence[str]]


@dataclass(frozen=True)
class Asked:
    """One question with the turns that hold its answer."""

    text: str
    scope: str
    evidence: frozenset[str]
    category: int


def questions_of(path: Path) -> list[Asked]:
    """Return the questions whose evidence names a turn of the file."""
    opener = gzip.open if path.suffix == ".gz" else open
    with opener(path, "rt", encoding="utf-8") as file:
        samples = json.load(file)
    asked = []
    for sample in samples:
        sessions = [part for part in sample["conversation"].values() if isinstance(part, list)]
        turns = {turn["dia_id"] for session in sessions for turn in session}
        for question in sample["qa"]:
            named = {turn for text in question["evidence"] for turn in _TURN.findall(text)}
            if named & turns:
                scope = f"locomo/{sample['sample_id']}"
                evidence = frozenset(named & turns)
                asked.append(Asked(question["question"], scope, evidence, question["category"]))
    return asked


class Baselines:
    """The single signals, read from the store that the memory filled."""

    def __init__(self, store: SqliteStore) -> None:
        self._store = store
        self._scopes = store.scopes()
        self._embedder = open_embedder("static")
        self._turns = {
            turn.local: turn.provenance.message_id for turn in store.engrams(kinds=[Kind.TURN])
        }
        self._rows = store.index_rows(space=self._embedder.identity)
        self._keys = self._rows.local.tolist()

    def cosine(self, asked: Asked) -> list[str]:
        """Return the nearest turns by the cosine of summed token vectors."""
        similarity = self._rows.vectors @ self._embedder.embed_query(asked.text)
        similarity[self._rows.scope_id != self._scopes[asked.scope]] = -2.0
        best = np.argsort(-similarity, kind="stable")[: DEPTHS[-1]]
        return [self._turns[self._keys[row]] for row in best.tolist()]

    def words(self, asked: Asked, *, context: bool) -> list[str]:
        """Return the best turns by BM25, alone or in context."""
        where = RowFilter(scope_ids=(self._scopes[asked.scope],))
        tokens = query_tokens(asked.text)
        found = self._store.match_text(tokens, context=context, where=where, limit=DEPTHS[-1])
        return [self._turns[local] for local, _ in found]


def measure(name: str, method: Method, questions: Sequence[Asked]) -> np.ndarray:
    """Return the mean recall at each depth and print it, overall and by category."""
    shares = np.array(
        [
            [len(asked.evidence & set(found[:k])) / len(asked.evidence) for k in DEPTHS]
            for asked in questions
            for found in [method(asked)]
        ]
    )
    category = np.array([asked.category for asked in questions])
    rows = {"all": np.ones(len(questions), bool)}
    rows |= {label: category == number for number, label in CATEGORIES.items()}
    cells = [
        " ".join(f"{value:.3f}" for value in shares[chosen].mean(axis=0))
        for chosen in rows.values()
    ]
    if name == "static cosine":
        print(f"{'recall@5/10/20':<16}" + "".join(f"{label:>19}" for label in rows))
    print(f"{name:<16}" + "".join(f"{cell:>19}" for cell in cells), flush=True)
    return shares.mean(axis=0)


def latencies_ms(memory: Memory, questions: Sequence[Asked]) -> tuple[np.ndarray, float]:
    """Return the wall time of each of 500 recalls, and the median of their CPU times.

    Of three rounds after a warm one the quietest counts: whatever else runs only adds to it.
    """
    rounds = []
    for _ in range(4):
        wall, cpu = [], []
        for asked in questions[:500]:
            start, start_cpu = time.perf_counter(), time.process_time()
            memory.recall(asked.text, 10)
            cpu.append(time.process_time() - start_cpu)
            wall.append(time.perf_counter() - start)
        rounds.append((1e3 * np.array(wall), 1e3 * float(np.median(cpu))))
    return min(rounds[1:], key=lambda found: float(np.median(found[0])))


def run(data: Path) -> list[Claim]:
    """Build the memory, ask every question, and return the claims."""
    questions = questions_of(data)
    with tempfile.TemporaryDirectory() as folder:
        directory = Path(folder) / "locomo.memory"
        with Memory.open(directory, seed=SEED) as memory:
            start = time.perf_counter()
            report = memory.ingest(data, format="locomo")
            ingest_s = time.perf_counter() - start
            print(f"{report.stored} turns in {ingest_s:.2f} s, {len(questions)} questions\n")
            store = open_store(
                directory,
                tenant="default",
                create=False,
                entropy=SeededEntropy(SEED),
                now_us=0,
                read_only=True,
            )
            baselines = Baselines(store)
            measure("static cosine", baselines.cosine, questions)
            measure("BM25 turn", lambda asked: baselines.words(asked, context=False), questions)
            context = measure(
                "BM25 context", lambda asked: baselines.words(asked, context=True), questions
            )
            store.close()

            def recall(asked: Asked) -> list[str]:
                hits = memory.recall(asked.text, DEPTHS[-1], scope=asked.scope)
                return [hit.engram.provenance.message_id for hit in hits]

            full = measure("scrubjay", recall, questions)
            spent_ms, cpu_ms = latencies_ms(memory, questions)
    p50, p95 = np.quantile(spent_ms, [0.5, 0.95])
    print(f"\nrecall p50 {p50:.2f} ms, p95 {p95:.2f} ms, of it CPU {cpu_ms:.2f} ms; k = 10\n")
    return [
        Claim("locomo-recall-at-5", float(full[0]), "", at_least=0.69),
        Claim("locomo-recall-at-10", float(full[1]), "", at_least=0.77),
        Claim("locomo-recall-at-20", float(full[2]), ""),
        Claim("locomo-over-context-bm25", float(full[1] / context[1]), at_least=1.0),
        Claim("locomo-context-bm25-at-10", float(context[1]), ""),
        Claim("locomo-ingest", ingest_s, "s", at_most=10.0),
        Claim("locomo-recall-p50", float(p50), "ms", at_most=3.0),
    ]


def main() -> int:
    """Read the arguments, run, and print one line per claim; 1 if one is missed."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, required=True, help="the LoCoMo JSON, gzipped or not")
    claims = run(parser.parse_args().data)
    print("\n".join(claim.line() for claim in claims))
    return 0 if all(claim.held for claim in claims) else 1


if __name__ == "__main__":
    sys.exit(main())
