"""Spanish and English are labelled, and both are projected onto Catalan: as jobs, one a pair of languages."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.kind import kind_of
from annotator.domain.labels.relabel import LabelRow
from annotator.domain.labels.spans import Span
from annotator.domain.projection.carry import LabelSource, ProjectionRules
from annotator.domain.projection.carry import project as carry
from annotator.imports.undo.undo_import import undo_import
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.machines.actions.projections import CarriedOver, store_projections
from annotator.models import (
    Annotation,
    Assignment,
    Import,
    Item,
    ItemState,
    Job,
    JobKind,
    JobState,
    Project,
    Role,
    Suggestion,
    Unit,
    User,
)
from annotator.projects.actions.relabel import change_scheme, labels_plan
from annotator.reports.queries.tables import report_named
from annotator.revisions.revisions import revise_text
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.answering.queries.suggestions import shown_in
from annotator.work.answering.queries.workspace import shown_assignments
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.actions.assignments import claim
from tests.deciding import decide_gold
from tests.factories import (
    make_gold,
    make_member,
    make_project,
    make_segment,
    make_sentence,
    span,
    spans,
    stage_of,
)
from tests.work.test_counters import check

pytestmark = pytest.mark.django_db

TEXTS = [
    ("La duda roe la casa", "Doubt gnaws the house", "El dubte rosega la casa"),
    ("El barrio bosteza despacio", "The district yawns slowly", "El barri badalla a poc a poc"),
    ("La lluvia canta", "The rain sings", "La pluja canta"),
]


@pytest.fixture
def project() -> Project:
    made = make_project(languages=("es", "en", "ca"))
    made.sources = {"en": [], "ca": ["es", "en"]}
    made.save()
    for texts in TEXTS:
        segment = make_segment(made)
        for language, text in zip(made.languages, texts, strict=True):
            make_sentence(made, text, language=language, segment=segment)
    return made


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project)


def sentence(project: Project, number: int, language: str) -> Unit:
    rows = Unit.objects.filter(project=project, kind="sentence", language=language, is_current=True)
    return rows.order_by("segment__position")[number]


def run(project: Project, source: str, labels: str = LabelSource.GOLD) -> Job:
    params = {"source": source, "target": "ca", "labels": labels}
    job = start_job(project=project, kind=JobKind.PROJECT, params=params, by=None)
    return finished(job)


def finished(job: Job) -> Job:
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    return job


def said(
    project: Project, source: str, score: float, *tokens: int, number: int = 0, labelled: tuple[int, ...] = (2,)
) -> None:
    """A projection onto the Catalan sentence as a job stores it: every link as sure as `score`."""
    job = Job.objects.create(project=project, kind=JobKind.PROJECT, state=JobState.DONE)
    origin, target = sentence(project, number, source), sentence(project, number, "ca")
    source_spans = [Span((token,), "METAPHOR") for token in labelled]
    links = [(one, other, score) for one, other in zip(labelled, tokens, strict=True)]
    result = carry(source_spans, [link[:2] for link in links], target.tokens)
    one = CarriedOver(origin.pk, target.pk, [span(token) for token in labelled], links, result)
    store_projections(
        job=job, carried=[one], aligner="toy", revision="1", rules=ProjectionRules(), labels=LabelSource.GOLD
    )


def seen(project: Project, number: int = 0) -> list[str]:
    """The sources of what a review of the sentence would show, the suggested one first."""
    stage = stage_of(project, "project-review", "ca")
    unit = sentence(project, number, "ca")
    rows = shown_in(project, stage.layer, kind_of(stage), [unit.pk]).get(unit.pk, [])
    return [row.source_language for row in rows]


def current(project: Project, source: str, number: int = 0) -> Suggestion:
    return Suggestion.objects.get(unit=sentence(project, number, "ca"), source_language=source, is_current=True)


def reviews(project: Project, number: int = 0) -> list[Item]:
    stage = stage_of(project, "project-review", "ca")
    return list(
        Item.objects.filter(stage=stage, unit__segment=sentence(project, number, "ca").segment).exclude(
            state=ItemState.VOID
        )
    )


def claimed(user: User, project: Project) -> Assignment:
    [row] = claim(stage=stage_of(project, "project-review", "ca"), user=user, now=timezone.now())
    return row


def save(row: Assignment, *given: Any, version: int = 0, done: bool = True) -> Annotation:
    return save_annotation(
        project=row.project, assignment=row.pk, version=version, content=spans(*given), done=done, by=row.user,
        now=timezone.now(),
    )  # fmt: skip


class TestJobs:
    def test_each_pair_of_languages_is_a_job_and_neither_overwrites_the_other(self, project: Project) -> None:
        make_gold(sentence(project, 0, "es"), [span(2)])
        make_gold(sentence(project, 0, "en"), [span(1)])
        make_gold(sentence(project, 1, "en"), [span(2)])

        first, second = run(project, "es"), run(project, "en")

        assert (first.result["sentences"], second.result["sentences"]) == (1, 2)
        assert first.result["skipped"] == {"without gold": 2}
        assert sorted(seen(project)) == ["en", "es"]
        assert seen(project, 1) == ["en"]
        assert {row.score is not None for row in Suggestion.objects.all()} == {True}

    def test_a_sentence_is_reviewed_once_however_many_sources_reach_it(self, project: Project) -> None:
        make_gold(sentence(project, 0, "es"), [span(2)])
        make_gold(sentence(project, 0, "en"), [span(1)])
        run(project, "es")
        [item] = reviews(project)
        run(project, "en")
        assert [row.pk for row in reviews(project)] == [item.pk]
        correct = stage_of(project, "correct", "ca")
        assert not Item.objects.filter(stage=correct, unit=item.unit_id).exists()
        assert not reviews(project, 1)
        check(project)

    def test_labels_of_the_same_words_agree(self, project: Project) -> None:
        said(project, "es", 0.9, 2)
        said(project, "en", 0.8, 2, labelled=(1,))
        assert current(project, "es").span_sources == [["es", "en"]]
        assert current(project, "en").span_sources == [["en", "es"]]


class TestTheBetterOne:
    def test_it_is_suggested_and_the_other_kept(self, project: Project, ana: User) -> None:
        said(project, "es", 0.4, 2)
        said(project, "en", 0.8, 4, labelled=(1,))
        row = claimed(ana, project)
        assert row.suggestion == current(project, "en")
        assert row.shown == [current(project, "en").pk, current(project, "es").pk]

    def test_on_a_tie_the_projects_earlier_language(self, project: Project) -> None:
        said(project, "en", 0.8, 4, labelled=(1,))
        said(project, "es", 0.8, 2)
        assert seen(project) == ["es", "en"]

    def test_what_nobody_has_worked_on_shows_the_newest_best(self, project: Project, ana: User) -> None:
        said(project, "es", 0.6, 2)
        row = claimed(ana, project)
        assert row.suggestion == current(project, "es")
        said(project, "en", 0.9, 4, labelled=(1,))
        # Their screen holds what it shows; the next one is handed the better.
        again = claimed(ana, project)
        assert (again.pk, again.suggestion) == (row.pk, current(project, "en"))
        said(project, "es", 0.95, 2)
        assert claimed(ana, project).suggestion == current(project, "es")

    def test_what_somebody_works_on_stays(self, project: Project, ana: User) -> None:
        said(project, "es", 0.6, 2)
        row = claimed(ana, project)
        save(row, span(2), done=False)
        began = current(project, "es")
        said(project, "en", 0.9, 4, labelled=(1,))
        said(project, "es", 0.1, 3)

        again = claimed(ana, project)
        assert (again.pk, again.suggestion) == (row.pk, began)
        [shown] = shown_assignments(project, [again], ana)
        assert [one.pk for one in shown.suggestions] == [began.pk]
        assert (len(shown.answer.origins["kept"]), shown.answer.origins["added"]) == (1, [])
        # What came after is on record, and the one that was worked on still stands.
        assert current(project, "es") == began

    def test_origins_are_those_of_what_was_suggested(self, project: Project, ana: User) -> None:
        said(project, "es", 0.9, 2)
        said(project, "en", 0.5, 4, labelled=(1,))
        row = claimed(ana, project)
        save(row, span(2), span(4))
        [shown] = shown_assignments(
            project, [Assignment.objects.select_related("item", "unit__segment", "stage__layer").get(pk=row.pk)], ana
        )
        origins = shown.answer.origins
        assert [[one["tokens"] for one in origins[name]] for name in ("kept", "added", "removed")] == [[[2]], [[4]], []]

    def test_the_report_counts_a_sentence_once_and_says_from_where(self, project: Project, ana: User) -> None:
        said(project, "es", 0.4, 2)
        said(project, "en", 0.8, 4, labelled=(1,))
        save(claimed(ana, project), span(4))
        report = report_named("projection").compute(project)
        [row] = [row for row in report.rows if row["role"] == "all"]
        assert (row["language"], row["source"], row["projected"], row["target"]) == ("ca", 1, 1, 1)
        assert any("en: 1" in note for note in report.notes)


class TestInStep:
    def test_a_source_without_labels_any_more_is_withdrawn_and_agreement_with_it(self, project: Project) -> None:
        source = sentence(project, 0, "en")
        gold = make_gold(source, [span(1)])
        make_gold(sentence(project, 0, "es"), [span(2)])
        run(project, "es")
        run(project, "en")
        assert len(seen(project)) == 2
        boss = make_member(project, Role.MANAGER)
        reopen_gold(project=project, unit=source.pk, layer=gold.layer, version=1, by=boss)
        # Nobody has decided anew: what was said still stands.
        run(project, "en")
        assert len(seen(project)) == 2
        decide_gold(unit=source.pk, layer=gold.layer, content=spans(), by=boss)

        job = run(project, "en")

        assert job.result["withdrawn"] == 1
        assert seen(project) == ["es"]
        assert current(project, "es").span_sources == [["es"]]
        assert len(reviews(project)) == 1
        check(project)

    def test_the_last_source_that_goes_takes_the_item_along(self, project: Project) -> None:
        gold = make_gold(sentence(project, 0, "en"), [span(1)])
        run(project, "en")
        decide_gold(unit=gold.unit_id, layer=gold.layer, version=1, content=spans(), by=None)
        run(project, "en")
        assert not reviews(project)
        unit = sentence(project, 0, "ca")
        assert Item.objects.filter(unit=unit, stage=stage_of(project, "correct", "ca")).count() == 1
        check(project)

    def test_one_made_anew_agrees_or_no_longer_does(self, project: Project) -> None:
        said(project, "es", 0.9, 2)
        said(project, "en", 0.8, 4, labelled=(1,))
        assert current(project, "es").span_sources == [["es"]]
        said(project, "en", 0.8, 2, labelled=(1,))
        assert current(project, "es").span_sources == [["es", "en"]]
        said(project, "en", 0.8, 4, labelled=(1,))
        assert current(project, "es").span_sources == [["es"]]

    def test_labels_that_are_renamed_still_agree(self, project: Project) -> None:
        said(project, "es", 0.9, 2)
        said(project, "en", 0.8, 2, labelled=(1,))
        job = change_scheme(
            layer=project.label_layer, plan=labels_plan([LabelRow(old="METAPHOR", code="FIGURE")]), version=1, by=None
        )
        if job is not None:
            finished(job)
        assert current(project, "es").span_sources == [["es", "en"]]
        assert (current(project, "es").score, current(project, "en").score) == (0.9, 0.8)
        assert seen(project) == ["es", "en"]

    def test_a_fixed_source_text_is_projected_anew_and_the_other_source_stays(self, project: Project) -> None:
        spanish = sentence(project, 0, "es")
        make_gold(spanish, [span(2)])
        make_gold(sentence(project, 0, "en"), [span(1)])
        run(project, "es", LabelSource.ANNOTATIONS)
        run(project, "en", LabelSource.ANNOTATIONS)
        english = current(project, "en")
        fixed = revise_text(project=project, unit=spanish.pk, text="La duda roe esta casa", by=None, anybodys=True)
        assert fixed.job is not None
        assert [(route["source"], route["target"]) for route in fixed.job.params["projections"]] == [("es", "ca")]
        finished(fixed.job)
        # The gold of the fixed sentence is open: nothing new is carried over until somebody decides.
        assert current(project, "en") == english
        decide_gold(unit=fixed.unit.pk, layer=project.label_layer, content=spans(span(2)), by=None)
        run(project, "es", LabelSource.ANNOTATIONS)
        assert current(project, "es").source_id == fixed.unit.pk
        assert sorted(seen(project)) == ["en", "es"]
        assert len(reviews(project)) == 1

    def test_a_fixed_target_text_gets_both_again_and_the_better_one_is_offered(
        self, project: Project, ana: User
    ) -> None:
        make_gold(sentence(project, 0, "es"), [span(2)])
        make_gold(sentence(project, 0, "en"), [span(1)])
        run(project, "es")
        run(project, "en")
        row = claimed(ana, project)
        save(row, done=False)
        target = sentence(project, 0, "ca")
        fixed = revise_text(project=project, unit=target.pk, text="El dubte rosega aquesta casa", by=ana)
        assert fixed.job is not None
        finished(fixed.job)

        unit = sentence(project, 0, "ca")
        rows = Suggestion.objects.filter(unit=unit, is_current=True)
        assert {row.source_language for row in rows} == {"es", "en"}
        assert all(len(of_span) == 2 for row in rows for of_span in row.span_sources)
        best = seen(project)[0]
        assert Assignment.objects.get(unit=unit, user=ana).suggestion == current(project, best)
        assert Annotation.objects.get(unit=unit, user=ana).suggestion == current(project, best)
        assert len(reviews(project)) == 1
        check(project)


class TestTakenBack:
    """The English sentences came with an import of their own, which is taken back."""

    @pytest.fixture
    def imported(self, project: Project) -> Import:
        made = Import.objects.create(project=project, dataset="english", published_at=timezone.now())
        english = Unit.objects.filter(project=project, language="en")
        english.update(imported=made)
        Item.objects.filter(unit__in=english).update(imported=made)
        return made

    def test_the_other_source_stays_and_what_it_alone_reached_leaves_the_review(
        self, project: Project, imported: Import, ana: User
    ) -> None:
        said(project, "es", 0.4, 2)
        said(project, "en", 0.8, 2, labelled=(1,))
        said(project, "en", 0.8, 3, number=1)
        row = claimed(ana, project)
        assert row.suggestion == current(project, "en")

        undo_import(imported=imported, by=None)

        assert seen(project) == ["es"]
        assert current(project, "es").span_sources == [["es"]]
        assert (len(reviews(project)), len(reviews(project, 1))) == (1, 0)
        assert claimed(ana, project).suggestion == current(project, "es")
        check(project)

    def test_it_is_not_taken_back_from_under_an_answer(self, project: Project, imported: Import, ana: User) -> None:
        said(project, "en", 0.8, 2, labelled=(1,))
        save(claimed(ana, project), span(2))
        with pytest.raises(ActionError, match="projected from this import"):
            undo_import(imported=imported, by=None)
        assert seen(project) == ["en"]
