"""Words of any script become tokens that meet their questions."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from scrubjay.base import tokens
from scrubjay.base.tokens import MAX_QUERY_TOKENS, normalise, query_tokens, tokenize

ANY_TEXT = st.text(alphabet=st.characters(exclude_categories=()), max_size=200)


@given(ANY_TEXT)
def test_any_text_has_tokens_without_white_space(text):
    for token in tokenize(text):
        assert token
        assert not any(char.isspace() for char in token)
        assert len(token) <= 400  # 128 characters, of which compatibility forms may be several.


@given(ANY_TEXT)
def test_any_question_has_few_distinct_tokens(text):
    asked = query_tokens(text)
    assert len(asked) <= MAX_QUERY_TOKENS
    assert len(set(asked)) == len(asked)


@given(ANY_TEXT)
def test_normalising_twice_is_normalising_once(text):
    once = normalise(text)
    assert once == normalise(once)


@given(st.text(max_size=200))
def test_every_token_of_a_question_is_a_token_of_the_same_text(text):
    assert set(query_tokens(text)) <= set(tokenize(text))


@given(st.text(max_size=100))
def test_compatibility_forms_give_the_same_tokens(text):
    assert tokenize(unicodedata.normalize("NFKC", text)) == tokenize(text)


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("她昨天买了一只猫", "猫"),
        ("我们在北京大学见面", "北京大学"),
        ("東京タワーに行きました", "東京タワー"),
        ("고양이가 소파에서 잔다", "고양이"),
        ("เขาชอบดื่มน้ำชา", "น้ำชา"),
        ("Она купила новую книгу", "книгу"),
        ("قرأت الكتاب أمس", "كتاب"),
        ("वह हिन्दी में किताब पढ़ती है", "किताब"),
        ("שָׁלוֹם לכולם", "שלום"),
        ("Le café était fermé", "cafe"),
        ("Die Straße ist gesperrt", "STRASSE"),
    ],
)
def test_words_of_many_scripts_are_found(stored, asked):
    assert query_tokens(asked)
    assert set(query_tokens(asked)) <= set(tokenize(stored))


@pytest.mark.parametrize(
    ("stored", "asked"),
    [
        ("error ERR_DISK_FULL on web-3.example.org", "ERR_DISK_FULL"),
        ("error ERR_DISK_FULL on web-3.example.org", "web-3.example.org"),
        ("error ERR_DISK_FULL on web-3.example.org", "disk"),
        ("see getUserName in src/api/user_store.py:42", "user_store"),
        ("see getUserName in src/api/user_store.py:42", "getusername"),
        ("see getUserName in src/api/user_store.py:42", "name"),
        ("needs python3 and C++", "python"),
        ("needs python3 and C++", "c++"),
        ("on 2023-05-08 at 10:30", "2023-05-08"),
        ("on 2023-05-08 at 10:30", "2023"),
        ("Melanie's dogs were running", "melanie dog run"),
        ("they went and bought children's shoes", "go buy child shoe"),
    ],
)
def test_identifiers_are_found_whole_and_in_parts(stored, asked):
    assert set(query_tokens(asked)) <= set(tokenize(stored))


def test_stop_words_are_asked_only_where_nothing_else_is():
    assert query_tokens("What did the dog do?") == ["dog"]
    assert query_tokens("who are you") == ["who", "be", "you"]


def test_a_single_character_of_an_unspaced_script_is_asked_alone_and_a_run_in_pairs():
    assert query_tokens("猫") == ["猫"]
    assert query_tokens("喜欢猫") == ["喜欢", "欢猫"]


def test_nothing_in_a_text_without_words():
    assert tokenize("?! … 🙂 \x00 \ud800") == []
    assert query_tokens("") == []


def test_long_questions_are_cut_to_their_first_distinct_tokens():
    words = [f"word{'x' * n}" for n in range(200)]
    assert query_tokens(" ".join(words)) == tokens.tokenize(" ".join(words))[:MAX_QUERY_TOKENS]


@pytest.mark.parametrize("chain", ["a-" * 50_000, "aB" * 50_000, "a." * 50_000, "語" * 100_000])
def test_endless_words_are_taken_in_pieces(chain):
    assert 0 < len(tokenize(chain)) <= 2 * len(chain)
    assert len(query_tokens(chain)) <= MAX_QUERY_TOKENS
