"""Rows, gains and context: what an observation becomes."""

import numpy as np
import pytest

from scrubjay.base.errors import EmbedderError
from scrubjay.base.ports import Embedding
from scrubjay.base.trace import Category, Kind, Observation, RowFilter, ToolCall
from scrubjay.policies.encoding import DAMPING, MIN_GAIN, Encoder, gain_of, text_of


def test_gain_is_the_damped_length_and_stays_positive():
    norms = np.array([0.0, 60.0, 120.0, 500.0], np.float32)
    expected = [MIN_GAIN, 0.5 ** (1 - DAMPING), 1.0, 1.0]
    assert expected == pytest.approx(gain_of(norms, 120.0).tolist())
    assert [1.0] * 4 == gain_of(norms, None).tolist()


def test_bare_tool_calls_are_spelled_out():
    call = ToolCall(call_id="1", name="ls", arguments='{"path":"/"}')
    assert 'ls({"path":"/"})' == text_of(Observation(content="", tool_calls=(call,)))
    assert "look" == text_of(Observation(content="look", tool_calls=(call,)))


class Faulty:
    identity = "faulty"
    dim = 4

    def __init__(self, answer):
        self.answer = answer

    def embed(self, texts):
        return Embedding(self.answer, np.ones(len(texts), np.float32))

    def embed_query(self, text):
        return self.answer[0]


@pytest.mark.parametrize(
    ("answer", "words"),
    [
        (np.zeros((1, 3), np.float32), "shape"),
        (np.full((1, 4), np.nan, np.float32), "NaN"),
        (np.full((1, 4), np.inf, np.float32), "infinity"),
    ],
    ids=["shape", "nan", "inf"],
)
def test_r11_an_embedder_that_answers_nonsense_is_refused(answer, words):
    with pytest.raises(EmbedderError, match=words):
        Encoder(Faulty(answer)).embed(["x"])


def test_the_successor_rewrites_one_context_row(memory):
    ids = [memory.observe(word, session="s") for word in ("alpha", "bravo", "charlie", "delta")]
    locals_ = [memory.engram(id_).local for id_ in ids]
    store = memory._parts.store
    found = {
        word: {
            local for local, _ in store.match_text([word], context=True, where=RowFilter(), limit=9)
        }
        for word in ("alpha", "bravo", "charli", "delta")
    }
    a, b, c, d = locals_
    assert {a, b, c} == found["alpha"]
    assert {a, b, c, d} == found["bravo"]
    assert {b, c, d} == found["charli"]
    assert {c, d} == found["delta"]


def test_sessions_do_not_lend_each_other_context(memory):
    memory.observe("alpha", session="one")
    memory.observe("bravo", session="two")
    memory.observe("charlie", session="one", scope="elsewhere")
    store = memory._parts.store
    assert 1 == len(store.match_text(["alpha"], context=True, where=RowFilter(), limit=9))


def test_roles_fix_kind_category_and_schedule(memory):
    row = memory.engram(memory.observe("exit 0", role="tool"))
    assert (Kind.TOOL_RESULT, Category.TELEMETRY, 0.2) == (row.kind, row.category, row.salience)
    row = memory.engram(memory.observe("hello"))
    assert (Kind.TURN, Category.DIALOGUE, 0.4) == (row.kind, row.category, row.salience)
    assert row.last_us < row.evict_at_us


def test_positions_count_up_within_a_session(memory):
    ids = [memory.observe(f"turn {n}", session="s") for n in range(5)]
    assert [0, 1, 2, 3, 4] == [memory.engram(id_).provenance.position for id_ in ids]
