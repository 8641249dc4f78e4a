"""Subjects and objects: who is meant, and what is a name."""

import pytest

from scrubjay.policies.consolidation.findings import object_of, subject_of


@pytest.mark.parametrize(
    ("phrase", "who"),
    [
        ("I", "ada"),
        ("we", "ada's team"),
        ("my older brother", "ada's older brother"),
        ("our API", "API"),
        ("The certificate of the status page", "certificate of the status page"),
        ("Project Alpha", "Project Alpha"),
    ],
)
def test_a_subject_is_resolved(phrase, who):
    assert who == subject_of(phrase, "ada")


@pytest.mark.parametrize(
    "phrase", ["she", "it", "this", "my", "The day was full of", "Their love", ""]
)
def test_what_points_elsewhere_is_no_subject(phrase):
    assert None is subject_of(phrase, "ada")


@pytest.mark.parametrize(
    ("phrase", "name"),
    [
        ("Oslo now, by the way", "Oslo"),
        ("a paper notebook, old habit", "paper notebook"),
        ("Oslo, Norway", "Oslo, Norway"),
        ("curling up", "curling"),
        ("object storage in summer", "object storage"),
        ("Kafka because it is fast", "Kafka"),
    ],
)
def test_an_object_loses_side_remarks(phrase, name):
    assert name == object_of(phrase)


@pytest.mark.parametrize("phrase", ["it", "for fun", "your turtles", '""', "", "a " * 20, "x" * 81])
def test_what_is_no_name_is_no_object(phrase):
    assert None is object_of(phrase)
