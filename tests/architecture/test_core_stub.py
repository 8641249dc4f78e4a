"""The hand-written types of the compiled core are those of the compiled core.

stubtest compares names; it cannot look into functions of pybind11, whose signatures stand in their
docstrings, so those are compared here: names of arguments, their order, which are keyword-only and
which may be left out.
"""

import ast
import os
import subprocess
import sys
import textwrap

import pytest

from scrubjay import _core
from tests.architecture.rule import ROOT

ALLOWED = ROOT / "tests/architecture/core_stub_allowed.txt"
STUB = ROOT / "python/scrubjay/_core.pyi"


def mypy(*arguments):
    """Run mypy or a tool of it, from the root, as ./dev lint does."""
    return subprocess.run(
        [sys.executable, "-m", *arguments],
        env={**os.environ, "MYPYPATH": str(ROOT / "python")},
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )


def test_stub_agrees_with_the_compiled_core():
    done = mypy("mypy.stubtest", "scrubjay._core", "--concise", "--allowlist", str(ALLOWED))
    assert done.returncode == 0, done.stdout + done.stderr


def arguments_of(function: ast.FunctionDef) -> list[tuple[str, str, bool]]:
    """Return (name, kind, may be left out) of each argument."""
    given = function.args
    plain = [*given.posonlyargs, *given.args]
    first_default = len(plain) - len(given.defaults)
    return [
        *((arg.arg, "plain", at >= first_default) for at, arg in enumerate(plain)),
        *(
            (arg.arg, "keyword", default is not None)
            for arg, default in zip(given.kwonlyargs, given.kw_defaults, strict=True)
        ),
    ]


def functions(body, holder=_core, inside=""):
    """Yield (name, stub, compiled object) of each function and method in a stub."""
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from functions(node.body, getattr(holder, node.name), f"{node.name}.")
        elif isinstance(node, ast.FunctionDef):
            yield f"{inside}{node.name}", node, getattr(holder, node.name)


def compiled_arguments(compiled) -> list[tuple[str, str, bool]]:
    """Return the same of a compiled function, from the first line of its docstring."""
    signature = compiled.__doc__.strip().splitlines()[0]
    (function,) = ast.parse(f"def {signature}: ...").body
    assert isinstance(function, ast.FunctionDef)
    return arguments_of(function)


FUNCTIONS = {
    name: (node, compiled)
    for name, node, compiled in functions(ast.parse(STUB.read_text("utf-8")).body)
    if not isinstance(compiled, property)
}


@pytest.mark.parametrize("name", FUNCTIONS)
def test_arguments_in_the_stub_are_those_of_the_compiled_function(name):
    node, compiled = FUNCTIONS[name]
    assert compiled_arguments(compiled) == arguments_of(node)


def test_a_stub_that_differs_in_one_argument_is_noticed():
    (node,) = ast.parse("def dot(a, b, *, set: str | None = ...): ...").body
    assert compiled_arguments(_core.dot) != arguments_of(node)


GOOD = """
    import numpy as np
    from numpy.typing import NDArray
    from scrubjay.index import Index, SearchResult, Weights

    index = Index(4, storage="i8", threads=2)
    index.add(np.arange(3), np.ones((3, 4), np.float32), now_us=0, salience=0.5)
    nearest = Weights(relevance=1, recency=0, salience=0, frequency=0)
    result: SearchResult = index.search(None, 2, now_us=1, weights=nearest)
    keys: NDArray[np.int64] = result.keys
    answers: tuple[SearchResult, ...] = index.search_batch(np.ones((2, 4), np.float32), 1, now_us=1)
"""
BAD = """
    from scrubjay.index import Index

    Index("4")
    Index(4, storage="f64")
    Index(4).search([1.0, 0, 0, 0], 2, now_us=0)
    Index(4).search(None, 2)
    Index(4).remove([1, 2])
"""


def test_public_types_of_the_index_accept_what_is_right_and_refuse_what_is_wrong(tmp_path):
    for name, text in (("good", GOOD), ("bad", BAD)):
        (tmp_path / f"{name}.py").write_text(textwrap.dedent(text))
    done = mypy("mypy", "--strict", str(tmp_path / "good.py"), str(tmp_path / "bad.py"))
    lines = [line for line in done.stdout.splitlines() if "error:" in line]
    assert [] == [line for line in lines if "good.py" in line]
    wrong = {int(line.split(":")[1]) for line in lines if "bad.py" in line}
    assert {4, 5, 6, 7, 8} == wrong, done.stdout + done.stderr
