"""The central executive: looks at what is in mind and says what it lacks.

Given working memory's chunks and a hypothesis, it reports four things a test can check: coherence
(how far the chunks speak of the same things as the hypothesis), evidence adequacy (how much of the
hypothesis the evidence covers), unsupported claims (sentences of it that no chunk supports), and
retrieval triggers (important chunks that are fading). It also finds chunks that compete for one
slot, shares attention among branches, and proposes; it changes nothing itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum
from itertools import combinations

import msgspec

from scrubjay.base.errors import UnitError
from scrubjay.base.tokens import query_tokens
from scrubjay.policies.consolidation.sentences import sentences_of
from scrubjay.systems.working import Chunk, ChunkModality, ChunkRole

__all__ = [
    "Interference",
    "QualityReport",
    "RetrievalTrigger",
    "TargetSystem",
    "attention_shares",
    "evaluate",
    "interference",
    "retrieval_triggers",
]

FADING_ACTIVATION = 0.4
IMPORTANT_SALIENCE = 0.7
"""A chunk that is fading and important must be refreshed from long-term memory."""

SUPPORTED_SHARE = 0.5
"""A claim is supported if one chunk has at least this share of its words."""

COMPETING_SHARE = 0.5
"""Two chunks of one role compete if they share this much and are not the same."""


class TargetSystem(StrEnum):
    """Where to look."""

    EPISODIC = "episodic"
    SEMANTIC = "semantic"
    PROCEDURAL = "procedural"


class RetrievalTrigger(msgspec.Struct, frozen=True, kw_only=True):
    """A wish to look something up: what for, where, how urgently (0 to 1)."""

    target: TargetSystem
    query: str
    urgency: float
    chunk_id: int


class Interference(msgspec.Struct, frozen=True, kw_only=True):
    """Two chunks that say different things about the same; ``overlap`` is the share they have."""

    first: int
    second: int
    role: ChunkRole
    overlap: float


class QualityReport(msgspec.Struct, frozen=True, kw_only=True):
    """How well what is in mind carries a hypothesis; all figures in [0, 1]."""

    coherence: float
    evidence_adequacy: float
    unsupported_claims: tuple[str, ...]
    retrieval_triggers: tuple[RetrievalTrigger, ...]
    interference: tuple[Interference, ...]


def evaluate(chunks: Sequence[Chunk], hypothesis: str) -> QualityReport:
    """Return the quality report of a hypothesis against what is in mind.

    Coherence is the salience-weighted mean, over textual chunks, of the share of their words that
    the hypothesis has too. Evidence adequacy is the share of the hypothesis' words that some chunk
    of the role ``evidence`` has. Both are 0 where there is nothing to compare. Deterministic.

    >>> evaluate([], "the disk is full").unsupported_claims
    ('the disk is full',)
    """
    asked = _words(hypothesis)
    textual = [(c, _words(c.content)) for c in chunks if isinstance(c.content, str)]
    evidence = {w for c, words in textual if c.role is ChunkRole.EVIDENCE for w in words}
    claims = [s.text for s in sentences_of(hypothesis) if not s.asked]
    unsupported = [
        claim
        for claim in claims
        if not any(_share(_words(claim), words) >= SUPPORTED_SHARE for _, words in textual)
    ]
    return QualityReport(
        coherence=_coherence(asked, textual),
        evidence_adequacy=_share(asked, evidence),
        unsupported_claims=tuple(unsupported),
        retrieval_triggers=tuple(retrieval_triggers(chunks)),
        interference=tuple(interference(chunks)),
    )


def retrieval_triggers(chunks: Sequence[Chunk]) -> list[RetrievalTrigger]:
    """Return what to look up: chunks with activation < 0.4 and salience > 0.7, most urgent first.

    The episodic buffer asks episodic memory, everything else semantic memory; a pending call asks
    procedural memory as well, for how it was done before. Urgency is the chunk's salience.
    """
    out: list[RetrievalTrigger] = []
    for chunk in chunks:
        fading = chunk.activation < FADING_ACTIVATION and chunk.salience > IMPORTANT_SALIENCE
        if not fading or not isinstance(chunk.content, str):
            continue
        buffered = chunk.modality is ChunkModality.EPISODIC_BUFFER
        targets = [TargetSystem.EPISODIC if buffered else TargetSystem.SEMANTIC]
        if chunk.role is ChunkRole.PENDING_CALL:
            targets.append(TargetSystem.PROCEDURAL)
        out.extend(
            RetrievalTrigger(
                target=target, query=chunk.content, urgency=chunk.salience, chunk_id=chunk.id
            )
            for target in targets
        )
    return sorted(out, key=lambda t: (-t.urgency, t.chunk_id, t.target))


def interference(chunks: Sequence[Chunk]) -> list[Interference]:
    """Return pairs of one role that share at least half their words and are not the same.

    Two hypotheses about one thing, two states of one thing: only one of each can be right.
    """
    out: list[Interference] = []
    contested = (ChunkRole.HYPOTHESIS, ChunkRole.STATE, ChunkRole.TASK)
    for first, second in combinations(sorted(chunks, key=lambda c: c.id), 2):
        if first.role is not second.role or first.role not in contested:
            continue
        if not isinstance(first.content, str) or not isinstance(second.content, str):
            continue
        one, other = _words(first.content), _words(second.content)
        smaller = one if len(one) <= len(other) else other
        overlap = _share(smaller, one & other)
        if one != other and overlap >= COMPETING_SHARE:
            out.append(
                Interference(first=first.id, second=second.id, role=first.role, overlap=overlap)
            )
    return out


def attention_shares(branches: Mapping[str, Sequence[Chunk]]) -> dict[str, float]:
    """Return what share of attention each branch deserves: its salience times activation, summed.

    Shares sum to 1; branches with nothing in mind share equally if none has anything.

    Raises:
        UnitError: no branches.
    """
    if not branches:
        msg = "attention_shares: nothing to share among, got no branches, expected at least one"
        raise UnitError(msg)
    weight = {name: sum(c.salience * c.activation for c in held) for name, held in branches.items()}
    total = sum(weight[name] for name in sorted(weight))
    if total <= 0.0:
        return dict.fromkeys(branches, 1.0 / len(branches))
    return {name: value / total for name, value in weight.items()}


def _coherence(asked: set[str], textual: Sequence[tuple[Chunk, set[str]]]) -> float:
    total = sum(chunk.salience for chunk, _ in textual)
    if not asked or total <= 0.0:
        return 0.0
    return sum(c.salience * _share(words, words & asked) for c, words in textual) / total


def _share(asked: set[str], had: set[str]) -> float:
    """Return the share of the words ``asked`` that are in ``had``."""
    return len(asked & had) / len(asked) if asked else 0.0


def _words(text: str | bytes) -> set[str]:
    return set(query_tokens(text)) if isinstance(text, str) else set()
