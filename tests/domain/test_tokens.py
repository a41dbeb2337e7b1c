import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.function_words import is_function_word
from annotator.domain.natural import natural_key
from annotator.domain.tokens import bare, is_punctuation, text_of, tokenise


def test_only_the_space_separates_tokens():
    assert tokenise("uno\u00a0dos tres\u2028cuatro cinco\u0085") == ("uno\u00a0dos", "tres\u2028cuatro", "cinco\u0085")
    assert tokenise("  a  b ") == ("a", "b")
    assert tokenise("") == ()


@given(st.lists(st.text(min_size=1).filter(lambda t: " " not in t)))
def test_tokens_and_text_are_each_others_inverse(tokens):
    assert tokenise(text_of(tokens)) == tuple(tokens)


@pytest.mark.parametrize("token", [".", "...", "¿", "«", "—", "…", "'", "``", "$", "+", "\u00a0", "\u200b", ""])
def test_punctuation(token):
    assert is_punctuation(token)
    assert bare(token) == ""


@pytest.mark.parametrize("token", ["a", "home.", "3", "€5", "ñ", "我", "don't", "😀"])
def test_no_punctuation(token):
    assert not is_punctuation(token)
    assert bare(token)


def test_bare_keeps_what_is_inside():
    assert bare("“¿don't…?”") == "don't"
    assert bare("U.S.") == "U.S"


@pytest.mark.parametrize(
    ("language", "token"),
    [
        ("en", "They"),
        ("en", "they,"),
        ("en", "“The"),
        ("en", "didn’t"),
        ("en-GB", "of"),
        ("es_MX", "de"),
        ("es", "El"),
        ("es", "¿Quién"),
    ],
)
def test_function_words(language, token):
    assert is_function_word(language)(token)


@pytest.mark.parametrize(
    ("language", "token"),
    [("en", "fought"), ("en", "off"), ("en", "el"), ("es", "lucharon"), ("es", "the"), ("en", "..."), ("en", "")],
)
def test_content_words(language, token):
    assert not is_function_word(language)(token)


def test_an_unknown_language_has_no_function_words():
    assert not is_function_word("eu")("eta")


def test_ids_are_ordered_by_their_numbers():
    ids = ["100_a", "13_xnli.dev", "2_b", "2_a", "x10", "x9", "13", "", "013"]
    assert sorted(ids, key=natural_key) == ["", "2_a", "2_b", "013", "13", "13_xnli.dev", "100_a", "x9", "x10"]


def test_numbers_of_any_size_are_ordered():
    big = "9" * 10_000
    assert sorted([big + "0_a", big + "_a", "1_a"], key=natural_key) == ["1_a", big + "_a", big + "0_a"]


@given(st.text(), st.text())
def test_any_two_different_ids_have_an_order(a, b):
    assert (natural_key(a) == natural_key(b)) == (a == b)
    assert natural_key(a) <= natural_key(b) or natural_key(b) <= natural_key(a)
