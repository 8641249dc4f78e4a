"""Reports as JSON values: what a program reads on stdout or over a protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from scrubjay.base.clock import format_us
from scrubjay.base.ids import format_id

if TYPE_CHECKING:
    from scrubjay.policies.recall import Hit, Recall

__all__ = ["Json", "answer_values", "values_of"]

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


def values_of(struct: msgspec.Struct) -> dict[str, Json]:
    r"""Return the fields of a struct as JSON values; ids as hex digits.

    >>> from scrubjay.base.trace import Firing
    >>> values_of(Firing(intention=b"\x01", occurrence_us=2, fired_us=3))["intention"]
    '01'
    """
    raw = msgspec.to_builtins(struct, builtin_types=(bytes,))
    return {str(name): _json_of(value) for name, value in raw.items()}


def answer_values(answer: Recall) -> dict[str, Json]:
    """Return an answer with everything it carries, hits in order."""
    return {
        "hits": [_hit_values(hit) for hit in answer],
        "certified": answer.certified,
        "truncated": answer.truncated,
        "cursor": answer.cursor,
        "filtered": answer.filtered,
        "abstained": answer.abstained,
        "unknown_scopes": list(answer.unknown_scopes),
    }


def _hit_values(hit: Hit) -> dict[str, Json]:
    engram = hit.engram
    provenance = engram.provenance
    return {
        "id": format_id(engram.id),
        "score": hit.score,
        "relevance": hit.relevance,
        "terms": dict(hit.terms),
        "content": engram.content,
        "kind": engram.kind.name.lower(),
        "category": engram.category.name.lower(),
        "state": engram.state.name.lower(),
        "pinned": engram.pinned,
        "source": hit.source,
        "scope": engram.scope,
        "session": provenance.session,
        "principal": provenance.principal,
        "role": provenance.role.value,
        "channel": provenance.channel.value,
        "authority": provenance.authority.name.lower(),
        "untrusted": provenance.plane.name == "OBSERVED",
        "event": format_us(engram.event_us),
        "recorded": format_us(engram.recorded_us),
        "parents": [format_id(parent) for parent in provenance.parents],
        "count": hit.count,
    }


def _json_of(value: object) -> Json:
    if isinstance(value, bytes):
        return value.hex()
    if isinstance(value, dict):
        return {str(name): _json_of(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_json_of(inner) for inner in value]
    if value is None or isinstance(value, str | int | float):
        return value
    return str(value)
