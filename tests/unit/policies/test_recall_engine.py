"""The engine follows the store, scores every live row, and changes nothing."""

import math
import threading
from itertools import chain

import numpy as np
import pytest

from scrubjay.adapters.embedders import open_embedder
from scrubjay.base.errors import InvalidArgumentError
from scrubjay.base.provenance import Channel
from scrubjay.base.tokens import query_tokens, tokenize
from scrubjay.base.trace import Observation, RowFilter, State
from scrubjay.policies.encoding import Encoder
from scrubjay.policies.observing import observe_batch
from scrubjay.policies.recall import (
    RELEVANCE_FLOOR,
    RecallRequest,
    Weights,
    cold,
    filling,
    hot,
    live,
    scoring,
)
from scrubjay.policies.recall.answer import TERMS, Hit, Recall
from scrubjay.policies.recall.engine import RecallEngine
from scrubjay.policies.recall.scopes import reach_of
from scrubjay.store import open_store

NOW = 1_700_000_000_000_000
_POEM = """
    amber birch cedar delta ember frost grove haven inlet jetty knoll ledge maple north orchid
    pebble quarry ridge spruce thistle umber valley willow yarrow zenith brook cliff dune fern glade
"""
WORDS = _POEM.split()


@pytest.fixture(scope="module")
def embedder():
    return open_embedder("static")


class Desk:
    """A store with its encoder and engine."""

    def __init__(self, path, entropy, embedder):
        self.store = open_store(path, tenant="default", create=True, entropy=entropy, now_us=NOW)
        self.encoder = Encoder(embedder)
        self.engine = RecallEngine(self.store, embedder)

    def say(self, *texts, session="s", now_us=NOW, **fields):
        said = [
            Observation(content=text, session=session, scope="main", **fields) for text in texts
        ]
        report = observe_batch(self.store, self.encoder, said, channel=Channel.API, now_us=now_us)
        return report.ids

    def ask(self, query, k=10, *, now_us=NOW, **fields):
        return self.engine.recall(RecallRequest(query=query, k=k, **fields), now_us=now_us)


@pytest.fixture
def desk(tmp_path, entropy, embedder):
    opened = Desk(tmp_path / "m", entropy, embedder)
    yield opened
    opened.engine.close()
    opened.store.close()


def poems(count, *, seed=7):
    rng = np.random.default_rng(seed)
    return [" ".join(rng.choice(WORDS, size=rng.integers(3, 9))) for _ in range(count)]


def test_terms_sum_to_the_score_and_say_why(desk):
    desk.say("The cedar by the inlet fell.", principal="ann")
    hit = desk.ask("which cedar fell?")[0]
    assert tuple(hit.terms) == TERMS
    assert sum(hit.terms.values()) == pytest.approx(hit.score)
    assert sum(hit.terms[name] for name in TERMS[:3]) == pytest.approx(0.5 * hit.relevance)
    assert all(name in hit.why() for name in TERMS)
    assert "ann" in hit.why()
    assert "user_explicit via api" in hit.why()


def test_weights_move_the_score_and_not_the_relevance(desk):
    desk.say("The cedar by the inlet fell.")
    plain = desk.ask("cedar")[0]
    only = desk.ask("cedar", weights=Weights(relevance=1, recency=0, salience=0, frequency=0))[0]
    assert only.relevance == plain.relevance
    assert only.score == pytest.approx(only.relevance)


def test_rows_of_like_age_rank_by_relevance_whatever_the_prior_weighs(desk):
    desk.say(*poems(80))
    orders = [
        [hit.id for hit in desk.ask("amber frost maple", 40, weights=weights)]
        for weights in (None, Weights(relevance=1, recency=0, salience=0, frequency=0))
    ]
    assert orders[0] == orders[1]


def test_of_two_equal_texts_the_one_used_lately_comes_first(desk):
    old, new = (
        desk.say("The cedar fell", session="a")[0],
        desk.say("A cedar fell down", session="b")[0],
    )
    local = desk.store.engram(old).local
    before = [hit.id for hit in desk.ask("cedar fell")]
    with desk.store.write(now_us=NOW + 10) as tx:
        for _ in range(20):
            tx.reinforce(local, last_us=NOW + 10, evict_at_us=None)
    assert desk.ask("cedar fell")[0].id == old
    assert set(before) == {old, new}


def test_recall_changes_nothing(desk):
    desk.say(*poems(30))
    before = (desk.store.last_seq(), list(desk.store.journal_events()))
    answers = [desk.ask("amber birch") for _ in range(3)]
    assert answers[0] == answers[1] == answers[2]
    assert before == (desk.store.last_seq(), list(desk.store.journal_events()))


def test_another_handle_sees_what_was_written_meanwhile(desk, embedder, entropy):
    other = Desk(desk.store.path, entropy, embedder)
    assert len(other.ask("cedar")) == 0
    desk.say("The cedar fell.")
    assert len(other.ask("cedar")) == 1
    with desk.store.write(now_us=NOW + 1) as tx:
        tx.erase([other.ask("cedar")[0].id])
    assert len(other.ask("cedar")) == 0
    assert desk.engine.locals() == other.engine.locals() == set()
    other.store.close()


def test_rows_in_another_state_leave_and_return(desk):
    (id_,) = desk.say("The cedar fell.")
    local = desk.store.engram(id_).local
    for state, found in ((State.SUPERSEDED, 0), (State.HOT, 1), (State.PENDING, 0)):
        with desk.store.write(now_us=NOW) as tx:
            tx.set_state([local], state)
        assert len(desk.ask("cedar")) == found


def test_full_text_and_memory_agree(desk, monkeypatch):
    for start in range(0, 1200, 40):
        desk.say(*poems(40, seed=start), session=f"s{start}")
    questions = [" ".join(poem.split()[:3]) for poem in poems(20, seed=99)] + ["knoll ledge zebra"]
    in_memory = [desk.ask(question, 10) for question in questions]
    monkeypatch.setattr(live, "MOST_ROWS_IN_MEMORY", 100)
    large = RecallEngine(desk.store, open_embedder("static"))
    for question, expected in zip(questions, in_memory, strict=True):
        answer = large.recall(RecallRequest(query=question), now_us=NOW)
        shared = {hit.id for hit in expected} & {hit.id for hit in answer}
        assert len(shared) >= 8  # FTS5 counts the scope marks into the length of a row.
        assert [hit.relevance for hit in expected] == pytest.approx(
            [hit.relevance for hit in answer], abs=0.03
        )
        assert answer.certified


def test_an_answer_is_not_certified_where_a_word_search_was_cut(desk, monkeypatch):
    desk.say(*["amber " + poem for poem in poems(60)])
    monkeypatch.setattr(live, "MOST_ROWS_IN_MEMORY", 10)
    monkeypatch.setattr(hot, "DEPTH", 20)
    large = RecallEngine(desk.store, open_embedder("static"))
    assert not large.recall(RecallRequest(query="amber"), now_us=NOW).certified
    assert large.recall(RecallRequest(query="zebra"), now_us=NOW).certified


def bm25_by_definition(rows, asked):
    """Return, for each row of tokens, BM25 over the idf mass of the words asked for."""
    size = max(len(rows), 1024)
    mean = sum(map(len, rows)) / len(rows)
    idf = {}
    for word in asked:
        held = sum(word in row for row in rows)
        idf[word] = math.log((size - held + 0.5) / (held + 0.5))
    return [
        sum(
            idf[word]
            * row.count(word)
            * 2.2
            / (row.count(word) + 1.2 * (0.25 + 0.75 * len(row) / mean))
            for word in asked
        )
        / sum(idf.values())
        for row in rows
    ]


def test_a_certified_answer_equals_scoring_every_row_by_definition(desk, embedder):
    texts = poems(120)
    ids = desk.say(*texts)
    question = "amber birch cedar zebra"
    rows = [tokenize(text) for text in texts]
    around = [list(chain(*rows[max(0, n - 2) : n + 2])) for n in range(len(rows))]
    words = bm25_by_definition(rows, query_tokens(question))
    context = bm25_by_definition(around, query_tokens(question))
    vectors, norms = embedder.embed(texts)
    cosine = vectors.astype(np.float64) @ embedder.embed_query(question)
    expected = []
    for n, id_ in enumerate(ids):
        gain = min(1.0, (norms[n] / 120) ** 0.75)
        evidence = 0.5 * words[n] + 2 * context[n] + 2.5 * max(0.0, gain * cosine[n])
        relevance = evidence**2 / (evidence**2 + 1.5**2)
        if cosine[n] >= 0.28:
            relevance = max(relevance, 0.12 + 0.38 * (cosine[n] - 0.28) / 0.72)
        if relevance >= RELEVANCE_FLOOR:
            expected.append((-(0.5 * relevance + 0.2 + 0.2 * 0.4), id_))
    expected.sort()
    answer = desk.ask(question, 10)
    assert answer.certified
    assert [id_ for _, id_ in expected[:10]] == [hit.id for hit in answer]
    assert [-score for score, _ in expected[:10]] == pytest.approx(
        [hit.score for hit in answer], abs=1e-3
    )


def test_pages_of_a_cursor_cover_the_answer_without_repeats(desk):
    desk.say(*poems(50))
    whole = [hit.id for hit in desk.ask("amber birch", 50)]
    paged, cursor = [], None
    while True:
        answer = desk.ask("amber birch", 7, cursor=cursor, now_us=NOW + len(paged))
        paged += [hit.id for hit in answer]
        cursor = answer.cursor
        if cursor is None:
            break
    assert whole == paged


def test_cold_rows_are_asked_only_where_the_hot_ones_do_not_suffice(desk):
    ids = desk.say("The cedar by the inlet fell.", *[f"The cedar {n} stands." for n in range(12)])
    with desk.store.write(now_us=NOW) as tx:
        tx.archive([desk.store.engram(ids[0])])
    assert {hit.source for hit in desk.ask("cedar", 5)} == {"hot"}
    assert desk.ask("inlet", 5)[0].source == "archive"
    assert "archive" in {hit.source for hit in desk.ask("cedar", 20)}
    assert "archive" in {hit.source for hit in desk.ask("cedar inlet", 5, include_archived=True)}
    with desk.store.write(now_us=NOW) as tx:
        tx.restore([ids[0]])
    assert desk.ask("inlet", 5)[0].source == "hot"


def test_filters_hold_for_cold_rows_as_well(desk):
    ids = desk.say("The cedar fell.", event_us=NOW - 1000)
    with desk.store.write(now_us=NOW) as tx:
        tx.archive([desk.store.engram(ids[0])])
    assert len(desk.ask("cedar", event_from_us=NOW - 1000)) == 1
    assert len(desk.ask("cedar", event_from_us=NOW - 999)) == 0
    assert len(desk.ask("cedar", event_to_us=NOW - 1000)) == 0
    assert len(desk.ask("cedar", as_of_us=NOW - 1000)) == 1
    assert len(desk.ask("cedar", scope=("main",))) == 1
    shelf = cold.ColdRows(desk.store, dim=256).shelf(0)
    assert shelf.whole
    assert len(shelf.keys) == 1


def test_a_hit_reinforces_through_its_memory_only(desk):
    (id_,) = desk.say("The cedar fell.")
    with pytest.raises(InvalidArgumentError, match="bound to no memory"):
        desk.ask("cedar")[0].used()
    used = []
    desk.engine.reinforce = lambda ids: used.extend(ids) or len(used)
    assert desk.ask("cedar")[0].used() == 1
    assert used == [id_]


def test_many_threads_ask_while_one_writes(desk):
    desk.say(*poems(50))
    failures = []

    def ask():
        try:
            for question in poems(40, seed=3):
                assert len(desk.ask(question, 5)) == 5
        except Exception as failure:  # noqa: BLE001 - a thread hands its failure to the test.
            failures.append(failure)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for n in range(30):
        desk.say(*poems(3, seed=n), session=f"w{n}")
    for thread in threads:
        thread.join()
    assert failures == []
    assert len(desk.engine.locals()) == 140


def test_an_answer_is_a_sequence_with_short_representations(desk):
    desk.say("The cedar fell.", "The amber cedar stands.")
    answer = desk.ask("cedar")
    assert isinstance(answer, Recall)
    assert list(answer) == [answer[0], answer[1]]
    assert answer[:1] == (answer[0],)
    assert len(repr(answer)) < 400
    assert isinstance(answer[0], Hit)
    assert "cedar" in repr(answer[0])


def test_the_view_filters_as_the_index_does(desk):
    desk.say("The cedar fell.", event_us=5)
    desk.say("{}", role="tool", event_us=9)
    view = live.LiveRows(desk.store, space=desk.encoder.space, dim=256).refresh()
    assert view.matching(RowFilter()).tolist() == [0, 1]
    assert view.matching(RowFilter(event_from_us=6)).tolist() == [1]
    assert view.matching(RowFilter(event_to_us=9)).tolist() == [0]
    assert view.matching(RowFilter(scope_ids=())).tolist() == []
    assert view.matching(RowFilter(authority_min=30)).tolist() == [0]
    reach = reach_of(RecallRequest(query="x", scope=("main",)), view.scopes)
    assert view.matching(reach.where).tolist() == [0, 1]


def test_filling_and_scoring_share_the_order_of_places():
    empty = scoring.Scored(
        keys=np.zeros(0, np.int64),
        score=np.zeros(0),
        relevance=np.zeros(0),
        signals=np.zeros((3, 0)),
        priors=np.zeros((3, 0)),
        filtered=0,
        complete=True,
    )
    tied = scoring.Scored(
        keys=np.array([9, 4, 7]),
        score=np.array([0.5, 0.5, 0.9]),
        relevance=np.array([0.2, 0.2, 1.0]),
        signals=np.zeros((3, 3)),
        priors=np.zeros((3, 3)),
        filtered=0,
        complete=True,
    )
    order = scoring.Order(empty, tied, relevance_weight=0.5)
    assert [key for key, _ in order.keys(0, 9)] == [7, 4, 9]
    assert filling.Filling.__doc__
