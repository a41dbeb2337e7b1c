"""The workspaces' pages: who gets which, and that no text that a script asks for is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse

from annotator.models import Role, StageKind
from annotator.views.workspace_messages import workspace_messages
from tests.factories import make_member, make_project, make_user, stage_of

SCRIPTS = Path(__file__).resolve().parents[2] / "static" / "js"
KINDS = {
    StageKind.CORRECT: ("es", "correct.js"),
    StageKind.PROJECT_REVIEW: ("en", "review.js"),
    StageKind.PAIR_TAG: ("es", "pair_tag.js"),
    StageKind.ADJUDICATE: ("es", "adjudicate.js"),
}


def page(client: Client, slug: str, stage: int, query: str = "") -> str:
    return reverse("work", args=[slug, stage]) + query


@pytest.mark.django_db
@pytest.mark.parametrize("kind", list(KINDS))
def test_each_kind_of_stage_has_its_page(client: Client, kind: StageKind) -> None:
    project = make_project()
    client.force_login(make_member(project, Role.ADJUDICATOR))
    language, script = KINDS[kind]
    stage = stage_of(project, kind, language)
    response = client.get(page(client, project.slug, stage.pk, "?item=7"))
    assert response.status_code == 200
    assert f"js/pages/{script}" in response.text
    config = json.loads(re.search(r'<script id="ws-config"[^>]*>(.*?)</script>', response.text, re.S)[1])
    assert config["stage"] == {"id": stage.pk, "kind": str(kind), "language": language}
    assert config["start"] == (None if kind == StageKind.ADJUDICATE else 7)
    assert config["scheme"]["labels"] == ["METAPHOR"]
    assert "csrftoken" in response.cookies


@pytest.mark.django_db
def test_an_address_with_nonsense_for_an_item_begins_at_the_beginning(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project))
    response = client.get(page(client, project.slug, stage_of(project, "correct").pk, "?item=²x"))
    assert response.status_code == 200
    assert '"start": null' in response.text


@pytest.mark.django_db
def test_adjudication_is_not_for_annotators(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project))
    assert client.get(page(client, project.slug, stage_of(project, "adjudicate").pk)).status_code == 403


@pytest.mark.django_db
def test_stages_are_found_inside_their_project_only(client: Client) -> None:
    project, other = make_project(), make_project()
    client.force_login(make_member(project))
    assert client.get(page(client, project.slug, stage_of(other, "correct").pk)).status_code == 404
    client.force_login(make_user())
    assert client.get(page(client, project.slug, stage_of(project, "correct").pk)).status_code == 404


def test_every_text_that_a_script_asks_for_exists_and_every_text_is_asked_for() -> None:
    code = "\n".join(path.read_text(encoding="utf-8") for path in SCRIPTS.rglob("*.js") if path.name != "text.js")
    messages = workspace_messages()
    # Names in t("…"), and names that are told on as values: the key maps, messages of the API wrapper.
    words = set(re.findall(r'"([A-Za-z_]+)"', code)) | set(re.findall(r"messages\.(\w+)", code))
    starts = set(re.findall(r"`([a-z]+_)\$\{", code))
    asked = set(re.findall(r'\bt\(\s*"(\w+)"', code)) | set(re.findall(r'text: "(key_\w+)"', code))
    assert asked - set(messages) == set()
    unused = {name for name in messages if name not in words and not any(name.startswith(start) for start in starts)}
    assert unused == set()
