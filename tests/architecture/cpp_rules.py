"""What C++ sources may hold: who includes whom, no clock, no chance, and headers that explain."""

import re

from tests.architecture.rule import Rule, is_cpp

FILE_LINES = 400
FUNCTION_LINES = 60

_LAYERS = ("base", "kernels", "index", "bindings")
_INCLUDE = re.compile(r'^\s*#\s*include\s*[<"]([^>"]+)[>"]', re.MULTILINE)
_BANNED = {"chrono", "random", "iostream", "ctime", "time.h", "sys/time.h"}
_FIELDS = ("Shapes", "Types", "Units", "Requires", "Ensures", "Throws", "Cost", "Source", "Spec")
_NOT_CODE = re.compile(
    r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\'|^\s*#[^\n]*(?:\\\n[^\n]*)*',
    re.DOTALL | re.MULTILINE,
)
_SCOPE = re.compile(r"\b(namespace|class|struct|union|enum|extern)\b[^;(){}]*$")
_CONTROL = re.compile(r"\b(if|for|while|switch|catch)\b")


def _code(text: str) -> str:
    """Blank out comments, literals and directives, keeping every line break."""
    return _NOT_CODE.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def layer_of(path: str) -> str | None:
    """Name the layer a source or an included header belongs to."""
    if path.startswith("cpp/bindings/"):
        return "bindings"
    match = re.search(r"(?:scrubjay|src)/(\w+)/", path)
    return match.group(1) if match and match.group(1) in _LAYERS else None


def scan_file_lines(path: str, text: str) -> list[str]:
    """A file is one room."""
    count = len(text.splitlines())
    return [f"{count} lines, budget {FILE_LINES}"] if count > FILE_LINES else []


def scan_function_lines(path: str, text: str) -> list[str]:
    """A function is one thought: the outermost braces that follow a parameter list."""
    code, found = _code(text), []
    head, depth, opened, scopes = 0, 0, None, []
    for at, sign in enumerate(code):
        if sign == "{":
            scope = bool(_SCOPE.search(code[head:at]))
            if opened is None and not scope and ")" in code[head:at]:
                opened = (depth, code.count("\n", 0, head + _leading(code[head:at])) + 1)
            scopes.append(scope)
            depth, head = depth + 1, at + 1
        elif sign == "}":
            depth, head = depth - 1, at + 1
            scopes and scopes.pop()
            if opened and opened[0] == depth:
                count = code.count("\n", 0, at) + 1 - opened[1] + 1
                if count > FUNCTION_LINES:
                    found.append(f"{opened[1]}: {count} lines, budget {FUNCTION_LINES}")
                opened = None
        elif sign == ";":
            head = at + 1
    return found


def _leading(text: str) -> int:
    return len(text) - len(text.lstrip())


def scan_pybind(path: str, text: str) -> list[str]:
    """The core never sees Python."""
    return [
        f"includes {name}"
        for name in _INCLUDE.findall(text)
        if name.startswith("pybind11") or name == "Python.h"
    ]


def scan_direction(path: str, text: str) -> list[str]:
    """Includes flow downward: bindings, index, kernels, base."""
    own = layer_of(path)
    return [
        f"{own} includes {name}"
        for name in _INCLUDE.findall(text)
        if own and (other := layer_of(name)) and _LAYERS.index(other) > _LAYERS.index(own)
    ]


def scan_clock(path: str, text: str) -> list[str]:
    """The core knows neither the time of day nor chance, and prints nothing."""
    found = [f"includes <{name}>" for name in _INCLUDE.findall(text) if name in _BANNED]
    code = _code(text)
    return found + [
        f"calls {word}" for word in re.findall(r"\b(?:std::)?(?:s?rand|time|clock)\s*\(", code)
    ]


def scan_ascii(path: str, text: str) -> list[str]:
    """C++ sources are ASCII."""
    return [
        f"{number}: {line.strip():.40}"
        for number, line in enumerate(text.splitlines(), start=1)
        if not line.isascii()
    ]


def scan_opening(path: str, text: str) -> list[str]:
    """A file opens with a sentence of purpose; a header is included once."""
    found = [] if text.startswith("// ") else ["does not open with a sentence of purpose"]
    if path.endswith(".h") and "#pragma once" not in text:
        found.append("lacks #pragma once")
    return found


def scan_contract(path: str, text: str) -> list[str]:
    """The header of a kernel family says formula and nine fields."""
    prose = "\n".join(line for line in text.splitlines() if line.lstrip().startswith("//"))
    lower = prose.lower()
    found = [f"the field {name} is missing" for name in _FIELDS if name.lower() not in lower]
    if not re.search(r"//\s{3,}\S.*=", prose):
        found.append("no formula stands in the comment")
    return found


def scan_prose(path: str, text: str) -> list[str]:
    """A public header explains: a fifth of its lines at the very least."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    prose = sum(line.startswith("//") for line in lines)
    return [f"{prose} of {len(lines)} lines explain"] if prose * 5 < len(lines) else []


def _is_core(path: str) -> bool:
    return is_cpp(path) and path.startswith(("cpp/include/", "cpp/src/"))


def _is_public_header(path: str) -> bool:
    return path.startswith("cpp/include/") and path.endswith(".h")


def _is_family(path: str) -> bool:
    return path.startswith("cpp/include/scrubjay/kernels/") and not path.endswith("/dispatch.h")


_HEADER = "cpp/include/scrubjay/kernels/sample.h"
_SOURCE = "cpp/src/kernels/sample.cpp"
_FINE = (_SOURCE, '// A sample.\n#include "scrubjay/base/types.h"\nint f();\n')
_LONG = "namespace a {\nint f(int x) {\n" + "    ++x;\n" * 60 + "    return x;\n}\n}\n"
_SHORT = "namespace a {\n" + "int f(int x) {\n    return x;\n}\n" * 40 + "}\n"
_ESSAY = (
    "// A sample.\n//     out = x * y\n"
    + "".join(f"// {name}  said\n" for name in _FIELDS)
    + "#pragma once\n"
)

RULES = (
    Rule("C++ file budget", is_cpp, scan_file_lines, (_SOURCE, "int x;\n" * 401), _FINE),
    Rule(
        "C++ function budget",
        is_cpp,
        scan_function_lines,
        (_SOURCE, _LONG),
        (_SOURCE, _SHORT),
    ),
    Rule(
        "pybind11 in bindings",
        lambda path: is_cpp(path) and not path.startswith("cpp/bindings/"),
        scan_pybind,
        (_SOURCE, "#include <pybind11/numpy.h>\n"),
        _FINE,
    ),
    Rule(
        "includes flow downward",
        is_cpp,
        scan_direction,
        (_SOURCE, '#include "scrubjay/index/retention_index.h"\n'),
        _FINE,
    ),
    Rule("no clock in the core", _is_core, scan_clock, (_SOURCE, "#include <chrono>\n"), _FINE),
    Rule("no chance in the core", _is_core, scan_clock, (_SOURCE, "int x = rand();\n"), _FINE),
    Rule("C++ is ASCII", is_cpp, scan_ascii, (_SOURCE, "// \u03bb decays.\n"), _FINE),
    Rule("C++ files open with purpose", is_cpp, scan_opening, (_HEADER, "int f();\n"), _FINE),
    Rule(
        "kernel headers are contracts",
        _is_family,
        scan_contract,
        (_HEADER, "// A sample.\n#pragma once\n"),
        (_HEADER, _ESSAY),
    ),
    Rule(
        "public headers explain",
        _is_public_header,
        scan_prose,
        (_HEADER, "// One line.\n" + "int f();\n" * 9),
        (_HEADER, _ESSAY),
    ),
)
