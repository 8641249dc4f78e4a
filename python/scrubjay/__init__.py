"""scrubjay: an embedded cognitive memory engine for AI agents.

One directory, no server, no key, offline. ``Memory`` is the whole; ``Index`` is the bare
retention-aware vector index under it. Names load on first use, so that importing is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from scrubjay.base.clock import ManualClock, SystemClock
    from scrubjay.base.errors import ScrubjayError
    from scrubjay.base.ids import SeededEntropy
    from scrubjay.base.trace import Observation, ToolCall, ToolResult
    from scrubjay.index import Filter, Index, SearchResult
    from scrubjay.memory import Memory
    from scrubjay.policies.recall import Hit, Recall, Weights

__all__ = [
    "Filter",
    "Hit",
    "Index",
    "ManualClock",
    "Memory",
    "Observation",
    "Recall",
    "ScrubjayError",
    "SearchResult",
    "SeededEntropy",
    "SystemClock",
    "ToolCall",
    "ToolResult",
    "Weights",
    "__version__",
]

__version__ = "0.1.0"

_HOMES = {
    "Filter": "scrubjay.index",
    "Hit": "scrubjay.policies.recall",
    "Index": "scrubjay.index",
    "ManualClock": "scrubjay.base.clock",
    "Memory": "scrubjay.memory",
    "Observation": "scrubjay.base.trace",
    "Recall": "scrubjay.policies.recall",
    "ScrubjayError": "scrubjay.base.errors",
    "SearchResult": "scrubjay.index",
    "SeededEntropy": "scrubjay.base.ids",
    "SystemClock": "scrubjay.base.clock",
    "ToolCall": "scrubjay.base.trace",
    "ToolResult": "scrubjay.base.trace",
    "Weights": "scrubjay.policies.recall",
}


def __getattr__(name: str) -> object:
    """Load a public name from its home."""
    home = _HOMES.get(name)
    if home is None:
        msg = f"module 'scrubjay' has no attribute {name!r}"
        raise AttributeError(msg)
    return getattr(import_module(home), name)


def __dir__() -> list[str]:
    """Return the public names."""
    return sorted(__all__)
