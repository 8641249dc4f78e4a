"""The curve of the demo is the curve the engine forgets by."""

import pytest

from scrubjay.activation.retention import SCHEDULES, eviction_instant, eviction_prior
from scrubjay.base.trace import Category
from scrubjay.cli.forgetting import MARKS, forgetting, let_go_after_us


def test_every_category_has_a_curve_and_a_mark_of_its_own():
    plot = forgetting()
    assert [category.name.lower() for category in sorted(Category)] == [c.name for c in plot.curves]
    assert len(Category) == len({MARKS[category] for category in Category})


@pytest.mark.parametrize("category", list(Category))
def test_the_curve_agrees_with_the_law_of_eviction(category):
    plot = forgetting()
    schedule = SCHEDULES[category]
    expected = [
        eviction_prior(
            age_us=age_us,
            salience=schedule.salience,
            frequency=0,
            half_life_us=schedule.half_life_us,
        )
        for age_us in plot.ages_us
    ]
    assert expected == pytest.approx(list(plot.curves[category].values), abs=1e-6)


@pytest.mark.parametrize("category", list(Category))
def test_what_is_let_go_is_let_go_at_the_stored_instant(category):
    schedule = SCHEDULES[category]
    stored = eviction_instant(
        last_us=0,
        salience=schedule.salience,
        frequency=0,
        half_life_us=schedule.half_life_us,
    )
    shown = let_go_after_us(category)
    if stored is None:
        assert shown is None
    else:
        assert stored == pytest.approx(shown, rel=1e-6)
