"""Pre-labelling: who is labelled, and that machines never overwrite people."""

from __future__ import annotations

import pytest

from annotator.domain.labels.shipped_schemes import MIPVU
from annotator.domain.labels.spans import Span
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.machines.actions.predictions import Found, store_predictions
from annotator.machines.queries.training import built_in, examples, label_to_learn
from annotator.models import Annotation, Gold, Job, JobKind, JobState, Mode, Role, Suggestion, SuggestionKind
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_prediction,
    make_project,
    make_projection,
    make_sentence,
    span,
    spans,
)

pytestmark = pytest.mark.django_db

TEXT = "La ola de despidos golpea a las familias"


def run(job: Job) -> Job:
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


def test_people_and_gold_are_left_alone_and_counted() -> None:
    project = make_project()
    ana, ben = make_member(project), make_member(project)
    free = make_sentence(project, TEXT)
    annotated, blind, gold = (make_sentence(project, TEXT) for _ in range(3))
    make_annotation(annotated, ana, [span(1)])
    make_annotation(blind, ben, mode=Mode.BLIND)
    make_gold(gold, [span(4)])
    make_sentence(project, "The wave of layoffs hits families", language="en")
    before = (list(Annotation.objects.values()), list(Gold.objects.values()))

    job = run(start_job(project=project, kind=JobKind.PREDICT, params={"language": "es"}, by=None))

    assert job.state == JobState.DONE
    assert [row.unit for row in Suggestion.objects.all()] == [free]
    assert job.result["sentences"] == 1
    assert job.result["skipped"] == {"with a person's labels": 3}
    assert (list(Annotation.objects.values()), list(Gold.objects.values())) == before


def test_an_older_job_does_not_take_back_what_a_newer_one_said() -> None:
    project = make_project()
    first, second = make_sentence(project, TEXT), make_sentence(project, TEXT)
    params = {"language": "es", "detector": "crf"}
    older = start_job(project=project, kind=JobKind.PREDICT, params={**params, "chunk": 1}, by=None)
    newer = start_job(project=project, kind=JobKind.PREDICT, params=params, by=None)
    found = Found(second.pk, (), [0.0] * second.token_count)
    store_predictions(job=newer, found=[found], detector="newer", revision="2", threshold=0.5)

    run(older)

    current = {row.unit: row.job for row in Suggestion.objects.filter(is_current=True)}
    assert current == {first: older, second: newer}
    assert older.result["skipped"] == {"labelled by a newer job meanwhile": 1}


def test_a_job_has_one_revision() -> None:
    """Another worker has stored a part, with a model that had moved on the hub meanwhile."""
    project = make_project()
    make_sentence(project, TEXT)
    job = start_job(project=project, kind=JobKind.PREDICT, params={"language": "es"}, by=None)
    Job.objects.filter(pk=job.pk).update(result={"revision": "moved"})

    run(job)

    assert job.state == JobState.FAILED
    assert "labelled by revision moved of the detector" in job.error
    assert not Suggestion.objects.exists()


def test_predictions_say_what_the_detector_said() -> None:
    project = make_project()
    sentence = make_sentence(project, TEXT)

    run(start_job(project=project, kind=JobKind.PREDICT, params={"language": "es"}, by=None))

    found = Suggestion.objects.get()
    assert found.unit == sentence
    assert (found.name, found.is_current) == (built_in("es"), True)
    assert found.revision
    assert len(found.probabilities) == sentence.token_count
    assert all(0 <= number <= 1 and round(number, 4) == number for number in found.probabilities)
    labelled = [token for row in found.content["spans"] for token in row["tokens"]]
    likely = [index for index, number in enumerate(found.probabilities) if number >= found.threshold]
    assert labelled == likely


def test_a_new_run_supersedes_and_keeps_the_old_answer() -> None:
    project = make_project()
    sentence = make_sentence(project, TEXT)
    old = make_prediction(sentence, [span(1)], [0.1] * sentence.token_count)

    run(start_job(project=project, kind=JobKind.PREDICT, params={"language": "es"}, by=None))

    old.refresh_from_db()
    assert not old.is_current
    assert old.content == spans(span(1))
    assert sentence.suggestions.get(is_current=True) != old


def test_only_unprojected_leaves_out_what_a_projection_reached() -> None:
    project = make_project()
    reached, unreached = (make_sentence(project, "The news fell like a bomb", language="en") for _ in range(2))
    make_projection(make_sentence(project), reached, [span(2)], [span(2)])

    job = run(
        start_job(project=project, kind=JobKind.PREDICT, params={"language": "en", "only_unprojected": True}, by=None)
    )

    assert [row.unit for row in Suggestion.objects.filter(kind=SuggestionKind.PREDICTION)] == [unreached]
    assert job.result["skipped"] == {"reached by a projection": 1}


def test_a_person_who_began_meanwhile_wins() -> None:
    project = make_project()
    sentence, short, replaced = (make_sentence(project, TEXT) for _ in range(3))
    old = make_prediction(sentence, [span(1)], [0.1] * sentence.token_count)
    make_annotation(sentence, make_member(project, Role.ANNOTATOR), [span(2)])
    replaced.is_current = False
    replaced.save()
    job = Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.RUNNING)
    found = [
        Found(sentence.pk, [Span((0,), "METAPHOR", score=0.9)], [0.9] * sentence.token_count),
        Found(short.pk, [], [0.9]),
        Found(replaced.pk, [], [0.9] * sentence.token_count),
    ]

    counts = store_predictions(job=job, found=found, detector="crf", revision="r", threshold=0.5)

    assert counts["sentences"] == 0
    assert counts["skipped"] == {
        "with a person's labels": 1,
        "not covered to the last token by the detector": 1,
        "text replaced meanwhile": 1,
    }
    assert list(Suggestion.objects.all()) == [old]
    old.refresh_from_db()
    assert old.is_current


def test_storing_twice_stores_once() -> None:
    project = make_project()
    sentence = make_sentence(project, TEXT)
    job = Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.RUNNING)
    found = [Found(sentence.pk, [], [0.1] * sentence.token_count)]

    first = store_predictions(job=job, found=found, detector="crf", revision="r", threshold=0.5)
    again = store_predictions(job=job, found=found, detector="crf", revision="r", threshold=0.5)

    assert first == again
    assert Suggestion.objects.get().is_current


def test_sentences_of_other_projects_are_never_touched() -> None:
    stranger = make_sentence(make_project(), TEXT)
    job = Job.objects.create(project=make_project(), kind=JobKind.PREDICT, state=JobState.RUNNING)

    store_predictions(
        job=job,
        found=[Found(stranger.pk, [], [0.1] * stranger.token_count)],
        detector="crf",
        revision="r",
        threshold=0.5,
    )

    assert not Suggestion.objects.exists()


def test_a_detector_that_knows_metaphor_suggests_under_mipvu_and_the_mapping_is_on_record() -> None:
    project = make_project()
    layer = project.label_layer
    layer.scheme_data = MIPVU.to_json()
    layer.save()
    make_sentence(project, TEXT)

    job = run(start_job(project=project, kind=JobKind.PREDICT, params={"language": "es"}, by=None))

    assert job.state == JobState.DONE, job.error
    assert job.result["mapping"] == "metaphor"
    suggestion = Suggestion.objects.get()
    assert {span["label"] for span in suggestion.content["spans"]} == {"INDIRECT"}
    assert suggestion.detail == {"mapping": "metaphor"}


def test_what_is_learnt_from_mipvu_is_every_word_that_the_mapping_makes_the_label() -> None:
    project = make_project()
    layer = project.label_layer
    layer.scheme_data = MIPVU.to_json()
    layer.save()
    ana = make_member(project)
    said = [span(label="IMPLICIT"), span(0, label="MFLAG"), span(2, label="DIRECT"), span(5, label="INDIRECT")]
    make_annotation(make_sentence(project, TEXT), ana, said)

    assert label_to_learn(project, "es") == "METAPHOR"
    (row,) = examples(project, "es", "METAPHOR").rows
    assert [one["tokens"] for one in row.spans] == [[], [2], [5]]
    (row,) = examples(project, "es", "DIRECT").rows
    assert [one["tokens"] for one in row.spans] == [[2]]
