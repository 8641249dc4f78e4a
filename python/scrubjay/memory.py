"""Memory: the composition root. It wires, reads the clock once per call, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from os import PathLike
from typing import Self

from scrubjay.assembly import DEFAULT_TENANT, Durability, EmbedderSpec, Parts, assemble
from scrubjay.base.clock import Clock
from scrubjay.base.ids import EngramId, Entropy
from scrubjay.base.provenance import Channel, Role
from scrubjay.base.trace import (
    Intention,
    Observation,
    ToolCall,
    ToolResult,
)
from scrubjay.policies import asking, governance, intake
from scrubjay.policies.believing import believe
from scrubjay.policies.consolidation.cycle import CyclePlan, CycleReport, apply_cycle, plan_cycle
from scrubjay.policies.ingest import IngestProgress, IngestReport, ingest_file
from scrubjay.policies.observing import ObserveReport, observe_batch
from scrubjay.policies.perception import perceive
from scrubjay.policies.recall import Hit, Recall, Weights
from scrubjay.policies.spaces import reembed
from scrubjay.systems.prospective import Due
from scrubjay.upkeep import Upkeep
from scrubjay.verbs import (
    BeliefVerbs,
    EpisodeVerbs,
    IntentionVerbs,
    SensoryVerbs,
    ShortTermVerbs,
    SkillVerbs,
    WorkingVerbs,
)

__all__ = ["Memory"]


class Memory(Upkeep):
    """The memory of one tenant in one directory.

    Thread-safe: writes of one handle take turns, reads wait for nobody. Several handles, in one
    process or in many, may share a directory.

    >>> from tempfile import mkdtemp
    >>> with Memory.open(mkdtemp()) as memory:
    ...     _ = memory.observe("The deploy of api failed: disk full on web-3.", role="tool")
    ...     _ = memory.observe("We keep the logs of web-3 for two weeks.")
    ...     [hit.content for hit in memory.recall("which disk was full?", k=1)]
    ['The deploy of api failed: disk full on web-3.']
    """

    def __init__(self, parts: Parts) -> None:
        """Wire the parts; use :meth:`open`."""
        super().__init__(parts)
        self.sensory = SensoryVerbs(parts, self._operation)
        self.working = WorkingVerbs(parts, self._operation)
        self.short_term = ShortTermVerbs(parts, self._operation)
        self.episodes = EpisodeVerbs(parts, self._operation)
        self.beliefs = BeliefVerbs(parts, self._operation)
        self.skills = SkillVerbs(parts, self._operation)
        self.intentions = IntentionVerbs(parts, self._operation)
        parts.engine.reinforce = self.used

    @classmethod
    def open(
        cls,
        path: str | PathLike[str],
        *,
        tenant: str = DEFAULT_TENANT,
        create: bool | None = None,
        scope: str | None = None,
        embedder: EmbedderSpec = "static",
        clock: Clock | None = None,
        seed: int | None = None,
        entropy: Entropy | None = None,
        durability: Durability = "commit",
        read_only: bool = False,
    ) -> Self:
        """Open a directory, making it if it is new.

        Args:
            path: The directory; everything is inside it.
            tenant: Whose memory; any but ``default`` must have been created.
            create: Create the tenant if it is missing; None means only ``default``.
            scope: Where writes go and recall looks unless told otherwise; None means writes go
                to ``main`` and recall sees the whole tenant.
            embedder: ``static``, ``minilm``, ``minilm-int8``, ``openai:MODEL@URL``, a callable
                from a list of texts to an (n, d) array, or an Embedder.
            clock: The source of time; a ManualClock for reproducible runs.
            seed: Seeds salts and the directory's node, for reproducible runs only.
            entropy: The source of salts; overrides ``seed``.
            durability: ``commit`` survives power loss at every acknowledged write, ``batch`` may
                lose the last instants on power loss and nothing on a crash.
            read_only: Open without the right to write.

        Raises:
            InvalidArgumentError: an impossible choice.
            MissingTenantError: no such tenant here.
            StorageError: the directory cannot be used; the text says why.
            EmbedderMismatchError: the directory holds vectors of another embedder.
        """
        return cls(
            assemble(
                path,
                tenant=tenant,
                create=create,
                scope=scope,
                embedder=embedder,
                clock=clock,
                seed=seed,
                entropy=entropy,
                durability=durability,
                read_only=read_only,
            )
        )

    def observe(
        self,
        content: str,
        *,
        role: str = "user",
        session: str | None = None,
        scope: str | None = None,
        principal: str | None = None,
        message_id: str | None = None,
        event_time: datetime | int | None = None,
        modality: str = "textual",
        tool_calls: Sequence[ToolCall] = (),
        tool_result: ToolResult | None = None,
        channel: Channel = Channel.API,
    ) -> EngramId:
        """Perceive one thing and keep it as a row; return its id.

        A ``message_id`` seen before in the same scope and session returns the id it had.
        ``event_time`` is when it happened (aware datetime or microseconds), by default now.

        Raises:
            InvalidArgumentError, ClockError: the input is impossible; nothing was stored.
            StorageError, EmbedderError: nothing was stored.
        """
        with self._operation(writes=True) as now_us:
            observation = intake.observation_of(
                "observe",
                content,
                role=role,
                session=session,
                scope=scope or self._parts.scope,
                principal=principal,
                message_id=message_id,
                event_time=event_time,
                modality=modality,
                tool_calls=tool_calls,
                tool_result=tool_result,
                now_us=now_us,
            )
            report = self._observe([observation], channel=channel, now_us=now_us)
            perceive(
                self._parts.sensory,
                self._parts.working,
                self._parts.short_term,
                observation,
                now_us=now_us,
            )
            return report.ids[0]

    def observe_many(
        self, observations: Iterable[Observation], *, channel: Channel = Channel.API
    ) -> ObserveReport:
        """Keep many observations in one transaction; all or none.

        Raises as :meth:`observe`; the text names the first bad item by position.
        """
        with self._operation(writes=True) as now_us:
            checked = intake.checked_batch(observations, scope=self._parts.scope, now_us=now_us)
            return self._observe(checked, channel=channel, now_us=now_us)

    def ingest(
        self,
        path: str | PathLike[str],
        *,
        format: str = "auto",
        scope: str | None = None,
        strict: bool = False,
        on_progress: Callable[[IngestProgress], None] | None = None,
    ) -> IngestReport:
        """Read a transcript; what was read before is skipped, malformed records are listed.

        Raises:
            TranscriptError: the format cannot be told, or a record is malformed and ``strict``.
            StorageError: the file or the directory fails; batches before that stay.
        """
        with self._operation(writes=True) as now_us:
            return ingest_file(
                self._parts.store,
                self._parts.encoder,
                intake.checked_file("ingest", path),
                format_=format,
                scope=intake.scope_of("ingest", scope or self._parts.scope),
                strict=strict,
                now_us=now_us,
                on_progress=on_progress,
            )

    def recall(
        self,
        query: str,
        k: int = 10,
        *,
        scope: str | Sequence[str] | None = None,
        under: str | Sequence[str] | None = None,
        kinds: Sequence[str] | None = None,
        since: datetime | int | None = None,
        until: datetime | int | None = None,
        as_of: datetime | int | None = None,
        min_score: float | None = None,
        include_archived: bool = False,
        weights: Weights | None = None,
        cursor: str | None = None,
    ) -> Recall:
        """Return up to ``k`` memories that matter for ``query`` now, best first.

        Recall changes nothing; tell what was used with :meth:`used`.

        Args:
            query: A question or any text.
            k: How many, 1 to 10,000.
            scope: Exactly this scope or these.
            under: These scopes and all below them.
            kinds: Only memories of these kinds, such as ``belief`` or ``turn``.
            since: Only what happened at or after this instant.
            until: Only what happened before this instant.
            as_of: Only what had happened, and what held, by this instant.
            min_score: Leave out hits below this score; they are counted in ``filtered``.
            include_archived: Search the cold archive as well.
            weights: The weights of the retention score.
            cursor: Go on where an earlier answer to the same question was cut.

        Raises:
            InvalidArgumentError, UnitError, ClockError: impossible arguments.
        """
        with self._operation() as now_us:
            request = asking.recall_request(
                query,
                k,
                scope=scope,
                under=under,
                default_under=self._parts.scope,
                kinds=kinds,
                since=since,
                until=until,
                as_of=as_of,
                min_score=min_score,
                include_archived=include_archived,
                weights=weights,
                cursor=cursor,
            )
            return self._parts.engine.recall(request, now_us=now_us)

    def used(self, hits: Iterable[Hit | EngramId], *, session: str = "") -> int:
        """Reinforce memories that were used; return how many counted."""
        with self._operation(writes=True) as now_us:
            ids = intake.ids_of(hits)
            return self._parts.reinforcer.used(ids, session=session, now_us=now_us)

    def remember(
        self,
        text: str | None = None,
        *,
        subject: str | None = None,
        predicate: str | None = None,
        object: str | None = None,
        valid_from: datetime | int | None = None,
        valid_to: datetime | int | None = None,
        confidence: float = 1.0,
        pin: bool = False,
        invariant: bool = False,
        functional: bool | None = None,
        scope: str | None = None,
        principal: str | None = None,
        role: str = "user",
        channel: Channel = Channel.REMEMBER,
    ) -> EngramId:
        """Keep an explicit fact: a text, or subject, predicate and object; return its id.

        ``functional`` declares that the predicate holds one value at a time, so that a newer
        statement closes an older one. ``invariant`` makes it a constraint that never fades.

        Raises:
            InvalidArgumentError, UnitError, ClockError: impossible input; nothing was stored.
            AuthorityError: an invariant or a pin from a source that may not set one.
        """
        with self._operation(writes=True) as now_us:
            statement = intake.statement_of(
                text,
                subject=subject,
                predicate=predicate,
                object_=object,
                valid_from=valid_from,
                valid_to=valid_to,
                confidence=confidence,
                pin=pin,
                invariant=invariant,
                functional=functional,
                scope=scope or self._parts.scope,
                principal=principal,
                role=role,
                channel=channel,
            )
            self._parts.declare_space(now_us=now_us)
            return believe(
                self._parts.store,
                self._parts.encoder,
                statement,
                role=Role(role),
                channel=channel,
                now_us=now_us,
            )

    def remind(
        self, action: str, at: datetime | int, *, expires: datetime | int | None = None
    ) -> Intention:
        """Plan to do ``action`` at an instant; it will be listed by :meth:`due`."""
        return self.intentions.plan(action, at, expires=expires)

    def due(self) -> list[Due]:
        """Return what is due now, each occurrence fired once and durably."""
        return self.intentions.due()

    def plan_sleep(self) -> CyclePlan:
        """Return what a sleep cycle would do now; nothing changes."""
        with self._operation() as now_us:
            return plan_cycle(self._parts.store, now_us=now_us)

    def sleep(self) -> CycleReport:
        """Consolidate: turns into episodes, beliefs, skills and intentions; archive what faded."""
        with self._operation(writes=True) as now_us:
            self._parts.declare_space(now_us=now_us)
            plan = plan_cycle(self._parts.store, now_us=now_us)
            return apply_cycle(self._parts.store, self._parts.encoder, plan, now_us=now_us)

    def forget(
        self,
        ids: EngramId | str | Iterable[EngramId | str] | None = None,
        *,
        scope: str | None = None,
        session: str | None = None,
        principal: str | None = None,
    ) -> int:
        """Erase memories and what was derived only from them; return how many were selected.

        Conditions are joined by "and"; at least one must be given.

        Raises:
            NotFoundError: an id does not exist; nothing was erased.
            InvalidArgumentError: no condition.
        """
        with self._operation(writes=True) as now_us:
            selection = intake.selection_of(ids, scope=scope, session=session, principal=principal)
            return governance.forget(self._parts.store, selection, now_us=now_us)

    @classmethod
    def reembed_directory(
        cls,
        path: str | PathLike[str],
        *,
        embedder: EmbedderSpec,
        tenant: str = DEFAULT_TENANT,
        clock: Clock | None = None,
        on_progress: Callable[[int], None] | None = None,
    ) -> int:
        """Compute all vectors of a directory with another embedder and switch to it.

        An interrupted run leaves the old vectors in force. Returns the number of rows.

        Raises:
            EmbedderError, StorageError: the old vectors are still in force.
        """
        parts = assemble(path, tenant=tenant, embedder=embedder, clock=clock, switching=True)
        with cls(parts) as memory, memory._operation(writes=True) as now_us:
            return reembed(
                parts.store, parts.encoder.embedder, now_us=now_us, on_progress=on_progress
            )

    def _observe(
        self, observations: Sequence[Observation], *, channel: Channel, now_us: int
    ) -> ObserveReport:
        self._parts.declare_space(now_us=now_us)
        return observe_batch(
            self._parts.store, self._parts.encoder, observations, channel=channel, now_us=now_us
        )
