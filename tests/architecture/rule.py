"""A rule of the house: what it reads, what it objects to, and a sample it must object to."""

import ast
import subprocess
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]

_MADE = {".git", ".venv", "build", "dist", "__pycache__", ".hypothesis", ".benchmarks"}


@dataclass(frozen=True)
class Rule:
    """``scan(path, text)`` returns objections, each with its line where it has one.

    ``bad`` is a small file the rule must refuse and ``good`` one it must accept, so that no rule
    can quietly stop working.
    """

    name: str
    applies: Callable[[str], bool]
    scan: Callable[[str, str], list[str]]
    bad: tuple[str, str]
    good: tuple[str, str]


@cache
def files() -> tuple[str, ...]:
    """Return the paths of the source tree, as git tracks them; without git, all that is there."""
    try:
        listed = subprocess.run(
            ["git", "ls-files", "--cached", "--others", "--exclude-standard", "-z"],
            cwd=ROOT,
            capture_output=True,
            check=True,
            text=True,
        ).stdout.split("\0")
    except (OSError, subprocess.CalledProcessError):
        listed = [str(path.relative_to(ROOT)) for path in ROOT.rglob("*") if path.is_file()]
        listed = [path for path in listed if not _is_made(path)]
    return tuple(sorted(path for path in listed if path and (ROOT / path).is_file()))


def _is_made(path: str) -> bool:
    parts = set(Path(path).parts)
    return bool(parts & _MADE) or any(part.endswith(("_cache", ".memory")) for part in parts)


@cache
def read(path: str) -> str:
    """Return the text of a tracked file."""
    return (ROOT / path).read_text(encoding="utf-8")


@cache
def parse(text: str) -> ast.Module:
    """Return the syntax tree of a source; many rules read the same one."""
    return ast.parse(text)


def objections(rule: Rule) -> list[str]:
    """Apply a rule to every file it is about."""
    return [
        f"{path}: {objection}"
        for path in files()
        if rule.applies(path)
        for objection in rule.scan(path, read(path))
    ]


def in_package(path: str) -> bool:
    """Tell whether a path is a Python source of the package."""
    return path.startswith("python/scrubjay/") and path.endswith(".py")


def is_python(path: str) -> bool:
    """Tell whether a path is a Python source of ours, tests and benches included."""
    return path.endswith(".py")


def is_cpp(path: str) -> bool:
    """Tell whether a path is a C++ source of ours."""
    return path.startswith("cpp/") and path.endswith((".h", ".cpp"))
