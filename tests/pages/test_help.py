"""The manual in the app: its pages in the reader's language, with their sections, links and pictures."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.help.pages import CHANGELOG, PAGES, manual_page
from tests.factories import make_user

pytestmark = pytest.mark.django_db


@pytest.fixture
def reader(client: Client) -> Client:
    client.force_login(make_user())
    return client


def page(client: Client, name: str, language: str = "en") -> str:
    answer = client.get(reverse("help-page", args=[name]), headers={"Accept-Language": language})
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("name", PAGES)
@pytest.mark.parametrize("language", ["en", "es"])
def test_what_a_page_links_to_and_shows_is_there(reader: Client, name: str, language: str) -> None:
    text = page(reader, name, language)
    article = text.partition('<article class="prose')[2].partition("</article>")[0]
    for address in re.findall(r'href="(/[^"#]*)', article):
        assert reader.get(address).status_code == 200, address
    pictures = re.findall(r'src="([^"]*)"', article)
    assert pictures or name in ("operators", CHANGELOG)
    for picture in pictures:
        assert reader.get(picture).status_code == 200, picture
    for anchor in re.findall(r'href="#([^"]*)"', text.partition("manual-contents")[2]):
        assert anchor == "main" or f'id="{anchor}"' in article, anchor
    assert "](" not in article


def test_annotators_and_adjudicators_read_it_in_spanish(reader: Client) -> None:
    for name, title in {"annotators": "Para quien anota", "adjudicators": "Para quien resuelve desacuerdos"}.items():
        text = page(reader, name, "es")
        assert f"<h1>{title}</h1>" in text
        assert 'lang="es"' in text.partition("<article")[2]
    assert 'lang="en"' in page(reader, "managers", "es").partition("<article")[2]


@pytest.mark.parametrize("name", ["annotators", "adjudicators"])
def test_both_languages_have_the_same_sections_and_pictures(name: str) -> None:
    english, spanish = manual_page(name, "en"), manual_page(name, "es")
    assert len(english.sections) == len(spanish.sections)
    pictures = r'src="([^"]*)"'
    assert re.findall(pictures, english.html) == re.findall(pictures, spanish.html)


def test_what_changed_is_among_the_pages(reader: Client) -> None:
    text = page(reader, "annotators")
    assert f'href="{reverse("help-page", args=[CHANGELOG])}"' in text
    changes = page(reader, CHANGELOG, "es")
    assert "<h1>Changelog</h1>" in changes
    assert "Upgrading an existing database</h3>" in changes
    assert "docs/workers.md" in changes and 'href="docs/' not in changes


def test_links_to_files_that_are_not_served_are_their_text(reader: Client) -> None:
    text = page(reader, "managers")
    assert "reference/formats.md" not in text and ">reference<" not in text


def test_other_names_are_not_there(reader: Client) -> None:
    for name in ("readme", "README", "es"):
        assert reader.get(f"/help/{name}/").status_code == 404


def test_it_is_in_the_menu_of_everybody_who_has_signed_in(reader: Client) -> None:
    assert f'href="{reverse("help")}"' in reader.get(reverse("projects")).text
    assert f'href="{reverse("help")}"' not in Client().get(reverse("sign-in")).text
