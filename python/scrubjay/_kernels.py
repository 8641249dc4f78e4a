"""The one door to the compiled core.

Every other module reaches ``scrubjay._core`` through here. Arrays are taken exactly as they are:
right dtype, C-contiguous, aligned; nothing is converted silently. Each kernel releases the GIL.
``isa`` names one instruction set for a test; ``None`` means the one chosen at load, which the
environment variable ``SCRUBJAY_ISA`` (``scalar``, ``avx2``, ``avx512``, ``neon``) overrides.
"""

from __future__ import annotations

from typing import Final

from scrubjay.base.errors import DependencyError

try:
    from scrubjay import _core
except ImportError as missing:
    raise DependencyError(
        "scrubjay: the compiled core scrubjay._core cannot be loaded, got "
        f"{missing}, expected a built package; run ./dev or pip install ."
    ) from missing

__all__ = ["ACTIVE_ISA", "SUPPORTED_ISAS"]

ACTIVE_ISA: Final[str] = _core.active_isa()
"""The instruction set in use; the first call reads ``SCRUBJAY_ISA`` and refuses a wrong one."""

SUPPORTED_ISAS: Final[tuple[str, ...]] = tuple(_core.supported_isas())
"""Every instruction set that this build contains and this CPU runs, slowest first."""
