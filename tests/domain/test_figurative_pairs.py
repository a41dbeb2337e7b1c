"""Pairs of figurative sentences: one text, two rows, and what a finished one has to be."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content import CATEGORIES, FIGURATIVE_PAIR, VERDICT, ContentError
from annotator.domain.pairs.figurative_pairs import (
    FigurativePair,
    Row,
    as_tokens,
    shared_beginning,
    spelt,
    words,
    words_at_beginning,
)
from annotator.domain.text.invisible_chars import is_seen
from annotator.domain.text.tokens import text_of

# Texts without visible characters are excluded: rows with such a cell are refused earlier.
CELL = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1).filter(is_seen)
PAIR = {"figurative": ["Her voice is a blanket.", "Her voice is a saw."], "literal": ["It soothes.", "It grates."]}


@given(CELL, CELL, CELL, CELL, CELL, CELL)
def test_rows_are_a_text_and_the_same_rows_again(a: str, b: str, c: str, d: str, e: str, f: str) -> None:
    rows = [Row(a, b, c, 0), Row(d, e, f, 1)]
    tokens, spaces = as_tokens(FigurativePair.of_rows(rows).lines)
    text = text_of(tokens, spaces)
    assert FigurativePair.of_text(text).rows == rows
    for row in rows:
        tokens, spaces = as_tokens(FigurativePair.of_rows([row]).lines)
        assert FigurativePair.of_text(text_of(tokens, spaces)).rows == [row]


def test_pairs_that_share_their_endings_have_four_lines() -> None:
    rows = [Row("s1", "e1", "e2", 0), Row("s2", "e1", "e2", 1)]
    assert FigurativePair.of_rows(rows).lines == ["s1", "s2", "e1", "e2"]
    assert len(FigurativePair.of_rows([rows[0], Row("s2", "e1!", "e2", 1)]).lines) == 6


@pytest.mark.parametrize(
    ("one", "other", "shared"),
    [
        ("Her voice is a blanket.", "her voice is a blade.", "Her voice is a"),
        ("这是天堂", "这是地狱", "这是"),
        ("صوتها كالحرير", "صوتها كالمنشار", "صوتها"),
        ("Ana runs", "Ben runs", ""),
        ("", "Ben", ""),
    ],
)
def test_what_two_sentences_begin_with(one: str, other: str, shared: str) -> None:
    assert shared_beginning(one, other) == shared


def test_composed_and_decomposed_text_is_the_same() -> None:
    for text in ("Ọ̀rẹ́ mi dà bí ọ̀gẹ̀dẹ̀", "ಅವಳ ಮಾತು ಜೇನು"):
        decomposed = unicodedata.normalize("NFD", text)
        assert words(decomposed) == words(text)
        assert spelt(f"  {decomposed} ") == unicodedata.normalize("NFC", text)


def test_what_nobody_sees_makes_no_other_word() -> None:
    assert words("Her vo\u200bice is\u2060 silk\u200e") == words("Her voice is silk")
    assert words("می\u200cروم") != words("میروم")


def test_vowel_points_make_no_other_word() -> None:
    assert words("قَلْبُها") == words("قلبها")
    assert words("שָׁלוֹם") == words("שלום")
    assert words_at_beginning("\u200fبيتُه قصر.", "بيته كوخ.") == words("بيته")


class TestWhatAFinishedPairIs:
    @staticmethod
    def check(figurative: list[str], literal: list[str], *, done: bool = True) -> Any:
        content = {"figurative": figurative, "literal": literal}
        return FIGURATIVE_PAIR.check(content, scheme={}, tokens=(), done=done)

    def test_it_is_stored_in_one_spelling(self) -> None:
        checked = self.check([f" {PAIR['figurative'][0]}\n", PAIR["figurative"][1]], PAIR["literal"])
        assert checked == PAIR

    @pytest.mark.parametrize(
        ("figurative", "literal", "why"),
        [
            (["Her voice sings.", " "], ["a", "b"], "Write both"),
            (["Her voice sings.", "“her  VOICE sings”"], ["a", "b"], "are the same"),
            (["Her voice sings.", "Her voice barks."], ["It is.", "it is"], "mean the same"),
            (["Her voice sings.", "Her voice barks."], ["Her voice sings", "b"], "Sentence 1 and its meaning"),
            (["Her voice sings.", "My voice barks."], ["a", "b"], "start differently"),
            (["x" * 501, "x"], ["a", "b"], "at most 500"),
            (["قلبُها بحر.", "قلبها بحر."], ["a", "b"], "are the same"),
        ],
    )
    def test_what_is_refused(self, figurative: list[str], literal: list[str], why: str) -> None:
        with pytest.raises(ContentError, match=why):
            self.check(figurative, literal)

    def test_marks_of_direction_do_not_hide_how_both_begin(self) -> None:
        self.check(["\u200fبيته قصر.", "بيته كوخ."], ["a", "b"])
        self.check(["הלב ים.", "\u200eהלב אבן."], ["a", "b"])

    def test_a_draft_may_be_anything_but_another_shape(self) -> None:
        assert self.check(["", ""], ["", ""], done=False) == FIGURATIVE_PAIR.empty()
        for content in (
            {},
            {"figurative": [""], "literal": ["", ""]},
            {"figurative": [1, 2], "literal": ["", ""]},
            None,
        ):
            with pytest.raises(ContentError):
                FIGURATIVE_PAIR.check(content, scheme={}, tokens=(), done=False)


class TestVerdicts:
    SCHEME = {"reasons": ["incoherent", "other"], "parts": 2, "second": []}

    def check(self, done: bool = True, **content: Any) -> Any:
        return VERDICT.check(content, scheme=self.SCHEME, tokens=("a", "b"), done=done)

    def test_what_does_not_belong_to_a_verdict_is_left_out(self) -> None:
        assert self.check(verdict="accept", reason="other", texts=["x", "y"])["reason"] == ""

    @pytest.mark.parametrize(
        ("content", "why"),
        [
            ({"verdict": None}, "Accept it, reject it"),
            ({"verdict": "maybe"}, "cannot be chosen"),
            ({"verdict": "reject"}, "Say why"),
            ({"verdict": "reject", "reason": "dull"}, "Say why"),
            ({"verdict": "correct", "texts": ["a"]}, "all parts"),
            ({"verdict": "correct", "texts": ["a", "b"]}, "Change something"),
            ({"verdict": "accept", "second": "yes"}, "not a valid answer to the second"),
        ],
    )
    def test_what_is_refused(self, content: dict[str, Any], why: str) -> None:
        with pytest.raises(ContentError, match=why):
            self.check(**content)


class TestCategories:
    SCHEME = {"values": ["object", "visual"], "parts": 2}

    def test_answers_come_in_the_order_of_the_scheme(self) -> None:
        checked = CATEGORIES.check({"answers": [["visual", "object"]]}, scheme=self.SCHEME, tokens=(), done=False)
        assert checked == {"answers": [["object", "visual"], None]}

    @pytest.mark.parametrize(
        "answers", [[["object"]], [["taste"], []], [[], [], []], ["object", []], [[["object"]], []]]
    )
    def test_what_is_refused(self, answers: list[Any]) -> None:
        with pytest.raises(ContentError):
            CATEGORIES.check({"answers": answers}, scheme=self.SCHEME, tokens=(), done=True)

    def test_where_people_differ_on_a_part_nothing_of_it_is_shared(self) -> None:
        contents = [{"answers": [["object", "visual"], ["object"], []]}, {"answers": [["object"], ["visual"], []]}]
        assert CATEGORIES.merge(contents) == {"answers": [None, None, []]}
