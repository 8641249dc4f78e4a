"""Assembly: builds the parts of one memory from what the caller chose."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from os import PathLike
from pathlib import Path
from typing import Literal, TypeAlias, TypedDict, Unpack

from numpy.typing import ArrayLike

from scrubjay.adapters.embedders import StaticEmbedder, open_embedder
from scrubjay.adapters.embedders.cache import CachedEmbedder
from scrubjay.base.clock import Clock, SystemClock
from scrubjay.base.errors import ArgumentTypeError, InvalidArgumentError
from scrubjay.base.ids import Entropy, SeededEntropy, SystemEntropy
from scrubjay.base.ports import Embedder
from scrubjay.policies.door import (
    check_count,
    check_flag,
    check_known,
    check_member,
    check_name,
    check_scope,
)
from scrubjay.policies.encoding import Encoder
from scrubjay.policies.pacing import Pace
from scrubjay.policies.perception import let_go
from scrubjay.policies.recall import RecallEngine
from scrubjay.policies.reinforcement import Reinforcer
from scrubjay.policies.spaces import check_space, declare_space
from scrubjay.store import SqliteStore, open_store
from scrubjay.systems.sensory import SensoryBuffer
from scrubjay.systems.short_term import ShortTermLog
from scrubjay.systems.working import WorkingMemory

__all__ = [
    "DEFAULT_TENANT",
    "Durability",
    "EmbedderSpec",
    "OpenOptions",
    "Parts",
    "assemble",
]

DEFAULT_TENANT = "default"
_LARGEST_SEED = 2**128

Durability = Literal["commit", "batch"]
EmbedderSpec: TypeAlias = str | Embedder | Callable[[Sequence[str]], ArrayLike]


@dataclass(slots=True, kw_only=True)
class Parts:
    """Everything one memory is made of; ``space_declared`` turns true at the first write."""

    store: SqliteStore
    clock: Clock
    pace: Pace
    encoder: Encoder
    engine: RecallEngine
    reinforcer: Reinforcer
    sensory: SensoryBuffer
    working: WorkingMemory
    short_term: ShortTermLog
    scope: str | None
    space_declared: bool

    def let_go(self, texts: Collection[str]) -> None:
        """Drop erased texts from the buffers of this handle."""
        let_go(self.sensory, self.working, self.short_term, texts)

    def declare_space(self, *, now_us: int) -> None:
        """Record whose vectors this directory holds, at its first write."""
        if not self.space_declared:
            declare_space(self.store, self.encoder.embedder, now_us=now_us)
            self.space_declared = True


class OpenOptions(TypedDict, total=False):
    """How to open a memory; the first group affects behaviour, ``durability`` performance."""

    tenant: str
    create: bool | None
    scope: str | None
    embedder: EmbedderSpec
    clock: Clock | None
    seed: int | None
    entropy: Entropy | None
    read_only: bool
    durability: Durability


def assemble(
    path: str | PathLike[str], *, switching: bool = False, **options: Unpack[OpenOptions]
) -> Parts:
    """Check the choices, open the directory and build the parts; on an error nothing stays open.

    ``switching`` opens a directory of another embedder's vectors, to replace them.

    Raises:
        InvalidArgumentError: an impossible choice.
        MissingTenantError: the tenant was never created, and ``create`` is not True.
        StorageError, CorruptionError, FormatVersionError: the directory cannot be used.
        EmbedderMismatchError: the directory holds vectors of another embedder.
    """
    check_known("open", options, OpenOptions)
    directory = _checked_path(path)
    tenant = check_name("open", "tenant", options.get("tenant", DEFAULT_TENANT))
    scope, create = options.get("scope"), options.get("create")
    scope = None if scope is None else check_scope("open", scope)
    durability: Durability = options.get("durability", "commit")
    check_member("open", "durability", durability, ("commit", "batch"))
    read_only = check_flag("open", "read_only", options.get("read_only"))
    if create is not None:
        create = check_flag("open", "create", create)
    clock = _checked_clock(options.get("clock"))
    inner = open_embedder(options.get("embedder", "static"))
    store = open_store(
        directory,
        tenant=tenant,
        create=(tenant == DEFAULT_TENANT) if create is None else create,
        entropy=_entropy(options.get("entropy"), options.get("seed")),
        now_us=clock.now_us(),
        durability=durability,
        read_only=read_only,
    )
    try:
        declared = switching or check_space(store, inner)
        cached = inner if isinstance(inner, StaticEmbedder) else CachedEmbedder(inner, store)
        return Parts(
            store=store,
            clock=clock,
            pace=Pace(store),
            encoder=Encoder(cached),
            engine=RecallEngine(store, cached),
            reinforcer=Reinforcer(store),
            sensory=SensoryBuffer(),
            working=WorkingMemory(),
            short_term=ShortTermLog(),
            scope=scope,
            space_declared=declared,
        )
    except BaseException:
        store.close()
        raise


def _entropy(entropy: Entropy | None, seed: int | None) -> Entropy:
    if entropy is not None:
        if not callable(getattr(entropy, "token", None)):
            msg = f"open: entropy has no token(), got {type(entropy).__name__}, expected an Entropy"
            raise ArgumentTypeError(msg)
        return entropy
    if seed is None:
        return SystemEntropy()
    return SeededEntropy(
        check_count("open", "seed", seed, at_least=-_LARGEST_SEED, at_most=_LARGEST_SEED)
    )


def _checked_clock(clock: Clock | None) -> Clock:
    if clock is None:
        return SystemClock()
    if isinstance(clock, type) or not isinstance(clock, Clock):
        msg = f"open: clock has no now_us(), got {type(clock).__name__}, expected a Clock"
        raise ArgumentTypeError(msg)
    return clock


def _checked_path(path: object) -> Path:
    if not isinstance(path, str | PathLike):
        kind = type(path).__name__
        msg = f"open: path has the wrong type, got {kind}, expected str or Path"
        raise ArgumentTypeError(msg)
    try:
        name = os.fsdecode(os.fsencode(path))
    except UnicodeEncodeError as error:
        msg = f"open: not a usable path, got {str(path)!r:.60}, expected one the system can name"
        raise InvalidArgumentError(msg) from error
    if "\0" in name or not name.strip():
        msg = f"open: not a usable path, got {name!r:.60}, expected a directory name"
        raise InvalidArgumentError(msg)
    return Path(name)
