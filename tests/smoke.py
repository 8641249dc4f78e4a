"""A minute with an installed scrubjay: run by CI with every Python it finds, without pytest.

    python tests/smoke.py

It imports the package as a user would, far from the source tree, and takes the whole loop once:
observe, recall, remember, sleep, forget, reopen, and the command line.
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import scrubjay
from scrubjay import Memory
from scrubjay.base.clock import ManualClock


def check(what: str, *, expected: object, actual: object) -> None:
    """Stop with both values where they differ."""
    if expected != actual:
        raise SystemExit(f"smoke: {what}: expected {expected!r}, got {actual!r}")
    print(f"ok   {what}")


def loop(directory: Path) -> None:
    """Take one memory through its life."""
    clock = ManualClock()
    with Memory.open(directory, clock=clock, seed=7) as memory:
        token = memory.observe("Tokens are rotated by vault-7 every night.", session="monday")
        memory.observe("The metrics store runs on PostgreSQL.", session="monday")
        memory.remember(subject="report", predicate="format", object="chat message")
        best = memory.recall("who rotates the tokens?", k=1)[0]
        check("recall finds the turn", expected=token, actual=best.id)
        check("a hit says why", expected=True, actual=bool(best.why()))
        clock.advance(days=1)
        memory.sleep()
        check("nothing is amiss", expected=True, actual=memory.doctor().ok)
        check("forget counts", expected=1, actual=memory.forget([token]))
    with Memory.open(directory, clock=clock) as memory:
        contents = [hit.content for hit in memory.recall("vault-7", k=5)]
        gone = not any("vault-7" in content for content in contents)
        check("what was forgotten stays away", expected=True, actual=gone)


def command_line(directory: Path) -> None:
    """Ask the installed command for what the loop left."""
    command = Path(sys.executable).with_name("scrubjay")
    asked = [str(command), "doctor", "--dir", str(directory)]
    done = subprocess.run(asked, capture_output=True, text=True, check=False)
    check("scrubjay doctor", expected=0, actual=done.returncode)


if __name__ == "__main__":
    print(f"Python {sys.version.split()[0]}, scrubjay from {Path(scrubjay.__file__).parent}")
    with tempfile.TemporaryDirectory() as folder:
        loop(Path(folder) / "smoke.memory")
        command_line(Path(folder) / "smoke.memory")
