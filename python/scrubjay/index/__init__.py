"""The bare retention-aware index: what should be remembered now, over NumPy arrays.

Rows are vectors with retention columns; a search returns the best k by

``S = w_r * gain * similarity + ((w_t * exp(-lambda * age) + w_s * salience) + w_f * use)``

with ``similarity`` as the metric says (cosine unless told otherwise), and
``use = ln(1 + f)``, or ``min(1, ln(1 + f) / ln(1 + F))`` for ``frequency="saturating"``.
Filters are evaluated inside the search, so k rows come back whenever k rows match. Nothing here
knows of text, files or the time of day: keys, vectors and instants come from the caller.

Every call validates all it was given before it changes anything, releases the GIL while it works,
and may come from any thread; searches run together, a writer runs alone.
Source: DESIGN sections 4 and 5.
"""

from scrubjay.index.columns import FOREVER_US, Columns
from scrubjay.index.query import Filter, SearchResult, Weights
from scrubjay.index.retention import Index

__all__ = ["FOREVER_US", "Columns", "Filter", "Index", "SearchResult", "Weights"]
