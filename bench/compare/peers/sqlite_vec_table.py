"""sqlite-vec: an exact scan of a virtual table, floats and 8-bit integers, one query at a time."""

from typing import Any

import apsw
import numpy as np
import sqlite_vec
from numpy.typing import NDArray

from bench.compare.measuring import Matrix
from bench.compare.peers.contender import FORMS, Contender, Numbers, padded

COLUMN = {
    "f32": ("float", "?"),
    "i8": ("int8", "vec_quantize_int8(?, 'unit')"),
}


class SqliteVec(Contender):
    """A vec0 table in memory."""

    library = "sqlite-vec"
    exact = True

    def __init__(self, form: str) -> None:
        self.name = f"sqlite-vec {form}"
        self.type, self.value = COLUMN[form]

    def build(self, rows: Matrix, *, threads: int = 1, spare: int = 0) -> None:
        self.database = apsw.Connection(":memory:")
        self.database.enable_load_extension(enable=True)
        self.database.load_extension(sqlite_vec.loadable_path())
        column = f"vector {self.type}[{rows.shape[1]}] distance_metric=cosine"
        self.database.execute(f"CREATE VIRTUAL TABLE item USING vec0({column})")
        self.database.execute("CREATE TABLE allowed (key INTEGER PRIMARY KEY)")
        self.add(np.arange(len(rows)), rows)

    def one(self, query: Matrix, k: int, ef: int) -> list[int]:
        return self._ask(query, k, "")

    def search(self, queries: Matrix, k: int, ef: int) -> Numbers:
        return padded([self._ask(query, k, "") for query in queries], k)

    def _ask(self, query: Matrix, k: int, condition: str) -> list[int]:
        statement = f"SELECT rowid FROM item WHERE vector MATCH {self.value} AND k = ? {condition}"
        return [key for (key,) in self.database.execute(statement, (query.tobytes(), k))]

    def allow(self, mask: NDArray[np.bool_]) -> Any:
        with self.database:
            self.database.execute("DELETE FROM allowed")
            keys = ((key,) for key in np.flatnonzero(mask).tolist())
            self.database.executemany("INSERT INTO allowed VALUES (?)", keys)

    def filtered(self, queries: Matrix, k: int, ef: int, allowed: Any) -> Numbers:
        condition = "AND rowid IN (SELECT key FROM allowed)"
        return padded([self._ask(query, k, condition) for query in queries], k)

    def add(self, keys: Numbers, rows: Matrix) -> None:
        statement = f"INSERT INTO item(rowid, vector) VALUES (?, {self.value})"
        values = ((key, row.tobytes()) for key, row in zip(keys.tolist(), rows, strict=True))
        with self.database:
            self.database.executemany(statement, values)

    def remove(self, keys: Numbers) -> None:
        with self.database:
            doomed = ((key,) for key in keys.tolist())
            self.database.executemany("DELETE FROM item WHERE rowid = ?", doomed)

    def memory_bytes(self) -> int:
        pages, size = (
            self.database.execute(f"PRAGMA {name}").fetchone()[0]
            for name in ("page_count", "page_size")
        )
        return int(pages * size)


for form in COLUMN:
    FORMS[f"sqlite-vec {form}"] = lambda form=form: SqliteVec(form)
