"""Text of the corpus, and of people, is marked so that no browser translates it."""

from __future__ import annotations

import re
from html.parser import HTMLParser
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse

from annotator.models import Mode, Role
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_sentence,
    make_tag,
    span,
    stage_of,
    unit_of,
)

WORD = "zorzal"
TEMPLATES = [path for folder in ("templates", "annotator/kinds") for path in Path(folder).rglob("*.html")]
# Elements without an end tag.
ALONE = {"input", "br", "meta", "link", "hr", "img", "rect", "circle", "path"}


class Translated(HTMLParser):
    """What a browser would translate of the text that holds the word."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[tuple[str, bool]] = []
        self.seen = 0
        self.found: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        kept = dict(attrs).get("translate") == "no" or (bool(self.open) and self.open[-1][1])
        # Neither is shown, or it is what somebody types.
        if tag not in ALONE:
            self.open.append((tag, kept or tag in ("script", "textarea", "title")))

    def handle_endtag(self, tag: str) -> None:
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if WORD in data.lower():
            self.seen += 1
            if not (self.open and self.open[-1][1]):
                self.found.append(data.strip())


@pytest.mark.django_db
def test_the_words_of_sentences_are_translated_on_no_page(client: Client) -> None:
    project = make_project("letters")
    manager, ana = make_member(project, Role.MANAGER), make_member(project)
    sentence = make_sentence(project, f"El {WORD} canta de noche")
    make_sentence(project, "The thrush sings zorzal", language="en", segment=sentence.segment)
    make_sentence(project, f"Otro {WORD} canta")
    correct = stage_of(project, "correct")
    for person, mode in ((manager, Mode.REVIEW), (ana, Mode.BLIND)):
        make_assignment(sentence, person, correct, mode=mode, done=True)
        answer = make_annotation(sentence, person, [span(1)], doubt=True, comment=f"¿{WORD}?")
    make_gold(sentence, [span(1)])
    pair = make_pair(project)
    make_tag(pair, "relevant")
    make_assignment(unit_of(pair), manager, stage_of(project, "pair-tag"))
    client.force_login(manager)
    draft = client.post(
        reverse("import", args=["letters"]),
        {"files": SimpleUploadedFile("a.csv", f"id,text,label\n1,El {WORD} calla,{WORD}\n".encode())},
    ).headers["Location"]
    addresses = [
        draft,
        reverse("find", args=["letters"]) + f"?q={WORD}",
        reverse("sentence", args=["letters", sentence.segment_id]),
        reverse("items", args=["letters", correct.pk]),
        reverse("person", args=["letters", ana.pk]),
        reverse("person-answer", args=["letters", ana.pk, answer.pk]),
    ]
    for address in addresses:
        page = Translated()
        page.feed(client.get(address).text)
        assert page.seen, address
        assert page.found == [], address


@pytest.mark.parametrize("template", TEMPLATES, ids=str)
def test_what_is_in_a_language_of_its_own_is_not_translated(template: Path) -> None:
    for tag in re.findall(r"<(?!html|article)\w+[^>]*?\slang=\"\{\{[^>]*>|<bdi[^>]*>", template.read_text("utf-8")):
        assert 'translate="no"' in tag, tag
