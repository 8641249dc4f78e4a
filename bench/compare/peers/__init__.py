"""The contenders of the comparison. A library that is not installed is named and left out."""

from importlib import import_module

from bench.compare.peers.contender import FORMS, Contender, Unsupported

__all__ = ["FORMS", "Contender", "Unsupported", "missing_libraries"]

_FILES = {
    "scrubjay": "scrubjay_index",
    "faiss-cpu": "faiss_hnsw",
    "hnswlib": "hnswlib_hnsw",
    "usearch": "usearch_hnsw",
    "voyager": "voyager_hnsw",
    "sqlite-vec": "sqlite_vec_table",
    "numba": "numba_scan",
}


def missing_libraries() -> list[str]:
    """Fill ``FORMS`` with what can be imported and return the libraries that cannot."""
    missing = []
    for library, file in _FILES.items():
        try:
            import_module(f"bench.compare.peers.{file}")
        except ImportError:
            missing.append(library)
    return missing
