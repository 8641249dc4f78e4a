"""The bounds that several layers check are the same bounds."""

import pytest

from scrubjay.adapters.transcripts import fields
from scrubjay.base.errors import InvalidArgumentError
from scrubjay.base.limits import MAX_CONTENT_BYTES, MAX_NAME_CHARS
from scrubjay.policies import door


def test_a_text_of_just_the_limit_passes_both_doors_and_one_byte_more_neither():
    fits = "x" * MAX_CONTENT_BYTES
    assert fits == door.check_content("t", fits) == fields.check_text(fits)
    with pytest.raises(InvalidArgumentError):
        door.check_content("t", fits + "x")
    with pytest.raises(fields.MalformedError):
        fields.check_text(fits + "x")


def test_a_name_of_just_the_limit_passes_both_doors_and_one_letter_more_neither():
    fits = "x" * MAX_NAME_CHARS
    assert fits == door.check_name("t", "name", fits) == fields.name_of("name", fits)
    with pytest.raises(InvalidArgumentError):
        door.check_name("t", "name", fits + "x")
    with pytest.raises(fields.MalformedError):
        fields.name_of("name", fits + "x")
