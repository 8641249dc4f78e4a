"""A million rows: memory, building on two threads, opening from a file, speed at recall 0.95.

``memory_over_need`` is the index's own count over the bytes of vectors and links: a row of codes is
dim bytes, the links of the bottom layer are 2 M numbers of four bytes. Opening is timed to the
first answer, in this process; the file is in the page cache.
"""

import statistics
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from bench.compare.measures.build import Built, build
from bench.compare.measures.curve import K, Tuned, race
from bench.compare.peers import FORMS, Contender
from bench.compare.peers.contender import M
from bench.compare.peers.scrubjay_index import PURE, Scrubjay, known
from bench.compare.worlds import World

TARGET = 0.95
OPENINGS = 5
LINK_BYTES = 4


@dataclass(frozen=True)
class Opened:
    """scrubjay's file beside its build; seconds of wall."""

    file_bytes: int
    save: float
    open: float
    build_over_open: float
    memory_over_need: float


def large(world: World, names: list[str]) -> tuple[list[Built], list[Tuned], Opened | None]:
    """Build on two threads, put scrubjay's index through its file, then race on one thread."""
    contenders: list[Contender] = [FORMS[name]() for name in names]
    built = [build(contender, world.rows, threads=2) for contender in contenders]
    opened = None
    for contender, row in zip(contenders, built, strict=True):
        if isinstance(contender, Scrubjay) and hasattr(contender.index, "save"):
            opened = _through_its_file(contender, world, row)
    return built, race(contenders, world, TARGET, rounds=5), opened


def _through_its_file(contender: Scrubjay, world: World, built: Built) -> Opened:
    """Measure saving and opening, and leave the contender with the index that was opened."""
    index_type = type(contender.index)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "rows.index"
        start = time.perf_counter()
        contender.index.save(path)
        saved = time.perf_counter() - start
        spent = []
        for _ in range(OPENINGS):
            start = time.perf_counter()
            again = index_type.open(path, **known(index_type.open, threads=1))
            again.search(world.queries[0], K, now_us=0, weights=PURE)
            spent.append(time.perf_counter() - start)
        contender.index = again
        size = path.stat().st_size
    rows, dim = world.rows.shape
    need = rows * (dim + 2 * M * LINK_BYTES)
    opening = statistics.median(spent)
    return Opened(size, saved, opening, built.wall / opening, built.memory / need)
