from __future__ import annotations

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from annotator.models import Event, Project, Role
from annotator.projects.actions.guidelines import fingerprint
from annotator.web.markdown import render_markdown
from tests.factories import make_member, make_project

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    project = make_project("letters")
    project.guidelines = {"en": "# Rules\n\nLabel *verbs*.", "es": "# Reglas\n\nVerbos."}
    project.save()
    return project


def test_the_text_comes_in_the_language_of_the_page(client: Client, project: Project) -> None:
    client.force_login(make_member(project))
    url = reverse("guidelines", args=["letters"])

    english = client.get(url).content.decode()
    client.cookies[settings.LANGUAGE_COOKIE_NAME] = "es"
    spanish = client.get(url).content.decode()

    assert "<em>verbs</em>" in english
    assert "Reglas" in spanish


def test_another_language_is_shown_and_named_where_there_is_no_text(client: Client, project: Project) -> None:
    project.guidelines = {"es": "Verbos."}
    project.save()
    client.force_login(make_member(project))

    page = client.get(reverse("guidelines", args=["letters"])).content.decode()

    assert "Verbos." in page
    assert "There is no text in English yet" in page


def test_editing_keeps_the_text_before_in_the_log(client: Client, project: Project) -> None:
    client.force_login(make_member(project, Role.MANAGER))

    client.post(
        reverse("guidelines-edit", args=["letters"]),
        {"text": "# New\r\n\r\nAll.", "before": fingerprint(project.guidelines["en"])},
    )

    project.refresh_from_db()
    assert project.guidelines == {"en": "# New\n\nAll.", "es": "# Reglas\n\nVerbos."}
    event = Event.objects.get(verb="guidelines.edit")
    assert event.before == {"language": "en", "text": "# Rules\n\nLabel *verbs*.", "version": 1}
    assert (project.guidelines_version, event.after["version"]) == (2, 2)


def test_two_editors_do_not_overwrite_each_other(client: Client, project: Project) -> None:
    client.force_login(make_member(project, Role.MANAGER))
    url = reverse("guidelines-edit", args=["letters"])
    before = fingerprint(project.guidelines["en"])
    client.post(url, {"text": "The first", "before": before})

    response = client.post(url, {"text": "The second", "before": before})

    page = response.content.decode()
    assert response.status_code == 409
    assert "The first" in page
    assert "The second" in page
    project.refresh_from_db()
    assert project.guidelines["en"] == "The first"
    # The page that was answered can be saved: it was made over what stands now.
    client.post(url, {"text": "Both", "before": fingerprint("The first")})
    project.refresh_from_db()
    assert project.guidelines["en"] == "Both"


@pytest.mark.parametrize(
    "text",
    [
        "<script>alert(1)</script>",
        "[go](javascript:alert(1))",
        '<img src=x onerror="alert(1)">',
        "![x](data:text/html;base64,PHNjcmlwdD4=)",
        "# <script>x</script>",
    ],
)
def test_markdown_brings_no_code_into_the_page(text: str) -> None:
    html, _headings = render_markdown(text)

    assert "<script" not in html
    assert "<img" not in html
    assert "<a " not in html


def test_headings_have_anchors_below_the_title_of_the_page() -> None:
    html, headings = render_markdown("# One\n\n## Two *three*")

    assert '<h2 id="section-1">One</h2>' in html
    assert [(heading.anchor, heading.text, heading.level) for heading in headings] == [
        ("section-1", "One", 2),
        ("section-2", "Two three", 3),
    ]
