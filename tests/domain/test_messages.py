"""Sentences that the domain says, in English and in whatever language somebody translates them to."""

from __future__ import annotations

import copy
from collections.abc import Callable

import pytest

from annotator.domain.labels.bio import read_bio, write_bio
from annotator.domain.labels.relabel import relabelling
from annotator.domain.labels.schemes import Attribute, Label
from annotator.domain.labels.spans import Scheme, Span, SpanError, check_spans
from annotator.domain.messages import InvalidError, Message, message
from annotator.formats.common.errors import quote

LOUD = {"%(what)s is missing in %(where)s.": "%(where)s: %(what)s!", "the %(colour)s one": "EL %(colour)s"}


def test_gaps_are_filled_and_translated_in_turn() -> None:
    what = Message("the %(colour)s one", {"colour": "red"})
    said = Message("%(what)s is missing in %(where)s.", {"what": what, "where": 3})
    assert str(said) == "the red one is missing in 3."
    assert said.translated(lambda text: LOUD[text]) == "3: EL red!"


@pytest.mark.parametrize("text", ["100 % of it", "%(name)s", "50%"])
def test_a_text_without_gaps_is_said_as_it_is(text: str) -> None:
    assert str(InvalidError(text)) == text


def test_an_error_can_be_copied_as_when_a_worker_hands_it_on() -> None:
    error = SpanError("%(where)s appears twice.", where=Message("the %(colour)s one", {"colour": "red"}))
    assert str(copy.copy(error)) == str(error) == "the red one appears twice."


def test_what_people_typed_is_never_read_as_a_gap() -> None:
    with pytest.raises(SpanError) as caught:
        check_spans([Span((0,), "%(where)s")], length=1, scheme=Scheme(labels=("METAPHOR",)))
    assert str(caught.value) == "'%(where)s' on token 1 is not a label of this project. Its labels are METAPHOR."


def upside_down(text: str) -> str:
    """A translation that keeps the gaps."""
    return f"¡{text}!"


@pytest.mark.parametrize(
    "refuse",
    [
        lambda: Scheme(labels=()),
        lambda: Scheme(labels=("two words",)),
        lambda: Scheme(labels=("A",), details={"A": Label(colour="mauve")}),
        lambda: Scheme(labels=("A",), attributes={"sort": Attribute(labels=("B",))}),
        lambda: Scheme.from_json({"labels": ["A"], "details": ["A"]}),
        lambda: relabelling({"labels": ["A"]}, []),
        lambda: read_bio(["B-A", "X"]),
        lambda: write_bio([Span((0,), "A"), Span((0,), "B")], 1),
        lambda: write_bio([Span((0, 3), "A"), Span((1,), "A")], 4),
    ],
)
def test_what_schemes_and_tags_refuse_can_be_translated(refuse: Callable[[], object]) -> None:
    with pytest.raises(InvalidError) as caught:
        refuse()
    said = caught.value.message.translated(upside_down)
    assert said.startswith("¡")
    assert said.replace("¡", "").replace("!", "") == str(caught.value)
    assert "%(" not in said


def test_data_stands_in_the_quotation_marks_of_the_language() -> None:
    def gettext(text: str) -> str:
        return {"“%(text)s”": "«%(text)s»", "got %(got)s": "hay %(got)s"}.get(text, text)

    said = message("got %(got)s", got=quote("50% “x”"))
    assert str(said) == "got “50% “x””"
    for one in (said, Message.from_json(said.to_json())):
        assert one.translated(gettext) == "hay «50% “x”»"
