"""Ids sort by time, never repeat and are not random; entropy can be made to repeat."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base.clock import MAX_US, MIN_US
from scrubjay.base.errors import CapacityError, InvalidArgumentError
from scrubjay.base.ids import SeededEntropy, SystemEntropy, format_id, make_id, parse_id

instants = st.integers(MIN_US, MAX_US)
nodes = st.integers(0, 2**24 - 1)
counters = st.integers(0, 2**40 - 1)


@given(instants, nodes, counters)
def test_id_is_sixteen_bytes_and_survives_its_text(now_us, node, counter):
    made = make_id(now_us=now_us, node=node, counter=counter)
    assert 16 == len(made)
    assert made == parse_id(format_id(made)) == parse_id(made)


@given(instants, instants, nodes, counters, counters)
def test_ids_sort_by_instant_then_counter(first, second, node, one, other):
    made = make_id(now_us=first, node=node, counter=one)
    later = make_id(now_us=second, node=node, counter=other)
    assert ((first, one) < (second, other)) == (made < later)


@given(st.tuples(instants, nodes, counters), st.tuples(instants, nodes, counters))
def test_different_fields_give_different_ids(one, other):
    def made(fields):
        return make_id(now_us=fields[0], node=fields[1], counter=fields[2])

    assert (one == other) == (made(one) == made(other))


@pytest.mark.parametrize(("node", "counter"), [(2**24, 0), (-1, 0), (0, 2**40), (0, -1)])
def test_field_that_overflows_is_refused(node, counter):
    with pytest.raises(CapacityError, match=f"got node {node} and counter {counter}"):
        make_id(now_us=0, node=node, counter=counter)


@pytest.mark.parametrize("text", ["", "abc", "0" * 31, "0" * 33, "g" * 32, b"", b"0" * 15, 7, None])
def test_what_is_no_id_is_refused(text):
    with pytest.raises(InvalidArgumentError, match="expected 32 hex digits"):
        parse_id(text)


def test_seeded_entropy_repeats_and_does_not_repeat_itself():
    one, again = SeededEntropy(7), SeededEntropy(7)
    first, second = one.token(16), one.token(16)
    assert [first, second] == [again.token(16), again.token(16)]
    assert first != second


def test_seeds_differ():
    assert SeededEntropy(1).token(16) != SeededEntropy(2).token(16)


@pytest.mark.parametrize("size", [0, 1, 31, 32, 33, 100])
@pytest.mark.parametrize("entropy", [SeededEntropy(7), SystemEntropy()], ids=["seeded", "system"])
def test_token_has_the_asked_size(entropy, size):
    assert size == len(entropy.token(size))
