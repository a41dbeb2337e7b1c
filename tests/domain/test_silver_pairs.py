"""Pairs by rule: each of the four rules, the form of the verb, and why a pair is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from annotator.domain.pairs.inference_pairs import PairClass, class_of
from annotator.domain.silver import (
    Definitions,
    Refusal,
    Rule,
    Sense,
    SmallParser,
    Use,
    grammar_of,
    put_in_place,
    silver_pairs,
)
from annotator.domain.text.lemmas import lemmas_of

ENGLISH, SPANISH = SmallParser("en"), SmallParser("es")
# Language, rule, sentence with its expression in brackets, definition, and the new sentence or why there is none.
CASES = [
    line.split("\t")
    for line in Path(__file__).with_name("silver_pairs.tsv").read_text("utf-8").splitlines()[1:]
    if not line.startswith("#")
]


def _use(text: str, *, lemma: str = "", sense: Sense = Sense.FIGURATIVE) -> Use:
    """A sentence with its expression in brackets; `lemma` of the expression's first word, of others the word itself."""
    tokens: list[str] = []
    marked: list[int] = []
    inside = False
    for word in text.split(" "):
        inside = inside or "[" in word
        if inside:
            marked.append(len(tokens))
        tokens.append(word.replace("[", "").replace("]", ""))
        inside = inside and "]" not in word
    lemmas = [lemma if lemma and index == marked[0] else token.lower() for index, token in enumerate(tokens)]
    return Use(sense, tuple(tokens), tuple(marked), (), tuple(lemmas))


def _put(text: str, definition: str, *, lemma: str = "", language: str = "en") -> str:
    return str(put_in_place(_use(text, lemma=lemma), definition, SmallParser(language), language=language))


@pytest.mark.parametrize(("language", "rule", "text", "definition", "expected"), CASES)
def test_a_definition_takes_the_place_of_an_expression(
    language: str, rule: str, text: str, definition: str, expected: str
) -> None:
    begin, end = (next(at for at, word in enumerate(text.split()) if sign in word) for sign in "[]")
    tokens = tuple(word.strip("[]") for word in text.split())
    use = Use(Sense.FIGURATIVE, tokens, tuple(range(begin, end + 1)), (), tuple(lemmas_of(tokens, language)))
    assert str(put_in_place(use, definition, SmallParser(language), language=language)) == expected, rule


class TestRules:
    def test_the_label_follows_from_sense_and_definition(self) -> None:
        uses = [_use("We were [over the moon] ."), _use("It stood [over the moon] .", sense=Sense.LITERAL)]
        definitions = Definitions("very happy", "far away", "very sad")
        made = silver_pairs(uses, definitions, ENGLISH, language="en")
        assert [(pair.use, pair.rule, pair.rule.entailed, pair.hypothesis) for pair in made.pairs] == [
            (0, Rule.FIGURATIVE_DEFINITION, True, "We were very happy ."),
            (0, Rule.FIGURATIVE_ADVERSARIAL, False, "We were far away ."),
            (0, Rule.FIGURATIVE_ANTONYM, False, "We were very sad ."),
            (1, Rule.LITERAL_DEFINITION, False, "It stood very happy ."),
        ]
        assert not made.refused

    def test_what_is_not_there_makes_no_pair_and_is_no_refusal(self) -> None:
        made = silver_pairs([_use("We were [over the moon] .")], Definitions("glad", " "), ENGLISH, language="en")
        assert (len(made.pairs), made.refused) == (1, {})

    def test_duplicates_and_unchanged_sentences_are_counted_apart(self) -> None:
        uses = [_use("We were [over the moon] .")] * 2 + [_use("We were [Glad] .")]
        made = silver_pairs(uses, Definitions("glad"), ENGLISH, language="en")
        assert [pair.use for pair in made.pairs] == [0]
        assert made.refused == {Refusal.DUPLICATE: 1, Refusal.UNCHANGED: 1}


class TestPutInPlace:
    def test_a_form_that_the_dictionary_has_for_another_word_has_the_lemma_that_is_given(self) -> None:
        expected = "Quiere que llegues abajo ."
        assert _put("Quiere que [toques fondo] .", "llegar abajo", lemma="tocar", language="es") == expected

    def test_punctuation_and_capitals_stay(self) -> None:
        assert _put("“[Over the moon],” he said.", "very happy") == "“Very happy,” he said."

    @pytest.mark.parametrize("after", ["anoche .", "ayer", "dos veces", "tres días después", "😀", "pronto", "cuando"])
    def test_nor_does_it_in_spanish(self, after: str) -> None:
        assert not SPANISH.ends_inside(f"El abuelo estiró la pata {after}".split(), 5)

    def test_white_space_stays_as_it_was(self) -> None:
        use = Use(Sense.FIGURATIVE, ("We", "were", "happy", "."), (2,), ("", "  ", " ", "", "\n"))
        assert put_in_place(use, "glad", ENGLISH, language="en") == "We  were glad.\n"

    @pytest.mark.parametrize(
        ("text", "definition", "why"),
        [
            ("He [threw] it [in .]", "gave up", Refusal.SPLIT),
            ("It was [the baby's] day .", "the task", Refusal.INSIDE_PHRASE),
            ("It looked [a piece of cake] .", "to be easy", Refusal.PART_OF_SPEECH),
            ("It was [a piece of cake] .", "to be easy", None),
            ("It was [a piece of cake] .", "to be without effort", Refusal.PART_OF_SPEECH),
            ("It was [a piece of cake] .", "something easy", None),
            ("It was a [piece of cake] .", "something easy", Refusal.PART_OF_SPEECH),
            ("She is [a night owl] .", "someone who stays up", None),
            ("They want [a slice of the cake] .", "more money", None),
            ("They gave us [a hard time] .", "very difficult", Refusal.PART_OF_SPEECH),
            ("They found it [a piece of cake] .", "very easy", None),
            ("He knows [a thing or two] .", "very much", None),
            ("She became [a household name] .", "very famous", None),
            ("It was [a piece of cake] .", "without effort", Refusal.PART_OF_SPEECH),
            ("It turned into [a piece of cake] .", "easy", Refusal.PART_OF_SPEECH),
            ("It turned into [a piece of cake] .", "an easy task", None),
            ("It was not such [a piece of cake] .", "easy", Refusal.PART_OF_SPEECH),
            ("It was seen as [a piece of cake] .", "easy", None),
            ("It was [a piece of cake] .", "easy", None),
            ("It was [a piece of cake] for us .", "an easy task", None),
            ("He got [the cold shoulder] .", "same treatment", Refusal.PART_OF_SPEECH),
            ("He got [the cold shoulder] .", "the same treatment", None),
            ("I smell [a rat] .", "suspicious", Refusal.PART_OF_SPEECH),
            ("It makes baking a loaf [a piece of cake] .", "easy", None),
            ("She had [a ball] .", "excited", Refusal.PART_OF_SPEECH),
            ("She had [a ball] .", "speed", None),
            ("It is a [piece of cake] .", "easy", Refusal.PART_OF_SPEECH),
            ("It is a [piece of cake] for her .", "very easy", Refusal.PART_OF_SPEECH),
            ("It is a [dead-end] opening .", "hopeless", None),
            ("He is a [big fish] .", "fool", None),
            ("She was [on cloud nine] .", "full of happiness", None),
            ("She was in [deep water] .", "disappointment", None),
        ],
    )
    def test_what_would_not_be_well_formed_is_refused(self, text: str, definition: str, why: Refusal | None) -> None:
        found = put_in_place(_use(text), definition, ENGLISH, language="en")
        assert found is why if why else not isinstance(found, Refusal)

    @pytest.mark.parametrize(
        ("text", "definition", "why"),
        [
            ("Es un [hueso duro de roer] .", "difícil", Refusal.PART_OF_SPEECH),
            ("Es un [hueso duro] para Ana .", "muy difícil", Refusal.PART_OF_SPEECH),
            ("Es [un hueso duro de roer] .", "difícil", None),
            ("Es un [hueso duro de roer] .", "problema difícil", None),
            ("Es un [cero a la izquierda] .", "inútil", None),
        ],
    )
    def test_no_article_is_left_without_a_noun_in_spanish(
        self, text: str, definition: str, why: Refusal | None
    ) -> None:
        found = put_in_place(_use(text), definition, SPANISH, language="es")
        assert found is why if why else not isinstance(found, Refusal)

    def test_of_a_language_without_rules_verbs_cannot_be_told(self) -> None:
        assert grammar_of("eu") is None
        use = _use("Gizona [galdu da] .")
        assert put_in_place(use, "erori da", SmallParser("eu"), language="eu") == "Gizona erori da ."


class TestClasses:
    @pytest.mark.parametrize(
        ("name", "way", "entailed"),
        [
            ("manual_e.tsv", "manual", True),
            ("idioms/manual_antonyms_ne.tsv", "manual_antonyms", False),
            ("fig_context_semeval_e.tsv", "fig_context", True),
            ("all.zip/lit_context_pie_ne.tsv", "lit_context", False),
            ("adversarial_definition_ne_magpie.tsv", "adversarial_definition", False),
            ("other-source_ne.txt", "other_source", False),
        ],
    )
    def test_a_file_name_says_what_its_pairs_are(self, name: str, way: str, entailed: bool) -> None:
        assert class_of(name) == PairClass(way, entailed)

    @pytest.mark.parametrize("name", ["manual.tsv", "e.tsv", "manual_e_ne.tsv", "", "corpus.en.tsv", "Mänual_e.tsv"])
    def test_other_names_say_nothing(self, name: str) -> None:
        assert class_of(name) is None

    @pytest.mark.parametrize(
        "name", ["manual_e.tsv", "manual_antonyms_ne.tsv", "fig_context_x_e.tsv", "adversarial_definition_ne_x.tsv"]
    )
    def test_names_are_written_as_they_were_published(self, name: str) -> None:
        found = class_of(name)
        assert found is not None
        assert found.file_name("x" if "_x" in name else "") == name
