"""Reports as JSON values: what a program reads on stdout or over a protocol."""

from __future__ import annotations

import msgspec

__all__ = ["Json", "values_of"]

Json = str | int | float | bool | None | list["Json"] | dict[str, "Json"]


def values_of(struct: msgspec.Struct) -> dict[str, Json]:
    r"""Return the fields of a struct as JSON values; ids as hex digits.

    >>> from scrubjay.base.trace import Firing
    >>> values_of(Firing(intention=b"\x01", occurrence_us=2, fired_us=3))["intention"]
    '01'
    """
    raw = msgspec.to_builtins(struct, builtin_types=(bytes,))
    return {str(name): _json_of(value) for name, value in raw.items()}


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
