"""What follows from a state, and how what is there is brought in line with it, whatever people do in which order."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from hypothesis import given
from hypothesis import strategies as st

from annotator.domain.content import Content
from annotator.domain.derivation import (
    ByAnswer,
    ByAnswerAndLabels,
    Changes,
    DerivedUnit,
    DesiredUnit,
    GivenAnswer,
    Rule,
    SourceState,
    compare,
    reads_as,
)
from annotator.domain.effective_content import Answer, Stands
from annotator.domain.states import Mode

PEOPLE = (1, 2, 3)
KEYS = ("a", "b")


def texts(state: SourceState, content: Content) -> Sequence[DesiredUnit]:
    return [DesiredUnit(key, (text,)) for key, text in sorted(content.items())]


BY_ANSWER, BY_LABELS = ByAnswer(texts), ByAnswerAndLabels(texts)
RULES = st.sampled_from([BY_ANSWER, BY_LABELS])
CONTENTS = st.dictionaries(st.sampled_from(KEYS), st.sampled_from(["x", "y", "z"]))


def source(
    answers: Mapping[int, Content], there: Collection[DerivedUnit] = (), gold: Content | None = None
) -> SourceState:
    stands = Stands(gold, [Answer(Mode.REVIEW, content, user) for user, content in answers.items()])
    given_ = [GivenAnswer(user, content) for user, content in answers.items()]
    return SourceState(unit=1, uid="s", tokens=("w",), given=given_, stands=stands, there=list(there))


def applied(there: Sequence[DerivedUnit], changes: Changes) -> list[DerivedUnit]:
    """What is there once the changes are made."""
    gone = {unit.unit for unit in changes.withdrawn}
    back = {unit.unit for unit in changes.restored}
    rows = [
        replace(unit, is_current=False, returns=True)
        if unit.unit in gone - back
        else replace(unit, is_current=True, returns=False)
        if unit.unit in back
        else unit
        for unit in there
    ]
    for new in changes.made:
        one = new.desired
        rows.append(DerivedUnit(len(rows), one.key, one.tokens, one.spaces, one.author, one.rule))
    return rows


def brought_in_line(
    rule: Rule, answers: Mapping[int, Content], there: Sequence[DerivedUnit], gold: Content | None = None
) -> list[DerivedUnit]:
    state = source(answers, there, gold)
    return applied(there, compare(rule, state, rule.derive(state)))


def current(there: Collection[DerivedUnit]) -> list[tuple[str, tuple[str, ...], int | None]]:
    return sorted((unit.key, unit.tokens, unit.author or 0) for unit in there if unit.is_current)


STEPS = st.lists(
    st.tuples(st.dictionaries(st.sampled_from(PEOPLE), CONTENTS, max_size=3), st.none() | CONTENTS), max_size=6
)


@given(RULES, STEPS)
def test_doing_it_again_changes_nothing(
    rule: Rule, steps: Sequence[tuple[Mapping[int, Content], Content | None]]
) -> None:
    there: list[DerivedUnit] = []
    for answers, gold in steps:
        there = brought_in_line(rule, answers, there, gold)
        again = compare(rule, source(answers, there, gold), rule.derive(source(answers, there, gold)))
        assert (again.made, again.restored, again.withdrawn) == ([], [], [])


@given(RULES, STEPS)
def test_what_follows_is_there_and_nothing_else_is(
    rule: Rule, steps: Sequence[tuple[Mapping[int, Content], Content | None]]
) -> None:
    there: list[DerivedUnit] = []
    for answers, gold in steps:
        there = brought_in_line(rule, answers, there, gold)
        desired = rule.derive(source(answers, there, gold))
        now = [unit for unit in there if unit.is_current]
        assert all(any(unit.key == one.key and reads_as(unit, one) for unit in now) for one in desired)
        assert all(any(unit.key == one.key and reads_as(unit, one) for one in desired) for unit in now)


@given(STEPS)
def test_everybodys_answer_has_units_of_its_own(
    steps: Sequence[tuple[Mapping[int, Content], Content | None]],
) -> None:
    there: list[DerivedUnit] = []
    for answers, _gold in steps:
        there = brought_in_line(BY_ANSWER, answers, there)
        wanted = [(key, (text,), user) for user, content in answers.items() for key, text in content.items()]
        assert current(there) == sorted(wanted)


@given(st.dictionaries(st.sampled_from(PEOPLE), CONTENTS, min_size=1))
def test_what_was_opened_comes_back_as_it_was(answers: Mapping[int, Content]) -> None:
    before = brought_in_line(BY_ANSWER, answers, [])
    opened = brought_in_line(BY_ANSWER, {}, before)
    assert current(opened) == []
    assert brought_in_line(BY_ANSWER, answers, opened) == before


@given(CONTENTS, CONTENTS)
def test_gold_keeps_what_follows_no_more_but_gives_way_to_another_text(first: Content, then: Content) -> None:
    there = [replace(unit, is_decided=True) for unit in brought_in_line(BY_ANSWER, {1: first}, [])]
    assert current(brought_in_line(BY_ANSWER, {1: then}, there)) == sorted(
        (key, (text,), 1) for key, text in {**first, **then}.items()
    )


@given(CONTENTS, CONTENTS)
def test_nothing_goes_of_people_whose_answers_did_not_change(first: Content, then: Content) -> None:
    there = brought_in_line(BY_ANSWER, {1: first}, [])
    state = source({2: then}, there)
    changes = compare(BY_ANSWER, state, BY_ANSWER.derive(state), authors=[2])
    assert changes.withdrawn == []


@given(CONTENTS)
def test_what_went_back_is_made_anew_and_told(content: Content) -> None:
    there = brought_in_line(BY_ANSWER, {1: content}, [])
    back = [replace(unit, is_current=False, returns=True, went_back=True) for unit in there]
    state = source({1: content}, back)
    changes = compare(BY_ANSWER, state, BY_ANSWER.derive(state))
    assert changes.restored == []
    assert [(new.after, list(new.repeats)) for new in changes.made] == [(unit, [unit]) for unit in back]


@given(CONTENTS)
def test_an_answer_that_was_handed_over_has_the_units_of_the_one_before_it(content: Content) -> None:
    there = brought_in_line(BY_ANSWER, {1: content}, [])
    state = replace(source({}, there), given=[GivenAnswer(2, content, taken_from=1)])
    changes = compare(BY_ANSWER, state, BY_ANSWER.derive(state), authors=[2])
    assert (changes.kept, changes.made, changes.withdrawn) == (there, [], [])


class TestLabels:
    def test_gold_that_came_with_files_is_worked_on_without_an_author(self) -> None:
        assert current(brought_in_line(BY_LABELS, {}, [], {"a": "x"})) == [("a", ("x",), 0)]

    def test_what_an_answer_became_is_not_made_once_more(self) -> None:
        assert current(brought_in_line(BY_LABELS, {1: {"a": "x"}}, [], {"a": "x", "b": "y"})) == [
            ("a", ("x",), 1),
            ("b", ("y",), 0),
        ]

    def test_gold_takes_back_what_it_does_not_say_unless_somebody_has_begun(self) -> None:
        there = brought_in_line(BY_LABELS, {1: {"a": "x", "b": "y"}}, [])
        there = [replace(unit, is_begun=unit.key == "b") for unit in there]
        decided = brought_in_line(BY_LABELS, {1: {"a": "x", "b": "y"}}, there, {})
        assert current(decided) == [("b", ("y",), 1)]
        assert current(brought_in_line(BY_LABELS, {1: {"a": "x", "b": "y"}}, decided)) == current(there)

    def test_what_stands_no_more_goes_unless_somebody_has_begun(self) -> None:
        there = brought_in_line(BY_LABELS, {}, [], {"a": "x", "b": "y"})
        there = [replace(unit, is_begun=unit.key == "b") for unit in there]
        assert current(brought_in_line(BY_LABELS, {}, there)) == [("b", ("y",), 0)]
