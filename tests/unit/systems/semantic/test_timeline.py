"""Belief revision: the cases by name, and what holds for every history."""

import itertools
from random import Random

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.clock import DAY_US
from scrubjay.base.ids import make_id
from scrubjay.base.provenance import Authority, Plane
from scrubjay.base.trace import Assertion, Precision
from scrubjay.systems.semantic.timeline import Holding, superseded, timeline
from tests.unit.systems.semantic.conftest import on


def spans(beliefs):
    return [(b.object, b.valid_from_us, b.valid_to_us) for b in beliefs]


def current(beliefs):
    return [b.object for b in beliefs if b.current]


def held(beliefs, us):
    return [b.object for b in beliefs if b.holds_at(us) is Holding.YES]


def without_ids(beliefs):
    """Return beliefs as they are but for ids: support is counted, not named."""
    return [
        msgspec.structs.replace(
            b,
            id=b"",
            support=(b"",) * len(b.support),
            superseded_by=b.superseded_by and b"x",
        )
        for b in beliefs
    ]


def test_b1_different_predicates_never_close_each_other(say):
    beliefs = timeline(
        [
            say("Acme", on(2020), predicate="works_at"),
            say("Acme's org account", on(2021), predicate="administers"),
        ]
    )
    assert ["Acme's org account", "Acme"] == current(beliefs)


def test_b2_a_predicate_that_holds_many_keeps_both_current(say):
    tested = [
        say("model-7b", on(2023), subject="bench", predicate="tested_with"),
        say("model-3b", on(2024), subject="bench", predicate="tested_with"),
    ]
    assert ["model-3b", "model-7b"] == sorted(current(timeline(tested)))


def test_b2_declared_functional_the_first_is_closed_at_the_start_of_the_second(say):
    tested = [
        say("model-7b", on(2023), subject="bench", predicate="tested_with"),
        say("model-3b", on(2024), subject="bench", predicate="tested_with"),
    ]
    beliefs = timeline(tested, {"tested_with": True})
    assert [("model-7b", on(2023), on(2024)), ("model-3b", on(2024), None)] == spans(beliefs)
    assert {tested[0].id} == superseded(tested, {"tested_with": True})


def test_b3_there_and_back_again_gives_three_intervals(say):
    beliefs = timeline([say("A", on(2019)), say("B", on(2021)), say("A", on(2023))])
    assert [("A", on(2019), on(2021)), ("B", on(2021), on(2023)), ("A", on(2023), None)] == spans(
        beliefs
    )
    assert ["B"] == held(beliefs, on(2022))
    assert ["A"] == current(beliefs)


def test_b4_the_same_statement_in_two_periods_gives_two_intervals(say):
    beliefs = timeline(
        [say("Oslo", on(2010), until=on(2012)), say("Oslo", on(2015), until=on(2017))]
    )
    assert [("Oslo", on(2010), on(2012)), ("Oslo", on(2015), on(2017))] == spans(beliefs)


def test_b4_periods_that_touch_are_one_interval(say):
    beliefs = timeline(
        [say("Oslo", on(2010), until=on(2011)), say("Oslo", on(2011), until=on(2012))]
    )
    assert [("Oslo", on(2010), on(2012))] == spans(beliefs)


def test_b5_a_late_arrival_of_an_older_fact_becomes_history(say):
    newer = say("Bergen", on(2021))
    older = say("Oslo", on(2015), said=on(2024))
    beliefs = timeline([newer, older])
    assert [("Oslo", on(2015), on(2021)), ("Bergen", on(2021), None)] == spans(beliefs)
    assert ["Bergen"] == current(beliefs)


def test_b6_at_equal_time_authority_then_the_later_word_then_content_decides(say):
    agent = say("Rome", on(2020), authority=Authority.ASSISTANT, said=on(2022))
    user = say("Oslo", on(2020), said=on(2021))
    assert ["Oslo"] == current(timeline([agent, user]))
    later = say("Bergen", on(2020), said=on(2023))
    assert ["Bergen"] == current(timeline([user, later]))
    twins = [say("A", on(2020), said=on(2021)), say("B", on(2020), said=on(2021))]
    assert current(timeline(twins)) == current(timeline(twins[::-1]))
    assert 1 == len(current(timeline(twins)))


def test_b6_an_unknown_start_stays_unknown_and_is_never_now(say):
    beliefs = timeline([say("Oslo", said=on(2020)), say("Bergen", said=on(2022))])
    assert [None, None] == [b.valid_from_us for b in beliefs]
    assert [Precision.UNKNOWN] * 2 == [b.precision for b in beliefs]
    assert ["Oslo"] == held(beliefs, on(2021))
    assert [] == held(beliefs, on(2019))
    assert ["Bergen"] == current(beliefs)


def test_b6_a_past_of_unknown_beginning_displaces_nothing(say):
    beliefs = timeline([say("Oslo", on(2019)), say("Paris", until=on(2023), said=on(2023))])
    assert ["Oslo"] == current(beliefs)
    assert ("Oslo", on(2019), None) in spans(beliefs)


def test_b10_a_year_is_not_its_first_of_january(say):
    year = say("Oslo", on(2021), precision=Precision.YEAR, said=on(2024))
    day = say("Paris", on(2021, 3, 15), precision=Precision.DAY, said=on(2024))
    beliefs = {b.object: b for b in timeline([year, day])}
    assert Holding.NO is beliefs["Paris"].holds_at(on(2021, 2))
    assert Holding.NO is beliefs["Oslo"].holds_at(on(2021, 2)), "Paris came before Oslo"
    assert Holding.MAYBE is beliefs["Oslo"].holds_at(on(2021, 6))
    assert Holding.MAYBE is beliefs["Paris"].holds_at(on(2021, 6))
    assert Holding.YES is beliefs["Oslo"].holds_at(on(2022))
    assert Holding.NO is beliefs["Paris"].holds_at(on(2022))


def test_b10_alone_a_year_leaves_the_year_open(say):
    [oslo] = timeline([say("Oslo", on(2021), precision=Precision.YEAR, said=on(2024))])
    assert [Holding.NO, Holding.MAYBE, Holding.YES] == [
        oslo.holds_at(on(2020, 12, 31)),
        oslo.holds_at(on(2021, 1, 1)),
        oslo.holds_at(on(2022)),
    ]


def test_b10_during_the_year_it_was_said_it_surely_holds_from_then(say):
    [oslo] = timeline([say("Oslo", on(2021), precision=Precision.YEAR, said=on(2021, 5))])
    assert Holding.YES is oslo.holds_at(on(2021, 5))


def test_b16_without_the_statement_that_closed_it_a_belief_is_current_again(say):
    first, second = say("Oslo", on(2019)), say("Bergen", on(2021))
    assert ["Bergen"] == current(timeline([first, second]))
    assert ["Oslo"] == current(timeline([first]))
    assert set() == superseded([first])


def test_b17_fifty_shuffles_give_one_timeline(say):
    history = [
        say("A", on(2019)),
        say("B", on(2021), precision=Precision.YEAR, said=on(2022)),
        say("A", on(2023), authority=Authority.ASSISTANT),
        say("C", said=on(2022, 6)),
        say("B", on(2018), until=on(2020)),
        say("D", on(2021), hedged=True),
        say("A", said=on(2024), negated=True),
        say.observed("E", on(2020)),
        say("B", on(2021), precision=Precision.YEAR, said=on(2022), principal="bob"),
        say("F", until=on(2017), said=on(2020)),
    ]
    expected = timeline(history)
    dice = Random(17)
    for _ in range(50):
        shuffled = dice.sample(history, len(history))
        assert expected == timeline(shuffled)


def test_b18_a_tool_never_closes_what_a_user_said_and_its_report_is_kept(say):
    user, tool = say("PostgreSQL", on(2020)), say.observed("MySQL", on(2022))
    beliefs = timeline([user, tool])
    assert ["PostgreSQL"] == current(beliefs)
    [report] = [b for b in beliefs if b.plane is Plane.OBSERVED]
    assert (True, False, "MySQL") == (report.contested, report.current, report.object)
    assert set() == superseded([user, tool]), "it stays findable as what it is"


def test_a_user_may_close_what_a_tool_reported(say):
    beliefs = timeline([say.observed("MySQL", on(2020)), say("PostgreSQL", on(2022))])
    assert [("MySQL", on(2020), on(2022)), ("PostgreSQL", on(2022), None)] == spans(beliefs)


def test_what_a_stronger_source_let_end_the_weaker_may_follow(say):
    user = say("Paris", on(2019), until=on(2021))
    agent = say("Oslo", on(2020), authority=Authority.ASSISTANT)
    assert [("Paris", on(2019), on(2021)), ("Oslo", on(2021), None)] == spans(
        timeline([user, agent])
    )


def test_t8_a_hedged_claim_stays_hedged_and_closes_nothing(say):
    beliefs = timeline([say("Oslo", on(2020)), say("Lima", said=on(2022), hedged=True)])
    assert {("Oslo", False), ("Lima", True)} == {(b.object, b.hedged) for b in beliefs if b.current}


def test_a_hedged_claim_ends_when_something_is_certain(say):
    maybe = say("Lima", said=on(2022), hedged=True)
    beliefs = timeline([say("Oslo", on(2020)), maybe, say("Rome", on(2023))])
    assert ["Rome"] == current(beliefs)
    assert maybe.id in superseded([maybe, say("Rome", on(2023))])


def test_a_denial_closes_its_object_and_no_other(say):
    tools = [
        say("vim", on(2019), predicate="uses"),
        say("make", on(2019), predicate="uses"),
        say("vim", on(2022), predicate="uses", negated=True),
    ]
    beliefs = timeline(tools)
    assert {"make"} == {b.object for b in beliefs if b.current and not b.negated}
    assert ("vim", on(2019), on(2022)) in spans(beliefs)


def test_b8_two_people_are_two_subjects(say):
    beliefs = timeline(
        [
            say("purple", subject="ada", predicate="favourite:colour", said=on(2020)),
            say("cyan", subject="bob", predicate="favourite:colour", said=on(2021)),
        ]
    )
    assert {("ada", "purple"), ("bob", "cyan")} == {
        (b.subject, b.object) for b in beliefs if b.current
    }


def test_b7_two_projects_hold_two_beliefs(say):
    beliefs = timeline(
        [
            say("PostgreSQL", subject="Project Alpha", predicate="uses", said=on(2020)),
            say("PostgreSQL", subject="Project Beta", predicate="uses", said=on(2021)),
        ]
    )
    assert ["Project Alpha", "Project Beta"] == [b.subject for b in beliefs]


def test_b9_a_changed_feeling_closes_the_older_and_loses_neither(say):
    beliefs = timeline(
        [
            say("loves", predicate="feels_about:chinese food", said=on(2020)),
            say("hates", predicate="feels_about:chinese food", said=on(2023)),
        ]
    )
    assert (["loves", "hates"], ["hates"]) == ([b.object for b in beliefs], current(beliefs))


def test_i4_one_name_in_two_scopes_is_two_entities(say):
    beliefs = timeline([say("Oslo", on(2019), scope="a"), say("Rome", on(2020), scope="b")])
    assert ["Oslo", "Rome"] == current(beliefs)


def test_spelling_does_not_make_another_value(say):
    assert 1 == len(timeline([say("the  Oslo", on(2019)), say("oslo", on(2020))]))


def test_independent_principals_raise_confidence_and_never_authority(say):
    alone = timeline([say("Oslo", on(2019), confidence=0.5)])
    twice = timeline([say("Oslo", on(2019), confidence=0.5), say("Oslo", on(2020), confidence=0.5)])
    together = timeline(
        [
            say("Oslo", on(2019), confidence=0.5),
            say("Oslo", on(2020), confidence=0.5, principal="b"),
        ]
    )
    assert [0.5, 0.5, 0.75] == [b[0].confidence for b in (alone, twice, together)]
    assert {int(Authority.USER_EXPLICIT)} == {b[0].authority for b in (alone, twice, together)}


def test_an_echo_of_a_tool_supports_what_the_user_said(say):
    [belief] = timeline([say("Oslo", on(2019)), say.observed("Oslo", on(2020))])
    assert (Plane.USER, 2) == (belief.plane, len(belief.support))


def test_current_is_as_of_the_instant_asked_for(say):
    plans = [say("Oslo", on(2019)), say("Lima", on(2030))]
    assert ["Oslo"] == current(timeline(plans, now_us=on(2026)))
    assert set() == superseded(plans, now_us=on(2026))
    assert {plans[0].id} == superseded(plans, now_us=on(2031))


_objects = st.sampled_from(["A", "B", "C"])
_times = st.one_of(st.none(), st.integers(0, 3000).map(lambda d: d * DAY_US))


@st.composite
def histories(draw):
    """Return up to eight statements about one subject with every flag."""
    out = []
    for n in range(draw(st.integers(1, 8))):
        since = draw(_times)
        length = draw(st.one_of(st.none(), st.integers(1, 900)))
        plane = draw(st.sampled_from(list(Plane)))
        ranks = [Authority.ASSISTANT, Authority.USER_EXPLICIT]
        said = draw(st.integers(0, 3000)) * DAY_US
        start = said if since is None else since
        out.append(
            Assertion(
                id=make_id(now_us=0, node=1, counter=n + 1),
                scope="s",
                subject="x",
                predicate="lives_in",
                object=draw(_objects),
                plane=plane,
                authority=int(
                    Authority.OBSERVED if plane is Plane.OBSERVED else draw(st.sampled_from(ranks))
                ),
                principal=draw(st.sampled_from(["p", "q"])),
                recorded_us=n,
                event_us=said,
                valid_from_us=since,
                valid_to_us=None if length is None else start + length * DAY_US,
                precision=Precision.UNKNOWN
                if since is None
                else draw(st.sampled_from([Precision.INSTANT, Precision.MONTH, Precision.YEAR])),
                negated=draw(st.booleans()) and draw(st.booleans()),
                hedged=draw(st.booleans()) and draw(st.booleans()),
            )
        )
    return out


@given(histories(), st.randoms(use_true_random=False))
def test_b17_any_order_of_arrival_gives_the_same_timeline(history, dice):
    arrived = list(history)
    dice.shuffle(arrived)
    renamed = [
        msgspec.structs.replace(a, id=make_id(now_us=0, node=2, counter=n + 1), recorded_us=n)
        for n, a in enumerate(arrived)
    ]
    assert without_ids(timeline(history)) == without_ids(timeline(renamed))


@given(histories())
def test_nothing_is_lost_and_nothing_counted_twice(history):
    supports = [id_ for belief in timeline(history) for id_ in belief.support]
    assert sorted(a.id for a in history) == sorted(supports)


@given(histories())
def test_one_plane_never_believes_two_values_at_once(history):
    pasts = {
        a.id
        for a in history
        if a.valid_from_us is None and a.valid_to_us is not None and a.valid_to_us <= a.event_us
    }
    for plane in Plane:
        sure = [
            b
            for b in timeline(history)
            if b.plane is plane
            and not (b.negated or b.hedged or b.contested)
            and not pasts & set(b.support)
        ]
        for first, second in itertools.combinations(sure, 2):
            for us in (first.sure_from_us, second.sure_from_us):
                both = [first.holds_at(us), second.holds_at(us)]
                assert first.object == second.object or both != [Holding.YES, Holding.YES]


@given(histories())
def test_lower_authority_and_hedges_never_change_what_the_strongest_say(history):
    top = max((a.plane is Plane.USER, a.authority) for a in history)
    strongest = [a for a in history if (a.plane is Plane.USER, a.authority) == top and not a.hedged]
    alone = spans(b for b in timeline(strongest) if not b.negated)
    ids = {a.id for a in strongest}
    among_all = [b for b in timeline(history) if ids & set(b.support) and not b.negated]
    for object_, since, until in alone:
        assert any(
            b.object == object_
            and (until is None) <= (b.valid_to_us is None)
            and (b.valid_to_us is None or until is None or b.valid_to_us >= until)
            for b in among_all
        ), (object_, since, until)
