"""Contents that are words: a substitute, the best of several, inapt ones."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content import BEST, INAPT, SUBSTITUTE, ContentError
from annotator.domain.content.best import most_proposed
from annotator.domain.text.one_word import (
    Repeated,
    WordError,
    counted_words,
    in_case_of,
    most_frequent_first,
    one_word,
    repeated_shares,
    word_key,
)

REASONS = {"reasons": ["literal", "unclear"]}
OPTIONS = ["method", "plan", "way"]


def word(text: str, reason: str = "") -> dict[str, str]:
    return {"word": text, "reason": reason}


def best(*words: str, none: bool = False) -> dict[str, Any]:
    return {"words": list(words), "none": none}


def inapt(*words: str, none: bool = False, sense: str = "") -> dict[str, Any]:
    return {"words": [{"word": one, "sense": sense, "synset": ""} for one in words], "none": none}


class TestOneWord:
    @pytest.mark.parametrize(
        ("text", "expected"),
        [
            ("  method ", "method"),
            ("“method.”", "method"),
            ("DRG", "DRG"),
            ("head-office", "head-office"),
            ("cami\u0301n", "camín"),
            ("o’clock", "o’clock"),
            ("ọ̀rọ̀", "ọ̀rọ̀"),
            ("\u0c95\u0cca\u0ca8", "\u0c95\u0cca\u0ca8"),
            ("2nd", "2nd"),
            ("   ", ""),
            ('"A"\x1f', "A"),
            ("\u200brose", "rose"),
            ("ro\u00adse\u200f", "rose"),
            ("\u200b", ""),
            ("می\u200cروم", "می\u200cروم"),
            ("rose\u200d", "rose"),
        ],
    )
    def test_has_one_spelling(self, text: str, expected: str) -> None:
        assert one_word(text) == expected

    @pytest.mark.parametrize(
        "text",
        ["<b>x</b>", "a&b", "1234", "24/7", "two words", "—", "🚀", "a\x00b", "x" * 101, "...", "a\u00a0b", "a\tb"],
    )
    def test_what_is_not_one_word_is_refused_in_a_sentence(self, text: str) -> None:
        with pytest.raises(WordError) as caught:
            one_word(text)
        assert str(caught.value).endswith(".")

    @pytest.mark.parametrize(
        ("word", "marked", "expected"),
        [
            ("Method", "approach", "method"),
            ("smooth", "Sleek", "Smooth"),
            ("DRG", "firm", "DRG"),
            ("McDonald", "firm", "McDonald"),
            ("I", "he", "I"),
            ("kannada", "\u0c95", "kannada"),
            ("methode", "Ansatz", "Methode"),
        ],
    )
    def test_a_word_is_put_into_the_case_of_the_marked_one(self, word: str, marked: str, expected: str) -> None:
        assert in_case_of(word, marked) == expected
        assert in_case_of(expected, marked) == expected

    def test_the_most_frequent_come_first_and_what_nobody_wrote_last(self) -> None:
        written = ["way", "Plan", "method", "plan", "method", "method", ""]
        words = ["art", "way", "plan", "act", "method"]
        assert most_frequent_first(words, written) == ["method", "plan", "way", "art", "act"]

    @given(st.text(max_size=20))
    def test_a_spelling_is_its_own(self, text: str) -> None:
        try:
            found = one_word(text)
        except WordError:
            return
        assert one_word(found) == found
        assert word_key(word_key(found)) == word_key(found)

    def test_is_the_same_whatever_its_capitals_ligatures_and_widths(self) -> None:
        assert word_key("ﬁnd") == word_key("Find") == word_key("ｆｉｎｄ")
        assert word_key("camin") != word_key("camín")

    def test_repeated_answers_are_counted_under_their_most_frequent_spelling(self) -> None:
        words = ["Plan", "method", "plan", "Method", "method", "way"]
        assert counted_words(words) == [("method", 3), ("plan", 2), ("way", 1)]

    def test_repeated_words_as_a_share_of_items_and_of_answers(self) -> None:
        # Of nine answers to items with several, five were given by somebody else, too: in two of three items.
        answers = [["a", "A", "b"], ["c", "c", "c", "d"], ["e", "f"], ["alone"], []]
        assert repeated_shares(answers) == Repeated(items=2 / 3, answers=5 / 9)
        assert repeated_shares([["alone"], []]) is None

    @pytest.mark.parametrize(
        ("counted", "proposed"),
        [
            ([("surge", 3), ("rush", 1)], ["surge"]),
            ([("surge", 2), ("rush", 2), ("tide", 1)], ["surge", "rush"]),
            ([("surge", 1), ("rush", 1), ("tide", 1)], []),
            ([("surge", 1)], ["surge"]),
            # Words that came with a file, and that nobody wrote here.
            ([("surge", 0), ("rush", 0)], []),
            ([], []),
        ],
    )
    def test_what_most_people_wrote_is_one_word_or_two(
        self, counted: list[tuple[str, int]], proposed: list[str]
    ) -> None:
        assert most_proposed(counted) == proposed


class TestSubstitute:
    def test_a_word_is_normalised_and_a_reason_is_one_of_the_list(self) -> None:
        check = SUBSTITUTE.check
        assert check(word(" “method” "), scheme=REASONS, tokens=(), done=True) == word("method")
        assert check(word("", "literal"), scheme=REASONS, tokens=(), done=True) == word("", "literal")
        assert check(word(""), scheme=REASONS, tokens=(), done=False) == word("")

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (word(""), "Write a word, or say why"),
            (word("a", "literal"), "not both"),
            (word("", "because"), "Choose one of literal, unclear"),
            (word("two words"), "more than one word"),
            (word("chance,path"), "more than one word"),
            (word("chance/path"), "more than one word"),
            ({"word": "a"}, "must be an object"),
            ({"word": 1, "reason": ""}, "must be an object"),
            (None, "must be an object"),
        ],
    )
    def test_others_are_refused(self, content: Any, says: str) -> None:
        with pytest.raises(ContentError, match=says):
            SUBSTITUTE.check(content, scheme=REASONS, tokens=(), done=True)

    def test_observations_are_the_words_and_whether_there_is_one(self) -> None:
        seen = [
            SUBSTITUTE.observations(one, tokens=(), dimension=dimension)
            for dimension in SUBSTITUTE.dimensions
            for one in (word("Plan"), word("", "literal"))
        ]
        assert seen == [["plan"], ["(literal)"], ["word"], ["none"]]


class TestBest:
    def test_words_stand_in_the_order_of_the_options(self) -> None:
        checked = BEST.check(best("way", "method"), scheme={}, tokens=OPTIONS, done=True)
        assert checked == best("method", "way")

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (best(), "Choose the best word"),
            (best("other"), "not among the words to choose from: method, plan, way"),
            (best("method", "plan", "way"), "two different ones"),
            (best("method", "method"), "two different ones"),
            (best("method", none=True), "not both"),
            ({"words": "method", "none": False}, "must be an object"),
            ({"words": [1], "none": False}, "must be an object"),
            ({"words": [], "none": None}, "must be an object"),
        ],
    )
    def test_others_are_refused(self, content: Any, says: str) -> None:
        with pytest.raises(ContentError, match=says):
            BEST.check(content, scheme={}, tokens=OPTIONS, done=True)

    @pytest.mark.parametrize(
        ("votes", "expected"),
        [
            ([best("method"), best("method"), best("plan")], best("method")),
            ([best("method"), best("plan")], best("method", "plan")),
            ([best("method"), best("plan"), best("way")], best()),
            ([best(none=True), best(none=True), best("plan")], best(none=True)),
            ([best(none=True), best("plan")], best()),
            ([best("method", "plan"), best("plan")], best("plan")),
            ([], best()),
        ],
    )
    def test_what_has_most_votes(self, votes: list[dict[str, Any]], expected: dict[str, Any]) -> None:
        assert BEST.leading(votes) == expected


class TestInapt:
    def test_words_and_senses_have_one_spelling_and_empty_rows_go(self) -> None:
        given_ = inapt(" coming.", "", sense="")
        given_["words"][0]["sense"] = " the act   of drawing near "
        checked = INAPT.check(given_, scheme={}, tokens=(), done=True)
        assert checked == {
            "words": [{"word": "coming", "sense": "the act of drawing near", "synset": ""}],
            "none": False,
        }

    @pytest.mark.parametrize(
        ("content", "says"),
        [
            (inapt(), "Write an inapt word"),
            (inapt("a", none=True), "not both"),
            (inapt("a", "A"), "twice"),
            (inapt("", sense="a meaning"), "A sense has no word"),
            (inapt(*"abcdefghijk"), "at most 10"),
            (inapt("two words"), "more than one word"),
            (inapt("a", sense="x" * 1001), "at most 1000 characters"),
            ({"words": [{"word": "a"}], "none": False}, "must be an object with the strings word, sense and synset"),
            ({"words": None, "none": False}, "must be an object"),
        ],
    )
    def test_others_are_refused(self, content: Any, says: str) -> None:
        with pytest.raises(ContentError, match=says):
            INAPT.check(content, scheme={}, tokens=(), done=True)

    def test_what_all_share(self) -> None:
        assert INAPT.merge([inapt("a", "b"), inapt("B", "c")]) == inapt("b")
        assert INAPT.merge([inapt(none=True), inapt(none=True)]) == inapt(none=True)
        assert INAPT.merge([inapt(none=True), inapt("a")]) == inapt()
        assert INAPT.agreement(inapt("a", "b"), inapt("B", "c"), tokens=()) == 1 / 3


@pytest.mark.parametrize(
    ("kind", "content"),
    [(SUBSTITUTE, word("plan")), (INAPT, inapt("coming"))],
)
def test_what_was_written_on_a_text_is_looked_at_again_on_another(kind: Any, content: dict[str, Any]) -> None:
    same = ["a", "plan"]
    assert kind.carry(content, before=same, after=same) == content
    assert kind.lost(content, before=same, after=same) == []
    assert kind.stands(content, before=same, after=same)
    assert kind.carry(content, before=same, after=["b"]) == content
    assert kind.lost(content, before=same, after=["b"]) == []
    assert not kind.stands(content, before=same, after=["b"])
    assert kind.origins(None, content) == {"kept": [], "added": kind.texts_in(content), "removed": []}
    assert kind.is_labelled(content) and not kind.is_labelled(kind.empty())


def test_a_vote_keeps_the_words_that_can_still_be_chosen() -> None:
    content = best("plan", "way")
    assert BEST.carry(content, before=["plan", "way"], after=["way", "path"]) == best("way")
    assert BEST.lost(content, before=["plan", "way"], after=["way", "path"]) == ["plan"]
    assert not BEST.stands(content, before=["plan", "way"], after=["way", "path"])
