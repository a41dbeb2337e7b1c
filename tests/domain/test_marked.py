"""Sentences with one marked word, as text and as tokens."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.text.marked import Marked, MarkError, mark_token, read_marked
from annotator.domain.text.tokens import text_of

text = st.text(st.sampled_from("ab .,’🚀\u0301\u00a0\"'"), max_size=12)


@given(text, st.text(st.sampled_from("abñ🚀"), min_size=1, max_size=4), text)
def test_a_sentence_survives_being_tokens(before: str, word: str, after: str) -> None:
    marked = Marked(before, word, after)
    assert read_marked(str(marked)) == marked
    tokens, spaces, position = marked.tokens()
    assert tokens[position] == word
    assert text_of(tokens, spaces) == marked.text
    if word.isalnum():
        assert mark_token(tokens, spaces, position) == marked


def test_a_word_that_occurs_twice_is_the_one_that_is_marked() -> None:
    first, second = read_marked("a <b>part</b> of a part"), read_marked("a part of a <b>part</b>")
    assert first.text == second.text
    assert (first.tokens()[2], second.tokens()[2]) == (1, 4)
    assert second.with_word("share").text == "a part of a share"
    assert second.blank() == "a part of a ____"


def test_punctuation_stays_outside_of_the_mark() -> None:
    assert str(mark_token(["a", "“laid-back", "approach,”", "he", "said"], [], 2)) == (
        "a “laid-back <b>approach</b>,” he said"
    )
    with pytest.raises(ValueError, match="punctuation only"):
        mark_token(["a", "—"], [], 1)
    with pytest.raises(ValueError, match="no token 2"):
        mark_token(["a", "b"], [], 2)


@pytest.mark.parametrize(
    ("given_", "says"),
    [
        ("no mark", "no word is marked"),
        ("<b>a</b> and <b>b</b>", "there are 2 and 2"),
        ("<b>a", "there are 1 and 0"),
        ("a</b> <b>b", "</b> comes before <b>"),
        ("a <b> </b> b", "nothing is marked"),
    ],
)
def test_other_marks_are_refused(given_: str, says: str) -> None:
    with pytest.raises(MarkError, match=says):
        read_marked(given_)


def test_several_words_are_read_and_refused_where_one_is_wanted() -> None:
    read_marked("the <b>way</b>").check_one_word()
    for several in ("<b>two words</b>", "a <b>word </b>"):
        with pytest.raises(MarkError, match="not one word"):
            read_marked(several).check_one_word()
