"""The pages of comparisons, and their rows as files and in the API."""

from __future__ import annotations

import io

import openpyxl
import pytest
from django.test import Client

from annotator.models import Comparison, Job, JobKind, Mode, Project, Role, Sentence, User
from tests.comparisons.making import GOLD, compared, stored_comparison
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project() -> Project:
    return make_project("corpus")


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, "mara")


@pytest.fixture
def sentence(project: Project) -> Sentence:
    sentence = make_sentence(project, "El =SUM(A1) vuela otra vez")
    make_gold(sentence, [span(1), span(2)])
    return sentence


@pytest.fixture
def found(project: Project, sentence: Sentence, mara: User) -> Comparison:
    make_annotation(sentence, mara, [span(2, 3)])
    return compared(project, GOLD, {"source": "person", "person": mara.pk})


def test_rows_lead_to_their_sentence_with_the_words_marked(client: Client, found: Comparison, mara: User) -> None:
    client.force_login(mara)
    page = client.get(f"/projects/corpus/comparisons/{found.pk}/")
    segment = found.project.segments.get()
    assert f"/projects/corpus/sentences/{segment.pk}/" in page.text
    assert "<mark>vuela otra" in page.text and "<mark>vuela<" in page.text
    assert "only on the left" in page.text
    assert "No row has" in client.get(f"/projects/corpus/comparisons/{found.pk}/?lemma=nadie").text


def test_a_text_that_changed_since_shows_the_words_alone(client: Client, found: Comparison, mara: User) -> None:
    Sentence.objects.update(tokens=["Nada", "arde"])
    client.force_login(mara)
    page = client.get(f"/projects/corpus/comparisons/{found.pk}/")
    assert "<mark" not in page.text.partition("<tbody>")[2]
    assert "vuela otra" in page.text


def test_files_have_the_filtered_rows_and_no_formulas(client: Client, found: Comparison, mara: User) -> None:
    client.force_login(mara)
    address = f"/projects/corpus/comparisons/{found.pk}/rows"
    text = b"".join(client.get(f"{address}.csv").streaming_content).decode()  # type: ignore[attr-defined]
    assert ",'=SUM(A1)," in text and text.count("\n") == 3
    rows = b"".join(client.get(f"{address}.json?state=moved").streaming_content)  # type: ignore[attr-defined]
    assert b'"vuela otra"' in rows and b"SUM" not in rows
    book = b"".join(client.get(f"{address}.xlsx").streaming_content)  # type: ignore[attr-defined]
    cells = [cell for row in openpyxl.load_workbook(io.BytesIO(book)).active for cell in row]
    assert [cell.data_type for cell in cells if cell.value == "=SUM(A1)"] == ["s"]


def test_the_api_pages_through_the_rows(client: Client, found: Comparison, mara: User) -> None:
    client.force_login(mara)
    address = f"/api/v1/projects/corpus/comparisons/{found.pk}/rows/?page_size=1"
    first = client.get(address).json()
    second = client.get(f"{address}&after={first['next']}").json()
    assert (first["count"], second["next"]) == (2, None)
    assert {row["state"] for page in (first, second) for row in page["rows"]} == {"moved", "left"}


def test_a_form_starts_the_job_and_a_refusal_stays_on_it(client: Client, project: Project, mara: User) -> None:
    client.force_login(mara)
    layer = project.label_layer.pk
    given = {"kind": "languages", "layer": layer, "source": "es", "target": "es"}
    page = client.post("/projects/corpus/comparisons/", given)
    assert (page.status_code, Job.objects.filter(kind=JobKind.COMPARE).count()) == (422, 0)
    assert "Choose two different languages" in page.text
    client.post("/projects/corpus/comparisons/", {**given, "target": "en"})
    assert Job.objects.get(kind=JobKind.COMPARE).params["right"] == {"language": "en"}


def test_who_works_blind_sees_none_and_starts_none(client: Client, project: Project, sentence: Sentence) -> None:
    stored = stored_comparison(project)
    ana = make_member(project, Role.ADJUDICATOR)
    make_assignment(make_sentence(project), ana, stage_of(project, "correct"), mode=Mode.BLIND)
    client.force_login(ana)
    page = client.get("/projects/corpus/comparisons/")
    assert "You have blind items" in page.text and f"comparisons/{stored.pk}/" not in page.text
    for rest in ("", "rows.csv", "rows.json", "rows.xlsx"):
        assert client.get(f"/projects/corpus/comparisons/{stored.pk}/{rest}").status_code == 403
    given = {"kind": "languages", "layer": project.label_layer.pk, "source": "es", "target": "en"}
    assert client.post("/projects/corpus/comparisons/", given).status_code == 403
    assert Job.objects.filter(kind=JobKind.COMPARE).count() == 1, "the stored one's"


def test_one_of_another_project_is_not_found(client: Client, project: Project, mara: User) -> None:
    other = stored_comparison(make_project("other"))
    client.force_login(mara)
    assert client.get(f"/projects/corpus/comparisons/{other.pk}/").status_code == 404
