"""Generalise: what differs between instances of one procedure becomes a typed parameter.

Arguments that are equal everywhere stay as they are. Where they differ, the differing value (in a
command, the differing word) becomes a slot ``${name}``; values that vary together share one slot,
and a value that merely contains another (``mailer.log``) is written with its slot.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

__all__ = ["Parameter", "Template", "generalise", "schema_of", "slots_in", "unify"]

Values = tuple[str, ...]
"""One value for each instance, in the order of the instances."""

_WORDS = re.compile(r"\s+|[^\s\"'=:,;|&()]+|[\"'=:,;|&()]")
_SLOT = re.compile(r"\$\{([a-z][a-z0-9_]{0,39})\}")
_SAFE = re.compile(r"[\w@%+.:,/-]+", re.ASCII)
_HOST = re.compile(r"(?:\d{1,3}\.){3}\d{1,3}|(?=.*[a-z])[a-z0-9-]+(?:\.[a-z0-9-]+)+", re.IGNORECASE)
_MIN_PART_CHARS = 3

_SUBJECT_OF_PROGRAM = {
    "cat": "file",
    "cd": "path",
    "chmod": "path",
    "curl": "url",
    "docker": "container",
    "grep": "pattern",
    "journalctl": "service",
    "kill": "pid",
    "kubectl": "resource",
    "ping": "host",
    "pip": "package",
    "redis-cli": "queue",
    "rm": "path",
    "service": "service",
    "ssh": "host",
    "systemctl": "service",
    "tail": "file",
}
_FLAGS = {"-n": "namespace", "-h": "host", "-p": "port", "-u": "unit", "-f": "file"}


class Parameter(NamedTuple):
    """A slot: its JSON type, a format where one is plain, a guard, and the values seen."""

    name: str
    type: str
    format: str
    pattern: str
    values: Values


class Template(NamedTuple):
    """Argument templates, one JSON text per move, and the parameters they use in order."""

    arguments: tuple[str, ...]
    parameters: tuple[Parameter, ...]


def generalise(moves: Sequence[Sequence[Mapping[str, object]]]) -> Template:
    """Return templates for moves, each given as the arguments of its instances.

    ``moves[m][i]`` are the arguments of move m in instance i. Deterministic.

    >>> made = generalise([[{"host": "a1"}, {"host": "b2"}], [{"n": 1}, {"n": 1}]])
    >>> made.arguments, made.parameters[0].values
    (('{"host":"${host}"}', '{"n":1}'), ('a1', 'b2'))
    """
    slots = _Slots()
    for instances in moves:
        for key, texts in _differing(instances):
            for name, values in _parts(key, texts):
                slots.offer(name, values)
    arguments = tuple(_template(instances, slots) for instances in moves)
    return Template(arguments, slots.parameters())


def schema_of(parameters: Sequence[Parameter]) -> str:
    """Return the parameters as JSON Schema text: types, guards and examples."""
    properties: dict[str, dict[str, object]] = {}
    for parameter in parameters:
        entry: dict[str, object] = {"type": parameter.type}
        if parameter.format:
            entry["format"] = parameter.format
        if parameter.pattern:
            entry["pattern"] = parameter.pattern
        entry["examples"] = [
            _typed(value, parameter.type) for value in dict.fromkeys(parameter.values)
        ]
        properties[parameter.name] = entry
    schema = {
        "type": "object",
        "properties": properties,
        "required": [p.name for p in parameters],
        "additionalProperties": False,
    }
    return msgspec.json.encode(schema).decode()


def slots_in(template: str) -> list[str]:
    """Return the names of the slots in a template, in order."""
    return list(dict.fromkeys(_SLOT.findall(template)))


def unify(template: str, arguments: Mapping[str, object], bound: dict[str, str]) -> bool:
    """Return whether arguments fit a template; ``bound`` holds slot values and is added to.

    A slot has one value throughout; text around slots must be equal.
    """
    pattern: object = msgspec.json.decode(template)
    if not isinstance(pattern, dict) or set(pattern) != set(arguments):
        return False
    return all(_fits(pattern[key], arguments[key], bound) for key in sorted(pattern))


def _fits(wanted: object, given: object, bound: dict[str, str]) -> bool:
    if not isinstance(wanted, str) or not _SLOT.search(wanted):
        return wanted == given
    names: list[str] = []
    expression = ""
    end = 0
    for slot in _SLOT.finditer(wanted):
        expression += re.escape(wanted[end : slot.start()])
        expression += rf"(?P={slot[1]})" if slot[1] in names else rf"(?P<{slot[1]}>.+?)"
        names.append(slot[1])
        end = slot.end()
    match = re.fullmatch(expression + re.escape(wanted[end:]), _text(given))
    if match is None:
        return False
    return all(bound.setdefault(n, match[n]) == match[n] for n in dict.fromkeys(names))


class _Slots:
    """The parameters found so far, by the values they take."""

    def __init__(self) -> None:
        """Start without slots."""
        self._by_values: dict[Values, str] = {}

    def offer(self, name: str, values: Values) -> None:
        """Make a slot for values unless they are one already, or contain one."""
        if values in self._by_values or self.express(values) is not None:
            return
        free = re.sub(r"[^a-z0-9]+", "_", name.casefold()).strip("_")[:32] or "value"
        free = free if free[0].isalpha() else f"p_{free}"
        taken = set(self._by_values.values())
        chosen, number = free, 2
        while chosen in taken:
            chosen, number = f"{free}_{number}", number + 1
        self._by_values[values] = chosen

    def express(self, values: Values) -> str | None:
        """Return text with slots that gives ``values`` in every instance, or None."""
        if values in self._by_values:
            return f"${{{self._by_values[values]}}}"
        for known, name in sorted(
            self._by_values.items(), key=lambda item: (-min(map(len, item[0])), item[1])
        ):
            if min(map(len, known)) < _MIN_PART_CHARS:
                continue
            filled = {
                value.replace(part, f"${{{name}}}", 1)
                for value, part in zip(values, known, strict=True)
                if part in value
            }
            if len(filled) == 1 and all(p in v for v, p in zip(values, known, strict=True)):
                return filled.pop()
        return None

    def parameters(self) -> tuple[Parameter, ...]:
        """Return the slots in order of appearance."""
        return tuple(_parameter(name, values) for values, name in self._by_values.items())


def _parameter(name: str, values: Values) -> Parameter:
    kinds = {_kind(value) for value in values}
    kind = kinds.pop() if len(kinds) == 1 else "string"
    if kind == "string" and all(_SAFE.fullmatch(v) and ".." not in v for v in values):
        return Parameter(name, "string", "", r"^(?!.*\.\.)[A-Za-z0-9_@%+.:,/-]+$", values)
    if kind in {"path", "hostname"}:
        safe = all(_SAFE.fullmatch(v) and ".." not in v for v in values)
        guard = r"^(?!.*\.\.)[A-Za-z0-9_@%+.:,/~-]+$" if safe else ""
        return Parameter(name, "string", kind, guard, values)
    return Parameter(name, kind, "", "", values)


def _kind(value: str) -> str:
    if re.fullmatch(r"-?\d+", value):
        return "integer"
    if re.fullmatch(r"-?\d+\.\d+", value):
        return "number"
    if re.fullmatch(r"(?:~|\.{0,2}/|/)[\w./~-]+|[\w.-]+(?:/[\w.-]+)+", value):
        return "path"
    return "hostname" if _HOST.fullmatch(value) else "string"


def _differing(
    instances: Sequence[Mapping[str, object]],
) -> list[tuple[str, tuple[str, ...]]]:
    """Return (key, texts) of the arguments that are not the same in every instance."""
    shared = [k for k in instances[0] if all(k in other for other in instances)]
    found = ((key, tuple(_text(other[key]) for other in instances)) for key in shared)
    return [(key, texts) for key, texts in found if len(set(texts)) > 1]


def _parts(key: str, texts: Sequence[str]) -> list[tuple[str, Values]]:
    """Return the named parts in which texts differ: words of a command, else the whole."""
    words = [_WORDS.findall(text) for text in texts]
    if len({len(w) for w in words}) != 1 or len(words[0]) == 1:
        return [(key, tuple(texts))]
    out: list[tuple[str, Values]] = []
    for at, column in enumerate(zip(*words, strict=True)):
        if len(set(column)) > 1:
            out.append((_name_of_word(key, words[0], at), tuple(column)))
    return out


def _name_of_word(key: str, words: Sequence[str], at: int) -> str:
    """Name a differing word of a command after its flag, its key, or what its program acts on."""
    before = [w for w in words[:at] if not w.isspace()]
    last = before[-1] if before else ""
    if last == "=" and len(before) > 1:
        return before[-2].lstrip("-")
    if last.startswith("--"):
        return last.lstrip("-")
    if last in _FLAGS:
        return _FLAGS[last]
    program = words[0].rsplit("/", 1)[-1]
    return _SUBJECT_OF_PROGRAM.get(program, key if not before else "value")


def _template(instances: Sequence[Mapping[str, object]], slots: _Slots) -> str:
    """Return the argument template of one move as JSON text."""
    differing = dict(_differing(instances))
    out: dict[str, object] = {}
    for key, value in instances[0].items():
        if not all(key in other for other in instances):
            continue
        texts = differing.get(key)
        out[key] = value if texts is None else _filled(texts, slots)
    return msgspec.json.encode(out).decode()


def _filled(texts: Sequence[str], slots: _Slots) -> str:
    whole = slots.express(tuple(texts))
    if whole is not None:
        return whole
    words = [_WORDS.findall(text) for text in texts]
    pieces = (
        column[0] if len(set(column)) == 1 else slots.express(tuple(column))
        for column in zip(*words, strict=True)
    )
    return "".join(piece or "" for piece in pieces)


def _typed(value: str, type_: str) -> str | int | float:
    if type_ == "integer":
        return int(value)
    return float(value) if type_ == "number" else value


def _text(value: object) -> str:
    return value if isinstance(value, str) else msgspec.json.encode(value).decode()
