"""From which instant a statement surely holds."""

import pytest

from scrubjay.base.clock import MAX_US
from scrubjay.base.trace import Precision
from scrubjay.systems.semantic.claims import claim_of, unit_end_us
from tests.unit.systems.semantic.conftest import on


@pytest.mark.parametrize(
    ("precision", "since", "end"),
    [
        (Precision.INSTANT, on(2021, 3, 15, 7), on(2021, 3, 15, 7)),
        (Precision.DAY, on(2021, 3, 15), on(2021, 3, 15)),
        (Precision.MONTH, on(2021, 12), on(2022, 1)),
        (Precision.MONTH, on(2024, 2, 19), on(2024, 3)),
        (Precision.YEAR, on(2020), on(2021)),
        (Precision.YEAR, on(9999), MAX_US),
        (Precision.MONTH, on(9999, 12), MAX_US),
    ],
)
def test_a_partial_date_has_surely_begun_when_its_unit_ends(precision, since, end):
    assert end == unit_end_us(since, precision)


def test_of_unknown_start_the_instant_of_saying_is_the_witness(say):
    assert on(2020) == claim_of(say("A", said=on(2020))).sure_us
    assert on(2015) - 1 == claim_of(say("A", until=on(2015), said=on(2020))).sure_us


def test_in_a_year_means_throughout_that_year(say):
    inside = say("A", on(2021), until=on(2022), precision=Precision.YEAR, said=on(2024))
    assert on(2021) == claim_of(inside).sure_us


def test_hedges_and_pasts_of_unknown_beginning_close_nothing(say):
    assert [True, False, False] == [
        claim_of(say("A", said=on(2020))).closes,
        claim_of(say("A", said=on(2020), hedged=True)).closes,
        claim_of(say("A", until=on(2019), said=on(2020))).closes,
    ]


def test_order_does_not_know_ids_or_recording(say):
    first = say("A", on(2020), recorded=1)
    second = say("A", on(2020), recorded=2)
    assert claim_of(first).order == claim_of(second).order
