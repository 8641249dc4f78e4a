"""What a search that weighs priors promises, whatever came before and whatever is asked."""

from dataclasses import dataclass, replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from scrubjay import _kernels
from scrubjay.base.errors import ArgumentTypeError, UnitError
from scrubjay.index import FOREVER_US, Filter, Index, Weights
from tests.oracle.isas import same_bits
from tests.worlds import DAY_US, HALF_LIVES_US, NOW_US, filters, weights, world

DIM = 6
LATEST_US = 2**61
EXTREMES_US = (*HALF_LIVES_US, 1, 2**60)
ARRAYS = ("keys", "scores", "relevance", "recency", "salience", "frequency", "similarity")


@dataclass(frozen=True)
class Question:
    """One search; the query is drawn from a seed, and None asks by the prior alone."""

    seed: int | None
    k: int
    now_us: int
    weights: Weights
    where: Filter | None
    ef: int

    def ask(self, index, **changes):
        asked = replace(self, **{n: changes.pop(n) for n in ("k", "seed") if n in changes})
        query = None
        if asked.seed is not None:
            query = np.random.default_rng(asked.seed).standard_normal(DIM).astype(np.float32)
        options = {"now_us": self.now_us, "weights": self.weights, "where": self.where}
        return index.search(query, asked.k, **options, ef=self.ef, **changes)


instants = st.sampled_from([-LATEST_US, -1, 0, NOW_US // 2, NOW_US, NOW_US + 1, LATEST_US])
broad = st.builds(Filter, kinds=st.sets(st.integers(0, 3), min_size=1))
questions = st.builds(
    Question,
    seed=st.integers(0, 99) | st.none(),
    k=st.sampled_from([1, 2, 10, 33, 200, 10_000]),
    now_us=instants,
    weights=weights | st.just(Weights()),
    where=st.none() | broad | filters,
    ef=st.sampled_from([1, 16, 64]),
)
acts = st.sampled_from(["add", "use", "remove", "move", "revise", "replace"])
histories = st.lists(st.tuples(acts, st.integers(0, 99), instants, questions), max_size=8)


class Life:
    """An index that has a graph, and the keys that should be in it."""

    def __init__(self, count, seed, **options):
        growth = {"connectivity": 8, "ef_construction": 40, "exact_below": 50}
        self.index = Index(DIM, **growth, threads=1, **options)
        self.live = set()
        self.next = 0
        self.add(count, seed)

    def add(self, count, seed):
        columns, vectors = world(count, DIM, seed, EXTREMES_US)
        self.index.add(np.arange(self.next, self.next + count), vectors, now_us=0, **columns)
        self.live |= set(range(self.next, self.next + count))
        self.next += count

    def some(self, seed):
        """Between none and all of the keys there are."""
        draw = np.random.default_rng(seed)
        keys = np.array(sorted(self.live), np.int64)
        return keys[draw.random(keys.size) < draw.choice([0.002, 0.05, 0.3])]

    def act(self, act, seed, now_us):
        keys = self.some(seed)
        columns, vectors = world(keys.size, DIM, seed, EXTREMES_US)
        if act == "add":
            self.add(int(np.random.default_rng(seed).integers(1, 900)), seed)
        elif act == "use":
            self.index.reinforce(keys, now_us=now_us, count=seed)
        elif act == "remove":
            self.index.remove(keys)
            self.live -= set(keys.tolist())
        elif act == "move":
            self.index.update(keys, vectors=vectors)
        elif act == "revise":
            del columns["frequency"], columns["gain"]
            self.index.update(keys, **columns)
        elif act == "replace":
            self.index.add(keys, vectors, now_us=now_us, **columns, replace=True)


def plan_of(answer):
    return answer.plan, answer.certified, answer.bound_met


def assert_same(expected, got):
    assert plan_of(expected) == plan_of(got)
    assert all(same_bits(getattr(expected, name), getattr(got, name)) for name in ARRAYS)


def check(life, question):
    """Hold one answer to the scan of all rows and to what its flags and plan say."""
    exact, got = question.ask(life.index, exact=True), question.ask(life.index)
    every = question.ask(life.index, exact=True, k=life.next)
    truth = dict(zip(every.keys.tolist(), every.scores.tolist(), strict=True))
    assert exact.certified
    assert len(every) == exact.matched
    assert min(question.k, len(every)) == len(exact) == len(got)
    for name in ARRAYS:
        assert same_bits(getattr(every, name)[: question.k], getattr(exact, name))
    assert set(truth) <= life.live
    assert [truth[key] for key in got.keys.tolist()] == got.scores.tolist()
    order = list(zip((-got.scores).tolist(), got.keys.tolist(), strict=True))
    assert sorted(set(order)) == order
    assert same_bits(got.relevance + ((got.recency + got.salience) + got.frequency), got.scores)
    if got.certified:
        assert exact.keys.tolist() == got.keys.tolist()
    if got.plan == "composite":
        assert got.bound_met
        assert got.certified >= (question.weights.relevance == 0 or question.seed is None)
    assert_same(got, question.ask(life.index))


lives = st.builds(
    lambda count, seed, storage, form: Life(count, seed, storage=storage, **form),
    st.sampled_from([60, 700, 2500]),
    st.integers(0, 3),
    st.sampled_from(["f32", "f16", "i8"]),
    st.sampled_from([{}, {"frequency": "saturating", "frequency_ceiling": 20}]),
)


@given(lives, questions, histories)
@settings(max_examples=150)
def test_any_history_leaves_answers_that_keep_their_promises(life, question, history):
    check(life, question)
    for act, drawn, now_us, asked in history:
        life.act(act, drawn, now_us)
        check(life, asked)
        check(life, question)


@pytest.fixture(scope="module")
def grown():
    return Life(6000, 5, storage="i8")


def test_the_histories_walk_prune_and_certify(grown):
    """Otherwise the properties above would be those of the scan."""
    question = Question(3, 10, NOW_US, Weights(), None, 16)
    by_prior = replace(
        question, weights=Weights(relevance=0, recency=0.5, salience=0.5, frequency=0)
    )
    assert ("composite", False, True) == plan_of(question.ask(grown.index))
    assert ("composite", True, True) == plan_of(by_prior.ask(grown.index))
    assert ("composite", True, True) == plan_of(question.ask(grown.index, seed=None))
    half = replace(question, where=Filter(kinds=[1, 2]))
    assert ("composite", False, True) == plan_of(half.ask(grown.index))


@given(questions)
@settings(max_examples=80)
def test_questions_of_every_kind_get_answers_that_keep_their_promises(grown, question):
    check(grown, question)


@given(st.lists(questions, min_size=1, max_size=6), questions)
@settings(max_examples=40)
def test_no_question_changes_what_the_next_one_gets(grown, asked, question):
    before, memory = question.ask(grown.index), grown.index.memory_bytes
    for other in asked:
        other.ask(grown.index)
    after = question.ask(grown.index)
    assert memory == grown.index.memory_bytes
    assert_same(before, after)


@given(questions, st.lists(st.integers(0, 99), min_size=2, max_size=5))
@settings(max_examples=30)
def test_a_batch_answers_as_single_searches_do(grown, question, seeds):
    queries = np.stack(
        [np.random.default_rng(seed).standard_normal(DIM).astype(np.float32) for seed in seeds]
    )
    options = {"now_us": question.now_us, "weights": question.weights, "where": question.where}
    batch = grown.index.search_batch(queries, question.k, **options, ef=question.ef)
    for seed, got in zip(seeds, batch, strict=True):
        assert_same(question.ask(grown.index, seed=seed), got)


@pytest.fixture(scope="module")
def of_each_isa():
    return [Life(2500, 6, isa=isa) for isa in _kernels.SUPPORTED_ISAS]


@given(questions)
@settings(max_examples=60)
def test_every_instruction_set_gives_the_same_answer_and_flags(of_each_isa, question):
    first, *others = [question.ask(life.index) for life in of_each_isa]
    for other in others:
        assert_same(first, other)


NO_NUMBERS = [float("nan"), float("inf"), float("-inf")]


@pytest.mark.parametrize("name", Weights.__slots__)
@pytest.mark.parametrize("bad", [*NO_NUMBERS, -0.1, -1e-9, 1.1])
def test_weights_that_are_no_weights_are_refused(name, bad):
    with pytest.raises(UnitError, match="Weights: out of range"):
        Weights(**{**dict.fromkeys(Weights.__slots__, 0.25), name: bad})
    core = _kernels.RetentionIndex(
        2, storage="f32", graph=_kernels.GraphOptions(links=8, ef_construction=8, seed=0)
    )
    given_weights = [bad if slot == name else 0.25 for slot in Weights.__slots__]
    with pytest.raises(UnitError, match="weights"):
        core.search(
            np.ones((1, 2), np.float32),
            1,
            now_us=0,
            weights=given_weights,
            where=_kernels.Predicate(),
        )


@pytest.mark.parametrize(
    ("half_life_us", "error"),
    [
        (0, UnitError),
        (-1, UnitError),
        (-(2**63), UnitError),
        (2**63, UnitError),
        *((value, ArgumentTypeError) for value in NO_NUMBERS),
    ],
)
def test_half_lives_that_are_none_are_refused_before_anything_changes(
    half_life_us, error, grown, tmp_path
):
    index = grown.index
    index.save(tmp_path / "before")
    keys, vectors = np.array([10**6, 10**6 + 1]), np.ones((2, DIM), np.float32)
    dtype = (
        np.float64 if error is ArgumentTypeError else np.uint64 if half_life_us > 0 else np.int64
    )
    bad = np.array([DAY_US, half_life_us], dtype)
    with pytest.raises(error, match="half_life_us"):
        index.add(keys, vectors, now_us=0, half_life_us=bad)
    with pytest.raises(error, match="half_life_us"):
        index.update(np.array(sorted(grown.live)[:2]), half_life_us=bad)
    with pytest.raises(error, match="half_life_us"):
        index.add(keys, vectors, now_us=0, half_life_us=half_life_us)
    index.save(tmp_path / "after")
    assert (tmp_path / "before").read_bytes() == (tmp_path / "after").read_bytes()
    assert not any(key in index for key in keys.tolist())


def test_removed_rows_never_come_back_though_their_priors_were_the_highest():
    life = Life(3000, 7)
    best = Question(None, 40, NOW_US, Weights(), None, 64)
    near = replace(best, seed=1)
    for _ in range(20):
        gone = np.union1d(best.ask(life.index).keys, near.ask(life.index).keys)
        life.index.remove(gone)
        life.live -= set(gone.tolist())
        for question in (best, near):
            check(life, question)
            assert not np.isin(question.ask(life.index, k=3000).keys, gone).any()


@pytest.mark.parametrize("now_us", [-LATEST_US, 0, NOW_US, LATEST_US])
def test_rows_that_fade_at_once_and_never_stand_side_by_side(now_us):
    life = Life(200, 8)
    life.index.update(np.arange(100), half_life_us=1, last_us=np.arange(100))
    life.index.update(np.arange(100, 200), half_life_us=FOREVER_US, last_us=LATEST_US)
    check(
        life,
        Question(
            None, 150, now_us, Weights(relevance=0, recency=1, salience=0, frequency=0), None, 64
        ),
    )
