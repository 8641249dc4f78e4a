"""Write the sessions beside this file, byte for byte the same every time.

With ``--check`` nothing is written; the exit code is 1 if a committed file differs.
"""

from __future__ import annotations

import sys
from pathlib import Path

import closing
import opening

SESSIONS_DIR = Path(__file__).parent / "sessions"


def rendered() -> dict[str, str]:
    """Return the text of every session by file name, in the order of the story."""
    sessions = [build() for build in (*opening.SESSIONS, *closing.SESSIONS)]
    return {f"{session.name}.jsonl": session.lines() for session in sessions}


def main() -> int:
    """Write the files, or compare them with the committed ones; return the exit code."""
    texts = rendered()
    if "--check" in sys.argv[1:]:
        found = {p.name: p.read_text(encoding="utf-8") for p in SESSIONS_DIR.glob("*.jsonl")}
        stale = sorted(n for n in texts.keys() | found.keys() if texts.get(n) != found.get(n))
        sys.stdout.write("".join(f"differs: {name}\n" for name in stale))
        return 1 if stale else 0
    SESSIONS_DIR.mkdir(exist_ok=True)
    for name, text in texts.items():
        (SESSIONS_DIR / name).write_text(text, encoding="utf-8", newline="\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
