"""Time that is handed down never runs backwards."""

import pytest

from scrubjay.base.clock import MAX_US
from scrubjay.base.errors import ClockError
from scrubjay.policies.pacing import Pace


def test_an_instant_is_the_newest_one_known(memory):
    memory.observe("x")
    store = memory._parts.store
    now_us = store.last_instant_us()
    pace = Pace(store)
    assert [now_us, now_us + 5, now_us + 5] == [
        pace.instant(now_us - 9),
        pace.instant(now_us + 5),
        pace.instant(now_us),
    ]


def test_each_step_back_is_recorded_once(memory):
    store = memory._parts.store
    pace = Pace(store)
    pace.instant(100)

    def steps():
        return [e for e in store.journal_events() if e.event == "clock-stepped-back"]

    for _ in range(2):
        pace.record_step_back(now_us=pace.instant(40))
    assert ['{"behind_us":60}'] == [event.detail for event in steps()]
    pace.instant(200)
    pace.record_step_back(now_us=pace.instant(199))
    assert 2 == len(steps())


def test_a_clock_out_of_the_calendar_is_refused(memory):
    with pytest.raises(ClockError, match="9999"):
        Pace(memory._parts.store).instant(MAX_US + 1)
