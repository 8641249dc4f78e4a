"""Tasks: runs of tool calls between two words of the user, with how each call ended.

Only calls, exit codes and error flags enter; what a tool printed does not. The user's words before
a run are kept as what triggered it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import NamedTuple

import msgspec

from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Authority, Role
from scrubjay.base.trace import Engram, ToolResult

__all__ = ["Shape", "Step", "Task", "shape_of", "tasks_of"]

Shape = tuple[str, ...]
"""What makes two calls the same move: the tool, and either its program or its argument names."""

_COMMAND_KEYS = ("command", "cmd", "script", "shell")
_VERB = re.compile(r"[A-Za-z][A-Za-z]*")
_ACCEPTING_WORDS = 3
_TRIGGER_TURNS = 3
_MAX_ARGUMENT_CHARS = 4096

_Arguments = dict[str, object]


class Step(NamedTuple):
    """One call: its arguments as an object, its shape, and whether it worked."""

    tool: str
    arguments: _Arguments
    shape: Shape
    ok: bool
    exit_code: int | None


class Task(NamedTuple):
    """A run of calls. ``sources`` are the rows it was read from; ``triggers`` the user's words."""

    scope: str
    session: str
    principal: str
    started_us: int
    steps: tuple[Step, ...]
    triggers: tuple[str, ...]
    asked_by_user: bool
    sources: tuple[EngramId, ...]

    @property
    def succeeded(self) -> bool:
        """Whether the last call worked."""
        return bool(self.steps) and self.steps[-1].ok


def tasks_of(rows: Sequence[Engram]) -> list[Task]:
    """Return the tasks in the rows of one segment, in order. Cost: linear."""
    results = {
        row.tool_result.call_id: (row.id, row.tool_result)
        for row in rows
        if row.tool_result is not None
    }
    out: list[Task] = []
    words: list[Engram] = []
    calls: list[Engram] = []
    for row in rows:
        role = row.provenance.role
        if role is Role.USER:
            if calls and len(row.content.split()) > _ACCEPTING_WORDS:
                out.append(_task(words, calls, results))
                calls = []
            words.append(row)
        elif role is Role.ASSISTANT and row.tool_calls:
            calls.append(row)
    if calls:
        out.append(_task(words, calls, results))
    return out


def shape_of(tool: str, arguments: _Arguments) -> Shape:
    """Return the shape of a call.

    >>> shape_of("bash", {"command": "systemctl restart mailer"})
    ('bash', '$', 'systemctl', 'restart')
    >>> shape_of("queue_depth", {"queue": "mail-out", "host": "queue-2"})
    ('queue_depth', 'host', 'queue')
    """
    for key in _COMMAND_KEYS:
        command = arguments.get(key)
        if isinstance(command, str) and command.split():
            program, *rest = command.split()
            verb = next((w for w in rest if not w.startswith("-")), "")
            head = program.rsplit("/", 1)[-1]
            return (tool, "$", head, verb) if _VERB.fullmatch(verb) else (tool, "$", head)
    return (tool, *sorted(arguments))


def _task(
    words: Sequence[Engram],
    calls: Sequence[Engram],
    results: dict[str, tuple[EngramId, ToolResult]],
) -> Task:
    before = [w for w in words if w.provenance.position <= calls[0].provenance.position]
    asked = before[-_TRIGGER_TURNS:]
    trusted = [w for w in asked if w.provenance.authority >= Authority.USER_EXPLICIT]
    sources = [w.id for w in asked]
    steps: list[Step] = []
    for row in calls:
        sources.append(row.id)
        for call in row.tool_calls:
            found = results.get(call.call_id)
            arguments = _arguments(call.arguments)
            result = None if found is None else found[1]
            if found is not None:
                sources.append(found[0])
            steps.append(
                Step(
                    tool=call.name,
                    arguments=arguments,
                    shape=shape_of(call.name, arguments),
                    ok=result is not None and not result.is_error and not result.exit_code,
                    exit_code=None if result is None else result.exit_code,
                )
            )
    first = calls[0]
    return Task(
        scope=first.scope,
        session=first.provenance.session,
        principal=first.provenance.principal,
        started_us=first.event_us,
        steps=tuple(steps),
        triggers=tuple(w.content for w in trusted),
        asked_by_user=bool(trusted),
        sources=tuple(dict.fromkeys(sources)),
    )


def _arguments(text: str) -> _Arguments:
    """Return the arguments of a call as an object; what is not one is kept under one name."""
    if len(text) > _MAX_ARGUMENT_CHARS:
        return {}
    try:
        value: object = msgspec.json.decode(text) if text.strip() else {}
    except (msgspec.DecodeError, RecursionError):
        return {"text": text}
    if not isinstance(value, dict):
        return {"value": value}
    return {str(key): item for key, item in value.items()}
