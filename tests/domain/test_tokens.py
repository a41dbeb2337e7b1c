import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.text.function_words import is_function_word
from annotator.domain.text.natural import natural_key
from annotator.domain.text.tokens import bare, gaps, is_punctuation, offsets, text_of, tokenise, white_space

# White space of all sorts, letters of three scripts, a letter outside the basic plane, a combining accent.
CHARACTERS = st.sampled_from([*"  \t\n\u00a0\u3000\u2028ab,.天気ไท", "\U0001d49c", "\u0301"])
TEXTS = st.lists(CHARACTERS, max_size=20).map("".join)


@st.composite
def texts_in_tokens(draw: st.DrawFn) -> tuple[str, list[str]]:
    """A text, and tokens into which it may be cut anywhere, white space left out or not."""
    text = draw(TEXTS)
    cuts = sorted(draw(st.sets(st.integers(0, len(text)), max_size=8)))
    pieces = [text[a:b] for a, b in zip([0, *cuts], [*cuts, len(text)], strict=True)]
    return text, [piece.strip() for piece in pieces if piece.strip()]


@given(texts_in_tokens())
def test_gaps_between_known_places_are_the_white_space_around_tokens(case: tuple[str, list[str]]) -> None:
    text, tokens = case
    places, at = [], 0
    for token in tokens:
        begin = text.index(token, at)
        at = begin + len(token)
        places.append((begin, at))
    assert gaps(text, places) == white_space(text, tokens)


def test_only_the_space_separates_tokens():
    assert tokenise("uno\u00a0dos tres\u2028cuatro cinco\u0085") == ("uno\u00a0dos", "tres\u2028cuatro", "cinco\u0085")
    assert tokenise("  a  b ") == ("a", "b")
    assert tokenise("") == ()


@given(st.lists(st.text(min_size=1).filter(lambda t: " " not in t)))
def test_tokens_and_text_are_each_others_inverse(tokens):
    assert tokenise(text_of(tokens)) == tuple(tokens)


@given(texts_in_tokens())
def test_the_original_text_comes_back_exactly(drawn: tuple[str, list[str]]) -> None:
    text, tokens = drawn
    spaces = white_space(text, tokens)
    assert text_of(tokens, spaces) == text
    assert len(spaces) in (0, len(tokens) + 1)
    assert [text[begin:end] for begin, end in offsets(tokens, spaces)] == tokens


@given(TEXTS)
def test_and_so_does_that_of_texts_cut_at_spaces_and_of_imported_tokens(text: str) -> None:
    tokens = tokenise(text)
    assert text_of(tokens, white_space(text, tokens)) == text
    joined = " ".join(tokens)
    assert white_space(joined, tokens) == []
    assert [joined[begin:end] for begin, end in offsets(tokens)] == list(tokens)


@pytest.mark.parametrize(
    ("text", "tokens", "spaces"),
    [
        ("今日は天気がいい。", ["今日", "は", "天気", "が", "いい", "。"], [""] * 7),
        ("我们 出发", ["我们", "出发"], []),
        ("ไปไหนมา", ["ไป", "ไหน", "มา"], [""] * 4),
        ("Well, yes.", ["Well", ",", "yes", "."], ["", "", " ", "", ""]),
        ("  two  spaces \n", ["two", "spaces"], ["  ", "  ", " \n"]),
        ("", [], []),
        (" ", [], [" "]),
        ("\U0001d49c b", ["\U0001d49c", "b"], []),
    ],
)
def test_white_space_is_what_stands_between_tokens(text: str, tokens: list[str], spaces: list[str]) -> None:
    assert white_space(text, tokens) == spaces
    assert text_of(tokens, spaces) == text


def test_offsets_count_code_points() -> None:
    assert offsets(["\U0001d49c", "b"]) == [(0, 1), (2, 3)]
    assert offsets(["天", "気"], ["", "", ""]) == [(0, 1), (1, 2)]
    assert offsets([]) == []


@pytest.mark.parametrize(
    ("text", "tokens", "words"),
    [
        ("a b", ["a", "c"], "'c' is not the next part of the text"),
        ("a x b", ["a", "b"], "'b' is not the next part of the text"),
        ("b a", ["a", "b"], "'a' is not the next part of the text"),
        ("a b rest", ["a", "b"], "'rest' is not in any of the tokens"),
        ("a", [], "'a' is not in any of the tokens"),
        ("a", ["a", "a"], "'a' is not the next part of the text"),
    ],
)
def test_a_text_that_is_not_made_of_the_tokens_is_refused(text: str, tokens: list[str], words: str) -> None:
    with pytest.raises(ValueError, match=words):
        white_space(text, tokens)


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
    assert not is_function_word("oc")("lo")


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
