"""A fixed text: token boundaries that nobody touched stay, and every token is either moved or to be decided anew."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content import CHOICE, SPANS
from annotator.domain.text.revision import changed_tokens, moved_tokens, retokenised
from annotator.domain.text.tokens import text_of, tokenise, white_space

WORDS = st.text(st.sampled_from("aáñ,.’😀\u0301של我们\u00a0"), min_size=1, max_size=5)
TOKENS = st.lists(WORDS.filter(lambda word: bool(word.strip())), min_size=1, max_size=12)
GAPS = st.sampled_from(["", " ", "  ", "\n", " \t"])


@st.composite
def stored(draw: st.DrawFn) -> tuple[list[str], list[str]]:
    """Tokens with any white space around them, as imports store them."""
    tokens = draw(TOKENS)
    return tokens, [draw(GAPS) for _ in range(len(tokens) + 1)]


class TestTokens:
    @given(stored())
    def test_the_same_text_has_the_same_tokens(self, given_: tuple[list[str], list[str]]) -> None:
        tokens, spaces = given_
        assert retokenised(tokens, spaces, text_of(tokens, spaces)) == tokens

    @given(stored(), TOKENS)
    def test_any_new_text_is_made_of_its_tokens(self, given_: tuple[list[str], list[str]], words: list[str]) -> None:
        text = " ".join(words)
        tokens = retokenised(*given_, text)
        assert all(tokens)
        assert text_of(tokens, white_space(text, tokens)) == text

    @given(TOKENS, TOKENS)
    def test_where_tokens_are_split_at_spaces_they_stay_so(self, before: list[str], after: list[str]) -> None:
        assert retokenised(before, [], " ".join(after)) == list(tokenise(" ".join(after)))

    @pytest.mark.parametrize(
        ("tokens", "spaces", "text", "expected"),
        [
            # Punctuation that was a token of its own stays one, whatever stands before it now.
            (["The", "cat", "."], ["", " ", "", ""], "The cats.", ["The", "cats", "."]),
            (["The", "cat", "."], ["", " ", "", ""], "The cat!", ["The", "cat", "!"]),
            (["The", "cat", "."], ["", " ", "", ""], "A cat, and a dog.", ["A", "cat,", "and", "a", "dog", "."]),
            # Texts without spaces keep their words; what is put in between belongs to the one before it.
            (["我们", "喜欢", "茶"], ["", "", "", ""], "我们喜欢绿茶", ["我们", "喜欢绿", "茶"]),
            (["我们", "喜欢", "茶"], ["", "", "", ""], "我们喜欢 绿茶", ["我们", "喜欢", "绿", "茶"]),
            # A token with a space in it, as CoNLL-U may have one.
            (["New York", "sleeps"], [], "New York never sleeps", ["New York", "never", "sleeps"]),
            (["New York", "sleeps"], [], "Newer York sleeps", ["Newer York", "sleeps"]),
            (["a", "b"], [], "a\nb", ["a", "b"]),
            (["to", "day"], [], "today", ["today"]),
        ],
    )
    def test_boundaries_that_nobody_touched_stay(
        self, tokens: list[str], spaces: list[str], text: str, expected: list[str]
    ) -> None:
        assert retokenised(tokens, spaces, text) == expected

    def test_a_long_text_that_is_all_new_takes_no_time(self) -> None:
        tokens = ["a"] * 20_000
        assert retokenised(tokens, [""] * 20_001, "b" * 20_000) == ["b" * 20_000]


class TestMoved:
    @given(TOKENS, TOKENS)
    def test_each_token_stayed_or_is_to_be_decided(self, before: list[str], after: list[str]) -> None:
        moved = moved_tokens(before, after)
        assert all(before[old] == after[new] for old, new in moved.items())
        assert list(moved.values()) == sorted(moved.values())
        assert sorted([*moved.values(), *changed_tokens(before, after)]) == list(range(len(after)))

    @given(TOKENS)
    def test_of_the_same_text_nothing_is_to_be_decided(self, tokens: list[str]) -> None:
        assert changed_tokens(tokens, tokens) == []


class TestLost:
    @given(TOKENS, TOKENS, st.data())
    def test_each_label_is_carried_or_lost(self, before: list[str], after: list[str], data: st.DataObject) -> None:
        labelled = data.draw(st.sets(st.integers(0, len(before) - 1)))
        content = {
            "spans": [{"tokens": [at], "label": "M", "attributes": {}, "score": None} for at in sorted(labelled)]
        }
        carried = SPANS.carry(content, before=before, after=after)["spans"]
        lost = SPANS.lost(content, before=before, after=after)
        assert len(carried) + len(lost) == len(labelled)

    def test_what_is_lost_is_named_by_its_words(self) -> None:
        before, after = ["took", "it", "off"], ["took", "it", "away"]
        content = {"spans": [{"tokens": [0, 2], "label": "M", "attributes": {}, "score": None}]}
        assert SPANS.lost(content, before=before, after=after) == ["took off (M)"]
        assert SPANS.lost(content, before=before, after=before) == []

    def test_a_choice_is_lost_where_it_cannot_stand_at_all(self) -> None:
        assert CHOICE.lost({"value": "good"}, before=["a"], after=[]) == ["good"]
        assert CHOICE.lost({"value": "good"}, before=["a"], after=["b"]) == []
        assert CHOICE.lost({"value": None}, before=["a"], after=[]) == []
        # A pair has no tokens.
        assert CHOICE.lost({"value": "good"}, before=[], after=[]) == []
