"""When two names are one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.terms import entity_key, predicate_key


@given(st.text(max_size=40))
def test_keys_are_idempotent(name):
    assert entity_key(name) == entity_key(entity_key(name))
    assert predicate_key(name) == predicate_key(predicate_key(name))


@pytest.mark.parametrize("spelling", ["DGIA", "dgia", " the DGIA ", '"DGIA"', "DGIA."])
def test_b13_spellings_of_one_name_are_one_entity(spelling):
    assert entity_key("DGIA") == entity_key(spelling)


@pytest.mark.parametrize(
    ("first", "second"), [("Apple", "Apple Inc."), ("Python", "python snake"), ("ada", "adam")]
)
def test_b14_similar_names_are_not_merged(first, second):
    assert entity_key(first) != entity_key(second)
