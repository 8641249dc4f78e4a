"""Bytes of a file as they come: unpacked on the fly, in lines or array elements, never whole.

Memory stays bounded whatever the file holds: a line or element over ``MAX_ITEM_BYTES`` is passed
over and reported, and a compressed file is unpacked piece by piece.
"""

from __future__ import annotations

import gzip
import os
import re
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO, NamedTuple, Self

from scrubjay.base.errors import StorageError

__all__ = [
    "MAX_ITEM_BYTES",
    "ByteStream",
    "Item",
    "iter_elements",
    "iter_lines",
    "unpacked_size",
]

MAX_ITEM_BYTES = 32 * 1024 * 1024
"""Longest line or array element that is read; real ones with inline images reach a few MB."""

_GZIP_MAGIC = b"\x1f\x8b"
_BOM = b"\xef\xbb\xbf"
_BROKEN = (EOFError, zlib.error, gzip.BadGzipFile)
_TRAILER_BYTES = 4
_CHUNK_BYTES = 256 * 1024
_STRING = rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"'
_TO_MARK = re.compile(rb'(?:[^"{}\[\],]++|' + _STRING + rb")*+", re.DOTALL)
_TO_BRACKET = re.compile(rb'(?:[^"{}\[\]]++|' + _STRING + rb")*+", re.DOTALL)
_INSIDE = re.compile(rb'[^"\\]*+(?:\\.[^"\\]*+)*+', re.DOTALL)
_QUOTE, _BACKSLASH = b'"\\'
_OPENING, _CLOSING = b"{[", b"}]"


class Item(NamedTuple):
    """One line or array element, and the bytes ``offset`` to ``end`` of the unpacked file it fills.

    ``data`` is None where it was passed over, then ``reason`` says why.
    """

    number: int
    offset: int
    end: int
    data: bytes | None
    reason: str = ""


class ByteStream:
    """An open file, unpacked if it is gzip, without a byte order mark.

    ``offset`` is where its first byte stands in the unpacked file; ``damage`` says at the end what
    broke. A context manager; not thread-safe.
    """

    def __init__(self, path: Path) -> None:
        """Open ``path``. Raises StorageError if that fails."""
        try:
            self._raw: BinaryIO = path.open("rb")
            packed = self._raw.read(len(_GZIP_MAGIC)) == _GZIP_MAGIC
            self._raw.seek(0)
        except OSError as error:
            msg = (
                f"open_transcript: the file cannot be read, got {error.strerror} for {path}, "
                "expected a readable file"
            )
            raise StorageError(msg) from error
        self._data: BinaryIO | gzip.GzipFile = (
            gzip.GzipFile(fileobj=self._raw) if packed else self._raw
        )
        self.damage = ""
        self.offset = len(_BOM) if self.read(len(_BOM)) == _BOM else 0
        self.seek(self.offset)

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

    def read(self, size: int) -> bytes:
        """Return up to ``size`` bytes, empty at the end; a broken gzip ends where it breaks."""
        try:
            return self._data.read(size)
        except _BROKEN as error:
            self.damage = f"the gzip stream is damaged ({error})"
            return b""

    def readline(self, limit: int) -> bytes:
        """Return one line, or its next ``limit`` bytes; empty at the end."""
        try:
            return self._data.readline(limit)
        except _BROKEN as error:
            self.damage = f"the gzip stream is damaged ({error})"
            return b""

    def unpacked_size(self) -> int:
        """Return the size of the unpacked file, of gzip by its trailer (modulo 4 GiB)."""
        size = os.fstat(self._raw.fileno()).st_size
        if self._data is self._raw or size < _TRAILER_BYTES:
            return size
        tail = os.pread(self._raw.fileno(), _TRAILER_BYTES, size - _TRAILER_BYTES)
        return int.from_bytes(tail, "little")

    def seek(self, position: int) -> None:
        """Go on reading at ``position`` of the unpacked file; forwards a gzip is unpacked."""
        try:
            self._data.seek(position)
        except _BROKEN as error:
            self.damage = f"the gzip stream is damaged ({error})"


def unpacked_size(path: Path) -> int:
    """Return the size of a file, unpacked.

    Raises:
        StorageError: the file cannot be read.
    """
    with ByteStream(path) as stream:
        return stream.unpacked_size()


def iter_lines(stream: ByteStream) -> Iterator[Item]:
    """Yield the non-blank lines, without their ends; ``offset`` is where each one starts.

    A line over ``MAX_ITEM_BYTES`` comes without data; so does the place where a gzip breaks.

    Cost: about 1 us a line.
    """
    number, offset = 0, stream.offset
    readline, limit = stream.readline, MAX_ITEM_BYTES
    while line := readline(limit):
        number += 1
        end = offset + len(line)
        if len(line) == limit and not line.endswith(b"\n"):
            while (more := readline(_CHUNK_BYTES)) and not more.endswith(b"\n"):
                end += len(more)
            end += len(more)
            reason = f"longer than {limit} bytes, got {end - offset} bytes"
            yield Item(number, offset, end, None, reason)
        elif text := line.strip():
            yield Item(number, offset, end, text)
        offset = end
    if stream.damage:
        yield Item(number + 1, offset, offset, None, stream.damage)


def iter_elements(stream: ByteStream) -> Iterator[Item]:
    """Yield the elements of a top-level JSON array, or a top-level object as the only element.

    The splitter looks only at quotes, brackets and commas; whether an element is JSON shows when
    it is decoded, so one broken element costs one element. An array that never closes yields
    its last, unfinished element without data.

    Cost: about 50 MB/s in constant memory.
    """
    splitter = _Splitter()
    offset = stream.offset
    while chunk := stream.read(_CHUNK_BYTES):
        yield from splitter.feed(chunk, offset)
        offset += len(chunk)
    if stream.damage:
        yield Item(splitter.number + 1, offset, offset, None, stream.damage)
    elif splitter.depth or splitter.in_string:
        reason = "the file ends inside this element"
        yield Item(splitter.number + 1, offset, offset, None, reason)


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
            between = _TO_MARK if self.depth <= 1 else _TO_BRACKET
            at = _end_of(between, chunk, at)
            if at == len(chunk):
                break
            mark = chunk[at]
            at += 1
            if mark == _QUOTE:
                self.in_string = True
            elif mark in _OPENING:
                self.depth += 1
                if self._base is None:
                    self._base = 1 if mark == _OPENING[1] else 0
                    start = at - 1 + self._base
                    self._offset = offset + start
            elif mark in _CLOSING:
                self.depth -= 1
                if self.depth == 0:
                    cut = at if self._base == 0 else at - 1
                    yield from self._finish(chunk[start:cut], offset + cut)
                    start = at
                    self._offset = offset + at
            elif self.depth == 1 and self._base == 1:
                yield from self._finish(chunk[start : at - 1], offset + at - 1)
                start = at
                self._offset = offset + at
        self._keep(chunk[start:])

    def _skip_string(self, chunk: bytes, at: int) -> int:
        if self._escaped:
            self._escaped = False
            return at + 1
        at = _end_of(_INSIDE, chunk, at)
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

    def _finish(self, piece: bytes, end: int) -> Iterator[Item]:
        self._keep(piece)
        size, data = self._size, b"".join(self._parts).strip()
        self._parts.clear()
        self._size = 0
        if size > MAX_ITEM_BYTES:
            self.number += 1
            reason = f"longer than {MAX_ITEM_BYTES} bytes, got {size} bytes"
            yield Item(self.number, self._offset, end, None, reason)
        elif data:
            self.number += 1
            yield Item(self.number, self._offset, end, data)


def _end_of(pattern: re.Pattern[bytes], chunk: bytes, at: int) -> int:
    """Return where a match that starts at ``at`` ends; the patterns here also match nothing."""
    match = pattern.match(chunk, at)
    return at if match is None else match.end()
