"""Whose content stands on many units at once: as `domain/effective_content.py` has it for one."""

from __future__ import annotations

import pytest

from annotator.models import Mode, Project
from annotator.work.gold.queries.effective_content import effective_content
from tests.factories import make_annotation, make_gold, make_member, make_sentence, span, spans

pytestmark = pytest.mark.django_db


def test_gold_then_the_earliest_review_then_a_lone_blind_answer(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    decided, reviewed, blind, contested, unseen = (make_sentence(project) for _ in range(5))
    make_annotation(decided, ana, [span(0)])
    make_gold(decided, [span(1)])
    make_annotation(reviewed, ana, [span(0)])
    make_annotation(reviewed, ben, [span(2)])
    make_annotation(blind, ana, [span(2)], mode=Mode.BLIND)
    for user in (ana, ben):
        make_annotation(contested, user, mode=Mode.BLIND)

    found = effective_content(project, project.label_layer, language="es")

    assert found == {decided.pk: spans(span(1)), reviewed.pk: spans(span(0)), blind.pk: spans(span(2))}
    assert unseen.pk not in found
    assert effective_content(project, project.label_layer, language="es", gold_only=True) == {
        decided.pk: spans(span(1))
    }
    assert blind.pk not in effective_content(project, project.label_layer, language="es", reviewed_only=True)
    assert effective_content(project, project.label_layer, language="es", units=[blind.pk]).keys() == {blind.pk}
