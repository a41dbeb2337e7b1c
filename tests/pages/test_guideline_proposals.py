"""Sentences that adjudicators propose for the guidelines: sent, inserted, dismissed, and who sees them."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse
from rest_framework.test import APIClient

from annotator.models import GuidelineProposal, Mode, Project, Role, Sentence, User
from annotator.projects.actions.guideline_proposals import MAX_PROPOSAL, propose_guideline
from annotator.projects.actions.guidelines import fingerprint
from annotator.projects.actions.project_settings import archive_project
from annotator.projects.queries import guideline_proposals
from tests.factories import make_assignment, make_member, make_project, make_sentence, make_user, stage_of

pytestmark = pytest.mark.django_db

EDIT = "/projects/letters/guidelines/edit/?language=en"
IDIOMS = "Idioms are labelled as a whole."


@pytest.fixture
def project() -> Project:
    found = make_project("letters")
    found.guidelines = {"en": "# Verbs"}
    found.save()
    return found


@pytest.fixture
def sentence(project: Project) -> Sentence:
    return make_sentence(project, "El tiempo vuela")


@pytest.fixture
def judge(project: Project) -> User:
    return make_member(project, Role.ADJUDICATOR, "judge")


@pytest.fixture
def boss(project: Project) -> User:
    return make_member(project, Role.MANAGER, "boss")


@pytest.fixture
def proposal(project: Project, sentence: Sentence, judge: User) -> GuidelineProposal:
    return propose_guideline(project=project, unit=sentence.pk, layer=project.label_layer, text=IDIOMS, by=judge)


def text_of(client: Client, user: User, address: str = EDIT) -> str:
    client.force_login(user)
    return re.sub(r"\s+", " ", client.get(address).content.decode())


def post(client: Client, text: str = "# Verbs", **more: object) -> str:
    body = {"text": text, "before": fingerprint("# Verbs"), **more}
    return re.sub(r"\s+", " ", client.post(EDIT, body, follow=True).content.decode())


def propose(user: User, sentence: Sentence, text: str) -> tuple[int, dict[str, object]]:
    api = APIClient()
    api.force_authenticate(user)
    address = f"/api/v1/projects/letters/units/{sentence.pk}/gold/propose/"
    answer = api.post(address, {"layer": "labels", "text": text}, format="json")
    return answer.status_code, answer.json()


def test_an_adjudicator_proposes_and_nobody_else_does(project: Project, sentence: Sentence, judge: User) -> None:
    status, answer = propose(judge, sentence, "  Idioms are\nlabelled   as a whole. ")
    made = GuidelineProposal.objects.get()
    assert (status, answer) == (200, {"id": made.pk, "language": "en", "text": IDIOMS})
    assert (made.unit_id, made.layer, made.created_by) == (sentence.pk, project.label_layer, judge)
    assert made.closed_at is None
    event = project.events.get(verb="guidelines.proposed")
    assert (event.actor, event.after["text"], event.after["unit"]) == (judge, IDIOMS, sentence.pk)

    for user, refused in ((make_member(project), 403), (make_user("outsider"), 404)):
        assert propose(user, sentence, "Another one.")[0] == refused
    assert propose(judge, sentence, "   ")[0] == 400
    assert propose(judge, sentence, "a" * (MAX_PROPOSAL + 1))[0] == 400
    elsewhere = make_sentence(make_project("other"), "Nadie corre")
    assert propose(judge, elsewhere, "Another one.")[0] == 404
    archive_project(project=project, by=None)
    assert propose(judge, sentence, "Another one.")[0] == 403
    assert GuidelineProposal.objects.count() == 1


def test_it_is_inserted_where_the_cursor_was_and_taken_when_saved(
    project: Project, proposal: GuidelineProposal, boss: User, client: Client
) -> None:
    assert "1 proposed sentence" in text_of(client, boss, reverse("guidelines", args=["letters"]))
    assert IDIOMS in text_of(client, boss)

    shown = post(client, "# Verbs and nouns", insert=proposal.pk, cursor="7")
    assert f"# Verbs {IDIOMS} and nouns" in shown
    assert "Save the guidelines to keep it" in shown
    proposal.refresh_from_db()
    project.refresh_from_db()
    assert (proposal.closed_at, project.guidelines) == (None, {"en": "# Verbs"}), "nothing is saved yet"

    post(client, f"# Verbs\n{IDIOMS}", inserted=proposal.pk)
    proposal.refresh_from_db()
    project.refresh_from_db()
    assert project.guidelines == {"en": f"# Verbs\n{IDIOMS}"}
    assert proposal.closed_at is not None
    assert project.events.get(verb="guidelines.proposal_taken").after == {"proposals": [proposal.pk]}
    assert "Proposed sentences" not in text_of(client, boss)


def test_it_stays_open_where_saving_meets_a_conflict(
    project: Project, proposal: GuidelineProposal, boss: User, client: Client
) -> None:
    client.force_login(boss)
    Project.objects.filter(pk=project.pk).update(guidelines={"en": "# Nouns"})
    shown = post(client, f"# Verbs\n{IDIOMS}", inserted=proposal.pk)
    assert "Someone else changed the guidelines" in shown
    assert f'name="inserted" value="{proposal.pk}"' in shown
    proposal.refresh_from_db()
    assert proposal.closed_at is None


def test_it_is_dismissed_and_brought_back_while_the_text_stays(
    project: Project, proposal: GuidelineProposal, boss: User, client: Client
) -> None:
    client.force_login(boss)
    shown = post(client, "# Verbs, unsaved", dismiss=proposal.pk)
    assert "The proposed sentence was dismissed." in shown
    assert "# Verbs, unsaved" in shown
    assert IDIOMS not in shown
    proposal.refresh_from_db()
    assert proposal.closed_at is not None

    assert IDIOMS in post(client, "# Verbs, unsaved", restore=proposal.pk)
    proposal.refresh_from_db()
    assert proposal.closed_at is None
    verbs = list(project.events.filter(verb__startswith="guidelines.").order_by("pk").values_list("verb", flat=True))
    assert verbs == ["guidelines.proposed", "guidelines.proposal_dismissed", "guidelines.proposal_reopened"]


def test_it_is_inserted_once(project: Project, proposal: GuidelineProposal, boss: User, client: Client) -> None:
    client.force_login(boss)
    post(client, dismiss=proposal.pk)
    assert "no longer proposed" in post(client, insert=proposal.pk)


def test_who_is_to_answer_blind_there_sees_neither_it_nor_its_number(
    project: Project, sentence: Sentence, proposal: GuidelineProposal, boss: User, client: Client
) -> None:
    make_assignment(sentence, boss, stage_of(project, "correct"), mode=Mode.BLIND)
    assert "proposed sentence" not in text_of(client, boss, reverse("guidelines", args=["letters"]))
    assert IDIOMS not in text_of(client, boss)
    assert "no longer proposed" in post(client, insert=proposal.pk)

    for how in ("dismiss", "restore"):
        shown = [post(client, **{how: pk}) for pk in (proposal.pk, proposal.pk + 1)]
        assert [one.count("The proposed sentence was dismissed.") for one in shown] == [0, 0]
    proposal.refresh_from_db()
    assert proposal.closed_at is None, "who does not see it does not end it"
    assert list(project.events.values_list("verb", flat=True)) == ["guidelines.proposed"]


def test_those_that_are_hidden_take_no_place_of_others(
    project: Project, proposal: GuidelineProposal, sentence: Sentence, judge: User, boss: User, client: Client,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr(guideline_proposals, "MAX_LISTED", 1)
    make_assignment(sentence, boss, stage_of(project, "correct"), mode=Mode.BLIND)
    other = make_sentence(project, "Nadie corre")
    propose_guideline(project=project, unit=other.pk, layer=project.label_layer, text="Verbs count.", by=judge)
    shown = text_of(client, boss)
    assert "Verbs count." in shown
    assert IDIOMS not in shown


def test_others_do_not_see_that_something_was_proposed(
    project: Project, proposal: GuidelineProposal, judge: User, client: Client
) -> None:
    for user in (judge, make_member(project)):
        assert "proposed sentence" not in text_of(client, user, reverse("guidelines", args=["letters"]))
        assert client.get(EDIT).status_code == 403
