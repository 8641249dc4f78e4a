"""Word lists read as they are written."""

from scrubjay.policies.consolidation.lexicon import word_list, word_set


def test_lines_of_words_are_words():
    assert ["a", "b", "a"] == word_list(" a b\n a ")
    assert {"a", "b"} == word_set(" a b\n a ")
