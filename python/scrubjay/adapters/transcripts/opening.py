"""Open a transcript: tell its format, name its lineage, and iterate over its records."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from scrubjay.adapters.transcripts.chatgpt import ChatGPTReader
from scrubjay.adapters.transcripts.claude_code import ClaudeCodeReader
from scrubjay.adapters.transcripts.detection import FORMATS, detect
from scrubjay.adapters.transcripts.locomo import LocomoReader
from scrubjay.adapters.transcripts.openai import OpenAIReader
from scrubjay.adapters.transcripts.plain import PlainReader
from scrubjay.adapters.transcripts.reading import Reader, read
from scrubjay.adapters.transcripts.records import Record
from scrubjay.adapters.transcripts.stream import ByteStream, unpacked_size
from scrubjay.base.errors import InvalidArgumentError

__all__ = ["Transcript", "open_transcript"]

_READERS: dict[str, type[Reader]] = {
    "openai": OpenAIReader,
    "claude_code": ClaudeCodeReader,
    "chatgpt": ChatGPTReader,
    "locomo": LocomoReader,
    "plain": PlainReader,
}
_LINEAGE_BYTES = 4096
_CHUNK_BYTES = 1024 * 1024


class Transcript:
    """A file of one format; iterating reads it from the start, each time anew.

    Attributes:
        path: The file.
        format: One of ``FORMATS``.
        source: A stable name of the file and how it begins; the same after it grew or was packed.
        size_bytes: Its size unpacked, where positions end.
        skipped: What the last iteration left out on purpose, counted by reason.

    Not thread-safe.
    """

    def __init__(self, path: Path, format_: str, source: str) -> None:
        """Keep what ``open_transcript`` found out; the file is opened by each iteration."""
        self.path = path
        self.format = format_
        self.source = source
        self.size_bytes = unpacked_size(path)
        self.skipped: Counter[str] = Counter()
        self._prefix = _Prefix(path)
        self._readings = 0

    def __iter__(self) -> Iterator[Record]:
        """Yield the records in file order.

        Raises:
            StorageError: the file cannot be opened.
        """
        reader = _READERS[self.format](_stem(self.path))
        self.skipped = reader.skipped
        self._readings += 1
        try:
            with ByteStream(self.path) as stream:
                yield from read(stream, reader)
        finally:
            self._readings -= 1
            self._prefix.rest()

    def digest(self, position: int) -> str:
        """Return the SHA-256 of the file's first ``position`` bytes, unpacked, in hex.

        Two readings of a file that only grew agree at every position of the first.

        Raises:
            StorageError: the file cannot be opened.

        Cost: the bytes since the last call; all bytes where ``position`` fell.
        """
        if position < self._prefix.length:
            self._prefix.rest()
            self._prefix = _Prefix(self.path)
        try:
            return self._prefix.extend(position)
        finally:
            if not self._readings:
                self._prefix.rest()


class _Prefix:
    """A running hash over the start of a file; its file stays open until ``rest``."""

    def __init__(self, path: Path) -> None:
        self.length = 0
        self._path = path
        self._hash = hashlib.sha256()
        self._stream: ByteStream | None = None

    def extend(self, position: int) -> str:
        if self._stream is None:
            self._stream = ByteStream(self._path)
            self._stream.seek(self.length)
        while self.length < position and (
            piece := self._stream.read(min(_CHUNK_BYTES, position - self.length))
        ):
            self._hash.update(piece)
            self.length += len(piece)
        return self._hash.hexdigest()

    def rest(self) -> None:
        if self._stream is not None:
            self._stream.close()
            self._stream = None


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
