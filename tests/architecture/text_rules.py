"""What no tracked file may hold, whatever its language."""

import re

from tests.architecture.rule import Rule

_TEXT = (".md", ".py", ".pyi", ".toml", ".txt", ".json", ".h", ".cpp", ".yaml", ".yml", ".cfg")

_SELF = "tests/architecture/text_rules.py"
"""This file holds what it looks for."""

_PLACES = re.compile(r"(?<![\w.])/(?:work|root|home/\w+|Users/\w+|opt/pypi)(?:/|\b(?!\w))")
_HOSTS = re.compile(r"pypi\.org|pythonhosted\.org|deb\.debian\.org|npmjs\.org|huggingface\.co")
_FAST_MATH = re.compile(r"-ffast-math|-fassociative-math|-march=native|-Ofast")
_LENIENT = re.compile(r"continue-on-error|\|\|\s*(true|:)\s*(#|;|$)")


def _lines(pattern: re.Pattern[str], text: str) -> list[str]:
    return [
        f"{number}: {match.group()}"
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := pattern.search(line))
    ]


def scan_places(path: str, text: str) -> list[str]:
    """The tree works wherever it is cloned."""
    return _lines(_PLACES, text)


def scan_hosts(path: str, text: str) -> list[str]:
    """Where packages come from is the machine's affair."""
    return _lines(_HOSTS, text)


def scan_flags(path: str, text: str) -> list[str]:
    """Results do not depend on the compiler's mood or the builder's processor."""
    return _lines(_FAST_MATH, text)


def scan_leniency(path: str, text: str) -> list[str]:
    """A failing step fails."""
    return _lines(_LENIENT, text)


def _is_text(path: str) -> bool:
    named = path.rsplit("/", 1)[-1] in {"dev", "run", "CMakeLists.txt"}
    return (path.endswith(_TEXT) or named) and path != _SELF


def _is_build(path: str) -> bool:
    return path.endswith(("CMakeLists.txt", "CMakePresets.json", "pyproject.toml"))


_FINE = ("docs/sample.md", "Memories live in `notes.memory`; see `../shared/data`.\n")

RULES = (
    Rule("no machine paths", _is_text, scan_places, ("dev", "cd /work/main\n"), _FINE),
    Rule("no registry hosts", _is_text, scan_hosts, ("dev", "https://pypi.org\n"), _FINE),
    Rule("no fast math", _is_build, scan_flags, ("CMakeLists.txt", "-march=native"), _FINE),
    Rule(
        "failing steps fail",
        lambda path: path in {"dev", ".ci/run"},
        scan_leniency,
        (".ci/run", "./dev test || true\n"),
        _FINE,
    ),
)
