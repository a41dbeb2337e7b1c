"""The workspaces' pages: who gets which, and that no text that a script asks for is missing."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from django.urls import reverse

from annotator.core.installed import specs
from annotator.core.kind import kinds
from annotator.core.starts import STARTS
from annotator.models import Layer, Membership, Mode, Project, Role, Stage
from annotator.projects.actions.projects import create_project
from annotator.templatetags.left_saves import left_saves_messages
from annotator.work.answering.views.workspace_messages import workspace_messages
from tests.factories import make_member, make_project, stage_of

ROOT = Path(__file__).resolve().parents[2]
SHARED = sorted(path for path in (ROOT / "static").rglob("*.js") if "vendor" not in path.parts)
OF_KINDS = {
    kind.slug: sorted((ROOT / package.replace(".", "/")).glob("static/**/*.js"))
    for package, spec in specs().items()
    for kind in spec.kinds
}
STAGES = {
    "correct": ("es", "", "kinds/labels.js"),
    "project-review": ("en", "", "kinds/projection_review.js"),
    "pair-tag": ("es", "", "kinds/pair_tags.js"),
    "adjudicate labels": ("es", "labels", "work/pages/adjudicate.js"),
    "adjudicate tags": ("es", "interpretation", "work/pages/adjudicate.js"),
}


def page(client: Client, slug: str, stage: int, query: str = "") -> str:
    return reverse("work", args=[slug, stage]) + query


def config_of(html: str) -> dict[str, Any]:
    found = re.search(r'<script id="ws-config"[^>]*>(.*?)</script>', html, re.DOTALL)
    assert found is not None
    return dict(json.loads(found[1]))


@pytest.mark.django_db
@pytest.mark.parametrize("name", list(STAGES))
def test_each_stage_has_its_page(client: Client, name: str) -> None:
    project = make_project()
    client.force_login(make_member(project, Role.ADJUDICATOR))
    language, layer, script = STAGES[name]
    kind = name.split(maxsplit=1)[0]
    stage = stage_of(project, kind, language, layer)
    response = client.get(page(client, project.slug, stage.pk, "?item=7&only=doubtful"))
    assert response.status_code == 200
    assert script in response.text
    config = config_of(response.text)
    assert config["stage"] == {
        "id": stage.pk,
        "kind": kind,
        "language": language,
        "content_type": stage.layer.content_type,
        "answers": 1,
    }
    assert config["layer"] == stage.layer.slug
    assert config["scheme"] == stage.layer.scheme_data
    assert (config["start"], config["only"]) == (7, "" if stage.adjudicates else "doubtful")
    assert settings.CSRF_COOKIE_NAME in response.cookies


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("start", "said"),
    [
        ("rating", "I'm not sure about this sentence"),
        ("best-worst", "I'm not sure about these four sentences"),
        ("mabl", "I'm not sure about this pair"),
    ],
)
def test_the_tick_for_doubt_names_what_it_is_about(client: Client, start: str, said: str) -> None:
    project = create_project(slug="scaled", preset=STARTS[start].preset(["en"]), by=None)
    client.force_login(make_member(project))
    found = client.get(page(client, "scaled", project.stages.first().pk)).text
    texts = re.search(r'<script id="ws-messages"[^>]*>(.*?)</script>', found, re.DOTALL)
    assert texts is not None
    assert json.loads(texts[1])["doubt_label"] == said


@pytest.mark.django_db
def test_kinds_add_what_their_scripts_need_and_adjudication_has_it_of_both(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project, Role.ADJUDICATOR))

    def config(kind: str, layer: str = "") -> dict[str, Any]:
        return config_of(client.get(page(client, project.slug, stage_of(project, kind, "es", layer).pk)).text)

    dictionaries = [{"name": "DLE", "url": "https://dle.rae.es/{lemma}"}]
    assert config("correct")["dictionaries"] == dictionaries
    assert config("adjudicate", "labels")["dictionaries"] == dictionaries
    assert config("correct")["marks_content"] is config("adjudicate", "labels")["marks_content"] is True
    tags = config("pair-tag")["values"]
    assert [tag["value"] for tag in tags] == ["relevant", "non_relevant", "no_metaphor", "discarded"]
    assert all(tag["label"] and tag["definition"] for tag in tags)
    assert config("adjudicate", "interpretation")["values"] == tags
    assert "around" in config("adjudicate", "interpretation")
    assert "around" not in config("adjudicate", "labels")


@pytest.mark.django_db
def test_a_queue_is_narrowed_to_what_the_server_knows(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project))
    stage = stage_of(project, "correct")
    assert config_of(client.get(page(client, project.slug, stage.pk, "?only=everything")).text)["only"] == ""


@pytest.mark.django_db
def test_a_menu_narrows_the_queue_and_says_what_it_is_narrowed_to(client: Client) -> None:
    project = make_project()
    client.force_login(make_member(project, Role.ADJUDICATOR))
    stage = stage_of(project, "correct")
    text = client.get(page(client, project.slug, stage.pk)).text
    for only in ("doubtful", "commented", "suggested", "unsuggested"):
        assert f'href="?only={only}"' in text
    assert "ws-narrowed" not in text
    narrowed = client.get(page(client, project.slug, stage.pk, "?only=doubtful")).text
    assert "Queue filter: In doubt." in narrowed
    assert f'href="{page(client, project.slug, stage.pk)}"' in narrowed
    # Blind, what is doubted or suggested is nobody's to know; adjudication has an order of its own.
    stage.mode = Mode.BLIND
    stage.save()
    blind = client.get(page(client, project.slug, stage.pk, "?only=doubtful")).text
    assert 'href="?only=' not in blind
    assert config_of(blind)["only"] == ""
    assert 'href="?only=' not in client.get(page(client, project.slug, stage_of(project, "adjudicate").pk)).text


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
def test_whoever_decides_is_offered_reasons_that_fit_what_is_decided(client: Client) -> None:
    project = make_project()
    words = create_project(slug="words", preset=STARTS["substitution"].preset(["en"]), by=None)
    user = make_member(project, Role.ADJUDICATOR)
    Membership.objects.create(project=words, user=user, role=Role.ADJUDICATOR)
    client.force_login(user)
    offered = {}
    for one, language, layer in (
        (project, "es", "labels"),
        (project, "es", "interpretation"),
        (words, "en", "best"),
    ):
        shown = client.get(page(client, one.slug, stage_of(one, "adjudicate", language, layer).pk))
        offered[layer] = config_of(shown.text)["why"]
    assert [layer for layer, why in offered.items() if "Extent of the span" in why] == ["labels"]
    assert "Equally good" in offered["best"]
    assert "Understood differently" in offered["interpretation"]


def test_every_text_that_a_script_asks_for_exists_and_every_text_is_asked_for() -> None:
    shared = {**left_saves_messages(), **workspace_messages("text", adjudicates=True)}
    missing, unused = texts_missing_and_unused(SHARED, shared, of=shared)
    assert (missing, unused) == (set(), set())
    project = Project(slug="any")
    for kind in kinds():
        layer = Layer(project=project, scheme_data={"reasons": [], "values": []})
        stage = Stage(project=project, kind=kind.slug, language="es", layer=layer)
        own = kind.workspace.page(stage).get("messages", {})
        assert not own.keys() & shared.keys()
        missing, unused = texts_missing_and_unused([*SHARED, *OF_KINDS[kind.slug]], {**shared, **own}, of=own)
        assert (kind.slug, missing, unused) == (kind.slug, set(), set())


def texts_missing_and_unused(
    scripts: list[Path], messages: dict[str, str], *, of: dict[str, str]
) -> tuple[set[str], set[str]]:
    """Names that the scripts ask for and `messages` lack, and names of `of` that no script asks for."""
    code = "\n".join(path.read_text(encoding="utf-8") for path in scripts if path.name != "text.js")
    # Names in t("…"), and names that are told on as values: the key maps, messages of the API wrapper.
    words = set(re.findall(r'"([A-Za-z_]+)"', code)) | set(re.findall(r"messages\.(\w+)", code))
    starts = set(re.findall(r"`([a-z]+_)\$\{", code)) | {
        f"{name}_" for name in re.findall(r'wordOf\([\w.]+, "(\w+)"', code)
    }
    asked = set(re.findall(r'\bt\(\s*"(\w+)"', code)) | set(re.findall(r'text: "(key_\w+)"', code))
    unused = {name for name in of if name not in words and not any(name.startswith(start) for start in starts)}
    return asked - set(messages), unused
