"""What is known of languages: direction, spaces, dictionaries, function words."""

from __future__ import annotations

from pathlib import Path

import pytest

import annotator.domain.text.function_words as module
from annotator.domain.text.function_words import (
    function_words,
    is_function_word,
    listed_languages,
    tells_content_words,
)
from annotator.domain.text.languages import dictionaries, direction, is_spaced
from annotator.domain.text.lemmas import content_words, has_lemmas, lemmas_of
from annotator.domain.text.tokens import word_of

# A sentence a language, and its content words.
SENTENCES = {
    "ca": ("La pobresa és un mur que no podem saltar amb les mans buides.", "pobresa mur saltar mans buides"),
    "de": ("Die Zeit ist ein Fluss, der uns mit sich nimmt.", "Zeit Fluss nimmt"),
    "en": ("The weight of the years was on her shoulders.", "weight years shoulders"),
    "es": ("El peso de los años estaba en sus hombros.", "peso años hombros"),
    "eu": ("Zure hitzak harri bat dira nire bihotzean eta ez dut lorik.", "hitzak harri bihotzean lorik"),
    "fr": ("Ses mots sont des pierres que nous portons dans le cœur.", "mots pierres portons cœur"),
    "gl": ("O tempo é un río que non volve ás súas fontes.", "tempo río volve fontes"),
    "it": ("La memoria è una stanza nella quale non entra nessuno.", "memoria stanza entra"),
    "nl": ("De stad is een hart dat niet meer voor ons slaat.", "stad hart meer slaat"),
    "pt": ("A saudade é uma casa onde ninguém vive com ele.", "saudade casa vive"),
    "ru": ("Его слова были камнем, который лежит на моём сердце.", "слова камнем лежит сердце"),
}


@pytest.mark.parametrize("language", sorted(SENTENCES))
def test_content_words_of_a_sentence(language: str) -> None:
    sentence, expected = SENTENCES[language]
    tokens = sentence.split(" ")

    for variant in (language, f"{language}-XX", language.upper()):
        found = [
            word_of(token)
            for token, is_content in zip(tokens, content_words(tokens, variant), strict=True)
            if is_content
        ]
        assert found == expected.lower().split()


def test_every_list_is_tested_says_its_source_and_has_words_as_they_are_looked_up() -> None:
    assert listed_languages() == set(SENTENCES)
    for path in (Path(module.__file__).parent / "data" / "function_words").glob("*.txt"):
        assert path.read_text(encoding="utf-8").startswith("# Source: ")
        words = function_words(path.stem)
        assert len(words) > 200
        # The apostrophe is at the edge of what is elided before another word: "'k", "'t".
        assert {word for word in words if word_of(word) != word.strip("'")} == set()


def test_a_project_can_bring_its_own_list_and_an_unlisted_language_tells_nothing() -> None:
    assert not tells_content_words("oc")
    assert not any(map(is_function_word("oc"), ["lo", "de"]))
    assert tells_content_words("oc", ["Lo", "de"])
    assert content_words(["Lo", "temps", "de", "viure"], "oc", ["Lo", "de"]) == [False, True, False, True]
    assert tells_content_words("ca")
    assert not tells_content_words("ca", [])  # a project may want none


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("cancelled", "cancel"),
        ("Cancelling,", "cancel"),
        ("labelled", "label"),
        ("modelling", "model"),
        ("dispelled", "dispel"),
        ("travelling", "travel"),
        # Two consonants that belong to the verb.
        ("called", "call"),
        ("pulled", "pull"),
        ("added", "add"),
        ("installed", "install"),
        ("recalled", "recall"),
        ("enrolled", "enroll"),
        ("discussed", "discuss"),
        ("focussed", "focus"),
        ("head-butted", "head-butt"),
    ],
)
def test_a_consonant_doubled_before_an_ending_is_no_part_of_the_lemma(form: str, lemma: str) -> None:
    assert lemmas_of([form], "en") == [lemma]


def test_basque_has_no_lemmas_and_keeps_its_forms() -> None:
    assert not has_lemmas("eu")
    assert lemmas_of(["Hitzak", "harriak", "dira."], "eu") == ["hitzak", "harriak", "dira"]


@pytest.mark.parametrize(
    "code", ["ar", "he", "fa-IR", "ur", "yi", "ckb", "dv", "az-Arab", "pa_Arab", "sd", "ps-AF", "ar-EG-x-own"]
)
def test_right_to_left(code: str) -> None:
    assert direction(code) == "rtl"


@pytest.mark.parametrize("code", ["es", "en-GB", "zh", "ja", "ar-Latn", "he-Latn", "az", "pa", "ku", "und", "x-arab"])
def test_left_to_right(code: str) -> None:
    assert direction(code) == "ltr"


def test_scripts_without_spaces() -> None:
    assert [
        code
        for code in ["zh", "zh-Hant-TW", "ja", "th", "lo", "km", "my", "yue", "es", "ko", "vi", "zh-Latn"]
        if is_spaced(code)
    ] == [
        "es",
        "ko",
        "vi",
        "zh-Latn",
    ]


def test_dictionaries_by_language_and_overridden() -> None:
    for language in ["ca", "de", "en", "es", "eu", "fr", "gl", "it", "pt"]:
        assert dictionaries(f"{language}-XX") == dictionaries(language) != []
        assert all("{lemma}" in found["url"] for found in dictionaries(language))
    own = {"name": "DCVB", "url": "https://dcvb.iec.cat/results.asp?word={lemma}"}
    assert dictionaries("ca", {"ca": [own]}) == [own]
    assert dictionaries("ca-valencia", {"ca": [own], "ca-valencia": []}) == []
    assert dictionaries("ca-valencia", {"ca": [own]}) == [own]
    assert dictionaries("es", {"ca": [own]}) == dictionaries("es")
    assert dictionaries("oc") == []
