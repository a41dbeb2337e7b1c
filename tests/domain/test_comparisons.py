"""What figurative sentences compare, and how it is brought into its basic form."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.silver.comparisons import basic_form, extractor_of
from annotator.domain.text.tokens import tokenise


def parts(text: str) -> tuple[str, str, str] | None:
    extractor = extractor_of("en")
    assert extractor is not None
    found = extractor.comparison(tokenise(text))
    return None if found is None else (found.subject, found.relation, found.object)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The attic is like an oven.", ("The attic", "is like", "an oven")),
        ("Her laugh was as bright as broken glass", ("Her laugh", "was as bright as", "broken glass")),
        ("The night was as long as a sermon.", ("The night", "was as long as", "a sermon")),
        ("He’s as quick as a drain", ("He", "’s as quick as", "a drain")),
        ("The soup is hotter than the sun", ("The soup", "is hotter than", "the sun")),
        ("My uncle snores like a tractor.", ("My uncle", "snores like", "a tractor")),
        ("His knees creak like old doors.", ("His knees", "creak like", "old doors")),
        ("The sound of the drill was as soft as silk", ("The sound of the drill", "was as soft as", "silk")),
        ("The garden is a quiet church.", ("The garden", "is", "a quiet church")),
        ("This village is not a museum", ("This village", "is not", "a museum")),
        ("The clerk has the patience of a stone.", ("The clerk", "has the patience of", "a stone")),
        ("It is the size of a walnut.", ("It", "is the size of", "a walnut")),
        ("She moves with the grace of a swan.", ("She", "moves with the grace of", "a swan")),
        ("I can eat a horse", ("I", "can eat", "a horse")),
        ("They sang like birds, all night.", ("They", "sang like", "birds")),
        ("He fell like a tree when the bell rang", ("He", "fell like", "a tree")),
        ("As dry as chalk.", ("", "As dry as", "chalk")),
        ("He ran as if a bear had seen him", ("He", "ran as if", "a bear had seen him")),
        ("I like bread", ("I", "like", "bread")),
        ("The harbour is a mirror tonight, they say", ("The harbour", "is", "a mirror")),
        ("It was a key that morning light could turn", ("It", "was", "a key that morning light could turn")),
        ("He eats as if there were no tomorrow", ("He", "eats as if", "there were no tomorrow")),
        ("Her smile is like that summer", ("Her smile", "is like", "that summer")),
        ("The bell rang as soon as he sat", ("The bell", "rang", "as soon as he sat")),
    ],
)
def test_english_sentences(text: str, expected: tuple[str, str, str]) -> None:
    assert parts(text) == expected


@pytest.mark.parametrize(
    "text",
    ["", "…", "Go!", "People like bread", "as if", "No verb here"],
)
def test_where_nothing_is_compared_nothing_is_found(text: str) -> None:
    assert parts(text) is None


def test_a_language_without_an_extractor_says_so() -> None:
    assert extractor_of("sw") is None
    assert extractor_of("en-GB") is not None


WORDS = [
    "the",
    "a",
    "cat",
    "is",
    "like",
    "as",
    "than",
    "cold",
    "’s",
    "He's",
    "of",
    "has",
    ",",
    ".",
    "(who)",
    "…",
    "sang,",
]


@given(st.lists(st.sampled_from(WORDS)))
def test_whatever_it_is_given_parts_are_of_the_sentence_and_there_is_an_object(words: list[str]) -> None:
    extractor = extractor_of("en")
    assert extractor is not None
    found = extractor.comparison(tuple(words))
    if found is None:
        return
    assert found.object
    text = "".join(words)
    for part in (found.subject, found.relation, found.object):
        assert part.replace(" ", "") in text


def test_the_basic_form_has_lemmas_without_articles_capitals_and_punctuation() -> None:
    assert basic_form("The Old Lions,", "en") == "old lion"
    assert basic_form("“las nieves”", "es") == "nieve"
    assert basic_form("the", "en") == ""
    # Of a language without a lemma list: the words themselves.
    assert basic_form("Ìràwọ̀.", "yo") == "ìràwọ̀"


@pytest.mark.parametrize(
    ("part", "expected"),
    [
        ("a rusty saw", "rusty saw"),
        ("the old saws", "old saw"),
        ("a slammed door", "slammed door"),
        ("a skating rink", "skating rink"),
        ("a slowly rotting swamp", "slowly rotting swamp"),
        ("my uncle's frozen peas", "my uncle frozen pea"),
        ("broken glass", "broken glass"),
        ("a red rose", "red rose"),
        ("a careful drawing", "careful drawing"),
        # These are verbs.
        ("watching paint", "watch paint"),
        ("a baby crying", "baby cry"),
        ("a fish taken out of the water", "fish take out of water"),
        ("torn by the wind", "tear by wind"),
        ("a knife that cut bread", "knife cut bread"),
        ("is sung", "be sing"),
    ],
)
def test_after_an_article_or_an_adjective_there_is_no_verb(part: str, expected: str) -> None:
    assert basic_form(part, "en") == expected


@given(st.text(alphabet="abcdeTh ,.’'\n", max_size=30))
def test_the_basic_form_is_the_same_whatever_punctuation_stands_around(text: str) -> None:
    assert basic_form(f"“{text}”".replace("“ ", "“"), "yo") == basic_form(text, "yo")
