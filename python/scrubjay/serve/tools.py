"""The tools an agent sees: strict requests, plain answers, one function each.

Promise: every request is checked against its schema (no unknown field, no coercion) before
anything happens; an answer is text for the model and the same as JSON for a program. Whatever
comes through this door has the authority of an assistant at most: it can add and recall, it cannot
pin, set an invariant, or erase what stands above it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import AwareDatetime, BaseModel, ConfigDict, Field, model_validator

from scrubjay.base.clock import SECOND_US, format_us
from scrubjay.base.errors import AuthorityError
from scrubjay.base.ids import EngramId, format_id, parse_id
from scrubjay.base.provenance import Authority, Channel, Role
from scrubjay.base.trace import ToolResult
from scrubjay.memory import Memory
from scrubjay.render.prompt import compose, one_line
from scrubjay.serve.values import Json, answer_values, values_of

__all__ = ["TOOLS", "Answer", "Door", "ToolSpec"]

DEFAULT_BUDGET: Final = 1200
"""Tokens of one rendered answer unless asked otherwise."""


class Answer(NamedTuple):
    """What a tool says: ``text`` for a model, ``structured`` for a program."""

    text: str
    structured: dict[str, Json]


class Door(NamedTuple):
    """A memory and the name of the session that this connection is, unless a call names one."""

    memory: Memory
    session: str


Moment = Annotated[
    AwareDatetime,
    Field(description="ISO 8601 with offset, such as 2026-03-23T09:00:00+01:00."),
]
Name = Annotated[str, Field(min_length=1, max_length=500)]
Id = Annotated[str, Field(pattern="^[0-9a-f]{32}$")]


class Request(BaseModel):
    """The base of all requests: exact types, no unknown fields, never changed."""

    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class Observe(Request):
    """Keep something that was said, done or read in this session."""

    content: Annotated[str, Field(min_length=1, description="The text, as it was.")]
    role: Literal["user", "assistant", "tool", "document"] = Field(
        description="Who it comes from; tool and document are kept as untrusted quotes."
    )
    session: Name | None = Field(
        default=None, description="Name of the conversation; default this connection."
    )
    scope: Name | None = Field(default=None, description="A path such as team/project.")
    principal: Name | None = Field(default=None, description="Who or which tool, by name.")
    message_id: Name | None = Field(default=None, description="Makes a repeat harmless.")
    event_time: Moment | None = Field(default=None, description="When it happened; default now.")
    tool: Name | None = Field(default=None, description="With role tool: the tool's name.")
    exit_code: int | None = Field(default=None, description="With role tool: how it ended.")

    @model_validator(mode="after")
    def tool_fields_belong_to_tools(self) -> Observe:
        """Refuse a tool's name or exit code on anything else."""
        if self.role != "tool" and (self.tool is not None or self.exit_code is not None):
            msg = "tool and exit_code belong to role 'tool'"
            raise ValueError(msg)
        return self


class Recall(Request):
    """Find what matters for a question now; best first, within a token budget."""

    query: Annotated[str, Field(min_length=1, description="A question or any text.")]
    k: Annotated[int, Field(ge=1, le=100, description="How many memories.")] = 8
    budget_tokens: Annotated[int, Field(ge=50, le=20_000)] = DEFAULT_BUDGET
    scope: Name | None = Field(default=None, description="Exactly this scope.")
    under: Name | None = Field(default=None, description="This scope and all below it.")
    since: Moment | None = None
    until: Moment | None = None
    as_of: Moment | None = Field(default=None, description="What had happened and held then.")
    include_archived: bool = False
    cursor: Name | None = Field(default=None, description="Go on where an answer was cut.")
    session: Name | None = Field(
        default=None, description="Where the answer is used; default this connection."
    )


class Remember(Request):
    """Keep an explicit fact: a text, or subject, predicate and object together."""

    text: Annotated[str, Field(min_length=1)] | None = None
    subject: Name | None = None
    predicate: Name | None = None
    object: Name | None = None
    valid_from: Moment | None = None
    valid_to: Moment | None = None
    functional: bool | None = Field(
        default=None, description="True if the property has one value at a time."
    )
    scope: Name | None = None


class Forget(Request):
    """Erase memories by id, for good. What the user said or pinned only the user can erase."""

    ids: Annotated[list[Id], Field(min_length=1, max_length=100)]


class Done(Request):
    """One thing that was due and is done, with the token it was handed out under."""

    id: Id
    token: Annotated[int, Field(ge=1)]


class Due(Request):
    """Take what has come due, most urgent first; tell what of it is done, or it comes again."""

    done: list[Done] = Field(
        default=[], max_length=100, description="What earlier calls handed out and is done."
    )


class Sleep(Request):
    """Consolidate now, or show the plan: turns into beliefs and skills, old noise archived."""

    plan: bool = Field(default=False, description="True to change nothing.")


def observe(door: Door, request: Observe) -> Answer:
    """Keep one observation; see :meth:`scrubjay.Memory.observe`."""
    result = None
    if request.role == "tool" and (request.tool is not None or request.exit_code is not None):
        result = ToolResult(
            call_id="",
            name=request.tool or "tool",
            exit_code=request.exit_code,
            is_error=bool(request.exit_code),
        )
    id_ = door.memory.observe(
        request.content,
        role=request.role,
        session=request.session or door.session,
        scope=request.scope,
        principal=request.principal or request.tool,
        message_id=request.message_id,
        event_time=request.event_time,
        tool_result=result,
        channel=Channel.MCP,
    )
    return Answer(f"kept as {format_id(id_)}", {"id": format_id(id_)})


def recall(door: Door, request: Recall) -> Answer:
    """Answer a question; what is delivered counts as used, once per session and hour."""
    answer = door.memory.recall(
        request.query,
        request.k,
        scope=request.scope,
        under=request.under,
        since=request.since,
        until=request.until,
        as_of=request.as_of,
        include_archived=request.include_archived,
        cursor=request.cursor,
    )
    told = compose([hit.engram for hit in answer], request.budget_tokens)
    door.memory.used(told.used, session=request.session or door.session)
    text = told.text
    if answer.unknown_scope:
        text = "Nothing was ever written in that scope."
    elif not len(answer):
        text = "No memory speaks to this question."
    return Answer(text, answer_values(answer))


def remember(door: Door, request: Remember) -> Answer:
    """Keep a fact with the authority of an assistant."""
    id_ = door.memory.remember(
        request.text,
        subject=request.subject,
        predicate=request.predicate,
        object=request.object,
        valid_from=request.valid_from,
        valid_to=request.valid_to,
        functional=request.functional,
        scope=request.scope,
        role=Role.ASSISTANT.value,
        channel=Channel.MCP,
    )
    return Answer(f"remembered as {format_id(id_)}", {"id": format_id(id_)})


def forget(door: Door, request: Forget) -> Answer:
    """Erase rows, all or none.

    Raises:
        AuthorityError: a row is pinned or stands above an assistant; nothing was erased.
        NotFoundError: an id does not exist; nothing was erased.
    """
    ids = [parse_id(text) for text in dict.fromkeys(request.ids)]
    for id_ in ids:
        _refuse_above_assistant(door.memory, id_)
    gone = door.memory.forget(ids)
    return Answer(f"{gone} erased", {"erased": gone})


def due(door: Door, request: Due) -> Answer:
    """Acknowledge what is done, then hand out what is due under a lease.

    Raises:
        ConflictError: a token is stale; another handler was given the firing since.
    """
    for done in request.done:
        door.memory.intentions.acknowledge(done.id, token=done.token)
    waiting = door.memory.due()
    rows: list[Json] = [
        {
            "id": format_id(item.intention.id),
            "token": 0 if item.firing is None else item.firing.token,
            "action": item.intention.action,
            "due": format_us(item.intention.due_us),
            "late_s": item.late_us // SECOND_US,
            "urgency": item.urgency,
        }
        for item in waiting
    ]
    lines = [
        f"- {one_line(item.intention.action)} (due {format_us(item.intention.due_us)})"
        for item in waiting
    ]
    return Answer("\n".join(lines) or "Nothing is due.", {"done": len(request.done), "due": rows})


def sleep(door: Door, request: Sleep) -> Answer:
    """Run one cycle, or plan it."""
    report = values_of(door.memory.plan_sleep() if request.plan else door.memory.sleep())
    counts = {name: value for name, value in report.items() if isinstance(value, int)}
    text = ", ".join(f"{name.replace('_', ' ')} {value}" for name, value in counts.items())
    return Answer(("Plan: " if request.plan else "Done: ") + text, report)


class ToolSpec(NamedTuple):
    """One tool: its request model and the function that serves it."""

    name: str
    request: type[Request]
    serve: Callable[[Door, Any], Answer]
    reads_only: bool = False
    destructive: bool = False


TOOLS: Final = (
    ToolSpec("observe", Observe, observe),
    ToolSpec("recall", Recall, recall),
    ToolSpec("remember", Remember, remember),
    ToolSpec("forget", Forget, forget, destructive=True),
    ToolSpec("due", Due, due),
    ToolSpec("sleep", Sleep, sleep),
)


def _refuse_above_assistant(memory: Memory, id_: EngramId) -> None:
    row = memory.engram(id_)
    if row.pinned or row.provenance.authority > Authority.ASSISTANT:
        what = "is pinned" if row.pinned else f"comes from {row.provenance.authority.name.lower()}"
        msg = (
            f"forget: an assistant cannot erase this memory, got {format_id(id_)} which {what}, "
            "expected one of assistant or tool; the user can, with 'scrubjay forget'"
        )
        raise AuthorityError(msg)
