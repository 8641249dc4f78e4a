"""The sensory gate: what passes, what expires, what overflows."""

import pytest

from scrubjay.activation.salience import Cues
from scrubjay.base.errors import ArgumentTypeError, ClockError, InvalidArgumentError, UnitError
from scrubjay.base.trace import Modality
from scrubjay.systems.sensory import TTL_US, SensoryBuffer

MS_US = 1000


class Fixed:
    """A salience model that says what the text says."""

    def judge(self, text, *, recent, working):
        return Cues(salience=float(text), terms={})


@pytest.fixture
def gate():
    return SensoryBuffer(capacity=4, salience=Fixed())


def test_passes_at_once_only_above_the_upper_threshold(gate):
    assert [True, False] == [gate.perceive(text, now_us=0).transferred for text in ("0.76", "0.75")]


def test_the_sweep_lets_survivors_through_once(gate):
    gate.perceive("0.6", now_us=0)
    gate.perceive("0.5", now_us=0)
    assert ["0.6"] == [t.content for t in gate.sweep(now_us=100 * MS_US).transferred]
    assert [] == gate.sweep(now_us=200 * MS_US).transferred


def test_what_passed_at_once_does_not_pass_again(gate):
    gate.perceive("0.9", now_us=0)
    assert [] == gate.sweep(now_us=100 * MS_US).transferred


@pytest.mark.parametrize(
    ("modality", "ttl_ms"),
    [("visual", 400), ("auditory", 3500), ("textual", 3000), ("structured", 5000)],
)
def test_each_sense_has_its_time_to_live(gate, modality, ttl_ms):
    assert ttl_ms * MS_US == TTL_US[Modality(modality)]
    gate.perceive("0.1", modality, now_us=0)
    assert [] == gate.sweep(now_us=ttl_ms * MS_US - 1).expired
    assert ["0.1"] == [t.content for t in gate.sweep(now_us=ttl_ms * MS_US).expired]


def test_an_expired_trace_never_passes_however_salient(gate):
    gate.perceive("0.7", now_us=0)
    report = gate.sweep(now_us=10_000 * MS_US)
    assert ([], ["0.7"]) == (report.transferred, [t.content for t in report.expired])


def test_what_passed_is_not_reported_as_lost(gate):
    gate.perceive("0.9", now_us=0)
    assert [] == gate.sweep(now_us=10_000 * MS_US).expired


def test_overflow_is_counted_and_the_oldest_goes(gate):
    for n in range(6):
        gate.perceive(f"0.{n}", now_us=n)
    stats = gate.stats()
    assert (6, 2, 4) == (stats.arrived, stats.overflowed, stats.held)
    assert "0.2" == gate.traces(now_us=6)[0].content


def test_every_trace_is_accounted_for(gate):
    for n in range(9):
        gate.perceive(f"0.{n}", now_us=n * 1000 * MS_US)
        gate.sweep(now_us=n * 1000 * MS_US + 1)
    gate.sweep(now_us=60_000 * MS_US)
    stats = gate.stats()
    assert stats.arrived == stats.transferred + stats.expired + stats.overflowed


def test_f8_time_does_not_run_backwards(gate):
    gate.perceive("0.1", now_us=1_000 * MS_US)
    percept = gate.perceive("0.1", now_us=0)
    assert 1_000 * MS_US == percept.trace.arrived_us


def test_bytes_are_perceived_without_words():
    assert not SensoryBuffer().perceive(b"\xff\xfe", "visual", now_us=0).transferred


def test_impossible_input_is_refused_and_changes_nothing(gate):
    with pytest.raises(InvalidArgumentError, match="unknown modality, got 'smell'"):
        gate.perceive("0.1", "smell", now_us=0)
    with pytest.raises(ArgumentTypeError, match="got int"):
        gate.perceive(3, now_us=0)
    with pytest.raises(ClockError):
        gate.perceive("0.1", now_us=1 << 62)
    assert 0 == gate.stats().arrived


def test_every_wrong_setting_is_named():
    with pytest.raises(UnitError, match=r"time to live of visual.*capacity.*thresholds"):
        SensoryBuffer(0, sweep_threshold=0.9, ttl_us={Modality.VISUAL: -1})
