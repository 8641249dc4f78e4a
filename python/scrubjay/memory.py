"""Memory: the composition root. It wires, reads the clock once per call, and decides nothing."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from os import PathLike
from typing import TYPE_CHECKING, Self, Unpack

from scrubjay.assembly import DEFAULT_TENANT, EmbedderSpec, OpenOptions, Parts, assemble
from scrubjay.base.clock import Clock
from scrubjay.base.ids import EngramId
from scrubjay.base.provenance import Channel, Role
from scrubjay.base.trace import (
    Intention,
    Observation,
)
from scrubjay.policies import governance, intake
from scrubjay.policies.asking import RecallFilters, recall_request
from scrubjay.policies.believing import believe
from scrubjay.policies.ingest import IngestProgress, IngestReport, ingest_file
from scrubjay.policies.intake import ObservationFields
from scrubjay.policies.observing import ObserveReport, observe_batch
from scrubjay.policies.perception import perceive
from scrubjay.policies.recall import Hit, Recall
from scrubjay.policies.spaces import reembed
from scrubjay.policies.stating import FactFields, statement_of
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

if TYPE_CHECKING:
    from scrubjay.policies.consolidation.cycle import CyclePlan, CycleReport

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
    def open(cls, path: str | PathLike[str], **options: Unpack[OpenOptions]) -> Self:
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
        return cls(assemble(path, **options))

    def observe(
        self,
        content: str,
        *,
        channel: Channel = Channel.API,
        **fields: Unpack[ObservationFields],
    ) -> EngramId:
        """Perceive one thing and keep it as a row; return its id.

        Args:
            content: The text, at most 1 MiB; may be empty where there are tool calls.
            channel: The door it came through, which bounds its authority.
            role: ``user`` (default), ``assistant``, ``tool``, ``document`` or ``system``.
            session: The conversation it belongs to, by default ``main``.
            scope: Where it is kept, by default the scope of this handle, else ``main``.
            principal: Who speaks, by default named as the role.
            message_id: Makes it idempotent: seen before in this scope and session, it returns
                the id it had.
            event_time: When it happened (aware datetime or microseconds), by default now.
            modality: ``textual`` (default), ``auditory``, ``visual`` or ``structured``.
            tool_calls: Calls that an assistant made.
            tool_result: How the tool ended whose output this is.

        Raises:
            InvalidArgumentError, ClockError: the input is impossible; nothing was stored.
            StorageError, EmbedderError: nothing was stored.
        """
        with self._operation(writes=True) as now_us:
            channel = intake.channel_of("observe", channel)
            observation = intake.observation_of(
                content, default_scope=self._parts.scope, now_us=now_us, **fields
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
            channel = intake.channel_of("observe_many", channel)
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
            file = intake.checked_file("ingest", path)
            default_scope = intake.scope_of("ingest", scope, self._parts.scope)
            self._parts.declare_space(now_us=now_us)
            return ingest_file(
                self._parts.store,
                self._parts.encoder,
                file,
                format_=format,
                scope=default_scope,
                strict=strict,
                now_us=now_us,
                on_progress=on_progress,
            )

    def recall(self, query: str, k: int = 10, **filters: Unpack[RecallFilters]) -> Recall:
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
            request = recall_request(query, k, default_under=self._parts.scope, **filters)
            return self._parts.engine.recall(request, now_us=now_us)

    def used(self, hits: Iterable[Hit | EngramId], *, session: str = "") -> int:
        """Reinforce memories that were used; return how many counted."""
        with self._operation(writes=True) as now_us:
            ids = intake.ids_of(hits)
            told = intake.session_of("used", session)
            return self._parts.reinforcer.used(ids, session=told, now_us=now_us)

    def remember(
        self,
        text: str | None = None,
        *,
        channel: Channel = Channel.REMEMBER,
        **fact: Unpack[FactFields],
    ) -> EngramId:
        """Keep an explicit fact: a text, or subject, predicate and object; return its id.

        Args:
            text: The sentence to be found by; by default the three words of the fact.
            channel: The door it came through, which bounds its authority.
            subject: What it is about; with ``predicate`` and ``object`` it becomes a belief.
            predicate: The property.
            object: Its value.
            valid_from: Since when it holds; None means unknown.
            valid_to: Until when; None means not said to end.
            confidence: 0 to 1, by default 1.
            pin: Never archive it.
            invariant: A standing constraint, which never fades.
            functional: Declare that the predicate holds one value at a time, so that a newer
                statement closes an older one.
            scope: Where it is kept, by default the scope of this handle, else ``main``.
            principal: Who says so, by default named as the role.
            role: ``user`` (default), ``assistant``, ``tool``, ``document`` or ``system``.

        Raises:
            InvalidArgumentError, UnitError, ClockError: impossible input; nothing was stored.
            AuthorityError: an invariant or a pin from a source that may not set one.
        """
        with self._operation(writes=True) as now_us:
            channel = intake.channel_of("remember", channel)
            statement = statement_of(text, channel=channel, default_scope=self._parts.scope, **fact)
            self._parts.declare_space(now_us=now_us)
            return believe(
                self._parts.store,
                self._parts.encoder,
                statement,
                role=Role(fact.get("role", Role.USER)),
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
        from scrubjay.policies.consolidation.cycle import plan_cycle  # takes 0.1 s to load

        with self._operation() as now_us:
            return plan_cycle(self._parts.store, now_us=now_us)

    def sleep(self) -> CycleReport:
        """Consolidate: turns into episodes, beliefs, skills and intentions; archive what faded.

        Others may read and write while the cycle is planned; it is applied in one transaction.

        Raises:
            ConflictError: what was planned was erased or consolidated by another meanwhile;
                nothing was changed, sleep again.
            EmbedderError, StorageError: nothing was changed.
        """
        from scrubjay.policies.consolidation.cycle import apply_cycle

        plan = self.plan_sleep()
        with self._operation(writes=True) as now_us:
            self._parts.declare_space(now_us=now_us)
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
            return governance.forget(
                self._parts.store, selection, now_us=now_us, let_go=self._parts.let_go
            )

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
