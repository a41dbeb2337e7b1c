"""Label schemes: what they allow, that they come back as they were stored, and that old data is read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content import SPANS
from annotator.domain.content.base import ContentError
from annotator.domain.labels.bio import BioError, read_bio, spellable, write_bio
from annotator.domain.labels.schemes import (
    ATTRIBUTE_KEYS,
    LABEL_KEYS,
    MAX_LABELS,
    PALETTE,
    Attribute,
    Label,
    Scheme,
)
from annotator.domain.labels.spans import Span, SpanError, check_spans, sort_spans
from annotator.domain.projection.carry import Outcome, project
from annotator.domain.statistics import count_sentence, detection_rows
from tests.domain.strategies import LABELS, sentences_with_spans

words = st.text(st.characters(codec="utf-8", exclude_categories=("C", "Z")), min_size=1, max_size=8).filter(
    lambda one: one != "O"
)
IMPLICIT = Scheme(("A", "IMPLICIT"), details={"IMPLICIT": Label(tokenless=True)})
SEVERAL = Scheme(("A", "B"), several=True)


@st.composite
def schemes(draw: st.DrawFn) -> Scheme:
    labels = tuple(draw(st.lists(words, min_size=1, max_size=5, unique=True)))
    keys = draw(st.permutations(LABEL_KEYS))
    details = {
        label: Label(
            name=draw(st.text(max_size=5)),
            colour=draw(st.sampled_from(("", *PALETTE))),
            key=draw(st.sampled_from(("", keys[place]))),
            tokenless=draw(st.booleans()),
        )
        for place, label in enumerate(labels)
    }
    attributes = {
        name: Attribute(
            values=tuple(draw(st.lists(words, max_size=3, unique=True))),
            labels=tuple(draw(st.lists(st.sampled_from(labels), max_size=2, unique=True))),
            key=draw(st.sampled_from(("", ATTRIBUTE_KEYS[place]))),
        )
        for place, name in enumerate(draw(st.lists(words, max_size=3, unique=True)))
    }
    mappings = {"binary": {label: draw(st.sampled_from(("", "M"))) for label in labels}}
    return Scheme(
        labels=labels,
        discontinuous=draw(st.booleans()),
        overlaps=draw(st.booleans()),
        several=draw(st.booleans()),
        attributes=attributes,
        details={label: one for label, one in details.items() if one != Label()},
        mappings=draw(st.sampled_from(({}, mappings))),
    )


@given(schemes())
def test_a_scheme_comes_back_as_it_was_stored(scheme: Scheme) -> None:
    assert Scheme.from_json(scheme.to_json()) == scheme


def test_schemes_of_before_are_read_and_stored_as_they_were() -> None:
    old = {"labels": ["M"], "discontinuous": True, "overlaps": False, "attributes": {"type": ["dead", "alive"]}}
    scheme = Scheme.from_json(old)
    assert scheme.attributes == {"type": Attribute(values=("dead", "alive"))}
    assert scheme.to_json() == old
    assert Scheme.from_json({"labels": ["M"]}).tokenless == ()


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"details": {"X": {}}}, "describes 'X'"),
        ({"details": {"A": {"colour": "pink"}}}, "one of blue, amber"),
        ({"details": {"A": {"key": "n"}}}, "must use 1 to 9"),
        ({"details": {"A": {"key": "1"}, "B": {"key": "1"}}}, "'1' is assigned twice"),
        ({"details": [1]}, "names, each with an object"),
        ({"attributes": {"x": {"labels": ["X"]}}}, "not a label of the scheme"),
        ({"attributes": {"x": {"key": "n"}}}, "one of these free keys"),
        ({"attributes": {"x": {"key": "w"}, "y": {"key": "w"}}}, "assigned twice"),
        ({"attributes": {"x": {"values": ["a"], "vocabulary": True}}}, "not both"),
        ({"attributes": {"x": 3}}, "list of values or an object"),
        ({"attributes": {"": ["a"]}}, "needs a name"),
        ({"mappings": {"binary": {"A": "M"}}}, "'B' is missing or unknown"),
        ({"mappings": {"binary": {"A": "M", "B": "a b"}}}, "must not contain spaces"),
    ],
)
def test_odd_schemes_are_refused_in_words(change: dict[str, object], words: str) -> None:
    with pytest.raises(SpanError, match=words):
        Scheme.from_json({"labels": ["A", "B"], **change})


def test_a_label_has_the_colour_of_its_place_unless_it_says_another() -> None:
    scheme = Scheme(("A", "B", "C"), details={"B": Label(colour="rose")})
    assert [scheme.colour(label) for label in scheme.labels] == ["blue", "rose", "teal"]
    assert Scheme(("M",)).colour("M") == ""


def test_a_label_is_named_once() -> None:
    with pytest.raises(SpanError, match="each label only once"):
        Scheme(("A", "B", "A"))


class TestLabelsOnTheSentence:
    def test_only_where_the_scheme_says_so_and_once(self) -> None:
        label = Span((), "IMPLICIT")
        assert check_spans([Span((0,), "A"), label], length=1, scheme=IMPLICIT) == (label, Span((0,), "A"))
        assert check_spans([label], length=0, scheme=IMPLICIT) == (label,)
        with pytest.raises(SpanError, match="A cannot label the sentence alone"):
            check_spans([Span((), "A")], length=1, scheme=IMPLICIT)
        with pytest.raises(SpanError, match="IMPLICIT on the sentence appears twice"):
            check_spans([label, label], length=1, scheme=IMPLICIT)

    def test_it_is_labelled_covers_nothing_and_has_its_own_dimension_of_agreement(self) -> None:
        one, nothing = {"spans": [Span((), "IMPLICIT").to_json()]}, SPANS.empty()
        assert SPANS.is_labelled(one)
        assert SPANS.places(one) == frozenset()
        assert SPANS.observations(one, tokens=["a", "b"], dimension="tokens") == ["O", "O"]
        assert SPANS.observations(one, tokens=["a", "b"], dimension="sentence") == ["IMPLICIT"]
        assert SPANS.observations(nothing, tokens=["a", "b"], dimension="sentence") == ["O"]
        assert SPANS.agreement(one, nothing, tokens=["a", "b"]) == pytest.approx(2 / 3)
        assert SPANS.agreement(one, one, tokens=[]) == 1
        assert SPANS.merge([one, nothing]) == nothing
        assert SPANS.origins(nothing, one) == {"kept": [], "added": one["spans"], "removed": []}

    def test_it_stays_when_the_text_is_revised(self) -> None:
        content = {"spans": [Span((), "IMPLICIT").to_json(), Span((0,), "A").to_json()]}
        assert SPANS.carry(content, before=["a"], after=["b"]) == {"spans": content["spans"][:1]}

    def test_it_is_projected_without_a_link(self) -> None:
        sources = [Span((), "IMPLICIT"), Span((0,), "A")]
        result = project(sources, [(0, 1)], ["x", "y"])
        assert result.spans == (Span((), "IMPLICIT"), Span((1,), "A"))
        assert {outcome.outcome for outcome in result.outcomes} == {Outcome.PROJECTED}
        assert project(sources[:1], [], []).spans == (Span((), "IMPLICIT"),)

    def test_tags_cannot_spell_it_and_say_so(self) -> None:
        with pytest.raises(BioError, match="IMPLICIT on the sentence does not cover a token"):
            write_bio([Span((), "IMPLICIT")], 3)

    def test_the_table_counts_its_sentence_and_none_of_its_tokens(self) -> None:
        (row, _all) = detection_rows([count_sentence("es", "toy", "prem", [Span((), "IMPLICIT")], 4)], ["prem"])
        assert (row.labelled_tokens, row.labelled_sentences, row.on_sentence) == (0, 1, 1)


class TestSeveralLabels:
    def test_on_one_unit_and_not_across_units(self) -> None:
        both = [Span((0, 2), "A"), Span((0, 2), "B")]
        assert check_spans(both, length=3, scheme=SEVERAL) == tuple(both)
        with pytest.raises(SpanError, match="overlaps with A on tokens 1 and 3 at token 3"):
            check_spans([both[0], Span((2,), "B")], length=3, scheme=SEVERAL)
        with pytest.raises(SpanError, match="cannot share tokens"):
            check_spans(both, length=3, scheme=Scheme(("A", "B")))

    def test_are_projected_together_where_they_reach_the_same_words(self) -> None:
        both = [Span((0, 1), "A"), Span((0, 1), "B")]
        assert project(both, [(0, 0), (1, 1)], ["x", "y"], several=True).spans == tuple(both)
        assert len(project(both, [(0, 0), (1, 1)], ["x", "y"]).spans) == 1
        partly = project([both[0], Span((1,), "B")], [(0, 0), (1, 1)], ["x", "y"], several=True)
        assert partly.spans == (both[0],)


class TestAttributes:
    SCHEME = Scheme(
        ("A", "B"), attributes={"source": Attribute(), "borderline": Attribute(values=("WIDLII",), labels=("A",))}
    )

    def check(self, label: str, attributes: dict[str, str]) -> None:
        SPANS.check(
            {"spans": [Span((0,), label, attributes).to_json()]},
            scheme=self.SCHEME.to_json(),
            tokens=["a"],
            done=True,
        )

    def test_values_labels_and_free_texts(self) -> None:
        self.check("A", {"source": "WAR", "borderline": "WIDLII"})
        for label, attributes, words in (
            ("B", {"borderline": "WIDLII"}, "which is for A only"),
            ("A", {"borderline": "perhaps"}, "must be one of WIDLII"),
            ("A", {"source": " "}, "Leave the attribute out"),
            ("A", {"colour": "red"}, "does not have"),
        ):
            with pytest.raises(ContentError, match=words):
                self.check(label, attributes)

    def test_people_who_differ_in_them_differ(self) -> None:
        one, other = ({"spans": [Span((0,), "A", said).to_json()]} for said in ({"source": "WAR"}, {"source": "LOVE"}))
        assert SPANS.key(one) != SPANS.key(other)
        assert SPANS.agreement(one, other, tokens=["a", "b"]) == 0.5
        assert SPANS.merge([one, other]) == SPANS.empty()
        assert SPANS.observations(one, tokens=["a"], dimension="tokens") == ["A"]
        assert SPANS.observations(one, tokens=["a"], dimension="attributes") == ["A[source=WAR]"]


@given(sentences_with_spans())
def test_what_tags_can_spell_and_what_not_make_up_all_of_it(drawn: tuple[int, list[Span]]) -> None:
    length, given_ = drawn
    spans = sort_spans({(span.tokens, span.label): span for span in [*given_, Span((), LABELS[0])]}.values())
    kept, left = spellable(spans, length)
    assert sort_spans([*kept, *(span for span, _reason in left)]) == spans
    assert [(span.tokens, span.label) for span in read_bio(write_bio(kept, length)).spans] == [
        (span.tokens, span.label) for span in kept
    ]
    assert all(reason.endswith(".") or ":" in reason for _span, reason in left)


def test_of_labels_in_each_others_way_tags_spell_the_longer_one() -> None:
    long, short, apart = Span((0, 1, 2), "A"), Span((1,), "B"), Span((4,), "B")
    assert spellable([long, apart], 5) == ((long, apart), ())
    kept, left = spellable([short, long, apart], 5)
    assert (kept, [span for span, _reason in left]) == ((long, apart), [short])


def test_a_scheme_has_a_number_of_labels_that_people_can_look_at() -> None:
    labels = tuple(f"L{number}" for number in range(MAX_LABELS))
    assert Scheme(labels).labels == labels
    with pytest.raises(SpanError, match="at most 500 labels"):
        Scheme((*labels, "ONE-MORE"))
