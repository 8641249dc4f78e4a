"""Hot search: every live row that passes the filters is scored against the question.

What the word search, the context search and the vector scan find is united, never intersected: a
row that one of them misses has 0 there and competes with the rest.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from scrubjay.base.ports import Store
from scrubjay.base.trace import Kind, RowFilter
from scrubjay.index import Filter
from scrubjay.policies.recall.live import LiveRows, View
from scrubjay.policies.recall.relevance import idf_mass
from scrubjay.policies.recall.scoring import Question, Scored, score

__all__ = ["DEPTH", "search_live"]

DEPTH = 4096
"""Rows taken from each word search; where more match, the answer is not certified."""

_Positions = NDArray[np.intp]
_Signal = NDArray[np.float64]


def search_live(
    question: Question, view: View, rows: LiveRows, store: Store, *, where: RowFilter
) -> Scored:
    """Score every live row that passes ``where``.

    Cost: one scan of the vectors that pass, two word searches.
    """
    at, meaning = _meanings(question, view, rows, where)
    as_of_us = question.request.as_of_us
    if as_of_us is not None:
        held = (view.rows.event_us[at] <= as_of_us) | (view.rows.kind[at] == Kind.BELIEF)
        at, meaning = at[held], meaning[held]
    words, context, complete = _words(question, view, store, at, where)
    weights = question.request.effective_weights
    return score(
        question,
        keys=view.keys[at],
        signals=np.stack([words, context, meaning]),
        cosine=meaning / np.maximum(view.rows.gain[at], np.float32(1e-6)),
        priors=lambda kept: view.priors(at[kept], now_us=question.now_us, weights=weights),
        complete=complete,
    )


def _meanings(
    question: Question, view: View, rows: LiveRows, where: RowFilter
) -> tuple[_Positions, _Signal]:
    """Return the positions of the rows that pass, and gain times cosine of each."""
    if question.vector is None:
        at = view.matching(where)
        return at, np.zeros(len(at))
    keys, similarity = rows.index.similarity(question.vector, where=_filter_of(where))
    if len(keys) == len(view.keys) and np.array_equal(keys, view.keys):
        return np.arange(len(keys)), similarity.astype(np.float64)
    at, known = _find(view.keys, keys)
    return at[known], similarity[known].astype(np.float64)


def _words(
    question: Question, view: View, store: Store, at: _Positions, where: RowFilter
) -> tuple[_Signal, _Signal, bool]:
    """Return the word and context signals of the rows at ``at``, and whether all were scored."""
    tokens = question.tokens
    if not tokens or not len(at):
        return np.zeros(len(at)), np.zeros(len(at)), True
    if view.words is not None:
        words, context = view.words.scores(tokens, view.keys[at])
        return words, context, True
    signals = []
    complete = True
    for of_context in (False, True):
        mass = idf_mass(len(view.keys), store.token_frequencies(tokens, context=of_context))
        matched = store.match_text(tokens, context=of_context, where=where, limit=DEPTH)
        complete &= len(matched) < DEPTH
        dense = np.zeros(len(view.keys))
        if matched:
            keys, bm25 = np.array(matched).T
            place, known = _find(view.keys, keys.astype(np.int64))
            dense[place[known]] = bm25[known] / mass
        signals.append(dense[at])
    return signals[0], signals[1], complete


def _find(
    ascending: NDArray[np.int64], keys: NDArray[np.int64]
) -> tuple[_Positions, NDArray[np.bool_]]:
    """Return where each key stands among ascending keys, and whether it is there at all."""
    if not len(ascending):
        return np.zeros(len(keys), np.intp), np.zeros(len(keys), bool)
    at = np.minimum(np.searchsorted(ascending, keys), len(ascending) - 1)
    return at, ascending[at] == keys


def _filter_of(where: RowFilter) -> Filter:
    return Filter(
        scopes=where.scope_ids,
        kinds=where.kinds,
        categories=where.categories,
        states=where.states,
        planes=where.planes,
        authority_min=where.authority_min,
        quality_min=where.quality_min,
        event_from_us=where.event_from_us,
        event_to_us=where.event_to_us,
    )
