"""What members did and have open."""

from __future__ import annotations

import pytest

from annotator.models import Counter, Mode, Project, Role
from annotator.projects.queries.members import member_rows
from tests.factories import make_assignment, make_member, make_pair, make_sentence, stage_of

pytestmark = pytest.mark.django_db


def test_members_have_what_they_did_and_have_open(project: Project) -> None:
    ana, ben = make_member(project, username="ana"), make_member(project, username="ben")
    correct, tagging = stage_of(project, "correct"), stage_of(project, "pair-tag")
    make_assignment(make_sentence(project), ana, correct, done=True)
    make_assignment(make_sentence(project), ana, correct, mode=Mode.BLIND, done=True)
    make_assignment(make_sentence(project), ana, correct)
    make_assignment(make_pair(project), ana, tagging, done=True)
    # A page of hers holds one in advance.
    make_assignment(make_sentence(project), ana, correct, ahead=True)

    rows = [(row.membership.user, [(s.kind, n) for s, n in row.done], row.open) for row in member_rows(project)]

    assert rows == [(ana, [("correct", 2), ("pair-tag", 1)], 1), (ben, [], 0)]


def test_the_same_work_in_two_languages_counts_together_and_decisions_by_themselves(project: Project) -> None:
    ana = make_member(project, Role.ADJUDICATOR)
    for language in ("es", "en"):
        sentence = make_sentence(project, language=language)
        make_assignment(sentence, ana, stage_of(project, "correct", language), done=True)
    Counter.objects.create(project=project, stage=stage_of(project, "adjudicate"), user=ana, own_done=3)

    (row,) = member_rows(project)

    assert [(stage.kind, number) for stage, number in row.done] == [("correct", 2), ("adjudicate", 3)]
