"""What stands out, and why."""

import pytest

from scrubjay.activation.salience import CUE_WEIGHTS, SurfaceSalience


@pytest.fixture
def judge():
    model = SurfaceSalience()

    def cues(text, recent=(), working=()):
        return model.judge(text, recent=recent, working=working)

    return cues


@pytest.mark.parametrize(
    ("text", "cue"),
    [
        ("The deploy failed", "error"),
        ("Please check the logs", "request"),
        ("Never restart billing", "rule"),
        ("I will call you", "commitment"),
        ("We migrated the store", "change"),
        ("on 2026-04-07", "date"),
        ("it runs on edge-1", "name"),
        ("load is 3.5", "number"),
    ],
)
def test_each_cue_is_seen(judge, text, cue):
    assert CUE_WEIGHTS[cue] == judge(text).terms[cue]


def test_small_talk_carries_no_cue_but_novelty(judge):
    assert {"novelty"} == set(judge("lentil soup is tasty").terms)


def test_a_repeat_is_not_new(judge):
    assert "novelty" not in judge("disk full", recent=("disk full on web",)).terms


def test_what_bears_on_the_work_at_hand_stands_out_more(judge):
    idle = judge("the mailer queue")
    assert idle.salience < judge("the mailer queue", working=("repair the mailer",)).salience


def test_salience_is_the_clipped_sum_of_its_terms(judge):
    quiet, loud = (
        judge("the mailer"),
        judge(
            "Please never fail: I will call Ada on 2026-04-07 about 3 errors now",
            working=("errors",),
        ),
    )
    assert quiet.salience == pytest.approx(sum(quiet.terms.values()))
    assert 1.0 == loud.salience < sum(loud.terms.values())
    assert loud.why().startswith("salience 1.00 = ")


def test_weights_can_be_changed():
    model = SurfaceSalience({"error": 0.9})
    assert {"error": 0.9} == model.judge("it failed", recent=(), working=()).terms


def test_a_huge_text_is_judged_by_its_head(judge):
    assert "error" not in judge("fine " * 2_000_000 + "error").terms
