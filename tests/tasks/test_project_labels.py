"""Projecting labels: which labels, where they land, what is kept and counted."""

from __future__ import annotations

import pytest
from django.utils import timezone

from annotator.domain.projection.carry import LabelSource, SourceOutcome
from annotator.domain.projection.several_sources import projection_score
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Alignment, Item, Job, JobKind, JobState, Mode, Project, Sentence, Suggestion
from annotator.work.queue.actions.assignments import claim
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_project,
    make_projection,
    make_segment,
    make_sentence,
    span,
    spans,
    stage_of,
)
from tests.mlworkers.encoder import needs_encoder

pytestmark = pytest.mark.django_db

TEXTS = [
    ("La inflación devora los ahorros", "Inflation devours the savings"),
    ("La noticia cayó como una bomba", "The news fell like a bomb"),
    ("El tiempo vuela", "Time flies"),
    ("La ciudad duerme", "The city sleeps"),
]


@pytest.fixture
def project() -> Project:
    made = make_project()
    for source, target in TEXTS:
        segment = make_segment(made)
        make_sentence(made, source, language="es", segment=segment)
        make_sentence(made, target, language="en", segment=segment)
    return made


def sentence(project: Project, number: int, language: str = "es") -> Sentence:
    return project.sentences.filter(language=language).order_by("segment__position")[number]


def run(project: Project, labels: str = LabelSource.ANNOTATIONS) -> Job:
    params = {"source": "es", "target": "en", "labels": labels}
    job = start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def test_labels_land_on_the_words_that_translate_them(project: Project) -> None:
    make_gold(sentence(project, 0), [span(2)])
    make_gold(sentence(project, 1), [span(2), span(5)])
    make_gold(sentence(project, 2), [])

    job = run(project, LabelSource.GOLD)

    found = {row.unit.text: row for row in Suggestion.objects.select_related("unit")}
    assert set(found) == {"Inflation devours the savings", "The news fell like a bomb"}
    assert [row["tokens"] for row in found["Inflation devours the savings"].content["spans"]] == [[1]]
    assert [row["tokens"] for row in found["The news fell like a bomb"].content["spans"]] == [[2], [5]]
    assert job.result["outcomes"] == {"projected": 3, "unaligned": 0, "dropped": 0}
    assert job.result["skipped"] == {"without labels": 1, "without gold": 1}
    projection = found["Inflation devours the savings"]
    assert (projection.detail["labels"], projection.is_current, projection.detail["source_spans"]) == (
        "gold",
        True,
        [span(2)],
    )
    assert projection.alignment.is_current
    assert [2, 1] in [link[:2] for link in projection.alignment.links]


@needs_encoder
def test_the_encoder_gives_a_second_opinion_and_what_is_doubtful_is_reviewed_first(project: Project) -> None:
    review = stage_of(project, "project-review", "en")
    review.order = review.Order.UNCERTAIN
    review.save()
    make_gold(sentence(project, 0), [span(2)])
    # What becomes of an article is less sure than what becomes of a verb.
    make_gold(sentence(project, 1), [span(0)])

    run(project, LabelSource.GOLD)

    sure, doubtful = (Suggestion.objects.get(unit=sentence(project, number, "en")) for number in (0, 1))
    said = [row.detail["second_opinion"] for row in (sure, doubtful)]
    assert all(one["of"].startswith("encoder@") for one in said)
    assert said[0]["score"] > said[1]["score"]
    places = [Item.objects.get(stage=review, unit=row.unit).uncertainty for row in (sure, doubtful)]
    assert places == [one["score"] for one in said]
    # By which sources are compared: the links' alone, since not every language has a second opinion.
    for row in (sure, doubtful):
        outcomes = [SourceOutcome.from_json(one) for one in row.detail["outcomes"]]
        assert row.score == projection_score(outcomes, row.alignment.links)
    [first] = claim(stage=review, user=make_member(project), now=timezone.now())
    assert first.unit == doubtful.unit


@needs_encoder
def test_what_got_lost_on_the_way_has_no_second_opinion(project: Project) -> None:
    make_gold(sentence(project, 0), [{**span(2), "tokens": []}])

    run(project, LabelSource.GOLD)

    assert "second_opinion" not in Suggestion.objects.get().detail


def test_annotations_the_reviewers_count_and_gold_counts_more(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    first, second, third, fourth = (sentence(project, number) for number in range(4))
    make_annotation(first, ben, [span(0)], mode=Mode.BLIND)
    make_annotation(first, ana, [span(2)])
    make_annotation(second, ana, [span(2)])
    make_gold(second, [span(5)])
    make_annotation(third, ben, [span(2)], mode=Mode.BLIND)
    make_annotation(fourth, ana, [span(2)], mode=Mode.BLIND)
    make_annotation(fourth, ben, [span(1)], mode=Mode.BLIND)

    job = run(project)

    carried = {row.source_id: row.detail["source_spans"] for row in Suggestion.objects.all()}
    assert carried == {first.pk: [span(2)], second.pk: [span(5)], third.pk: [span(2)]}
    assert job.result["skipped"] == {"without a finished annotation": 1}


def test_a_new_run_supersedes_and_keeps_the_old_one(project: Project) -> None:
    gold = make_gold(sentence(project, 0), [span(2)])
    run(project)
    old = Suggestion.objects.get()
    gold.content = spans(span(4))
    gold.save()

    run(project)

    old.refresh_from_db()
    new = Suggestion.objects.exclude(pk=old.pk).get()
    assert (old.is_current, new.is_current) == (False, True)
    assert (old.alignment.is_current, new.alignment.is_current) == (False, True)
    assert [row["tokens"] for row in new.content["spans"]] == [[3]]


def test_what_a_person_reviewed_stays_current(project: Project) -> None:
    source, target = sentence(project, 0), sentence(project, 0, "en")
    make_gold(source, [span(2)])
    reviewed = make_projection(source, target, [span(0)], [span(2)])
    annotation = make_annotation(target, make_member(project), [span(1)])
    annotation.suggestion = reviewed
    annotation.save()

    job = run(project)

    reviewed.refresh_from_db()
    assert reviewed.is_current
    assert job.result["kept_for_people"] == 1
    assert job.suggestions.get().is_current is False
    annotation.refresh_from_db()
    assert (annotation.content, annotation.suggestion) == (spans(span(1)), reviewed)
    assert Alignment.objects.filter(is_current=True).count() == 1


def test_labels_that_were_taken_away_void_the_projection(project: Project) -> None:
    gold = make_gold(sentence(project, 0), [span(2)])
    run(project)
    gold.content = spans()
    gold.save()

    job = run(project)

    assert job.result["withdrawn"] == 1
    assert not Suggestion.objects.filter(is_current=True).exists()
    assert Suggestion.objects.count() == 1


def test_sentences_without_a_parallel_one_are_counted(project: Project) -> None:
    make_gold(make_sentence(project, "Nadie espera"), [span(1)])

    job = run(project, LabelSource.GOLD)

    assert job.result["skipped"] == {"without a parallel sentence": 1, "without gold": 4}
    assert not Suggestion.objects.exists()


def test_an_unknown_aligner_fails_in_words(project: Project) -> None:
    make_gold(sentence(project, 0), [span(2)])
    params = {"source": "es", "target": "en", "aligner": "nonesuch"}
    job = start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "Unknown aligner “nonesuch”" in job.error
