"""The hand-written types of the compiled core are those of the compiled core."""

import os
import subprocess
import sys

from tests.architecture.rule import ROOT

ALLOWED = ROOT / "tests/architecture/core_stub_allowed.txt"


def test_stub_agrees_with_the_compiled_core():
    done = subprocess.run(
        [
            *(sys.executable, "-m", "mypy.stubtest", "scrubjay._core", "--concise"),
            *("--allowlist", str(ALLOWED)),
        ],
        env={**os.environ, "MYPYPATH": str(ROOT / "python")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
