from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from pytest_django.fixtures import Settings

from annotator.core.files.pictures import name_of, picture_file
from annotator.core.files.storage import site_files
from annotator.models import Event, Project, Role
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_rows
from annotator.projects.actions.guidelines import MAX_PICTURE, add_picture, fingerprint
from annotator.web.markdown import render_markdown
from tests.factories import make_member, make_project, make_user

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
    assert "There is no text in English (en) yet" in page


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
    html, headings = render_markdown("# One\n\n## Two *three*\n\n## One")

    # Links to numbers are kept from before.
    assert '<h2 id="h-one"><span id="section-1"></span>One</h2>' in html
    assert [(heading.anchor, heading.text, heading.level) for heading in headings] == [
        ("h-one", "One", 2),
        ("h-two-three", "Two three", 3),
        ("h-one-2", "One", 3),
    ]


def test_links_find_headings_by_their_words_and_say_where_there_is_none() -> None:
    html, _headings = render_markdown("# ¿Metáfora?\n\n[a](#metáfora) [b](#Metáfora) [c](#section-1) [d](#nowhere)")

    assert html.count('href="#h-met%C3%A1fora"') == 3
    assert 'href="#nowhere" class="dead-link" title="This link does not work' in html


def test_a_heading_that_names_a_label_is_its_anchor_once() -> None:
    labels = {"MRW": "Related word", "MFLAG": "Signal"}
    _html, headings = render_markdown("# related word\n\n# About MFLAG\n\n# The `MFLAG`\n\n# MRW", labels)

    assert [heading.anchor for heading in headings] == ["label-MRW", "h-about-mflag", "label-MFLAG", "h-mrw"]


def test_a_label_leads_to_what_explains_it(client: Client, project: Project) -> None:
    project.guidelines = {"en": "# Rules\n\n## Metaphor\n\nYes."}
    project.save()
    client.force_login(make_member(project))
    url = reverse("guidelines", args=["letters"])

    assert client.get(url, {"label": "METAPHOR"}).headers["Location"] == f"{url}#label-METAPHOR"
    assert client.get(url, {"label": "<OTHER>"}).headers["Location"] == url
    page = client.get(url).text
    assert 'id="label-METAPHOR"' in page


def test_there_are_texts_in_languages_of_the_data(client: Client) -> None:
    project = make_project("basque", languages=["eu", "es"])
    client.force_login(make_member(project, Role.MANAGER))
    edit, url = (reverse(name, args=["basque"]) for name in ("guidelines-edit", "guidelines"))

    assert 'href="/projects/basque/guidelines/edit/?language=eu"' in client.get(edit).text
    saved = client.post(f"{edit}?language=eu", {"text": "Aditzak.", "before": fingerprint("")})

    assert saved.headers["Location"] == f"{url}?language=eu"
    project.refresh_from_db()
    assert project.guidelines == {"eu": "Aditzak."}
    assert "Aditzak." in client.get(url, {"language": "eu"}).text
    assert "There is no text in English" in client.get(url).text
    assert client.get(url, {"language": "tlh"}).status_code == 404


class TestPictures:
    """Uploaded by managers, told by what they hold, shown to members of the project alone."""

    PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(20)

    @pytest.fixture(autouse=True)
    def folder(self, settings: Settings, tmp_path: Path) -> None:
        settings.MEDIA_ROOT = tmp_path

    def upload(self, client: Client, data: bytes, called: str = "a tree.png") -> Any:
        url = reverse("guidelines-edit", args=["letters"])
        sent = {"text": "# Rules\n\nEnd", "before": "x", "upload": "1", "cursor": "7"}
        return client.post(url, {**sent, "picture": SimpleUploadedFile(called, data)})

    def test_one_comes_into_the_text_where_the_cursor_was(self, client: Client, project: Project) -> None:
        client.force_login(make_member(project, Role.MANAGER))
        before = dict(project.guidelines)

        answer = self.upload(client, self.PNG)
        self.upload(client, self.PNG)

        name = name_of(self.PNG, "png")
        assert answer.context["form"]["text"].value() == f"# Rules\n![a tree](pictures/{name})\n\n\nEnd"
        address = reverse("guidelines-picture", args=["letters", name])
        assert f'src="{address}"' in answer.text
        project.refresh_from_db()
        assert project.guidelines == before, "the text is saved by its own button"
        event = Event.objects.get(verb="guidelines.picture")
        assert event.after == {"name": name, "size": len(self.PNG)}
        assert project.size == len(self.PNG), "the same one is kept, and counted, once"

        shown = client.get(address)
        assert b"".join(shown.streaming_content) == self.PNG
        assert shown.headers["Content-Type"] == "image/png"
        assert shown.headers["X-Content-Type-Options"] == "nosniff"
        client.force_login(make_member(project))
        assert client.get(address).status_code == 200
        client.force_login(make_user())
        assert client.get(address).status_code == 404

    @pytest.mark.parametrize(
        ("data", "said"),
        [
            (b"<svg onload=alert(1)>", "not a PNG, JPEG, GIF or WebP picture"),
            (b"<html>\x89PNG\r\n\x1a\n", "not a PNG, JPEG, GIF or WebP picture"),
            (PNG + bytes(MAX_PICTURE), "at most 2.0"),
        ],
    )
    def test_what_is_none_or_too_large_is_refused(
        self, client: Client, project: Project, data: bytes, said: str, tmp_path: Path
    ) -> None:
        client.force_login(make_member(project, Role.MANAGER))

        answer = self.upload(client, data)

        assert answer.status_code == 422
        assert said in answer.text
        assert answer.context["form"]["text"].value() == "# Rules\n\nEnd"
        assert not Event.objects.filter(verb="guidelines.picture").exists()
        assert not list(tmp_path.rglob("*.png"))

    def test_annotators_upload_none(self, client: Client, project: Project) -> None:
        client.force_login(make_member(project))
        assert self.upload(client, self.PNG).status_code == 403

    def test_one_of_another_site_is_not_shown_and_the_page_says_so(self) -> None:
        html, _headings = render_markdown('![<b>](https://example.org/a.png "x")', pictures="/p/")

        assert "<img" not in html
        assert "<b>" not in html
        assert "on another site. Upload it to the project." in html

    def test_they_go_with_copies_and_with_the_project(self, client: Client, project: Project) -> None:
        manager = make_member(project, Role.MANAGER)
        name = add_picture(project=project, data=self.PNG, by=manager)
        Project.objects.filter(pk=project.pk).update(guidelines={"en": f"![x](pictures/{name})"})
        project.refresh_from_db()

        copy = copy_project(project=project, slug="copy", name="Copy", by=manager)

        assert site_files().open(picture_file(copy.pk, name)).read() == self.PNG
        delete_rows(copy, lambda _done: None)
        assert not site_files().exists(picture_file(copy.pk, name))
        assert site_files().exists(picture_file(project.pk, name))
