"""Revise: candidate statements become assertions to be made, each once.

Nothing is merged or retired here: the timeline decides what holds, and it is recomputed. This step
only sees to it that reading the same words of the same row again adds nothing, and that names are
written one way.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from scrubjay.base.ids import EngramId
from scrubjay.base.ports import Store
from scrubjay.base.terms import entity_key, predicate_key
from scrubjay.base.trace import Assertion
from scrubjay.policies.consolidation.plan import PlannedBelief

__all__ = ["revise", "timeline_keys"]

_Content = tuple[str, str, str, str, str, int | None, int | None, bool, bool]


def revise(store: Store, candidates: Iterable[PlannedBelief]) -> list[PlannedBelief]:
    """Return the candidates that say something not yet asserted from the same source.

    Order is kept. Two statements of one row with one content are one; the same words in another
    row are a new event and support the belief. Cost: one query per subject.
    """
    known: dict[tuple[str, str], dict[_Content, set[EngramId]]] = {}
    out: list[PlannedBelief] = []
    for candidate in candidates:
        about = (candidate.scope, entity_key(candidate.subject))
        if about not in known:
            known[about] = _sources(store, *about)
        content = _content(candidate)
        sources = known[about].setdefault(content, set())
        if candidate.parents[0] in sources:
            continue
        sources.add(candidate.parents[0])
        out.append(candidate)
    return out


def timeline_keys(beliefs: Sequence[PlannedBelief]) -> list[tuple[str, str, str]]:
    """Return the (scope, subject, predicate) whose timelines the beliefs touch, in order."""
    return sorted({(b.scope, entity_key(b.subject), predicate_key(b.predicate)) for b in beliefs})


def _sources(store: Store, scope: str, subject: str) -> dict[_Content, set[EngramId]]:
    out: dict[_Content, set[EngramId]] = {}
    for said in store.assertions(scope=scope, subject=subject):
        parents = store.engram(said.id).provenance.parents
        out.setdefault(_content(said), set()).update(parents)
    return out


def _content(said: PlannedBelief | Assertion) -> _Content:
    return (
        said.scope,
        entity_key(said.subject),
        predicate_key(said.predicate),
        entity_key(said.object),
        said.principal,
        said.valid_from_us,
        said.valid_to_us,
        said.negated,
        said.hedged,
    )
