"""Building: processor time and wall of one index over all rows, by number of threads."""

import time
from collections.abc import Callable
from dataclasses import dataclass

from bench.compare.measuring import Matrix
from bench.compare.peers import Contender


@dataclass(frozen=True)
class Built:
    """One build; ``memory`` is in bytes, by the library's own count."""

    name: str
    rows: int
    threads: int
    processor: float
    wall: float
    memory: int


def build(contender: Contender, rows: Matrix, *, threads: int = 1) -> Built:
    wall, processor = time.perf_counter(), time.process_time()
    contender.build(rows, threads=threads)
    wall, processor = time.perf_counter() - wall, time.process_time() - processor
    memory = contender.memory_bytes()
    return Built(contender.name, len(rows), threads, processor, wall, memory)


def build_threaded(
    makers: dict[str, Callable[[], Contender]], rows: Matrix, threads: tuple[int, ...]
) -> list[Built]:
    """Build every graph once per number of threads; the indexes are dropped again."""
    built = []
    for count in threads:
        for maker in makers.values():
            contender = maker()
            if not contender.exact:
                built.append(build(contender, rows, threads=count))
    return built
