"""A page that was made for one person saves nothing as another who has signed in since, in another tab."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Annotation, Assignment, Project, Role, User
from tests.clients import client_of
from tests.factories import (
    make_assignment,
    make_member,
    make_sentence,
    make_token,
    make_user,
    spans,
    stage_of,
)

AS_BEN = "Nothing was saved, because you are signed in as Ben"

pytestmark = pytest.mark.django_db


@pytest.fixture
def ana(project: Project) -> User:
    return _named(make_member(project, Role.MANAGER, "ana"), "Ana")


@pytest.fixture
def ben(project: Project) -> User:
    return _named(make_member(project, Role.MANAGER, "ben"), "Ben")


def _named(user: User, name: str) -> User:
    user.first_name = name
    user.save()
    return user


def made_for(page: str) -> str:
    """Whom the scripts of a page say that it was made for."""
    found = re.search(r'<body[^>]* data-made-for="(\d+)"', page)
    assert found
    return found[1]


def fields(page: str, action: str) -> dict[str, str]:
    """The hidden fields of the form with this address."""
    form = re.search(rf'<form[^>]*action="{re.escape(action)}".*?</form>', page, re.DOTALL)
    assert form, action
    return dict(re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form[0]))


class TestForms:
    def test_a_form_of_anas_page_is_refused_when_ben_is_signed_in(self, project: Project, ana: User, ben: User) -> None:
        # As a browser has it: one session, tokens checked, and both pages in it.
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(ana)
        address = reverse("settings", args=["letters"])
        page = browser.get(address).text
        sent = fields(page, reverse("sign-out"))
        browser.force_login(ben)

        answer = browser.post(address, {**sent, "name": "Ben's own"})

        assert answer.status_code == 403
        assert "other_user" in answer.text
        assert "you are signed in as Ben" in answer.text
        project.refresh_from_db()
        assert project.name != "Ben's own"

    def test_the_same_person_is_not_refused(self, ana: User) -> None:
        browser = Client(enforce_csrf_checks=True)
        browser.force_login(ana)
        sent = fields(browser.get(reverse("account")).text, reverse("sign-out"))
        answer = browser.post(reverse("account"), {**sent, "name": "Anna", "password": "correct horse battery"})
        assert answer.status_code == 302
        ana.refresh_from_db()
        assert ana.get_full_name() == "Anna"

    def test_nobody_is_signed_out_by_the_page_of_somebody_else(self, ana: User, ben: User) -> None:
        browser = Client()
        browser.force_login(ben)
        answer = browser.post(reverse("sign-out"), {"made_for": ana.pk})
        assert answer.status_code == 403
        assert browser.get(reverse("account")).status_code == 200

    def test_who_signs_in_sends_a_form_that_was_made_for_nobody(self, ana: User) -> None:
        page = Client().get(reverse("sign-in")).text
        assert "made_for" not in page
        assert "data-made-for" not in page

    def test_a_form_made_for_somebody_who_is_signed_out_leads_to_the_sign_in(self, ana: User) -> None:
        answer = Client().post(reverse("account"), {"made_for": ana.pk, "name": "Anna"})
        assert answer.status_code == 302
        assert answer["Location"].startswith(reverse("sign-in"))

    def test_the_site_administration_has_it_too(self) -> None:
        ana, ben = make_user("admin", superuser=True), make_user("other", superuser=True)
        browser = Client()
        browser.force_login(ana)
        address = reverse("admin:annotator_user_change", args=[ana.pk])
        assert f'name="made_for" value="{ana.pk}"' in browser.get(address).text
        browser.force_login(ben)
        answer = browser.post(address, {"made_for": ana.pk, "username": "renamed"})
        assert answer.status_code == 403
        assert not User.objects.filter(username="renamed").exists()

    def test_parts_of_pages_are_refused_in_one_sentence(self, project: Project, ana: User, ben: User) -> None:
        """htmx puts no page in the place of a part."""
        browser = Client()
        browser.force_login(ben)
        headers = {"X-Made-For": str(ana.pk), "HX-Request": "true"}
        for answer in (
            browser.get(reverse("jobs", args=["letters"]), headers=headers),
            browser.post(reverse("import", args=["letters"]), {"text": "One."}, headers=headers),
        ):
            assert answer.status_code == 403
            assert json.loads(answer.text)["error"]["code"] == "other_user"
            assert json.loads(answer.text)["error"]["message"].startswith(AS_BEN)
        assert not project.import_drafts.exists()


class TestWorkspaces:
    def test_a_claim_of_anas_page_gives_ben_nothing(self, project: Project, ana: User, ben: User) -> None:
        stage = stage_of(project, "correct")
        make_sentence(project)
        page = client_of(ana).get(reverse("work", args=["letters", stage.pk])).text

        answer = client_of(ben).post(
            f"/api/v1/projects/letters/stages/{stage.pk}/claim/", {}, headers={"X-Made-For": made_for(page)}
        )

        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "other_user"
        assert answer.json()["error"]["message"].startswith(AS_BEN)
        assert not Assignment.objects.exists()

    def test_a_save_of_anas_page_is_none_of_bens(self, project: Project, ana: User, ben: User) -> None:
        assignment = make_assignment(make_sentence(project), ben, stage_of(project, "correct"))
        address = f"/api/v1/projects/letters/assignments/{assignment.pk}/save/"
        sent = {"version": 0, "content": spans(), "done": True}

        answer = client_of(ben).post(address, sent, headers={"X-Made-For": str(ana.pk)})

        assert answer.json()["error"]["code"] == "other_user"
        assert not Annotation.objects.exists()
        # What Ben's own page sends is saved.
        assert client_of(ben).post(address, sent, headers={"X-Made-For": str(ben.pk)}).status_code == 200

    def test_with_a_token_the_person_is_the_tokens(self, project: Project, ana: User, ben: User) -> None:
        browser = Client()
        browser.force_login(ana)
        token = {"Authorization": f"Token {make_token(ben)[1]}"}
        address = "/api/v1/projects/letters/"
        assert browser.get(address, headers=token).status_code == 200
        assert browser.get(address, headers={**token, "X-Made-For": str(ben.pk)}).status_code == 200
        refused = browser.get(address, headers={**token, "X-Made-For": str(ana.pk)})
        assert refused.json()["error"]["code"] == "other_user"
