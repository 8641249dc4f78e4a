"""Where the data sets lie that are too large or not ours to commit.

``SCRUBJAY_DATA`` names the folder; without it ``../shared/data`` beside the repository is tried.
On a machine without them the tests that need them are skipped and say so; in CI (``CI`` set)
their absence is a failure.
"""

import os
from pathlib import Path

import pytest

_ROOT = Path(__file__).resolve().parents[1]


def find_data(relative: str) -> Path | None:
    """Return the file or folder ``relative`` of the data sets, or None where it is absent."""
    configured = os.environ.get("SCRUBJAY_DATA")
    folder = Path(configured) if configured else _ROOT.parent / "shared" / "data"
    path = folder / relative
    return path if path.exists() else None


def require_data(relative: str) -> Path:
    """Return the file or folder ``relative`` of the data sets, else skip (fail in CI)."""
    path = find_data(relative)
    if path is None:
        missing(f"data set {relative} is absent; set SCRUBJAY_DATA to the folder that holds it")
    return path


def missing(reason: str) -> None:
    """Skip a test for what this machine lacks; in CI nothing may be lacking."""
    if os.environ.get("CI", "").lower() in {"1", "true", "yes"}:
        pytest.fail(f"CI must have it: {reason}")
    pytest.skip(reason)
