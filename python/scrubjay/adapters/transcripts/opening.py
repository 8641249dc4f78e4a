"""Open a transcript: tell its format, name its lineage, and iterate over its records."""

from __future__ import annotations

import hashlib
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

from scrubjay.adapters.transcripts import chatgpt, claude_code, locomo, openai, plain
from scrubjay.adapters.transcripts.detection import FORMATS, detect
from scrubjay.adapters.transcripts.records import Reading
from scrubjay.adapters.transcripts.stream import ByteStream
from scrubjay.base.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from scrubjay.adapters.transcripts.records import Record

__all__ = ["Transcript", "open_transcript"]

_READERS: dict[str, Callable[[Reading], Iterator[Record]]] = {
    "openai": openai.read,
    "claude_code": claude_code.read,
    "chatgpt": chatgpt.read,
    "locomo": locomo.read,
    "plain": plain.read,
}
_LINEAGE_BYTES = 4096


class Transcript:
    """A file of one format; iterating reads it from the start, each time anew.

    Attributes:
        path: The file.
        format: One of ``FORMATS``.
        source: A stable name of the file and how it begins; the same after it grew or was packed.
        size_bytes: Its size on disk.
        skipped: What the last iteration left out on purpose, counted by reason.
    """

    def __init__(self, path: Path, format_: str, source: str) -> None:
        """Keep what ``open_transcript`` found out; the file is opened by each iteration."""
        self.path = path
        self.format = format_
        self.source = source
        self.size_bytes = path.stat().st_size
        self.skipped: Counter[str] = Counter()
        self._consumed_bytes = 0
        self._stream: ByteStream | None = None

    @property
    def consumed_bytes(self) -> int:
        """Bytes of the file read so far by the running iteration, for a progress bar."""
        if self._stream is not None:
            self._consumed_bytes = self._stream.consumed_bytes
        return min(self._consumed_bytes, self.size_bytes)

    def __iter__(self) -> Iterator[Record]:
        """Yield the records in file order.

        Raises:
            StorageError: the file cannot be opened.
        """
        with ByteStream(self.path) as stream:
            reading = Reading(stream, _stem(self.path))
            self.skipped, self._stream = reading.skipped, stream
            try:
                yield from _READERS[self.format](reading)
            finally:
                self._consumed_bytes, self._stream = stream.consumed_bytes, None


def open_transcript(path: str | Path, *, format: str = "auto") -> Transcript:
    """Open a transcript file.

    Args:
        path: The file, perhaps gzip.
        format: One of ``FORMATS``, or ``auto`` to tell by the content.

    Raises:
        InvalidArgumentError: an unknown format; the message lists the valid ones.
        TranscriptError: ``auto`` and no format fits.
        StorageError: the file is missing, is a directory or cannot be read.
    """
    if format != "auto" and format not in FORMATS:
        msg = (
            f"open_transcript: unknown format, got {format!r:.40}, "
            f"expected auto or one of {', '.join(FORMATS)}"
        )
        raise InvalidArgumentError(msg)
    path = Path(path)
    name = detect(path) if format == "auto" else format
    with ByteStream(path) as stream:
        first = stream.readline(_LINEAGE_BYTES)
    lineage = hashlib.sha256(first.strip()).hexdigest()[:16]
    return Transcript(path, name, f"{name}:{_stem(path)}:{lineage}")


def _stem(path: Path) -> str:
    """Return the file's name without ``.gz`` and without its own suffix."""
    name = path.name.removesuffix(".gz")
    return (name.rpartition(".")[0] or name)[:200]
