"""The job that draws a map of sentences: which of them, by which model, and what it stores."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from annotator.core.errors import ActionError
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Event, Import, Job, JobKind, JobState, Project, SentenceMap, Unit
from annotator.search.actions.sentence_map import store_map
from mlworkers.engines.registry import load_embedder
from tests.factories import make_project, make_segment, make_sentence
from tests.mlworkers.encoder import needs_encoder

pytestmark = pytest.mark.django_db

SENTENCES = {
    "Ana lee una carta .": "Ana is reading a letter .",
    "El tren sale a las ocho .": "The train leaves at eight .",
    "Los precios suben cada mes .": "Prices rise every month .",
    "Ben cocina arroz para todos .": "Ben cooks rice for everybody .",
}


@pytest.fixture
def project() -> Project:
    made = make_project()
    for es, en in SENTENCES.items():
        segment = make_segment(made)
        make_sentence(made, es, segment=segment)
        make_sentence(made, en, language="en", segment=segment)
    return made


def run(project: Project, **params: Any) -> Job:
    job = start_job(project=project, kind=JobKind.MAP, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


@needs_encoder
class TestDrawing:
    def test_points_of_all_languages_and_how_they_came_about(self, project: Project) -> None:
        job = run(project)

        assert (job.state, job.error, job.done) == (JobState.DONE, "", 8)
        made = SentenceMap.objects.get(project=project)
        assert made.job == job
        assert {unit for unit, _x, _y in made.points} == set(project.sentences.values_list("pk", flat=True))
        assert all(0 <= one <= 1000 for _unit, x, y in made.points for one in (x, y))
        result = job.result
        assert result["sentences"] == result["of"] == {"es": 4, "en": 4}
        assert (result["model"], result["skipped"]) == ("encoder", {})
        assert result["method"] in ("PCA", "UMAP")
        assert result["revision"]

    def test_some_of_each_language_the_same_again_and_translations_together(self, project: Project) -> None:
        for _ in range(2):
            job = run(project, sentences=2, seed=3)
            assert job.result["sentences"] == {"es": 2, "en": 2}
            assert job.result["of"] == {"es": 4, "en": 4}
            points = SentenceMap.objects.get().points
            units = Unit.objects.in_bulk([unit for unit, _x, _y in points])
            assert len({unit.segment_id for unit in units.values()}) == 2
        first = Job.objects.earliest("pk")
        assert first != SentenceMap.objects.get().job
        assert first.state == JobState.DONE

    def test_what_is_hidden_replaced_empty_or_may_not_be_published_is_not_drawn(self, project: Project) -> None:
        gone = list(project.sentences.filter(language="es").order_by("pk"))
        withheld = Import.objects.create(project=project, dataset="b", publishable=False, published_at="2026-01-01T00Z")
        hidden = Import.objects.create(project=project, dataset="a")
        Unit.objects.filter(pk=gone[0].pk).update(is_current=False)
        Unit.objects.filter(pk=gone[1].pk).update(imported=hidden)
        Unit.objects.filter(pk=gone[2].pk).update(imported=withheld)

        job = run(project)

        drawn = {unit for unit, _x, _y in SentenceMap.objects.get().points}
        assert drawn.isdisjoint(unit.pk for unit in gone[:3])
        assert gone[3].pk in drawn
        assert job.result["skipped"] == {"text that may not be published": 1}

    def test_languages_that_the_model_does_not_know_are_counted(self) -> None:
        project = make_project(languages=("es", "ca"))
        for es in SENTENCES:
            make_sentence(project, es)
            make_sentence(project, es, language="ca")

        assert run(project).result["skipped"] == {"in a language that the model does not know": 4}
        assert len(SentenceMap.objects.get().points) == 4

    def test_where_it_knows_none_it_says_which_ones_it_knows(self) -> None:
        project = make_project(languages=("ca", "eu"))
        for text in ("El temps vola .", "Plou .", "Neva ."):
            make_sentence(project, text, language="ca")

        job = run(project)
        assert job.state == JobState.FAILED
        assert "knows (en, es)" in job.error
        assert not SentenceMap.objects.exists()

    def test_another_model_is_not_asked_for_where_there_are_too_few_texts_for_any(self) -> None:
        project = make_project(languages=("ca", "eu"))
        make_sentence(project, "El temps vola .", language="ca")

        assert run(project).error == "A map needs at least 3 sentences that can be published."


class TestRefused:
    @pytest.mark.parametrize("model", ["word2vec", "transformers:", "crf"])
    def test_a_model_that_there_is_not(self, project: Project, model: str) -> None:
        job = run(project, model=model)
        assert job.state == JobState.FAILED
        assert "Unknown sentence model" in job.error

    def test_a_folder_of_a_projects_own_detector(self, project: Project, settings: Any, tmp_path: Any) -> None:
        settings.MEDIA_ROOT = tmp_path
        job = run(project, model=f"transformers:{tmp_path}/models/7/1")
        assert job.state == JobState.FAILED
        assert "in the folder of the projects' own detectors" in job.error

    def test_settings_that_are_no_numbers_and_the_same_work_twice(self, project: Project) -> None:
        for params in ({"sentences": 0}, {"seed": "x"}, {"colour": "red"}):
            with pytest.raises(ActionError):
                start_job(project=project, kind=JobKind.MAP, params=params, by=None)
        start_job(project=project, kind=JobKind.MAP, params={}, by=None)
        with pytest.raises(ActionError, match="already in progress"):
            start_job(project=project, kind=JobKind.MAP, params={}, by=None)


def test_an_older_job_does_not_take_the_place_of_a_newer_one(project: Project) -> None:
    older, newer = (Job.objects.create(project=project, kind=JobKind.MAP) for _ in range(2))
    store_map(job=newer, points=[[1, 2, 3]])
    store_map(job=older, points=[[4, 5, 6]])
    assert SentenceMap.objects.get().points == [[1, 2, 3]]
    assert SentenceMap.objects.get().job == newer


def test_it_leaves_the_project_as_it_is(project: Project) -> None:
    before = Event.objects.filter(project=project).count()
    start_job(project=project, kind=JobKind.MAP, params={}, by=None)
    assert Event.objects.filter(project=project).count() == before
    assert Event.objects.latest("pk").verb == "job.start"


@needs_encoder
def test_translations_are_nearer_than_other_sentences() -> None:
    vectors = load_embedder("encoder").embed([text.split() for pair in SENTENCES.items() for text in pair] + [[]])
    assert not vectors[-1].any()
    es, en = (rows - rows.mean(0) for rows in (vectors[:-1:2], vectors[1::2]))
    near = es @ en.T
    assert near.argmax(1).tolist() == list(range(len(SENTENCES)))
    assert np.isfinite(near).all()
