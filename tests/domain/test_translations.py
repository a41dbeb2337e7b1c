"""What a review says of the spans of sources: checked, merged and brought under other labels."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.domain.content import SPANS, ContentError
from annotator.domain.labels.relabel import Relabelling
from annotator.domain.labels.rescheme import AttributeRow, ValueRow, attribute_change
from annotator.domain.labels.schemes import Attribute, Scheme, SpanError

HOW = Attribute(values=("same image", "plain"), name="How?", translation=True)
SCHEME = Scheme(labels=("A", "B"), attributes={"how": HOW, "sure": Attribute(values=("yes",))}).to_json()
SPAN = {"tokens": [0], "label": "A", "attributes": {}, "score": None}


def said(*tokens: int, how: str = "", **more: Any) -> dict[str, Any]:
    one = {"language": "es", "tokens": list(tokens), "label": "A", "lost": False}
    return {**one, "attributes": {"how": how} if how else {}, **more}


def checked(*translations: Any, scheme: dict[str, Any] = SCHEME, done: bool = True) -> Any:
    content = {"spans": [SPAN], "translations": list(translations)}
    return SPANS.check(content, scheme=scheme, tokens=["one", "two"], done=done)


def test_spans_of_sources_are_kept_in_order_lost_ones_too_and_nothing_is_written_without_any() -> None:
    lost = said(7, lost=True, how="plain")
    assert checked(lost, said(2, 5))["translations"] == [said(2, 5), lost]
    assert checked() == {"spans": [SPAN]}


@pytest.mark.parametrize(
    "wrong",
    [
        "nothing",
        said(1, label="C"),
        said(1, how="by chance"),
        said(1, attributes={"sure": "yes"}),
        said(1, lost="no"),
        said(1, language=""),
        said(-1),
        said(1, more=1),
    ],
)
def test_what_fits_no_source_is_refused(wrong: Any) -> None:
    with pytest.raises(ContentError):
        checked(wrong)


def test_a_source_span_is_said_once() -> None:
    with pytest.raises(ContentError, match="only one translation"):
        checked(said(1), said(1, lost=True))


def test_a_span_of_the_target_is_not_asked_what_sources_are() -> None:
    with pytest.raises(ContentError, match="how"):
        SPANS.check({"spans": [{**SPAN, "attributes": {"how": "plain"}}]}, scheme=SCHEME, tokens=["one"], done=False)


def test_a_required_answer_is_required_of_finished_reviews_alone() -> None:
    asked = Scheme(labels=("A",), attributes={"how": Attribute(values=("plain",), obligatory=True, translation=True)})
    assert checked(said(1), scheme=asked.to_json(), done=False)
    with pytest.raises(ContentError, match="required"):
        checked(said(1, lost=True), scheme=asked.to_json())


def test_a_list_that_digits_cannot_reach_is_refused() -> None:
    for values in ((), tuple("abcdefghij")):
        with pytest.raises(SpanError):
            Scheme(labels=("A",), attributes={"how": Attribute(values=values, translation=True)})


def test_two_contents_are_the_same_when_their_spans_are_and_share_what_they_do_not_contradict() -> None:
    one = {"spans": [SPAN], "translations": [said(1, how="plain"), said(3, how="plain")]}
    other = {"spans": [SPAN], "translations": [said(1, how="same image")]}
    blind = {"spans": [SPAN]}
    assert SPANS.key(one) == SPANS.key(other) == SPANS.key(blind)
    assert SPANS.merge([one, other, blind]) == {"spans": [SPAN], "translations": [said(3, how="plain")]}


def test_labels_and_values_that_change_their_names_change_there_too() -> None:
    change = attribute_change(
        SCHEME,
        [
            AttributeRow("how", "how", (ValueRow("same image", "alike"), ValueRow("plain", "")), translation=True),
            AttributeRow("sure", "sure", (ValueRow("yes", "yes"),)),
        ],
    )
    content = {"spans": [SPAN], "translations": [said(1, how="same image"), said(3, how="plain")]}
    assert change.changed(content)["translations"] == [said(1, how="alike"), said(3)]
    renamed = Relabelling(before=SCHEME, after=SCHEME, mapping={"A": "B"})
    assert [one["label"] for one in renamed.changed(content)["translations"]] == ["B", "B"]
