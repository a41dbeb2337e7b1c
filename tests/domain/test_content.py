"""Content types: one spelling, equality, what agreement counts, merging, carrying over."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content import (
    BEST_WORST,
    CATEGORIES,
    CHOICE,
    RATING,
    REWRITE,
    SPANS,
    VERDICT,
    Content,
    ContentError,
    ContentType,
    content_type,
)
from annotator.domain.labels.spans import Scheme, Span, SpanError, check_spans
from tests.domain.strategies import LABELS, sentences_with_spans

SCHEME = Scheme(labels=LABELS, overlaps=True).to_json()
STRICT = Scheme(labels=LABELS).to_json()
VALUES = {"values": ["relevant", "non_relevant", "discarded"], "nothing": []}
WORDS = ["el", "tiempo", "vuela", "hoy", "no"]
tokens_ = st.lists(st.sampled_from(WORDS), max_size=9)
choices = st.sampled_from([{"value": value} for value in (None, *VALUES["values"])])


def span(*tokens: int, label: str = "METAPHOR", **more: Any) -> dict[str, Any]:
    return {"tokens": list(tokens), "label": label, "attributes": {}, "score": None, **more}


def spans(*given_: dict[str, Any]) -> Content:
    return {"spans": list(given_)}


@st.composite
def labelled(draw: st.DrawFn, count: int = 1) -> tuple[list[str], list[Content]]:
    """Tokens, and `count` contents that are checked for them."""
    length = draw(st.integers(1, 9))
    tokens = draw(st.lists(st.sampled_from(WORDS), min_size=length, max_size=length))
    found = []
    for _ in range(count):
        _, drawn = draw(sentences_with_spans(length))
        once = {(one.tokens, one.label): one for one in drawn if one.last < length}
        given_ = {"spans": [one.to_json() for one in once.values()]}
        found.append(SPANS.check(given_, scheme=SCHEME, tokens=tokens, done=True))
    return tokens, found


class TestCheck:
    @given(labelled())
    def test_spans_have_one_spelling_whatever_the_order_and_the_scores(
        self, drawn: tuple[list[str], list[Content]]
    ) -> None:
        tokens, (content,) = drawn
        again = SPANS.check(content, scheme=SCHEME, tokens=tokens, done=True)
        assert again == content
        mixed = {"spans": [{**one, "score": 0.5} for one in reversed(content["spans"])]}
        before = copy.deepcopy(mixed)
        assert SPANS.check(mixed, scheme=SCHEME, tokens=tokens, done=False) == content
        assert mixed == before
        assert json.loads(json.dumps(content)) == content

    @given(sentences_with_spans())
    def test_spans_are_refused_exactly_where_the_rule_on_spans_refuses_them(
        self, drawn: tuple[int, list[Span]]
    ) -> None:
        length, given_ = drawn
        content = {"spans": [one.to_json() for one in given_]}
        refused, allowed = "", None
        try:
            allowed = check_spans(given_, length=length, scheme=Scheme(labels=LABELS))
        except SpanError as error:
            refused = str(error)
        if allowed is None:
            with pytest.raises(ContentError) as caught:
                SPANS.check(content, scheme=STRICT, tokens=["a"] * length, done=True)
            assert str(caught.value) == refused
        else:
            checked = SPANS.check(content, scheme=STRICT, tokens=["a"] * length, done=True)
            assert [tuple(one["tokens"]) for one in checked["spans"]] == [one.tokens for one in allowed]

    @pytest.mark.parametrize(
        "content",
        [
            None,
            [],
            "spans",
            {},
            {"spans": None},
            {"spans": {}},
            {"spans": [], "value": 1},
            {"spans": [None]},
            {"spans": ["x"]},
            {"spans": [{}]},
            {"spans": [{"tokens": "0", "label": "METAPHOR"}]},
            {"spans": [{"tokens": [0.5], "label": "METAPHOR"}]},
            {"spans": [{"tokens": [True], "label": "METAPHOR"}]},
            {"spans": [{"tokens": [-1], "label": "METAPHOR"}]},
            {"spans": [{"tokens": [1, 0], "label": "METAPHOR"}]},
            {"spans": [{"tokens": [0], "label": ["METAPHOR"]}]},
            {"spans": [{"tokens": [0], "label": "METAPHOR", "attributes": 3}]},
            {"spans": [{"tokens": [0], "label": "METAPHOR", "more": 3}]},
            {"spans": [{"tokens": [10**30], "label": "METAPHOR"}]},
        ],
    )
    def test_odd_labels_are_refused_in_words(self, content: Any) -> None:
        with pytest.raises(ContentError) as caught:
            SPANS.check(content, scheme=SCHEME, tokens=["a", "b"], done=False)
        assert str(caught.value).endswith(".")

    @pytest.mark.parametrize(
        "content",
        [
            None,
            [],
            "relevant",
            {},
            {"value": "perhaps"},
            {"value": 1},
            {"value": ["relevant"]},
            {"value": {}},
            {"value": "relevant", "more": 1},
            {"tag": "relevant"},
            {"value": ""},
            {"value": True},
        ],
    )
    def test_odd_choices_are_refused_in_words(self, content: Any) -> None:
        with pytest.raises(ContentError) as caught:
            CHOICE.check(content, scheme=VALUES, tokens=[], done=False)
        assert str(caught.value).endswith(".")

    @given(choices)
    def test_a_choice_has_one_spelling_and_none_is_not_finished(self, content: Content) -> None:
        assert CHOICE.check(content, scheme=VALUES, tokens=[], done=False) == content
        if content["value"] is None:
            with pytest.raises(ContentError):
                CHOICE.check(content, scheme=VALUES, tokens=[], done=True)
        else:
            assert CHOICE.check(content, scheme=VALUES, tokens=[], done=True) == content

    @pytest.mark.parametrize("kind", [SPANS, CHOICE])
    def test_what_one_begins_with_is_allowed(self, kind: ContentType) -> None:
        scheme = SCHEME if kind is SPANS else VALUES
        assert kind.check(kind.empty(), scheme=scheme, tokens=["a"], done=False) == kind.empty()
        assert not kind.is_labelled(kind.empty())
        assert kind.empty() is not kind.empty()


class TestKey:
    @given(labelled(2))
    def test_contents_are_the_same_when_tokens_and_labels_are(self, drawn: tuple[list[str], list[Content]]) -> None:
        _, (one, other) = drawn
        shapes = [sorted((tuple(span_["tokens"]), span_["label"]) for span_ in row["spans"]) for row in (one, other)]
        assert (SPANS.key(one) == SPANS.key(other)) == (shapes[0] == shapes[1])
        hash(SPANS.key(one))
        scored = {"spans": [{**span_, "score": 0.3} for span_ in one["spans"]][::-1]}
        assert SPANS.key(scored) == SPANS.key(one)

    @given(choices, choices)
    def test_choices_are_the_same_when_values_are(self, one: Content, other: Content) -> None:
        assert (CHOICE.key(one) == CHOICE.key(other)) == (one == other)
        hash(CHOICE.key(one))


class TestBeginning:
    def test_scores_are_a_machines_and_do_not_go_into_an_answer(self) -> None:
        suggested = spans({**span(1), "score": 0.7})
        assert SPANS.begin(suggested) == spans(span(1))
        assert suggested == spans({**span(1), "score": 0.7})

    def test_a_suggested_choice_is_shown_and_not_chosen(self) -> None:
        assert CHOICE.begin({"value": "relevant"}) == {"value": None}


class TestAgreement:
    @given(labelled(2))
    def test_one_observation_a_token_and_full_agreement_with_oneself(
        self, drawn: tuple[list[str], list[Content]]
    ) -> None:
        tokens, (one, other) = drawn
        assert len(SPANS.observations(one, tokens=tokens, dimension="tokens")) == len(tokens)
        assert SPANS.agreement(one, one, tokens=tokens) == 1
        share = SPANS.agreement(one, other, tokens=tokens)
        assert 0 <= share <= 1
        assert share == SPANS.agreement(other, one, tokens=tokens)

    def test_choices_are_one_observation(self) -> None:
        one, other = {"value": "relevant"}, {"value": "discarded"}
        assert CHOICE.observations(one, tokens=[], dimension="units") == ["relevant"]
        assert (CHOICE.agreement(one, one, tokens=[]), CHOICE.agreement(one, other, tokens=[])) == (1.0, 0.0)

    def test_categories_come_from_the_scheme_in_its_order(self) -> None:
        assert SPANS.values(SCHEME, "tokens") == ("O", *LABELS)
        assert CHOICE.values(VALUES, "units") == ("relevant", "non_relevant", "discarded")


class TestOrigins:
    @given(labelled(2))
    def test_kept_and_added_make_up_the_content_kept_and_removed_the_suggestion(
        self, drawn: tuple[list[str], list[Content]]
    ) -> None:
        _, (suggested, content) = drawn
        came = SPANS.origins(suggested, content)
        assert SPANS.key({"spans": came["kept"] + came["added"]}) == SPANS.key(content)
        assert SPANS.key({"spans": came["kept"] + came["removed"]}) == SPANS.key(suggested)
        assert len(came["kept"]) + len(came["added"]) == len(content["spans"])
        assert SPANS.origins(None, content)["added"] == content["spans"]

    @given(choices, choices)
    def test_of_choices_alike(self, suggested: Content, content: Content) -> None:
        came = CHOICE.origins(suggested, content)
        chosen = [] if content["value"] is None else [content["value"]]
        assert came["kept"] + came["added"] == chosen
        assert came["kept"] + came["removed"] == ([] if suggested["value"] is None else [suggested["value"]])
        assert CHOICE.origins(None, content) == {"kept": [], "added": chosen, "removed": []}


class TestMerge:
    @given(labelled(3))
    def test_has_what_all_share_and_nothing_else(self, drawn: tuple[list[str], list[Content]]) -> None:
        tokens, contents = drawn
        merged = SPANS.merge(contents)
        assert SPANS.key(merged) == frozenset.intersection(*map(SPANS.key, contents))
        assert SPANS.check(merged, scheme=SCHEME, tokens=tokens, done=True) == merged
        assert SPANS.merge(contents[:1]) == contents[0]

    def test_of_nothing_is_empty(self) -> None:
        assert SPANS.merge([]) == SPANS.empty()
        assert CHOICE.merge([]) == CHOICE.empty()

    @given(st.lists(choices, min_size=1))
    def test_of_choices_is_the_one_that_all_made(self, contents: list[Content]) -> None:
        values = {content["value"] for content in contents}
        assert CHOICE.merge(contents) == {"value": values.pop() if len(values) == 1 else None}


class TestCarry:
    @given(labelled(), tokens_)
    def test_labels_stand_on_the_same_words_and_the_others_go(
        self, drawn: tuple[list[str], list[Content]], after: list[str]
    ) -> None:
        before, (content,) = drawn
        carried = SPANS.carry(content, before=before, after=after)
        assert SPANS.check(carried, scheme=SCHEME, tokens=after, done=True) == carried
        words_before = [(one["label"], [before[at] for at in one["tokens"]]) for one in content["spans"]]
        for one in carried["spans"]:
            words = (one["label"], [after[at] for at in one["tokens"]])
            assert words in words_before
            words_before.remove(words)

    @given(labelled())
    def test_nothing_is_lost_where_words_are_only_put_before_or_after(
        self, drawn: tuple[list[str], list[Content]]
    ) -> None:
        tokens, (content,) = drawn
        assert SPANS.carry(content, before=tokens, after=tokens) == content
        moved = SPANS.carry(content, before=tokens, after=["NEW", *tokens, "NEW"])
        assert [[at - 1 for at in one["tokens"]] for one in moved["spans"]] == [
            one["tokens"] for one in content["spans"]
        ]

    def test_a_changed_word_takes_its_labels_with_it(self) -> None:
        before = ["We", "took", "the", "heavy", "lid", "off"]
        after = ["Today", "we", "took", "the", "light", "lid", "off"]
        content = spans(span(1, 5), span(3), span(3, 4), span(4))
        carried = SPANS.carry(content, before=before, after=after)
        assert [one["tokens"] for one in carried["spans"]] == [[2, 6], [5]]

    def test_attributes_stay(self) -> None:
        content = spans({**span(0), "attributes": {"bio": "orphan"}})
        assert SPANS.carry(content, before=["a"], after=["b", "a"]) == spans(
            {**span(1), "attributes": {"bio": "orphan"}}
        )

    @pytest.mark.parametrize(
        ("kind", "content"),
        [
            (CHOICE, {"value": "relevant"}),
            (RATING, {"value": 3}),
            (BEST_WORST, {"best": 0, "worst": 3}),
            (CATEGORIES, {"answers": [["object"], []]}),
            (REWRITE, {"paraphrase": "It is late.", "changed": "", "opposite": ""}),
        ],
    )
    def test_what_is_said_of_a_text_as_a_whole_goes_on_to_be_looked_at_again(
        self, kind: ContentType, content: Content
    ) -> None:
        for after in (["b"], ["a", "b"], ["a", "c", "b"]):
            assert kind.carry(content, before=["a", "c"], after=after) == content
            assert kind.lost(content, before=["a", "c"], after=after) == []
            assert not kind.stands(content, before=["a", "c"], after=after), "a word less changes it, too"
        assert kind.stands(content, before=["a"], after=["a"])
        assert kind.lost(content, before=["a"], after=[]), "where it cannot stand at all, all of it is"

    def test_labels_stand_where_nothing_is_lost_and_no_word_is_new(self) -> None:
        content = spans(span(0))
        assert SPANS.stands(content, before=["a", "b"], after=["a"])
        assert not SPANS.stands(content, before=["a", "b"], after=["a", "c"])
        assert not SPANS.stands(content, before=["a", "b"], after=["b"])

    def test_a_verdict_on_another_text_is_given_anew(self) -> None:
        content = {**VERDICT.empty(), "verdict": "accept"}
        assert VERDICT.carry(content, before=["a"], after=["b"]) == VERDICT.empty()
        assert not VERDICT.stands(content, before=["a"], after=["b"])


class TestPlaces:
    @given(labelled())
    def test_are_the_tokens_that_have_a_label(self, drawn: tuple[list[str], list[Content]]) -> None:
        tokens, (content,) = drawn
        observed = SPANS.observations(content, tokens=tokens, dimension="tokens")
        assert SPANS.places(content) == {at for at, label in enumerate(observed) if label != "O"}
        assert SPANS.is_labelled(content) == bool(SPANS.places(content))

    def test_a_choice_has_none(self) -> None:
        assert CHOICE.places({"value": "relevant"}) == frozenset()
        assert CHOICE.is_labelled({"value": "relevant"})


def test_types_are_found_by_slug_and_a_missing_one_is_named() -> None:
    assert (content_type("spans"), content_type("choice")) == (SPANS, CHOICE)
    with pytest.raises(LookupError, match=r'"ranking". Installed: .*choice, .*spans'):
        content_type("ranking")
