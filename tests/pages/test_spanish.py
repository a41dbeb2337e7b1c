"""The interface in Spanish, as somebody sees it who signs in and switches the language."""

from __future__ import annotations

import json
import re

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import translation

from annotator.core.counts import with_counts
from annotator.core.starts import STARTS
from annotator.models import Project, Role, User
from annotator.projects.actions.projects import create_project
from annotator.work.answering.views.workspace_messages import workspace_messages
from tests.factories import make_gold, make_member, make_project, make_release, make_sentence, stage_of


@pytest.fixture
def project(db: None) -> Project:
    project = make_project("corpus")
    make_member(project, Role.MANAGER, "mara")
    decided = make_sentence(project)
    make_gold(decided)
    make_sentence(project, "Nadie mira el reloj")
    return project


@pytest.fixture
def spanish(client: Client, project: Project) -> Client:
    """Mara's browser, switched to Spanish."""
    entry = {"username": "mara", "password": "correct horse battery"}
    assert client.post(reverse("sign-in"), entry).status_code == 302
    address = reverse("project", args=[project.slug])
    switched = client.post(reverse("set_language"), {"language": "es", "next": address})
    assert switched.headers["Location"] == address
    return client


def read(client: Client, name: str, *arguments: object, **query: str) -> str:
    response = client.get(reverse(name, args=arguments), query)
    assert response.status_code == 200
    assert response.headers["Content-Language"] == "es"
    assert '<html lang="es">' in response.text
    return response.text


def test_the_dashboard(spanish: Client, project: Project) -> None:
    page = read(spanish, "project", project.slug)
    for text in ("Siguiente paso", "Etapas", "Revisar proyecciones", "Español (es)", "Inglés (en)", "Cerrar sesión"):
        assert text in page
    for text in ("Next for you", "Stages", "Review projections", "Spanish (es)", "Sign out"):
        assert text not in page


def test_the_workspace_and_the_texts_of_its_scripts(spanish: Client, project: Project) -> None:
    page = read(spanish, "work", project.slug, stage_of(project, "correct").pk)
    assert "Hecho y siguiente" in page
    texts = json.loads(re.search(r'<script id="ws-messages"[^>]*>(.*?)</script>', page, re.S)[1])
    assert texts["saved"] == "Guardado a las {time}"
    assert texts["inference_entailment"] == "Implicación"
    with translation.override("en"):
        english = workspace_messages("spans", adjudicates=False)
    same = {name for name in english if texts[name] == english[name]}
    # What is written alike in both languages.
    alike = {"inference_neutral", "key_tag", "announce_sentence_plain"}
    assert same <= alike | {"attribute_set"}
    config = json.loads(re.search(r'<script id="ws-config"[^>]*>(.*?)</script>', page, re.S)[1])
    assert config["locale"] == "es"
    pairs = read(spanish, "work", project.slug, stage_of(project, "pair-tag").pk)
    config = json.loads(re.search(r'<script id="ws-config"[^>]*>(.*?)</script>', pairs, re.S)[1])
    assert [tag["label"] for tag in config["values"]] == ["Relevante", "No relevante", "Sin metáfora", "Descartado"]


def test_counts_are_grouped_alike_in_sentences_and_in_figures(spanish: Client, project: Project) -> None:
    mara = User.objects.get(username="mara")
    pairs = create_project(slug="pairs", preset=STARTS["mabl"].preset(["en"]), by=mara)
    pairs.layers.filter(slug="pairs").update(scheme_data={"target": 1450})
    text = read(spanish, "project", pairs.slug)
    assert "Le quedan 1\xa0450 por escribir" in text
    assert "1450" not in text


def test_a_message_groups_its_counts_and_nothing_else() -> None:
    with translation.override("es"):
        said = with_counts("%(count)d, %(year)s: %(name)s", count=12345, year=2026, name="1450")
    assert said == "12\xa0345, 2026: 1450"


def test_releases_with_dates_and_sizes_as_spanish_writes_them(spanish: Client, project: Project) -> None:
    release = make_release(project, content=b"x" * 1536)
    page = read(spanish, "releases", project.slug)
    assert "las definitivas" in page
    assert "1 oración" in page
    assert "1,5" in page
    assert f"{release.created_at:%d/%m/%Y}" in page
    assert "Crear una versión publicada" in page


def test_reports_write_decimals_with_a_comma_and_their_files_do_not(spanish: Client, project: Project) -> None:
    page = read(spanish, "reports", project.slug)
    assert "0,00 %" in page
    assert "Oraciones sin etiquetas gold, que no se cuentan: 1." in page
    table = spanish.get(reverse("report-csv", args=[project.slug, "detection"])).text
    assert table.startswith("language,")
    assert "0,00" not in table


def test_refusals_of_forms_and_of_the_api(spanish: Client, project: Project) -> None:
    added = spanish.post(
        reverse("member-add", args=[project.slug]), {"add-username": "nadie", "add-role": Role.ANNOTATOR}
    )
    assert "Ninguna cuenta tiene el nombre de usuario «nadie»" in added.text
    answer = spanish.get("/api/v1/projects/corpus/assignments/999/")
    assert answer.status_code == 404
    assert "Este elemento no forma parte de su trabajo." in answer.json()["error"]["message"]


def test_english_stays_for_everybody_else(spanish: Client, project: Project) -> None:
    other = Client()
    other.force_login(project.memberships.get(user__username="mara").user)
    assert "Next for you" in other.get(reverse("project", args=[project.slug])).text
