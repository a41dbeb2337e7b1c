"""A person's own items of a stage."""

from __future__ import annotations

from typing import Any

import pytest

from annotator.models import Assignment, AssignmentState, Project, Sentence
from annotator.work.queue.queries.own_items import own_items, own_rows
from tests.factories import (
    choice,
    make_annotation,
    make_assignment,
    make_member,
    make_pair,
    make_sentence,
    stage_of,
    unit_of,
)

pytestmark = pytest.mark.django_db


class TestOwnItems:
    def test_they_are_in_reading_order_and_can_be_narrowed(self, project: Project) -> None:
        ana, ben = make_member(project), make_member(project)
        stage = stage_of(project, "correct")
        first, second, third, old = (make_sentence(project) for _ in range(4))
        later = make_assignment(second, ana, stage)
        earlier = make_assignment(first, ana, stage, done=True)
        returned = make_assignment(third, ana, stage)
        Assignment.objects.filter(pk=returned.pk).update(state=AssignmentState.RETURNED)
        make_assignment(old, ana, stage)
        Sentence.objects.filter(pk=old.pk).update(is_current=False)
        make_assignment(make_sentence(project), ben, stage)
        Assignment.objects.filter(pk=later.pk).update(doubtful=True)

        assert list(own_items(stage, ana)) == [earlier, later]
        assert list(own_items(stage, ana, state="done")) == [earlier]
        assert list(own_items(stage, ana, state="nonsense")) == [earlier, later]
        assert list(own_items(stage, ana, doubt=True)) == [later]

    def test_a_page_has_text_doubt_comment_and_what_was_chosen(
        self, project: Project, django_assert_max_num_queries: Any
    ) -> None:
        ana, ben = make_member(project), make_member(project)
        stage, tagging = stage_of(project, "correct"), stage_of(project, "pair-tag")
        seen, unseen, pair = make_sentence(project), make_sentence(project), make_pair(project)
        for unit in (seen, unseen):
            make_assignment(unit, ana, stage)
        make_annotation(seen, ana, doubt=True, comment="metonymy?", state="open")
        make_annotation(unseen, ben, comment="not ana's")
        make_assignment(pair, ana, tagging)
        make_annotation(unit_of(pair), ana, content=choice("relevant"))

        with django_assert_max_num_queries(3):
            first, second = own_rows(stage, ana, own_items(stage, ana))
        (third,) = own_rows(tagging, ana, own_items(tagging, ana))

        assert first.annotation is not None and (first.annotation.doubt, first.annotation.comment) == (
            True,
            "metonymy?",
        )
        assert (first.text, first.value) == ("El tiempo vuela", "")
        assert second.annotation is None
        assert (third.value, third.text) == ("relevant", "Nadie mira el reloj")
