"""What Python sources may hold: budgets, names, docstrings and who may reach for what."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import PurePath

from tests.architecture.rule import Rule, in_package, is_python, parse

FILE_LINES = 400
FUNCTION_LINES = 60
FACADE_LINES = 200

_SHAPELESS = re.compile(r"(^|_)(utils?|helpers?|commons?|managers?|misc|v[2-9])(_|$)")
_FUNCTION_SHAPELESS = re.compile(r"(^|_)(utils?|helpers?|misc|v[2-9])(_|$)")
_CLASS_SHAPELESS = re.compile(r"(Utils?|Helpers?|Manager|V[2-9])$")
_CLOCK_MODULES = {"time", "random", "secrets", "uuid", "numpy.random"}
_CLOCK_CALLS = {"now", "utcnow", "today", "urandom", "default_rng", "getrandbits"}
_UNSAFE_MODULES = {"pickle", "marshal", "shelve", "dill", "cloudpickle"}
_UNSAFE_CALLS = {"eval", "exec", "compile", "__import__"}
_STATEMENT = re.compile(
    r"^\s*(SELECT\s.+\sFROM\s|INSERT\s+(OR\s+\w+\s+)?INTO\s|UPDATE\s+\w+\s+SET\s|DELETE\s+FROM\s"
    r"|CREATE\s+(VIRTUAL\s+)?(TABLE|INDEX|TRIGGER|VIEW)\s|DROP\s+(TABLE|INDEX)\s|PRAGMA\s"
    r"|BEGIN\s+(IMMEDIATE|EXCLUSIVE|DEFERRED)|ALTER\s+TABLE\s)",
    re.DOTALL,
)
_UNFINISHED = re.compile(r"\b(TODO|FIXME|XXX|NotImplementedError|not implemented)\b")  # scan: self

# The parameter of a foreign class (``Server[dict[str, Any]]``) is that class's business.
_SHAPELESS_DICT = re.compile(r"(?<!Server\[)(?<!Context\[)\b[Dd]ict\[\w+, Any\]")
_FIELDS = ("Shapes", "Types", "Units", "Requires", "Ensures", "Raises", "Cost", "Source", "Spec")

Function = ast.FunctionDef | ast.AsyncFunctionDef


def _functions(tree: ast.AST) -> Iterator[Function]:
    return (node for node in ast.walk(tree) if isinstance(node, Function))


def _docstring_lines(node: ast.AST) -> set[int]:
    body = getattr(node, "body", None)
    if not body or not isinstance(body, list) or not isinstance(body[0], ast.Expr):
        return set()
    value = body[0].value
    if isinstance(value, ast.Constant) and isinstance(value.value, str):
        return set(range(body[0].lineno, body[0].end_lineno + 1))
    return set()


def scan_file_lines(path: str, text: str) -> list[str]:
    """A file is one room."""
    count = len(text.splitlines())
    return [f"{count} lines, budget {FILE_LINES}"] if count > FILE_LINES else []


def scan_function_lines(path: str, text: str) -> list[str]:
    """A function is one thought; its docstring does not count."""
    found = []
    for node in _functions(parse(text)):
        count = node.end_lineno - node.lineno + 1 - len(_docstring_lines(node))
        if count > FUNCTION_LINES:
            found.append(f"{node.lineno}: {node.name} has {count} lines, budget {FUNCTION_LINES}")
    return found


def code_lines(text: str) -> int:
    """Count lines that hold code: no blank line, no comment, no docstring."""
    tree = parse(text)
    prose = set().union(*(_docstring_lines(node) for node in ast.walk(tree)))
    skipped = {tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT}
    held: set[int] = set()
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type not in skipped and token.type != tokenize.ENDMARKER:
            held.update(range(token.start[0], token.end[0] + 1))
    return len(held - prose)


def scan_facade(path: str, text: str) -> list[str]:
    """The facade introduces parts to each other and stays small."""
    count = code_lines(text)
    return [f"{count} code lines, budget {FACADE_LINES}"] if count >= FACADE_LINES else []


def scan_names(path: str, text: str) -> list[str]:
    """A name says what a thing is, not that it is handy."""
    found = [
        f"the name {part!r} says nothing"
        for part in PurePath(path).parts
        if _SHAPELESS.search(part.removesuffix(".py"))
    ]
    for node in ast.walk(parse(text)):
        name = getattr(node, "name", None)
        if isinstance(node, ast.ClassDef) and _CLASS_SHAPELESS.search(name):
            found.append(f"{node.lineno}: the class name {name!r} says nothing")
        if isinstance(node, Function) and _FUNCTION_SHAPELESS.search(name):
            found.append(f"{node.lineno}: the function name {name!r} says nothing")
    return found


def _imported(node: ast.AST) -> list[str]:
    if isinstance(node, ast.Import):
        return [alias.name for alias in node.names]
    if isinstance(node, ast.ImportFrom) and node.module:
        return [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
    return []


def _imports(text: str) -> Iterator[tuple[int, str]]:
    for node in ast.walk(parse(text)):
        for module in _imported(node):
            yield node.lineno, module


def _within(module: str, roots: set[str]) -> bool:
    return any(module == root or module.startswith(f"{root}.") for root in roots)


def scan_clock(path: str, text: str) -> list[str]:
    """Time is an argument and chance a seed."""
    found = [
        f"{line}: imports {module}"
        for line, module in _imports(text)
        if _within(module, _CLOCK_MODULES)
    ]
    for node in ast.walk(parse(text)):
        called = getattr(node, "func", None)
        if isinstance(called, ast.Attribute) and called.attr in _CLOCK_CALLS:
            found.append(f"{node.lineno}: calls .{called.attr}()")
    return found


def scan_unsafe(path: str, text: str) -> list[str]:
    """Stored bytes are data, never programs."""
    found = [
        f"{line}: imports {module}"
        for line, module in _imports(text)
        if _within(module, _UNSAFE_MODULES)
    ]
    for node in ast.walk(parse(text)):
        called = getattr(node, "func", None)
        if isinstance(called, ast.Name) and called.id in _UNSAFE_CALLS:
            found.append(f"{node.lineno}: calls {called.id}()")
    return found


def _reraises(handler: ast.ExceptHandler) -> bool:
    last = handler.body[-1]
    return isinstance(last, ast.Raise) and last.exc is None


def scan_catch_all(path: str, text: str) -> list[str]:
    """A handler names what it can handle; one that cleans up and raises again may see all."""
    found = []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.ExceptHandler) and not _reraises(node):
            caught = node.type.elts if isinstance(node.type, ast.Tuple) else [node.type]
            names = {getattr(item, "id", None) if item else "everything" for item in caught}
            found += [
                f"{node.lineno}: catches {name}"
                for name in sorted(names & {"everything", "Exception", "BaseException"})
            ]
    return found


def scan_core_door(path: str, text: str) -> list[str]:
    """One module imports the compiled core."""
    return [
        f"{line}: imports {module}"
        for line, module in _imports(text)
        if _within(module, {"scrubjay._core"})
    ]


def scan_database(path: str, text: str) -> list[str]:
    """Statements and the database package live in store/."""
    found = [
        f"{line}: imports {module}"
        for line, module in _imports(text)
        if _within(module, {"apsw", "sqlite3"})
    ]
    for node in ast.walk(parse(text)):
        value = node.value if isinstance(node, ast.Constant) else None
        if isinstance(value, str) and _STATEMENT.match(value):
            found.append(f"{node.lineno}: holds SQL: {value.strip():.40}")
    return found


def scan_signatures(path: str, text: str) -> list[str]:
    """A signature names its shape; ``dict[str, Any]`` names none."""
    found = []
    for node in _functions(parse(text)):
        arguments = node.args
        every = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
        annotations = [argument.annotation for argument in every] + [node.returns]
        found += [
            f"{node.lineno}: {node.name} passes a dict of Any"
            for annotation in annotations
            if annotation and _SHAPELESS_DICT.search(ast.unparse(annotation))
        ]
    return found


def scan_docstrings(path: str, text: str) -> list[str]:
    """Whatever is public says what it promises."""
    tree = parse(text)
    found = [] if ast.get_docstring(tree) else ["the module has no docstring"]

    def visit(node: ast.AST) -> None:
        for child in getattr(node, "body", []):
            if not isinstance(child, ast.ClassDef | Function) or child.name.startswith("_"):
                continue
            overload = any("overload" in ast.unparse(mark) for mark in child.decorator_list)
            if not overload and not ast.get_docstring(child):
                found.append(f"{child.lineno}: {child.name} has no docstring")
            if isinstance(child, ast.ClassDef):
                visit(child)

    visit(tree)
    return found


def scan_contracts(path: str, text: str) -> list[str]:
    """A kernel at the Python door says the same nine fields as its header."""
    found = []
    for node in parse(text).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.value).startswith("_core."):
            name = ast.unparse(node.targets[0])
            if name.islower():
                found.append(f"{node.lineno}: {name} is an alias that says nothing")
        if isinstance(node, Function) and not node.name.startswith("_"):
            said = ast.get_docstring(node) or ""
            found += [
                f"{node.lineno}: {node.name} does not say {field}"
                for field in _FIELDS
                if f"{field}:" not in said
            ]
    return found


def scan_unfinished(path: str, text: str) -> list[str]:
    """What is here works."""
    return [
        f"{number}: {match.group()}"
        for number, line in enumerate(text.splitlines(), start=1)
        if (match := _UNFINISHED.search(line)) and not line.endswith("# scan: self")
    ]


def scan_vacuous(path: str, text: str) -> list[str]:
    """A test that cannot fail is a defect."""
    found = []
    for node in ast.walk(parse(text)):
        if isinstance(node, ast.Assert) and isinstance(node.test, ast.Constant):
            found.append(f"{node.lineno}: asserts a constant")
        if isinstance(node, Function) and node.name.startswith("test_"):
            checks = any(
                isinstance(inner, ast.Assert | ast.With | ast.Call) for inner in ast.walk(node)
            )
            if not checks:
                found.append(f"{node.lineno}: {node.name} checks nothing")
    return found


def _outside(*allowed: str):
    return lambda path: (
        in_package(path)
        and not path.startswith(tuple(f"python/scrubjay/{name}" for name in allowed))
    )


def _is_test(path: str) -> bool:
    return path.startswith("tests/") and PurePath(path).name.startswith("test_")


_LONG_BODY = "def long():\n" + "    x = 1\n" * 60
_LONG_PROSE = 'def short():\n    """Say.\n' + "    more\n" * 70 + '    """\n    return 1\n'
_SAID = " ".join(f"{field}: said." for field in _FIELDS)
_HERE = "python/scrubjay/systems/sample.py"
_FINE = (_HERE, '"""A sample."""\n')

RULES = (
    Rule("file budget", is_python, scan_file_lines, (_HERE, "x = 1\n" * 401), _FINE),
    Rule(
        "function budget",
        is_python,
        scan_function_lines,
        (_HERE, _LONG_BODY),
        (_HERE, _LONG_PROSE),
    ),
    Rule(
        "facade budget",
        lambda path: path == "python/scrubjay/memory.py",
        scan_facade,
        ("python/scrubjay/memory.py", "x = 1\n" * 200),
        ("python/scrubjay/memory.py", "# why\n\n" * 200 + "x = 1\n" * 199),
    ),
    Rule("names", is_python, scan_names, ("python/scrubjay/store/sql_utils.py", ""), _FINE),
    Rule("names of classes", is_python, scan_names, (_HERE, "class StoreManager: ..."), _FINE),
    Rule(
        "clock and chance",
        _outside("base/clock.py", "base/ids.py"),
        scan_clock,
        (_HERE, "from time import monotonic\n"),
        (_HERE, "from datetime import datetime\ndatetime.fromtimestamp(0)\n"),
    ),
    Rule(
        "no present moment",
        _outside("base/clock.py", "base/ids.py"),
        scan_clock,
        (_HERE, "start = datetime.now(UTC)\n"),
        _FINE,
    ),
    Rule("unsafe loading", in_package, scan_unsafe, (_HERE, "x = eval('1')"), _FINE),
    Rule(
        "catch-all",
        in_package,
        scan_catch_all,
        (_HERE, "try:\n    x = 1\nexcept (OSError, Exception):\n    x = 2\n"),
        (_HERE, "try:\n    x = 1\nexcept OSError:\n    x = 2\n"),
    ),
    Rule(
        "one door to the core",
        _outside("_kernels"),
        scan_core_door,
        (_HERE, "from scrubjay import _core\n"),
        (_HERE, "from scrubjay import _kernels\n"),
    ),
    Rule(
        "SQL in store",
        _outside("store/"),
        scan_database,
        (_HERE, 'q = "SELECT id FROM engram WHERE id = ?"\n'),
        (_HERE, 'q = "Select a memory from the list"\n'),
    ),
    Rule(
        "signatures",
        in_package,
        scan_signatures,
        (_HERE, "def f(row: dict[str, Any]) -> int: ...\n"),
        (_HERE, "def f(row: dict[str, float]) -> int: ...\n"),
    ),
    Rule(
        "docstrings",
        in_package,
        scan_docstrings,
        (_HERE, '"""A module."""\nclass A:\n    """A."""\n    def b(self): ...\n'),
        (_HERE, '"""A module."""\ndef _private(): ...\n'),
    ),
    Rule(
        "kernels are contracts",
        lambda path: path.startswith("python/scrubjay/_kernels") and path.endswith(".py"),
        scan_contracts,
        ("python/scrubjay/_kernels.py", 'def dot(a, b):\n    """Return a . b."""\n'),
        ("python/scrubjay/_kernels.py", f'def dot(a, b):\n    """{_SAID}"""\n'),
    ),
    Rule(
        "unfinished",
        is_python,
        scan_unfinished,
        (_HERE, "raise NotImplementedError\n"),  # scan: self
        _FINE,
    ),
    Rule(
        "tests can fail",
        _is_test,
        scan_vacuous,
        ("tests/unit/test_sample.py", "def test_nothing():\n    x = 1\n"),
        ("tests/unit/test_sample.py", "def test_something():\n    assert 1 == f()\n"),
    ),
)
