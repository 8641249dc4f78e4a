"""Bounds that several layers check, so that what one lets in the next can hold."""

from __future__ import annotations

__all__ = ["MAX_CONTENT_BYTES", "MAX_NAME_CHARS"]

MAX_CONTENT_BYTES = 1_048_576
"""One memory holds at most 1 MiB of UTF-8; longer text belongs in a file that a memory names."""

MAX_NAME_CHARS = 500
"""Characters of a scope, a session, a principal, a message id or a part of a fact."""
