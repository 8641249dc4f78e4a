"""Bytes of a file as they come: unpacked on the fly, in lines or array elements, never whole.

Memory stays bounded whatever the file holds: a line or element over ``MAX_ITEM_BYTES`` is passed
over and reported, and a compressed file is unpacked piece by piece.
"""

from __future__ import annotations

import gzip
import re
import zlib
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, Self

from scrubjay.base.errors import StorageError

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

__all__ = ["MAX_ITEM_BYTES", "ByteStream", "Item", "iter_elements", "iter_lines"]

MAX_ITEM_BYTES = 32 * 1024 * 1024
"""Longest line or array element that is read; real ones with inline images reach a few MB."""

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_CHUNK_BYTES = 256 * 1024
_OUTSIDE = re.compile(rb'["{}\[\],]')
_INSIDE = re.compile(rb'[^"\\]*(?:\\.[^"\\]*)*', re.DOTALL)
_QUOTE, _BACKSLASH = b'"'[0], b"\\"[0]


class Item(NamedTuple):
    """One line or array element; ``data`` is None where it was passed over, then see ``reason``."""

    number: int
    offset: int
    data: bytes | None
    reason: str = ""


class ByteStream:
    """An open file, unpacked if it is gzip, without a byte order mark.

    ``consumed_bytes`` counts bytes of the file itself, so it compares with the file's size.
    A context manager; not thread-safe.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``. Raises StorageError if that fails."""
        try:
            self._raw = path.open("rb")
            packed = self._raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            self._raw.seek(0)
        except OSError as error:
            msg = (
                f"open_transcript: the file cannot be read, got {error.strerror} for {path}, "
                "expected a readable file"
            )
            raise StorageError(msg) from error
        self._data: BinaryIO = gzip.GzipFile(fileobj=self._raw) if packed else self._raw  # type: ignore[assignment]
        self._start = b""
        self.damage = ""
        head = self.read(len(_BOM))
        self._start = b"" if head == _BOM else head
        self.offset = len(_BOM) if head == _BOM else 0

    def __enter__(self) -> Self:
        """Return the stream."""
        return self

    def __exit__(self, *_: object) -> None:
        """Close the file."""
        self.close()

    def close(self) -> None:
        """Close the file."""
        self._data.close()
        self._raw.close()

    @property
    def consumed_bytes(self) -> int:
        """Bytes read from the file so far, before unpacking."""
        return 0 if self._raw.closed else self._raw.tell()

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes, empty at the end; a broken gzip ends where it breaks."""
        if self._start:
            start, self._start = self._start, b""
            return start
        try:
            return self._data.read(size)
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self.damage = f"the gzip stream is damaged ({error})"
            return b""

    def readline(self, limit: int) -> bytes:
        """Return one line, or its next ``limit`` bytes; empty at the end."""
        start, self._start = self._start, b""
        if b"\n" in start:
            line, self._start = start[: start.index(b"\n") + 1], start[start.index(b"\n") + 1 :]
            return line
        try:
            return start + self._data.readline(limit - len(start))
        except (EOFError, zlib.error, gzip.BadGzipFile) as error:
            self.damage = f"the gzip stream is damaged ({error})"
            return start


def iter_lines(stream: ByteStream) -> Iterator[Item]:
    """Yield the non-blank lines, without their ends; ``offset`` is where each one starts.

    A line over ``MAX_ITEM_BYTES`` comes without data; so does the place where a gzip breaks.

    Cost: about 1 us a line.
    """
    number, offset = 0, stream.offset
    readline, limit = stream.readline, MAX_ITEM_BYTES
    while line := readline(limit):
        number += 1
        if len(line) == limit and not line.endswith(b"\n"):
            size = len(line)
            while (more := readline(_CHUNK_BYTES)) and not more.endswith(b"\n"):
                size += len(more)
            size += len(more)
            yield Item(number, offset, None, f"longer than {limit} bytes, got {size} bytes")
            offset += size
            continue
        text = line.strip()
        if text:
            yield Item(number, offset, text)
        offset += len(line)
    if stream.damage:
        yield Item(number + 1, offset, None, stream.damage)


def iter_elements(stream: ByteStream) -> Iterator[Item]:
    """Yield the elements of a top-level JSON array, or a top-level object as the only element.

    The splitter looks only at quotes, brackets and commas; whether an element is JSON shows when
    it is decoded, so one broken element costs one element. An array that never closes yields
    its last, unfinished element without data.

    Cost: about 30 MB/s in constant memory.
    """
    splitter = _Splitter()
    offset = stream.offset
    while chunk := stream.read(_CHUNK_BYTES):
        yield from splitter.feed(chunk, offset)
        offset += len(chunk)
    if stream.damage:
        yield Item(splitter.number + 1, offset, None, stream.damage)
    elif splitter.depth or splitter.in_string:
        yield Item(splitter.number + 1, offset, None, "the file ends inside this element")


class _Splitter:
    """Cuts a JSON array into its elements as chunks arrive.

    Invariants: 1. ``depth`` counts open brackets outside strings. 2. Element bytes are held only
    while the element is open and not longer than ``MAX_ITEM_BYTES``. 3. ``base`` is the depth at
    which elements stand: 1 inside an array, 0 for a single object.
    """

    def __init__(self) -> None:
        self.depth = 0
        self.number = 0
        self.in_string = False
        self._escaped = False
        self._base: int | None = None
        self._parts: list[bytes] = []
        self._size = 0
        self._offset = 0

    def feed(self, chunk: bytes, offset: int) -> Iterator[Item]:
        at = start = 0
        while at < len(chunk):
            if self.in_string:
                at = self._skip_string(chunk, at)
                continue
            match = _OUTSIDE.search(chunk, at)
            if match is None:
                break
            at = match.end()
            mark = match.group()
            if mark == b'"':
                self.in_string = True
            elif mark in b"{[":
                if self._base is None:
                    self._base = 1 if mark == b"[" else 0
                    start = at if mark == b"[" else start
                    self._offset = offset + start
                self.depth += 1
            elif mark in b"}]":
                self.depth -= 1
                if self._base == 0 and self.depth == 0:
                    yield from self._finish(chunk[start:at])
                    start = at
                elif self.depth == 0:
                    yield from self._finish(chunk[start : at - 1])
                    start = at
            elif self.depth == 1 and self._base == 1:
                yield from self._finish(chunk[start : at - 1])
                start = at
                self._offset = offset + at
        self._keep(chunk[start:])

    def _skip_string(self, chunk: bytes, at: int) -> int:
        if self._escaped:
            self._escaped = False
            return at + 1
        match = _INSIDE.match(chunk, at)
        at = match.end() if match else at
        if at < len(chunk):
            if chunk[at] == _QUOTE:
                self.in_string = False
            elif chunk[at] == _BACKSLASH:
                self._escaped = True
            at += 1
        return at

    def _keep(self, piece: bytes) -> None:
        self._size += len(piece)
        if self._size <= MAX_ITEM_BYTES:
            self._parts.append(piece)
        else:
            self._parts.clear()

    def _finish(self, piece: bytes) -> Iterator[Item]:
        self._keep(piece)
        size, data = self._size, b"".join(self._parts).strip()
        self._parts.clear()
        self._size = 0
        if size > MAX_ITEM_BYTES:
            self.number += 1
            reason = f"longer than {MAX_ITEM_BYTES} bytes, got {size} bytes"
            yield Item(self.number, self._offset, None, reason)
        elif data:
            self.number += 1
            yield Item(self.number, self._offset, data)
