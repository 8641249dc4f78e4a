"""Every error scrubjay raises, typed once.

Each class inherits the builtin it resembles, so code that knows nothing of scrubjay still catches
it sensibly. The text of an error says which function refused, what was wrong, what it got, what it
expected and what to do. An error is raised before anything has changed.

Source: the double inheritance follows Arrow's exception hierarchy.
"""

from __future__ import annotations

__all__ = [
    "ArgumentTypeError",
    "AuthorityError",
    "BusyError",
    "CapacityError",
    "ClockError",
    "ClosedError",
    "ConflictError",
    "CorruptionError",
    "DependencyError",
    "EmbedderError",
    "EmbedderMismatchError",
    "FormatVersionError",
    "InvalidArgumentError",
    "MissingTenantError",
    "NotFoundError",
    "ScrubjayError",
    "ShapeError",
    "StorageError",
    "TranscriptError",
    "UnitError",
]


class ScrubjayError(Exception):
    """The base of every error raised on purpose by scrubjay."""


class InvalidArgumentError(ScrubjayError, ValueError):
    """The caller passed something impossible."""


class ArgumentTypeError(InvalidArgumentError, TypeError):
    """The caller passed a value of the wrong type."""


class ShapeError(InvalidArgumentError):
    """Shapes, dtypes or memory layouts disagree."""


class UnitError(InvalidArgumentError):
    """A value lies outside its declared range, or is NaN or infinite where it may not be."""


class NotFoundError(ScrubjayError, KeyError):
    """Nothing exists under the given id or name."""

    def __str__(self) -> str:
        """Return the message itself; ``KeyError`` would show its repr."""
        return str(self.args[0]) if self.args else ""


class MissingTenantError(NotFoundError):
    """The tenant was never created in this directory; open it with ``create=True``."""


class CapacityError(ScrubjayError):
    """A bounded store is full and its policy forbids displacement."""


class ConflictError(ScrubjayError):
    """Two statements cannot both stand: an id, a sequence or a lease was taken."""


class AuthorityError(ScrubjayError, PermissionError):
    """A source tried to change something its authority does not reach."""


class ClosedError(ScrubjayError, ValueError):
    """The memory was closed; open it again."""


class StorageError(ScrubjayError, OSError):
    """The directory or a file in it cannot be read or written."""


class BusyError(StorageError):
    """Another process held the write lock for longer than the timeout."""


class CorruptionError(StorageError):
    """A file is damaged; the message names it and what can be rebuilt."""


class FormatVersionError(StorageError):
    """A file was written by a newer scrubjay, or is not scrubjay's at all."""


class EmbedderError(ScrubjayError):
    """The embedder failed or returned something that is not a finite vector."""


class EmbedderMismatchError(EmbedderError, ValueError):
    """The directory holds vectors of another embedder; the message names the re-embed command."""


class DependencyError(ScrubjayError, ImportError):
    """An optional package is missing; the message carries the line that installs it."""


class TranscriptError(ScrubjayError, ValueError):
    """A transcript cannot be read (strict mode), or its format cannot be told."""


class ClockError(ScrubjayError, ValueError):
    """A time is naive, out of range, or a manual clock was asked to go backwards."""
