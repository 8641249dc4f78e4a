"""Contenders measured side by side, so that what disturbs one disturbs all.

Every round calls each contender once, in turn; the time is processor time of the process, all
threads together; the result is the best round of each. The first round warms memory and compilers
and does not count.
"""

import time
from collections.abc import Callable, Mapping

ROUNDS = 15


def race(contenders: Mapping[str, Callable[[], object]], rounds: int = ROUNDS) -> dict[str, float]:
    """Return the least processor time, in seconds, that each contender took."""
    best = dict.fromkeys(contenders, float("inf"))
    for number in range(rounds + 1):
        for name, work in contenders.items():
            start = time.process_time()
            work()
            spent = time.process_time() - start
            if number > 0:
                best[name] = min(best[name], spent)
    return best


def table(title: str, seconds: Mapping[str, float], moved_bytes: Mapping[str, int]) -> str:
    """Return the times as lines: milliseconds, and GB/s where the bytes are known."""
    lines = [title]
    for name, spent in seconds.items():
        rate = f"{moved_bytes[name] / spent / 1e9:8.2f} GB/s" if name in moved_bytes else ""
        lines.append(f"  {name:<28} {spent * 1e3:9.3f} ms {rate}")
    return "\n".join(lines)
