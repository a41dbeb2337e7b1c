"""The artifact audit of a project: what is guessed in each layer, who sees it, what a release has of it."""

from __future__ import annotations

import json
import random

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.audit import scoring
from annotator.domain.audit.instances import Drawn
from annotator.domain.audit.scores import Score, Split
from annotator.domain.content import content_type, content_types
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import JobKind, Mode, Project, Role, Sentence
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.core_tables import artifact_instances, artifacts
from annotator.reports.queries.tables import report_named
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db
WORDS = ["casa", "río", "tiempo", "luz", "palabra", "camino", "idea", "fuego", "puerta", "mano", "noche", "barco"]


@pytest.fixture
def decided(project: Project) -> list[Sentence]:
    """Sentences in which "vuela" is labelled where "alto" follows."""
    draw = random.Random(1)
    rows = []
    for number in range(60):
        after = "alto" if number % 2 else "hoy"
        rows.append(make_sentence(project, f"{draw.choice(WORDS)} {draw.choice(WORDS)} vuela {after} {number}"))
        make_gold(rows[-1], [span(2)] if number % 2 else [])
    return rows


def scores(project: Project) -> dict[tuple[str, str], float | None]:
    return {(row["split"], row["seen"]): row["macro_f1"] for row in report_named("artifacts").compute(project).rows}


def test_uses_of_an_expression_with_and_without_a_label(project: Project, decided: list[Sentence]) -> None:
    report = report_named("artifacts").compute(project)
    assert {(row["language"], row["instances"], row["classes"]) for row in report.rows} == {("es", 60, 2)}
    found = scores(project)
    assert found["random", "masked"] == found["random", "whole"] == 100
    assert (found["random", "expression"] or 0) < 60
    # There is one expression only.
    assert ("lexical", "whole") not in found
    (words,) = report.notes
    assert "The text without the expression gives 100.0 of 100.0" in words
    assert "Too few expressions or groups" in words


def test_pairs_by_their_tags_and_by_their_inference_labels(project: Project) -> None:
    for number in range(60):
        label = ("entailment", "contradiction")[number % 2]
        make_tag(
            make_pair(project, inference=label, premise=f"uno {number}", hypothesis=f"{'sí' if number % 2 else 'no'}"),
            "relevant" if number % 3 else "no_metaphor",
        )
    rows = report_named("artifacts").compute(project).rows
    found = {(row["what"], row["seen"]): row["macro_f1"] for row in rows if row["split"] == Split.RANDOM}
    assert found["inference", "second"] == 100
    assert (found["inference", "first"] or 0) < 70
    assert (found["gold", "whole"] or 0) < 70


def test_spans_that_differ_in_attributes_alone_are_one_instance(project: Project) -> None:
    make_gold(make_sentence(project, "Todo vuela"), [span(1), span(1) | {"attributes": {"sure": "no"}}])
    assert {row["instances"] for row in report_named("artifacts").compute(project).rows} == {1}


def test_marking_tokens_follows_from_the_content_type() -> None:
    assert [one.slug for one in content_types() if artifact_instances.marks_tokens(one)] == [content_type("spans").slug]


def test_a_project_of_one_class_says_so_and_one_of_few_items_has_no_table(project: Project) -> None:
    for number in range(20):
        assert not artifacts.is_there(project)
        assert "statistics/artifacts.json" not in release_files(project, partial=True).files if number == 1 else True
        make_gold(make_sentence(project, f"Todo vuela {number}"), [span(1)])
    assert artifacts.is_there(project)
    report = report_named("artifacts").compute(project)
    assert len(report.rows) == 1
    assert "All instances are of one class" in report.notes[0]


class TestPage:
    def test_a_job_counts_it_and_the_page_shows_it(
        self, client: Client, project: Project, decided: list[Sentence]
    ) -> None:
        judge = make_member(project, Role.ADJUDICATOR)
        client.force_login(judge)
        job = start_job(project=project, kind=JobKind.COUNT, params={}, by=judge)
        run_job(job.pk, worker="one")
        page = client.get(reverse("report", args=[project.slug, "artifacts"])).text
        assert "Expression masked" in page
        assert "The text without the expression gives 100.0 of 100.0" in page
        for ending in ("csv", "json", "tex"):
            file = client.get(reverse(f"report-{ending}", args=[project.slug, "artifacts"]))
            assert file.status_code == 200
            assert "100.0" in file.text

    def test_without_the_extra_it_says_how_to_install_it(
        self, client: Client, project: Project, decided: list[Sentence], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(scoring, "is_installed", lambda: False)
        judge = make_member(project, Role.ADJUDICATOR)
        client.force_login(judge)
        run_job(start_job(project=project, kind=JobKind.COUNT, params={}, by=judge).pk, worker="one")
        page = client.get(reverse("report", args=[project.slug, "artifacts"])).text
        assert "pip install -c constraints.txt" in page

    def test_it_is_for_adjudicators_who_do_not_answer_blind(
        self, client: Client, project: Project, decided: list[Sentence]
    ) -> None:
        address = reverse("report-json", args=[project.slug, "artifacts"])
        judge = make_member(project, Role.ADJUDICATOR)
        run_job(start_job(project=project, kind=JobKind.COUNT, params={}, by=judge).pk, worker="one")
        client.force_login(make_member(project))
        assert client.get(address).status_code == 403
        client.force_login(judge)
        assert client.get(address).status_code == 200
        make_assignment(make_sentence(project), judge, stage_of(project, "correct"), mode=Mode.BLIND)
        assert client.get(address).status_code == 403
        assert "Expression masked" not in client.get(reverse("reports", args=[project.slug])).text


class TestRelease:
    def test_it_has_the_audit_as_a_file_and_in_its_card(self, project: Project, decided: list[Sentence]) -> None:
        files = release_files(project, partial=True).files
        (task,) = json.loads(files["statistics/artifacts.json"])
        assert task["instances"] == 60
        assert {one["seen"] for one in task["scores"]} == {"whole", "expression", "masked", "majority"}
        assert any("The text without the expression" in one for one in task["conclusions"])
        card = files["README.md"].decode()
        assert "## Artifacts" in card
        assert "| labels | es | random | masked | 100.0 |" in card

    def test_what_a_job_counted_of_the_same_gold_is_taken(
        self, project: Project, decided: list[Sentence], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        run_job(start_job(project=project, kind=JobKind.COUNT, params={}, by=None).pk, worker="one")
        before = release_files(project, partial=True).files
        counted: list[int] = []

        def audited(drawn: Drawn, seed: int) -> list[Score]:
            counted.append(sum(drawn.counts.values()))
            return scoring.audit(drawn, seed)

        monkeypatch.setattr(artifact_instances, "audit", audited)
        assert release_files(project, partial=True).files == before
        assert not counted
        make_gold(make_sentence(project, "Nada vuela"), [])
        release_files(project, partial=True)
        assert counted == [61]

    def test_without_the_extra_the_card_says_how_to_install_it(
        self, project: Project, decided: list[Sentence], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(scoring, "is_installed", lambda: False)
        assert "pip install" in release_files(project, partial=True).files["README.md"].decode()
