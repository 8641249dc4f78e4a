"""Every module has a test file of its own, and every case a test by its name."""

import ast
import re
from functools import cache
from pathlib import PurePath

from tests.architecture.rule import files, in_package, parse, read

# The cases of issues *First flight* and *Engine*; the later issues add theirs.
CASES = ("i12", "f8", "r1", "r5", "r6", "r7", "r8", "r11", "b12", "b15", "i3", "i9", "i10")


def mirrors(module: str, tests: dict[str, str]) -> list[str]:
    """Return the test files of ``module`` (``policies/recall/fusion.py``) among ``tests``.

    A file mirrors a module when it stands in the same folder under tests/unit and is named after
    it, or when it is named after one of the packages around it and imports the module.
    """
    path = PurePath(module)
    stem = path.stem.lstrip("_")
    dotted = "scrubjay." + ".".join((*path.parent.parts, path.stem))
    found = []
    for test, text in tests.items():
        inside = PurePath(test).relative_to("tests/unit")
        named = re.fullmatch(rf"test_{re.escape(stem)}(_\w+)?", inside.stem)
        if inside.parent == path.parent and named:
            found.append(test)
            continue
        around = [package for package in (path.parent, *path.parent.parents) if package.name]
        if dotted in imported(text) and any(
            inside.parent in {package, package.parent}
            and re.fullmatch(rf"test_({package.name.lstrip('_')}|{stem})(_\w+)?", inside.stem)
            for package in around
        ):
            found.append(test)
    return found


@cache
def imported(text: str) -> set[str]:
    """Return the dotted names a source imports, those it takes from a module included."""
    names: set[str] = set()
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            names |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return names


def test_every_module_has_a_test_file():
    tests = {
        path: read(path) for path in files() if re.match(r"tests/unit/(.+/)?test_\w+\.py$", path)
    }
    modules = [
        path.removeprefix("python/scrubjay/")
        for path in files()
        if in_package(path) and not path.endswith("__init__.py")
    ]
    assert [] == [module for module in modules if not mirrors(module, tests)]


def test_mirror_is_missed_where_only_the_name_is_alike():
    assert [] == mirrors("systems/working.py", {"tests/unit/store/test_working.py": ""})
    assert [] == mirrors("policies/recall/fusion.py", {"tests/unit/policies/test_recall.py": ""})


def test_mirror_is_found_beside_or_around_the_module():
    alone = "tests/unit/systems/test_working.py"
    around = "tests/unit/policies/test_recall.py"
    text = "from scrubjay.policies.recall.fusion import fuse\n"
    assert [alone] == mirrors("systems/working.py", {alone: ""})
    assert [around] == mirrors("policies/recall/fusion.py", {around: text})


def test_every_case_has_a_test_of_its_name():
    text = "\n".join(read(path) for path in files() if re.match(r"tests/.*test_\w+\.py$", path))
    assert [] == [case for case in CASES if f"def test_{case}_" not in text]
