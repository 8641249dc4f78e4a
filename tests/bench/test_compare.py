"""The comparison's own arithmetic, on tiny data and without any peer installed."""

import numpy as np
import pytest

from bench.compare import report, run
from bench.compare.measures import churn, composite, curve, filters
from bench.compare.measures.build import build
from bench.compare.measuring import exact_top, ratio, recall, smallest_ef
from bench.compare.peers.contender import FORMS, Contender, padded
from bench.compare.worlds import mixture, world_of
from scrubjay.index import Weights


class Scan(Contender):
    """Exact, but for the rows it cannot see: those whose key is at least ``10 * ef``."""

    library = "numpy"
    walks_filtered = False

    def __init__(self, name="scan"):
        self.name = name

    def build(self, rows, *, threads=1, spare=0):
        self.keys, self.rows = np.arange(len(rows)), rows

    def search(self, queries, k, ef):
        at, _ = exact_top(self.rows, queries, k, among=self.keys < 10 * ef)
        return np.where(at < 0, -1, self.keys[at])

    def add(self, keys, rows):
        self.keys = np.concatenate([self.keys, keys])
        self.rows = np.concatenate([self.rows, rows])

    def remove(self, keys):
        kept = ~np.isin(self.keys, keys)
        self.keys, self.rows = self.keys[kept], self.rows[kept]

    def memory_bytes(self):
        return self.rows.nbytes

    def version(self):
        return "0"


class Hoarder(Scan):
    """Never lets go of a row."""

    def remove(self, keys):
        pass


@pytest.fixture(scope="module")
def world():
    drawn = mixture(440, 16, clusters=8)
    return world_of("tiny", drawn[:400], drawn[400:])


def scanned(rows, query, k, allowed):
    order = sorted(allowed, key=lambda at: -float(rows[at] @ query))
    return [*order[:k], *[-1] * (k - len(order))]


@pytest.mark.parametrize("matches", [400, 30, 4, 0])
def test_ground_truth_is_a_scan_of_what_matches(world, monkeypatch, matches):
    monkeypatch.setattr("bench.compare.measuring.BLOCK", 7)
    among = np.zeros(400, bool)
    among[np.random.default_rng(0).choice(400, matches, replace=False)] = True
    numbers, products = exact_top(world.rows, world.queries, 10, among=among)
    allowed = np.flatnonzero(among).tolist()
    for query, found, product in zip(world.queries, numbers, products, strict=True):
        assert scanned(world.rows, query, 10, allowed) == found.tolist()
        named = found[found >= 0]
        np.testing.assert_allclose(product[: len(named)], world.rows[named] @ query, rtol=1e-5)


def test_recall_counts_the_expected_rows_that_came_back():
    expected = np.array([[1, 2, 3, 4], [5, 6, -1, -1], [-1, -1, -1, -1]])
    found = [np.array([4, 9, 1, -1]), np.array([6, -1, -1, -1]), np.array([7, 8, 9, 9])]
    assert recall(found, expected) == pytest.approx((2 / 4 + 1 / 2 + 1) / 3)


@pytest.mark.parametrize("needed", [10, 11, 43, 137, 1000])
def test_tuning_finds_the_smallest_ef_that_reaches_the_recall(needed):
    ef = smallest_ef(lambda ef: 0.99 if ef >= needed else 0.98, 0.99)
    assert needed <= ef <= needed * 1.04 + 1


def test_tuning_says_when_no_ef_reaches_the_recall():
    assert smallest_ef(lambda ef: 0.9, 0.99, high=64) is None


def test_a_ratio_is_the_median_of_the_rounds():
    assert ratio([2, 30, 4], [1, 3, 4]) == 2


def test_equal_seeds_draw_equal_worlds_of_unit_rows():
    first, second = mixture(300, 16), mixture(300, 16)
    assert first.tobytes() == second.tobytes()
    assert first.tobytes() != mixture(300, 16, seed=1).tobytes()
    np.testing.assert_allclose(np.linalg.norm(first, axis=1), 1, rtol=1e-5)


def test_a_race_gives_each_library_its_own_ef_and_names_who_misses(world):
    contenders = [Scan("sees all"), Scan("scrubjay"), Scan("blind")]
    for contender in contenders:
        contender.build(world.rows)
    contenders[2].rows = -world.rows
    rows = curve.race(contenders, world, 0.99, rounds=2)
    assert {("batch", 3), ("one by one", 3)} == {
        (mode, sum(row.mode == mode for row in rows)) for mode in ("batch", "one by one")
    }
    for row in rows:
        assert (row.ef == 0) == (row.name == "blind")
        if row.ef:
            assert 39 <= row.ef <= 42
            assert row.recall >= 0.99
        if row.name == "sees all":
            assert row.of_best == 1


def test_a_curve_ends_where_the_recall_is_complete(world):
    contender = Scan()
    build(contender, world.rows)
    points = curve.curve(contender, world, repeats=1)
    assert [10, 16, 24, 32, 48] == [point.ef for point in points]
    assert sorted(point.recall for point in points) == [point.recall for point in points]
    assert points[-1].recall == 1


@pytest.mark.parametrize("layout", ["random", "clustered"])
def test_over_fetching_returns_k_right_rows(world, layout):
    contender = Scan()
    contender.build(world.rows)
    rows = filters.filtered([contender], world, all_shares=(0.05,))
    found = next(row for row in rows if row.layout == layout)
    assert (found.recall, found.results) == (1, 10)
    assert filters.mask_of(world, 0.05, layout).sum() == 20


def test_concentrated_matches_are_nearer_to_each_other_than_random_ones(world):
    spread = {}
    for layout in ("random", "clustered"):
        rows = world.rows[filters.mask_of(world, 0.1, layout)]
        spread[layout] = np.sort(rows @ rows.T, axis=1)[:, -4:-1].mean()
    assert spread["clustered"] > spread["random"] + 0.05


def test_churn_never_uses_a_key_twice_and_keeps_the_number_of_rows(world):
    flux = churn.Flux(world.rows, 100)
    live, used = set(range(100)), set(range(100))
    for _ in range(12):
        removed, added, rows = flux.step()
        assert set(removed.tolist()) <= live
        assert not set(added.tolist()) & used
        live = live - set(removed.tolist()) | set(added.tolist())
        used |= set(added.tolist())
        assert live == set(flux.keys.tolist())
        assert len(set(flux.at.tolist())) == 100
        at = dict(zip(flux.keys.tolist(), flux.at.tolist(), strict=True))
        np.testing.assert_array_equal(rows, world.rows[[at[key] for key in added.tolist()]])


@pytest.mark.parametrize(("kind", "ghosts"), [(Scan, False), (Hoarder, True)])
def test_churn_counts_ghosts_and_growth(world, monkeypatch, kind, ghosts):
    monkeypatch.setitem(FORMS, "tiny", kind)
    result = churn.churned(world, "tiny", rows=80, rounds=5)
    assert (result.ghosts > 0) == ghosts
    assert (result.growth > 1.1) == ghosts
    assert (result.loss > 0) == ghosts
    assert result.fresh == 1


def test_composite_is_measured_in_every_world_at_every_instant(world):
    peer = Scan("peer")
    peer.build(world.rows)
    rows = composite.composed(world, peer, "f32", queries=6)
    assert {(row.world, row.instant) for row in rows} == {
        (name, at) for name in composite.WORLDS for at in (*composite.INSTANTS, composite.LATER)
    }
    for row in rows:
        assert row.certified_right == row.bound_right == 1
        assert row.overfetch_3k <= row.recall
        assert composite.K < row.needed <= len(world.rows)


@pytest.mark.parametrize("name", composite.WORLDS)
@pytest.mark.parametrize("instant", composite.INSTANTS)
def test_the_prior_that_rates_an_over_fetch_is_that_of_the_index(world, name, instant):
    ceiling, weights = composite.WORLDS[name]
    now_us = composite.INSTANTS[instant]
    columns = composite.Columns(len(world.rows))
    index = composite.empty_index("f32", world, ceiling)
    keys = np.arange(len(world.rows))
    index.add(keys, world.rows, now_us=0, **columns.of(keys))
    prior = columns.prior(now_us, ceiling, weights)
    given = dict(zip(composite.TERMS, weights, strict=True))
    for query in world.queries[:5]:
        answer = index.search(query, 10, now_us=now_us, weights=Weights(**given))
        score = weights[0] * (world.rows @ query) + prior
        np.testing.assert_allclose(answer.scores, np.sort(score)[::-1][:10], rtol=1e-4)


def test_answers_are_padded_to_k():
    assert padded([[3, 1], []], 3).tolist() == [[3, 1, -1], [-1, -1, -1]]


def test_a_report_shows_ratios_first_and_a_dash_for_what_was_not_reached():
    row = {"name": "a", "mode": "batch", "target": 0.99, "recall": 0.5, "qps": 0, "of_best": 0}
    world = {"rows": 5, "dim": 2, "queries": 1, "cosines": [0.5, 0.25], "tuned": [{**row, "ef": 0}]}
    results = {"worlds": {"w": world}}
    first, *_ = report.tables(results)
    assert first.heads[:2] == ("library", "of best peer")
    assert first.cells == [("a", "not reached", "-", "-", "0.500")]
    assert "| a | not reached | - | - | 0.500 |" in first.markdown()


def test_a_whole_run_prints_every_table_and_keeps_its_results(monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(run, "missing_libraries", list)
    monkeypatch.setattr(run, "CHURNED", ("tiny",))
    monkeypatch.setattr(run, "FILTERED", ("scan",))
    monkeypatch.setattr(run.machine, "FORMS", {"tiny": Scan})
    for forms in (FORMS, run.FORMS):
        monkeypatch.setitem(forms, "tiny", Scan)
    sizes = "--rows 600 --dim 16 --queries 20 --threaded-rows 300 --rounds 1 --composite-queries 3"
    churned = "--churn-rows 100 --churn-rounds 4"
    chosen = f"--worlds clustered --libraries tiny {sizes} {churned} --out {tmp_path}"
    assert run.main(chosen.split()) == 0
    printed = capsys.readouterr().out
    for title in ("recall@10 = 0.99, batch", "one by one", ": build", ": filtered", ": churn"):
        assert title in printed
    assert run.main(["--render", str(tmp_path / "results.json"), "--out", str(tmp_path)]) == 0
    assert printed == capsys.readouterr().out
    page = tmp_path / "page.md"
    page.write_text(f"# Engine\n{report.BEGIN}\nold\n{report.END}\nmore\n", encoding="utf-8")
    again = ["--render", str(tmp_path / "results.json"), "--out", str(tmp_path)]
    assert run.main([*again, "--page", str(page)]) == 0
    page = page.read_text(encoding="utf-8")
    assert "old" not in page
    assert page.startswith("# Engine\n")
    assert page.endswith(f"{report.END}\nmore\n")
    assert "numpy 0" in page
    assert "./dev bench-compare --worlds clustered" in page


@pytest.mark.parametrize("page", ["", "<!-- end -->", f"{report.BEGIN}", report.BEGIN * 2])
def test_a_page_without_marks_is_not_written_over(page):
    with pytest.raises(ValueError, match="marks"):
        report.included(page, "part")
