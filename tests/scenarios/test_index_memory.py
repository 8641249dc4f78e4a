"""What an index gives back, seen by the operating system."""

import subprocess
import sys

import pytest

ROWS, KEPT, DIM = 100_000, 10_000, 256

SCRIPT = """
import sys
from pathlib import Path
import numpy as np
from scrubjay.index import Index

added, kept, dim = map(int, sys.argv[1:4])

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096

index = Index(dim, storage=sys.argv[4], exact_below=int(sys.argv[5]), ef_construction=16,
              connectivity=8)
before = resident()
draw = np.random.default_rng(1)
for first in range(0, added, 5_000):
    keys = np.arange(first, first + 5_000)
    index.add(keys, draw.standard_normal((5_000, dim), np.float32), now_us=0)
full = resident() - before
index.remove(np.arange(kept, added))
index.shrink()
print(full, resident() - before, index.memory_bytes)
"""


def figures(added, kept, storage, exact_below):
    """Return resident bytes before and after shrinking, and what the index says it takes."""
    numbers = [str(number) for number in (added, kept, DIM)]
    command = [sys.executable, "-c", SCRIPT, *numbers, storage, str(exact_below)]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    return [int(word) for word in done.stdout.split()]


@pytest.mark.skipif(sys.platform != "linux", reason="reads memory in /proc")
@pytest.mark.parametrize(("storage", "exact_below"), [("f32", 10**6), ("i8", 5000)])
def test_the_memory_of_nine_rows_in_ten_goes_back_to_the_system(storage, exact_below):
    full, shrunk, told = figures(ROWS, KEPT, storage, exact_below)
    _, _, fresh = figures(KEPT, KEPT, storage, exact_below)
    assert fresh == told
    assert full > 80_000_000
    assert shrunk < told + 25_000_000


REFUSED = """
import resource
from pathlib import Path
import numpy as np
from scrubjay.base.errors import CapacityError
from scrubjay.index import Index

index, rows = Index(256), np.eye(1000, 256, dtype=np.float32) + 1
index.add(np.arange(1000), rows, now_us=0)
used = int(Path("/proc/self/statm").read_text().split()[0]) * 4096
resource.setrlimit(resource.RLIMIT_AS, (used + 300_000_000, -1))
try:
    index.reserve(1_000_000)
except CapacityError as error:
    print(error)
index.reserve(50_000)
index.add(np.arange(1000, 2000), rows, now_us=0)
print(len(index), index.search(rows[7], 2, now_us=0).keys.tolist())
"""


@pytest.mark.skipif(sys.platform != "linux", reason="limits the memory of a process")
def test_memory_that_the_system_does_not_grant_is_refused_and_the_index_goes_on():
    command = [sys.executable, "-c", REFUSED]
    done = subprocess.run(command, check=True, capture_output=True, text=True)
    refusal, rest = done.stdout.splitlines()
    assert refusal.startswith(
        "Index.reserve: the system grants no memory for so many rows, got 1000000 rows of "
    )
    assert "2000 [7, 1007]" == rest
