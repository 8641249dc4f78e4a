"""File systems that fail on purpose, as SQLite sees them: a full disk, a power cut."""

from pathlib import Path

import apsw


class _Countdown(apsw.VFSFile):
    """A file whose writes are refused once the budget of its file system is spent."""

    def __init__(self, name, flags, owner):
        self._owner = owner
        super().__init__("", name, flags)

    def xWrite(self, data, offset):  # noqa: N802
        self._owner.spend()
        super().xWrite(data, offset)


class FullDisk(apsw.VFS):
    """Refuses every write after ``writes_left`` more; None is a disk with room."""

    def __init__(self, name="full-disk"):
        self.writes_left = None
        super().__init__(name, "")

    def spend(self):
        """Take one write from the budget, or fail as a full disk does."""
        if self.writes_left is not None:
            if self.writes_left <= 0:
                raise apsw.FullError("database or disk is full")
            self.writes_left -= 1

    def xOpen(self, name, flags):  # noqa: N802
        return _Countdown(name, flags, self)


class _Undoable(apsw.VFSFile):
    """A file that remembers what its writes since the last sync replaced."""

    def __init__(self, name, flags, owner):
        path = name.filename() if isinstance(name, apsw.URIFilename) else name
        self._undo = owner.undo.setdefault(path, [])
        self._owner = owner
        super().__init__("", name, flags)

    def xWrite(self, data, offset):  # noqa: N802
        self._owner.count()
        size = self.xFileSize()
        kept = min(len(data), max(size - offset, 0))
        old = self.xRead(kept, offset) if kept else b""
        self._undo.append((size, offset, old))
        super().xWrite(data, offset)

    def xTruncate(self, newsize):  # noqa: N802
        size = self.xFileSize()
        if newsize < size:
            self._undo.append((size, newsize, self.xRead(size - newsize, newsize)))
        super().xTruncate(newsize)

    def xSync(self, flags):  # noqa: N802
        super().xSync(flags)
        self._undo.clear()


class PowerCut(apsw.VFS):
    """Forgets, when the power goes, every write that was not synced.

    ``writes_left`` more writes succeed; the next one calls ``on_cut``, which must not return.
    """

    def __init__(self, on_cut, name="power-cut"):
        self.undo = {}
        self.writes_left = None
        self._on_cut = on_cut
        super().__init__(name, "")

    def count(self):
        """Take one write from those left before the cut."""
        if self.writes_left is not None:
            self.writes_left -= 1
            if self.writes_left < 0:
                self.lose_unsynced()
                self._on_cut()

    def xOpen(self, name, flags):  # noqa: N802
        return _Undoable(name, flags, self)

    def lose_unsynced(self):
        """Put every file back to its last sync."""
        for path, steps in self.undo.items():
            if path is None or not steps:
                continue
            with Path(path).open("r+b") as file:
                for size, offset, old in reversed(steps):
                    file.seek(offset)
                    file.write(old)
                    file.truncate(size)
