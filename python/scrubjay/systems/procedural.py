"""Procedural memory: what worked, as steps with typed parameters, to be handed out and never run.

Models habits learned from repetition. Promises that a skill's parameters are typed, that what is
put into its slots is checked against their types and guards before it comes out, and that matching
is by words of its triggers, name and description. Forgets nothing: a new version stands beside the
old one. Calls the store. Executes nothing, ever.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping
from typing import NamedTuple, TypeAlias

import msgspec

from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError, NotFoundError
from scrubjay.base.ids import EngramId
from scrubjay.base.ports import Store
from scrubjay.base.tokens import query_tokens
from scrubjay.base.trace import Skill, SkillStep

__all__ = ["MAX_SKILL_BYTES", "SkillMatch", "Skills", "bind", "new_skill"]

MAX_SKILL_BYTES = 4096
MAX_NAME_CHARS = 60

_NAME = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_SLOT = re.compile(r"\$\{([a-z][a-z0-9_]{0,39})\}")
_TYPES: Mapping[str, tuple[type, ...]] = {
    "string": (str,),
    "integer": (int,),
    "number": (int, float),
    "boolean": (bool,),
}
_SHELL = re.compile(r"[;&|<>`$\n\r\0]|\.\.(?:/|$)")
"""What turns a value into more than a value once somebody pastes it into a shell or a path."""

Argument: TypeAlias = str | float | bool
"""What a parameter can be given; an int is a float here, as in Python's numeric tower."""

_STATUS_WEIGHT = {"trusted": 1.0, "proposed": 0.8}


class _Property(msgspec.Struct, kw_only=True):
    """One parameter in the JSON Schema of a skill."""

    type: str
    format: str = ""
    pattern: str = ""
    examples: list[str | int | float | bool] = []


class _Schema(msgspec.Struct, kw_only=True):
    """The JSON Schema of a skill's parameters."""

    type: str
    properties: dict[str, _Property] = {}
    required: list[str] = []


class SkillMatch(NamedTuple):
    """A skill and how well it fits, 0 to 1, with the terms of that."""

    skill: Skill
    score: float
    trigger: float
    description: float


def new_skill(
    *,
    id_: EngramId,
    scope: str,
    name: str,
    description: str,
    triggers: tuple[str, ...],
    parameters: str,
    steps: tuple[SkillStep, ...],
    recovery: tuple[SkillStep, ...] = (),
) -> Skill:
    """Return a proposed skill, or refuse it; every fault is named.

    Raises:
        InvalidArgumentError: a name that is not lower-case words joined by hyphens, no steps, more
            than 4 KB, parameters that are not a JSON Schema of scalars, or a step that is no JSON
            object or uses a slot that is no parameter.
    """
    faults: list[str] = []
    if not _NAME.fullmatch(name) or len(name) > MAX_NAME_CHARS:
        faults.append(f"name {name!r:.40}, expected lower-case words joined by hyphens")
    if not steps:
        faults.append("no steps, expected at least one")
    size = len(msgspec.json.encode((description, triggers, parameters, steps, recovery)))
    if size > MAX_SKILL_BYTES:
        faults.append(f"{size} bytes, expected at most {MAX_SKILL_BYTES}")
    schema = _schema_or_none(parameters)
    if schema is None:
        faults.append("parameters, expected a JSON Schema object of scalar properties")
    known = set() if schema is None else set(schema.properties)
    for number, step in enumerate((*steps, *recovery), start=1):
        faults.extend(_step_faults(number, step, known))
    if faults:
        msg = f"new_skill: refused, got {'; '.join(faults)}"
        raise InvalidArgumentError(msg)
    return Skill(
        id=id_,
        scope=scope,
        name=name,
        description=description,
        triggers=triggers,
        parameters=parameters,
        steps=steps,
        recovery=recovery,
    )


def bind(skill: Skill, arguments: Mapping[str, str | int | float | bool]) -> list[SkillStep]:
    """Return the steps of a skill with its slots filled in; nothing is executed.

    Every argument is checked against its type and guard; a string may hold nothing that a shell or
    a path would act on (``;``, ``$(``, a line break, ``..``), whatever its guard says.

    Raises:
        InvalidArgumentError: missing, unknown or refused arguments; all are named.
        ArgumentTypeError: an argument of another type than declared.
    """
    schema = _schema_or_none(skill.parameters) or _Schema(type="object")
    missing = sorted(set(schema.required) - set(arguments))
    unknown = sorted(set(arguments) - set(schema.properties))
    if missing or unknown:
        msg = f"bind: wrong arguments for {skill.name}, got missing {missing}, unknown {unknown}"
        raise InvalidArgumentError(msg)
    for name in sorted(arguments):
        _check_argument(skill.name, name, arguments[name], schema.properties[name])
    return [
        msgspec.structs.replace(step, arguments=_filled(step.arguments, arguments))
        for step in skill.steps
    ]


class Skills:
    """The procedural memory of one store. Thread-safe as far as the store is."""

    def __init__(self, store: Store) -> None:
        """Read from ``store``."""
        self._store = store

    def get(self, name: str, *, scope: str | None = None) -> Skill:
        """Return the newest version of a skill by name.

        Raises:
            NotFoundError: no skill has that name.
        """
        for skill in self._store.skills(scope=scope):
            if skill.name == name:
                return skill
        msg = f"skills.get: no such skill, got {name!r:.60}, expected a name of list()"
        raise NotFoundError(msg)

    def match(self, situation: str, k: int = 5, *, scope: str | None = None) -> list[SkillMatch]:
        """Return up to ``k`` skills that fit a situation, best first; none if no word fits.

        A word counts by how few skills have it. The best trigger counts 0.7, name and description
        0.3; a proposed skill counts a little less than a trusted one.

        Raises:
            InvalidArgumentError: k below 1.
        """
        if k < 1:
            msg = f"skills.match: k must be positive, got {k}, expected >= 1"
            raise InvalidArgumentError(msg)
        skills = [s for s in self._store.skills(scope=scope) if s.status in _STATUS_WEIGHT]
        asked = set(query_tokens(situation))
        texts = [_words(s.name.replace("-", " "), s.description, *s.triggers) for s in skills]
        shared = Counter(word for words in texts for word in words)
        weight = {word: 1.0 / (1 + shared[word]) for word in asked}
        matches = [_match(skill, asked, weight) for skill in skills]
        found = [m for m in matches if m.score > 0.0]
        return sorted(found, key=lambda m: (-m.score, m.skill.id))[:k]

    def list(self, *, scope: str | None = None) -> list[Skill]:
        """Return the newest version of each skill."""
        return self._store.skills(scope=scope)


def _match(skill: Skill, asked: set[str], weight: Mapping[str, float]) -> SkillMatch:
    occasions = [skill.name.replace("-", " "), *skill.triggers]
    trigger = max(_share(asked, _words(text), weight) for text in occasions)
    description = _share(asked, _words(skill.name.replace("-", " "), skill.description), weight)
    score = _STATUS_WEIGHT[skill.status] * (0.7 * trigger + 0.3 * description)
    return SkillMatch(skill, score, trigger, description)


def _share(asked: set[str], words: set[str], weight: Mapping[str, float]) -> float:
    """Return the weighted share of the asked words that are there."""
    whole = sum(weight[word] for word in sorted(asked))
    return sum(weight[word] for word in sorted(asked & words)) / whole if whole else 0.0


def _words(*texts: str) -> set[str]:
    return {word for text in texts for word in query_tokens(_SLOT.sub(" ", text))}


def _schema_or_none(text: str) -> _Schema | None:
    try:
        schema = msgspec.json.decode(text, type=_Schema)
    except (msgspec.DecodeError, RecursionError):
        return None
    sound = schema.type == "object" and set(schema.required) <= set(schema.properties)
    return schema if sound and all(p.type in _TYPES for p in schema.properties.values()) else None


def _step_faults(number: int, step: SkillStep, known: set[str]) -> list[str]:
    try:
        value: object = msgspec.json.decode(step.arguments)
    except (msgspec.DecodeError, RecursionError):
        value = None
    if not isinstance(value, dict):
        return [f"step {number}: arguments are no JSON object"]
    stray = sorted(set(_SLOT.findall(step.arguments)) - known)
    return [f"step {number}: slots {stray} are no parameters"] if stray else []


def _check_argument(skill: str, name: str, value: Argument, wanted: _Property) -> None:
    fits = isinstance(value, _TYPES[wanted.type])
    if not fits or (isinstance(value, bool) and wanted.type != "boolean"):
        kind = type(value).__name__
        msg = f"bind: {skill}: {name} has the wrong type, got {kind}, expected {wanted.type}"
        raise ArgumentTypeError(msg)
    if not isinstance(value, str):
        return
    if _SHELL.search(value) or (wanted.pattern and not re.search(wanted.pattern, value)):
        msg = (
            f"bind: {skill}: {name} is refused, got {value!r:.60}, expected plain text "
            f"that fits {wanted.pattern or 'a name'}"
        )
        raise InvalidArgumentError(msg)


def _filled(template: str, arguments: Mapping[str, str | int | float | bool]) -> str:
    """Return an argument template with its slots replaced inside the decoded values."""
    value: object = msgspec.json.decode(template)
    return msgspec.json.encode(_fill(value, arguments)).decode()


def _fill(value: object, arguments: Mapping[str, str | int | float | bool]) -> object:
    if isinstance(value, dict):
        return {key: _fill(item, arguments) for key, item in value.items()}
    if isinstance(value, list):
        return [_fill(item, arguments) for item in value]
    if not isinstance(value, str):
        return value
    whole = _SLOT.fullmatch(value)
    if whole and whole[1] in arguments:
        return arguments[whole[1]]
    return _SLOT.sub(lambda m: str(arguments.get(m[1], m[0])), value)
