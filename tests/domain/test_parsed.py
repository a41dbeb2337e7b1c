"""What is told of words by parses: the rules on trees written by hand, as treebanks and as spaCy's models draw them."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from annotator.domain.silver import Refusal, Sense, Use, put_in_place
from annotator.domain.text.parsed import Parse, ParsedParser, Word


def tree(text: str, rows: str) -> Parse:
    """A parse of `text` from rows of word, part of speech, head (from 1; 0 for the root) and relation."""
    words, at = [], 0
    for number, row in enumerate(rows.strip().split("\n")):
        word, tag, head, relation = row.split()
        at = text.index(word, at)
        words.append(Word(at, at + len(word), tag, int(head) - 1 if int(head) else number, relation))
        at += len(word)
    return tuple(words)


CAKE = "It's a piece of cake tin."
TREES = {
    CAKE: """
        It PRON 4 nsubj
        's AUX 4 cop
        a DET 4 det
        piece NOUN 0 root
        of ADP 7 case
        cake NOUN 7 compound
        tin NOUN 4 nmod
        . PUNCT 4 punct""",
    "It was a piece of cake for us .": """
        It PRON 4 nsubj
        was AUX 4 cop
        a DET 4 det
        piece NOUN 0 root
        of ADP 6 case
        cake NOUN 4 nmod
        for ADP 8 case
        us PRON 4 obl
        . PUNCT 4 punct""",
    "It is a cut above the rest .": """
        It PRON 4 nsubj
        is AUX 4 cop
        a DET 4 det
        cut NOUN 0 root
        above ADP 7 case
        the DET 7 det
        rest NOUN 4 nmod
        . PUNCT 4 punct""",
    "Small potatoes grow .": """
        Small ADJ 2 amod
        potatoes NOUN 3 nsubj
        grow VERB 0 root
        . PUNCT 3 punct""",
    "He met Big Brother Smith .": """
        He PRON 2 nsubj
        met VERB 0 root
        Big ADJ 4 amod
        Brother PROPN 2 obj
        Smith PROPN 4 flat:name
        . PUNCT 2 punct""",
    "the boss's day": """
        the DET 2 det
        boss NOUN 4 poss
        's PART 2 case
        day NOUN 0 ROOT""",
    "easy": "easy ADJ 0 root",
    "items": "items NOUN 0 root",
    "achieve": "achieve VERB 0 root",
    "without effort": "without ADP 2 case\neffort NOUN 0 root",
}


class Trees:
    """An engine that knows these trees, and counts how often it is asked."""

    def __init__(self) -> None:
        self.asked: list[Sequence[str]] = []

    def __call__(self, texts: Sequence[str]) -> list[Parse]:
        self.asked.append(texts)
        return [tree(text, TREES[text]) for text in texts]


@pytest.fixture
def trees() -> Trees:
    return Trees()


@pytest.fixture
def parser(trees: Trees) -> ParsedParser:
    return ParsedParser("trees", trees)


@pytest.mark.parametrize(
    ("text", "at", "tag"),
    [
        (CAKE, 0, "PRON"),
        (CAKE, 1, "DET"),
        ("It is a cut above the rest .", 1, "VERB"),
        ("Small potatoes grow .", 3, ""),
    ],
)
def test_a_token_has_the_part_of_speech_of_its_first_word(parser: ParsedParser, text: str, at: int, tag: str) -> None:
    assert parser.begins_with(text.split(), at, "") == tag


@pytest.mark.parametrize(
    ("text", "end", "inside"),
    [
        (CAKE, 5, True),
        (CAKE, 6, False),
        ("It was a piece of cake for us .", 6, False),
        ("It is a cut above the rest .", 5, False),
        ("Small potatoes grow .", 1, True),
        ("Small potatoes grow .", 2, False),
        ("Small potatoes grow .", 3, False),
        ("Small potatoes grow .", 4, False),
        ("He met Big Brother Smith .", 4, True),
        ("the boss's day", 2, True),
    ],
)
def test_a_phrase_goes_on_where_the_last_word_hangs_on_a_later_one_of_it(
    parser: ParsedParser, text: str, end: int, inside: bool
) -> None:
    assert parser.ends_inside(text.split(), end) is inside


def test_texts_are_parsed_once_and_together(parser: ParsedParser, trees: Trees) -> None:
    parser.learn(["easy", CAKE, "easy"])
    parser.begins_with(["easy"], 0, "")
    parser.ends_inside(CAKE.split(), 3)
    parser.learn(["items", "easy"])
    assert trees.asked == [["easy", CAKE], ["items"]]


@pytest.mark.parametrize(
    ("text", "marked", "definition", "expected"),
    [
        ("It was a piece of cake for us .", range(2, 6), "easy", "It was easy for us ."),
        ("It was a piece of cake for us .", range(2, 6), "without effort", Refusal.PART_OF_SPEECH),
        ("It was a piece of cake for us .", range(2, 6), "achieve", Refusal.PART_OF_SPEECH),
        ("It was a piece of cake for us .", range(2, 6), "to achieve", Refusal.PART_OF_SPEECH),
        ("Small potatoes grow .", range(2), "items", "Items grow ."),
        (CAKE, range(1, 5), "easy", Refusal.INSIDE_PHRASE),
    ],
)
def test_the_rules_ask_it_as_they_ask_the_small_one(
    parser: ParsedParser, text: str, marked: range, definition: str, expected: str | Refusal
) -> None:
    use = Use(Sense.FIGURATIVE, tuple(text.split()), tuple(marked))
    assert put_in_place(use, definition, parser, language="en") == expected
