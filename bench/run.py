"""Run the benches and close with the claims they measured.

    python bench/run.py                    # everything
    python bench/run.py kernels locomo     # folders or files whose name contains one of these

Files ``bench_*.py`` under kernels/ and engine/ run through pytest-benchmark, one process per file,
so that one bench's memory is not the next one's noise. Scripts under quality/ take ``--data PATH``
and are left out, aloud, where their data set is absent. Exit code 1 when a claim is missed or a
bench fails.
"""

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]

QUALITY_DATA: Final = {"locomo": "locomo/locomo5.json.gz"}
"""Which data set a script of quality/ reads, by the script's name."""


def data_folder() -> Path:
    """Return the folder of the data sets: SCRUBJAY_DATA, else ../shared/data."""
    configured = os.environ.get("SCRUBJAY_DATA")
    return Path(configured) if configured else ROOT.parent / "shared" / "data"


def chosen(path: Path, names: list[str]) -> bool:
    """Tell whether a bench was asked for; without names, all are."""
    relative = str(path.relative_to(ROOT / "bench"))
    return not names or any(name in relative for name in names)


def run(command: list[str]) -> tuple[bool, list[str]]:
    """Run one bench, pass its output on, and keep the lines of its claims."""
    claims: list[str] = []
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, text=True, env=environment
    ) as process:
        for line in process.stdout or ():
            print(line, end="", flush=True)
            if line.startswith("claim |"):
                claims.append(line.rstrip())
    return process.returncode == 0, claims


def commands(names: list[str]) -> list[tuple[str, list[str]]]:
    """Return the benches to run, each with its command."""
    found = []
    for folder in ("kernels", "engine"):
        for path in sorted((ROOT / "bench" / folder).glob("bench_*.py")):
            pytest = [sys.executable, "-m", "pytest", "-q", "-p", "no:xdist"]
            options = ["-o", "python_files=bench_*.py", "-o", "addopts=--import-mode=importlib"]
            found.append((path, [*pytest, *options, "--benchmark-columns=min,median", str(path)]))
    for path in sorted((ROOT / "bench" / "quality").glob("[a-z]*.py")):
        data = QUALITY_DATA.get(path.stem)
        if data is None:
            continue
        if not (data_folder() / data).exists():
            print(f"left out: {path.name} (no {data}; set SCRUBJAY_DATA)")
            continue
        found.append((path, [sys.executable, str(path), "--data", str(data_folder() / data)]))
    return [
        (str(path.relative_to(ROOT)), command) for path, command in found if chosen(path, names)
    ]


def main(names: list[str]) -> int:
    """Run what was asked for and sum up."""
    work = commands(names)
    if not work:
        print(f"no bench is named like {names}", file=sys.stderr)
        return 2
    failed, claims = [], []
    for name, command in work:
        print(f"\n=== {name}", flush=True)
        good, made = run(command)
        claims += made
        if not good:
            failed.append(name)
    print("\n=== claims of this run (bench/README.md says what each means)")
    print("\n".join(claims) or "none")
    if failed:
        print(f"failed: {', '.join(failed)}")
    return 1 if failed or any(line.endswith("MISSED") for line in claims) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
