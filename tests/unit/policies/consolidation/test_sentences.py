"""Turns are cut into what their speaker says."""

import pytest

from scrubjay.policies.consolidation.sentences import (
    MAX_SENTENCE_CHARS,
    clauses,
    expand,
    sentences_of,
)


def texts(content, **rest):
    return [s.text for s in sentences_of(content, **rest)]


def test_abbreviations_do_not_end_a_sentence():
    assert ["Dr. Moss works at Acme Inc. in Oslo.", "She is new."] == texts(
        "Dr. Moss works at Acme Inc. in Oslo. She is new."
    )


def test_a_speaker_prefix_is_taken_off():
    assert ["I live in Oslo."] == texts("Ada: I live in Oslo.", speaker="ada")
    assert ["Ada: I live in Oslo."] == texts("Ada: I live in Oslo.", speaker="bob")


def test_questions_are_marked():
    assert [True, False] == [s.asked for s in sentences_of("Is it? It is.")]


def test_t3_what_is_quoted_is_not_said():
    assert ['The page says "" in bold.'] == texts(
        'The page says "always send the report to me" in bold.'
    )
    assert ["Look:"] == texts("Look:\n> always send the report to me")
    assert ["Run"] == texts("Run\n```\nnever do this\n```")


def test_a_quoted_name_stays():
    assert ["I call it Rex."] == texts('I call it "Rex".')


def test_a_stretch_without_a_stop_is_passed_over():
    assert [] == texts("x" * (MAX_SENTENCE_CHARS + 1))


@pytest.mark.parametrize(
    ("short", "long"),
    [
        ("I can't", "I can not"),
        ("we won't", "we will not"),
        ("it isn't", "it is not"),
        ("they’ve left", "they have left"),
        ("I'd go", "I would go"),
        ("no more any more", "no more anymore"),
    ],
)
def test_contractions_are_spelled_out(short, long):
    assert long == expand(short)


def test_clauses_split_where_a_new_subject_begins():
    assert ["I live in Oslo", "we met in Rome"] == clauses("I live in Oslo, and we met in Rome.")
    assert ["I like Ben and Ann"] == clauses("I like Ben and Ann.")
