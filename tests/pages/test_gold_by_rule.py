"""The page of rules: the numbers before, what becomes gold, and how a sentence says where its gold comes from."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Gold, Mode, Project, Role, User
from tests.factories import make_annotation, make_assignment, make_member, make_sentence, span, spans, stage_of
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, username="mara")


def words(response: Any) -> str:
    return re.sub(r"\s+", " ", response.content.decode())


def test_the_numbers_are_told_before_and_gold_says_its_rule(client: Client, project: Project, mara: User) -> None:
    people = [make_member(project, username=name) for name in ("uno", "dos", "tres")]
    stage = stage_of(project, "correct")
    sentence, other = make_sentence(project), make_sentence(project)
    for place, user in enumerate(people):
        mode = Mode.BLIND if place else Mode.REVIEW
        save(make_assignment(sentence, user, stage, mode=mode), spans(span(2)) if place else spans())
        save(make_assignment(other, user, stage, mode=mode), spans(span(place)))
    client.force_login(mara)
    asked = {"language": "es", "rule": "at_least", "agreeing": 2, "answers": 3}

    before = words(client.get(reverse("accept-rules", args=[project.slug]), asked))
    assert "Accept 1 item into gold" in before
    assert '<td class="n" data-label="Answers differ">1</td>' in before
    assert not Gold.objects.exists()

    client.post(reverse("accept", args=[project.slug]), {**asked, "sure": 1})
    assert Gold.objects.get().unit_id == sentence.pk
    page = words(client.get(reverse("sentence", args=[project.slug, sentence.segment_id])))
    assert "agreed on by at least 2 people" in page
    after = words(client.get(reverse("accept-rules", args=[project.slug]), asked))
    assert "This rule decides nothing that is done and has no gold." in after


def test_what_is_missing_is_said_in_the_form(client: Client, project: Project, mara: User) -> None:
    client.force_login(mara)
    answer = client.get(reverse("accept-rules", args=[project.slug]), {"language": "es", "rule": "person"})
    assert answer.status_code == 422
    assert "Choose a person." in words(answer)


def test_the_rule_goes_with_the_question_about_a_blind_sample(
    client: Client, project: Project, ana: User, mara: User
) -> None:
    make_member(project)
    make_annotation(make_sentence(project), ana)
    client.force_login(mara)
    asked = {"language": "es", "rule": "single"}
    page = words(client.post(reverse("accept", args=[project.slug]), asked))
    assert "Accept before a blind sample is assigned?" in page
    assert '<input type="hidden" name="rule" value="single">' in page
    assert not Gold.objects.exists()


def test_the_numbers_tell_nothing_of_what_the_manager_is_to_answer_blind(
    client: Client, project: Project, mara: User
) -> None:
    """They are blind in the other language of the sentence too."""
    stage, people = stage_of(project, "correct"), [make_member(project, username=name) for name in ("uno", "dos")]
    client.force_login(mara)
    asked = {"language": "es", "rule": "at_least", "agreeing": 2, "answers": 2}
    pages = []
    for agree in (True, False):
        sentence = make_sentence(project)
        english = make_sentence(project, "Time flies", language="en", segment=sentence.segment)
        make_assignment(english, mara, stage_of(project, "correct", language="en"), mode=Mode.BLIND)
        for place, user in enumerate(people):
            save(make_assignment(sentence, user, stage, mode=Mode.BLIND), spans(span(0 if agree else place)))
        pages.append(words(client.get(reverse("accept-rules", args=[project.slug]), asked)))
        client.post(reverse("accept", args=[project.slug]), {**asked, "sure": 1})
    assert "Accept 1 item into gold" not in pages[0]
    assert '<td class="n" data-label="Answers differ">1</td>' not in pages[1]
    assert not Gold.objects.exists()
