"""Many processes on one directory: opening it first, and writing to it at once."""

import os
import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from scrubjay.store import verify
from tests.rows import open_at

ROOT = Path(__file__).parents[2]


def spawn(script: str, *arguments: str) -> subprocess.Popen:
    """Start a Python that knows the tests' rows."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *map(str, arguments)],
        cwd=ROOT,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


OPEN_FIRST = """
import sys
from pathlib import Path
from tests.rows import add_all, open_at, SeededEntropy
name = int(sys.argv[2])
print("ready", flush=True)
sys.stdin.readline()
store = open_at(Path(sys.argv[1]), entropy=SeededEntropy(name), durability="commit")
add_all(store, [f"first of {name}"])
print(store.engram(add_all(store, [f"second of {name}"])[0].id).id[8:11].hex())
store.close()
"""


@pytest.mark.parametrize("attempt", range(3))
def test_i16_eight_processes_open_a_new_directory_at_once(tmp_path, attempt):
    children = [spawn(OPEN_FIRST, tmp_path / "m", n) for n in range(8)]
    for child in children:
        assert "ready\n" == child.stdout.readline(), child.stderr.read()
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    nodes = set()
    for child in children:
        out, err = child.communicate(timeout=60)
        assert 0 == child.returncode, err
        nodes.add(out)
    assert 1 == len(nodes)
    store = open_at(tmp_path / "m", create=False)
    expected = {f"{which} of {n}" for which in ("first", "second") for n in range(8)}
    assert expected == {row.content for row in store.engrams()}
    assert () == verify(store, None).findings


WRITE = """
import sys, threading
from pathlib import Path
from tests.rows import NOW_US, add, open_at
store = open_at(Path(sys.argv[1]), durability="commit")
lock = threading.Lock()
print("ready", flush=True)
sys.stdin.readline()
def work(thread):
    for n in range(int(sys.argv[3])):
        content = f"{sys.argv[2]}:{thread}:{n}"
        with store.write(now_us=NOW_US) as tx:
            add(tx, content, scope=f"s/{thread}")
            tx.journal("observe", subject=content)
        with lock:
            print(content, flush=True)
threads = [threading.Thread(target=work, args=(n,)) for n in range(20)]
for thread in threads: thread.start()
for thread in threads: thread.join()
store.close()
"""


def test_i7_two_processes_with_twenty_threads_each_write_and_lose_nothing(tmp_path):
    open_at(tmp_path / "m").close()
    children = [spawn(WRITE, tmp_path / "m", name, 10) for name in "ab"]
    for child in children:
        assert "ready\n" == child.stdout.readline(), child.stderr.read()
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    acknowledged = []
    for child in children:
        out, err = child.communicate(timeout=120)
        assert "" == err
        assert 0 == child.returncode
        acknowledged += out.split()
    expected = {f"{name}:{thread}:{n}" for name in "ab" for thread in range(20) for n in range(10)}
    assert expected == set(acknowledged)
    store = open_at(tmp_path / "m", create=False)
    assert Counter(expected) == Counter(row.content for row in store.engrams())
    assert 400 == store.last_seq()
    assert [*range(1, 401)] == [event.seq for event in store.journal_events()]
    assert () == verify(store, None).findings


ALTERNATE = """
import sys
from pathlib import Path
from tests.rows import add_all, open_at
store = open_at(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for n in range(300):
    add_all(store, [f"{sys.argv[2]}:{n}"])
store.close()
"""


def test_neither_of_two_busy_processes_starves(tmp_path):
    open_at(tmp_path / "m").close()
    children = [spawn(ALTERNATE, tmp_path / "m", name) for name in "ab"]
    for child in children:
        assert "ready\n" == child.stdout.readline(), child.stderr.read()
    for child in children:
        child.stdin.write("go\n")
        child.stdin.flush()
    for child in children:
        _, err = child.communicate(timeout=120)
        assert 0 == child.returncode, err
    order = "".join(row.content[0] for row in open_at(tmp_path / "m").engrams())
    assert 600 == len(order)
    first = {name: order.index(name) for name in "ab"}
    both = order[max(first.values()) :]
    both = both[: min(both.rindex("a"), both.rindex("b")) + 1]
    longest = max(len(run) for run in both.replace("ab", "a b").replace("ba", "b a").split())
    assert longest <= 100, f"one process wrote {longest} times while the other waited"
