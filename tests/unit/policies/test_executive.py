"""The executive: what is lacking, competing, deserving attention."""

import pytest

from scrubjay.base.errors import UnitError
from scrubjay.policies.executive import (
    TargetSystem,
    attention_shares,
    evaluate,
    interference,
    retrieval_triggers,
)
from scrubjay.systems.working import Chunk, ChunkModality, ChunkRole


def chunk(content, id_=1, *, role=ChunkRole.STATE, modality=ChunkModality.VERBAL, **rest):
    made = {"salience": 0.8, "anchor_us": 0, "activation": 0.3, **rest}
    return Chunk(id=id_, content=content, modality=modality, role=role, **made)


@pytest.mark.parametrize(
    ("activation", "salience", "triggers"),
    [(0.39, 0.71, 1), (0.40, 0.71, 0), (0.39, 0.70, 0), (1.0, 1.0, 0)],
)
def test_a_fading_important_chunk_triggers_retrieval(activation, salience, triggers):
    assert triggers == len(
        retrieval_triggers([chunk("x", activation=activation, salience=salience)])
    )


def test_the_episodic_buffer_asks_episodic_memory_others_semantic():
    chunks = [
        chunk("what happened", 1, modality=ChunkModality.EPISODIC_BUFFER, salience=0.75),
        chunk("what is so", 2, salience=0.9),
    ]
    assert [
        (TargetSystem.SEMANTIC, 0.9, 2),
        (TargetSystem.EPISODIC, 0.75, 1),
    ] == [(t.target, t.urgency, t.chunk_id) for t in retrieval_triggers(chunks)]


def test_a_pending_call_also_asks_how_it_was_done_before():
    found = retrieval_triggers([chunk("restart mailer", role=ChunkRole.PENDING_CALL)])
    assert {TargetSystem.SEMANTIC, TargetSystem.PROCEDURAL} == {t.target for t in found}


def test_evidence_adequacy_is_the_share_of_the_hypothesis_that_evidence_covers():
    evidence = chunk("the disk of web-3 is full", role=ChunkRole.EVIDENCE)
    report = evaluate([evidence], "The disk is full.")
    assert (1.0, ()) == (report.evidence_adequacy, report.unsupported_claims)
    hearsay = evaluate([chunk("the disk of web-3 is full")], "The disk is full.")
    assert 0.0 == hearsay.evidence_adequacy


def test_a_claim_nothing_speaks_of_is_flagged():
    report = evaluate([chunk("the disk is full")], "The disk is full. The mailer was hacked.")
    assert ("The mailer was hacked.",) == report.unsupported_claims


def test_coherence_falls_when_the_mind_is_elsewhere():
    near = evaluate([chunk("disk full")], "disk full").coherence
    mixed = evaluate([chunk("disk full"), chunk("lentil soup", 2)], "disk full").coherence
    assert (1.0, 0.5) == (near, mixed)
    assert 0.0 == evaluate([], "disk full").coherence


def test_two_hypotheses_about_one_thing_compete():
    chunks = [
        chunk("the mailer stalled because of the lease", 1, role=ChunkRole.HYPOTHESIS),
        chunk("the mailer stalled because of the disk", 2, role=ChunkRole.HYPOTHESIS),
        chunk("the mailer stalled because of the lease", 3, role=ChunkRole.EVIDENCE),
        chunk("lunch is ready", 4, role=ChunkRole.HYPOTHESIS),
    ]
    assert [(1, 2)] == [(i.first, i.second) for i in interference(chunks)]


def test_attention_goes_where_salience_and_activation_are():
    shares = attention_shares(
        {"a": [chunk("x", activation=0.9)], "b": [chunk("y", activation=0.3)]}
    )
    assert {"a": pytest.approx(0.75), "b": pytest.approx(0.25)} == shares
    assert {"a": 0.5, "b": 0.5} == attention_shares({"a": [], "b": []})
    with pytest.raises(UnitError):
        attention_shares({})
