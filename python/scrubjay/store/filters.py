"""A ``RowFilter`` as a condition on the table ``engram`` under the name ``e``."""

from __future__ import annotations

from array import array
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import apsw

from scrubjay.base.trace import RowFilter, State

if TYPE_CHECKING:
    from apsw import CArrayBinding

__all__ = ["condition", "id_set", "int_set"]

_NO_KEY = array("q", [-1])
_NO_ID = (b"",)


def int_set(values: Iterable[int]) -> CArrayBinding:
    """Return a set of keys as one bound value for ``IN carray(?)``; an empty one matches none."""
    return apsw.carray(array("q", values) or _NO_KEY)


def id_set(values: Iterable[bytes]) -> CArrayBinding:
    """Return a set of ids as one bound value for ``IN carray(?)``; an empty one matches none."""
    return apsw.carray(tuple(values) or _NO_ID)


def _among(column: str, values: Iterable[int] | None) -> list[str]:
    if values is None:
        return []
    listed = ", ".join(str(int(value)) for value in sorted(set(values)))
    return [f"{column} IN ({listed})"]


def condition(
    where: RowFilter, *, by_scope: bool = True, states: tuple[State, ...] | None = None
) -> tuple[str, list[Any]]:
    """Return the SQL condition and its bound values.

    ``by_scope=False`` leaves scopes to the caller; ``states`` overrides those of ``where``.
    """
    parts = ["e.tenant = 1", *_among("e.state", where.states if states is None else states)]
    values: list[Any] = []
    if by_scope and where.scope_ids is not None:
        parts.append("e.scope_id IN carray(?)")
        values.append(int_set(where.scope_ids))
    parts += _among("e.kind", where.kinds)
    parts += _among("e.category", where.categories)
    parts += _among("e.plane", where.planes)
    for clause, bound in (
        ("e.authority >= ?", where.authority_min or None),
        ("e.quality >= ?", where.quality_min or None),
        ("e.event_us >= ?", where.event_from_us),
        ("e.event_us < ?", where.event_to_us),
    ):
        if bound is not None:
            parts.append(clause)
            values.append(bound)
    return " AND ".join(parts), values
