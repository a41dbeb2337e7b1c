"""What a decision was chosen from: where contents differ, and which decisions are complete and consistent."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from annotator.domain.choosing import ChoiceError, Chosen, check_chosen
from annotator.domain.content import Content, content_type, content_types
from tests.factories import choice, span, spans

# The same as in tests/js/choices.test.js: the page shows what the server asks for.
CASES = json.loads((Path(__file__).parents[1] / "content_cases/differences.json").read_text())
NAMES = [case["case"] for case in CASES]


def test_every_content_type_has_a_case() -> None:
    assert {kind.slug for kind in content_types()} - {"text"} <= {case["type"] for case in CASES}


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_where_contents_differ_and_what_each_says_there(case: dict[str, Any]) -> None:
    kind, contents, tokens = content_type(case["type"]), case["contents"], case["tokens"]
    shared = kind.merge(contents)
    assert kind.key(shared) == kind.key(case["shared"])
    found = kind.differences(contents, tokens=tokens)
    assert [(one.key, list(one.tokens)) for one in found] == [
        (one["key"], one["tokens"]) for one in case["differences"]
    ]
    for difference, expected in zip(found, case["differences"], strict=True):
        says: dict[Any, list[int]] = {}
        for number, content in enumerate(contents):
            part = kind.part(content, difference, shared=shared)
            says.setdefault(kind.key(kind.joined(kind.empty(), [part])), []).append(number)
        assert list(says.values()) == expected["says"]
    for content in contents:
        parts = [kind.part(content, difference, shared=shared) for difference in found]
        assert kind.key(kind.joined(shared, parts)) == kind.key(content), "all of one answer is that answer"


@pytest.mark.parametrize("case", CASES, ids=NAMES)
def test_nothing_is_decided_before_every_difference_is(case: dict[str, Any]) -> None:
    kind, contents = content_type(case["type"]), dict(enumerate(case["contents"]))
    keys = [one["key"] for one in case["differences"]]

    def check(chosen: Chosen, content: Content) -> None:
        check_chosen(kind, chosen, content, answers=contents, tokens=tuple(case["tokens"]))

    for content in (kind.merge(case["contents"]), case["contents"][0]):
        with pytest.raises(ChoiceError, match=r"not decided|Nothing is chosen"):
            check(Chosen(), content)
    for number, content in contents.items():
        check(Chosen(all=number), content)
        if keys:
            check(Chosen(differences=dict.fromkeys(keys, number)), content)
            with pytest.raises(ChoiceError, match="not decided"):
                check(Chosen(differences=dict.fromkeys(keys[1:], number)), content)
            with pytest.raises(ChoiceError, match="differs from the answer"):
                check(
                    Chosen(all=number),
                    contents[next(n for n in contents if kind.key(contents[n]) != kind.key(content))],
                )


WORDS = tuple("abcdef")
ONE, OTHER = spans(span(0), span(3)), spans(span(0), span(5))
ANSWERS = {7: ONE, 9: OTHER}


@pytest.mark.parametrize(
    ("chosen", "content"),
    [
        (Chosen(differences={"3": 7, "5": 9}), spans(span(0), span(3), span(5))),
        (Chosen(differences={"3": 9, "5": 7}), spans(span(0))),
        (Chosen(differences={"3": None, "5": 7}), spans(span(0), span(2, 3))),
        (Chosen(differences={"3": 7, "5": 7}, edited=True), spans(span(1), span(3))),
        (Chosen(all=9), OTHER),
    ],
)
def test_parts_of_several_answers_can_be_taken_and_others_written(chosen: Chosen, content: Content) -> None:
    check_chosen(content_type("spans"), chosen, content, answers=ANSWERS, tokens=WORDS)


@pytest.mark.parametrize(
    ("chosen", "content", "says"),
    [
        (Chosen(all=9), ONE, "differs from the answer that it refers to"),
        (Chosen(all=8), ONE, "refers to an answer that does not exist"),
        (Chosen(differences={"3": 8, "5": 9}), ONE, "refers to an answer that does not exist"),
        (Chosen(differences={"3": 7, "4": 7}), ONE, "names a difference that the answers do not have"),
        (Chosen(differences={"3": 7}), ONE, "1 difference is not decided"),
        (Chosen(edited=True), spans(), "2 differences are not decided"),
        (Chosen(differences={"3": 7, "5": 7}), OTHER, "differs from what was chosen"),
        # What all share was taken away, and nobody says so.
        (Chosen(differences={"3": 7, "5": 7}), spans(span(3)), "differs from what was chosen"),
        (Chosen(differences={"3": 9, "5": 7}, edited=True), spans(span(3)), "differs from what was chosen"),
    ],
)
def test_what_is_not_complete_or_says_something_else_is_refused(chosen: Chosen, content: Content, says: str) -> None:
    with pytest.raises(ChoiceError, match=says):
        check_chosen(content_type("spans"), chosen, content, answers=ANSWERS, tokens=WORDS)


@pytest.mark.parametrize("answers", [{}, {7: choice("a")}, {7: choice("a"), 9: choice("a")}])
def test_where_answers_do_not_differ_it_takes_one_act_all_the_same(answers: dict[int, Content]) -> None:
    kind = content_type("choice")
    with pytest.raises(ChoiceError, match="Nothing is chosen"):
        check_chosen(kind, Chosen(), choice("a"), answers=answers, tokens=())
    check_chosen(kind, Chosen(edited=True), choice("b"), answers=answers, tokens=())
    for number in answers:
        check_chosen(kind, Chosen(all=number), choice("a"), answers=answers, tokens=())
