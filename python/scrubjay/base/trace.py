"""The values that travel between layers: what comes in, what is kept, what is believed.

All are immutable; a change is a new value. Enum values are persisted: DO NOT CHANGE THEM.
"""

from __future__ import annotations

from enum import IntEnum, StrEnum

import msgspec

from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Plane, Provenance, Role

__all__ = [
    "Assertion",
    "Category",
    "Engram",
    "Firing",
    "Intention",
    "Kind",
    "Modality",
    "Observation",
    "Precision",
    "RowFilter",
    "Skill",
    "SkillStep",
    "State",
    "ToolCall",
    "ToolResult",
]


class Kind(IntEnum):
    """What a durable memory is."""

    TURN = 1
    TOOL_RESULT = 2
    EPISODE = 3
    BELIEF = 4
    SKILL = 5
    INTENTION = 6
    NOTE = 7


class Category(IntEnum):
    """The decay schedule a memory follows."""

    TELEMETRY = 0
    DIALOGUE = 1
    FACT = 2
    INVARIANT = 3
    SKILL = 4


class State(IntEnum):
    """Where a memory is in its life.

    ``SUPERSEDED`` is derived from a belief's timeline and may return to ``HOT``.
    """

    HOT = 0
    ARCHIVED = 1
    PENDING = 2
    SUPERSEDED = 3


class Modality(StrEnum):
    """The sense an observation came by."""

    TEXTUAL = "textual"
    AUDITORY = "auditory"
    VISUAL = "visual"
    STRUCTURED = "structured"


class Precision(StrEnum):
    """How exactly a validity bound is known; ``UNKNOWN`` is never "now"."""

    INSTANT = "instant"
    DAY = "day"
    MONTH = "month"
    YEAR = "year"
    UNKNOWN = "unknown"


class ToolCall(msgspec.Struct, frozen=True, kw_only=True):
    """A call an assistant made: ``arguments`` is the JSON text as it was sent."""

    call_id: str
    name: str
    arguments: str


class ToolResult(msgspec.Struct, frozen=True, kw_only=True):
    """What a tool answered; ``exit_code`` is None where the tool has no such notion."""

    call_id: str
    name: str
    exit_code: int | None = None
    is_error: bool = False


class Observation(msgspec.Struct, frozen=True, kw_only=True):
    """One thing perceived: a turn, a tool result, a document.

    ``event_us`` is when it happened (None: at the time of observing), with the offset it was
    written in. ``message_id`` or ``position`` makes ingestion idempotent inside a session.
    """

    content: str
    role: Role = Role.USER
    session: str = ""
    scope: str = ""
    principal: str = ""
    message_id: str = ""
    position: int | None = None
    event_us: int | None = None
    event_offset_min: int = 0
    modality: Modality = Modality.TEXTUAL
    tool_calls: tuple[ToolCall, ...] = ()
    tool_result: ToolResult | None = None


class Engram(msgspec.Struct, frozen=True, kw_only=True):
    """One durable row, as the store and the core see it.

    ``local`` is the store's own integer key (assigned at insert, never reused); ``seq`` the commit
    that last changed it. ``last_us`` is t_m: the last reinforcement, else the recorded time.
    ``half_life_us`` None means no decay; ``evict_at_us`` None means never.
    """

    id: EngramId
    scope: str
    kind: Kind
    category: Category
    content: str
    provenance: Provenance
    recorded_us: int
    event_us: int
    last_us: int
    salience: float
    event_offset_min: int = 0
    frequency: int = 0
    half_life_us: int | None = None
    evict_at_us: int | None = None
    state: State = State.HOT
    consolidated: bool = False
    pinned: bool = False
    quality: float = 1.0
    tool_calls: tuple[ToolCall, ...] = ()
    tool_result: ToolResult | None = None
    local: int = 0
    seq: int = 0


class Assertion(msgspec.Struct, frozen=True, kw_only=True):
    """One immutable statement; its engram has the same id.

    ``valid_from_us`` None means the start is unknown; ``valid_to_us`` None means not said to end.
    Bounds are half-open. A date of lesser precision covers its whole unit, UTC.
    """

    id: EngramId
    scope: str
    subject: str
    predicate: str
    object: str
    plane: Plane
    authority: int
    principal: str
    recorded_us: int
    event_us: int
    valid_from_us: int | None = None
    valid_to_us: int | None = None
    precision: Precision = Precision.UNKNOWN
    negated: bool = False
    hedged: bool = False
    confidence: float = 1.0


class SkillStep(msgspec.Struct, frozen=True, kw_only=True):
    """One step: a tool, its argument template (JSON text with ``${name}`` slots) and its check."""

    tool: str
    arguments: str
    check: str = ""


class Skill(msgspec.Struct, frozen=True, kw_only=True):
    """A procedure that worked, with typed parameters; never executed by the library."""

    id: EngramId
    scope: str
    name: str
    description: str
    triggers: tuple[str, ...]
    parameters: str
    steps: tuple[SkillStep, ...]
    recovery: tuple[SkillStep, ...] = ()
    status: str = "proposed"
    version: int = 1
    successes: int = 0
    failures: int = 0


INTENTION_STATUSES = ("armed", "fired", "done", "expired", "cancelled")
"""What may become of an intention."""


class Intention(msgspec.Struct, frozen=True, kw_only=True):
    """A thing to do later; in this release its trigger is an instant."""

    id: EngramId
    scope: str
    action: str
    due_us: int
    status: str = "armed"
    expires_us: int | None = None
    created_us: int = 0


class Firing(msgspec.Struct, frozen=True, kw_only=True):
    """One durable occurrence of an intention; ``token`` fences late acknowledgements."""

    intention: EngramId
    occurrence_us: int
    fired_us: int
    token: int = 0
    leased_until_us: int = 0
    acknowledged_us: int | None = None


class RowFilter(msgspec.Struct, frozen=True, kw_only=True):
    """A predicate evaluated inside search; None means no restriction, bounds are half-open."""

    scope_ids: tuple[int, ...] | None = None
    kinds: tuple[Kind, ...] | None = None
    categories: tuple[Category, ...] | None = None
    states: tuple[State, ...] = (State.HOT,)
    planes: tuple[Plane, ...] | None = None
    authority_min: int = 0
    quality_min: float = 0.0
    event_from_us: int | None = None
    event_to_us: int | None = None
