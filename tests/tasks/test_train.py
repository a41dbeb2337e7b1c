"""Detectors that learn from a project: what they learn from, that the better one becomes active, and who says so."""

from __future__ import annotations

import copy
import os
import random
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.domain.labels.spans import Scheme
from annotator.domain.learning import Split, split_of
from annotator.jobs import running as jobs
from annotator.jobs.actions import cancel_job, retry_job, start_job
from annotator.jobs.running import run_job
from annotator.jobs.sweep import free_dead_workers
from annotator.machines.actions.training import TrainingWatch, set_train_every, train_when_due
from annotator.machines.queries import training as queries
from annotator.machines.queries.training import (
    InUse,
    built_in,
    detector_in_use,
    examples,
    finished_sentences,
    learning,
)
from annotator.models import (
    Annotation,
    AnnotationState,
    Assignment,
    Event,
    Job,
    JobKind,
    JobState,
    Mode,
    Project,
    Segment,
    Sentence,
    Suggestion,
    TrainedDetector,
    User,
)
from annotator.work.queue.actions.items import enter_stages
from mlworkers import training
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    span,
    spans,
    stage_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db

# Whoever says these words here says them figuratively, which the built-in detector cannot know.
FIGURATIVE = ["grimba", "trolinga", "zapurra"]
PLAIN = ["mesa", "ventana", "vecina", "carta", "calle", "tarde", "sopa", "puerta", "lluvia", "silla"]


@pytest.fixture(autouse=True)
def models_dir(settings: Any, tmp_path: Path) -> None:
    settings.MEDIA_ROOT = tmp_path


Labels = list[dict[str, Any]]


def figurative(project: Project, *seeds: int, language: str = "es") -> list[tuple[Sentence, Labels]]:
    """Sentences, two in three with a figurative word, and their labels. Written at once: tests want hundreds."""
    first = project.slots.count()
    texts, found = [], []
    for seed in seeds:
        draw = random.Random(seed)
        words = [draw.choice(PLAIN) for _ in range(6)]
        place = draw.randrange(6)
        if seed % 3:
            words[place] = draw.choice(FIGURATIVE)
        texts.append(words)
        found.append([span(place)] if seed % 3 else [])
    segments = Segment.objects.bulk_create(
        # The group decides what is held out: always the same here, whichever tests ran before.
        Segment(
            project=project, uid=f"figurative:{first + n}", dataset="set", group=f"group {seed}", position=first + n
        )
        for n, seed in enumerate(seeds)
    )
    sentences = Sentence.objects.bulk_create(
        Sentence(
            project=project,
            segment=segment,
            language=language,
            tokens=words,
            token_count=len(words),
            touches=[segment.pk],
        )
        for segment, words in zip(segments, texts, strict=True)
    )
    enter_stages(project, sentences)
    return list(zip(sentences, found, strict=True))


def labelled(project: Project, annotator: User, number: int, *, language: str = "es", **more: Any) -> list[Annotation]:
    """Figurative sentences with the annotator's labels."""
    return annotated(project, annotator, figurative(project, *range(number), language=language), **more)


def annotated(
    project: Project, annotator: User, sentences: Sequence[tuple[Sentence, Labels]], *, mode: str = Mode.REVIEW
) -> list[Annotation]:
    """A finished annotation of each of the sentences."""
    return Annotation.objects.bulk_create(
        Annotation(
            project=project,
            unit=sentence,
            layer=project.label_layer,
            user=annotator,
            mode=mode,
            state=AnnotationState.DONE,
            content=spans(*found),
            done_at=timezone.now(),
        )
        for sentence, found in sentences
    )


def train(project: Project, **params: Any) -> Job:
    return start_job(project=project, kind=JobKind.TRAIN, params={"language": "es", **params}, by=None)


def predict(project: Project, **params: Any) -> Job:
    return start_job(project=project, kind=JobKind.PREDICT, params={"language": "es", **params}, by=None)


def run(job: Job) -> Job:
    run_job(job.pk, worker="one")
    job.refresh_from_db()
    return job


@pytest.fixture(scope="module")
def finished_once(kept_rows: None) -> Project:
    made = make_project()
    labelled(made, make_member(made), 100)
    figurative(made, 1001, 1003, 1004, 1005, 1006)
    return made


@pytest.fixture
def project(finished_once: Project, db: None) -> Project:
    """A hundred finished sentences, and five that nobody has begun."""
    return copy.deepcopy(finished_once)


@pytest.fixture(scope="class")
def trained(
    finished_once: Project, kept_rows_of_class: None, tmp_path_factory: pytest.TempPathFactory
) -> tuple[Project, Path]:
    """The same with a detector that learnt from it, and the storage that has it."""
    folder = tmp_path_factory.mktemp("stored")
    with override_settings(MEDIA_ROOT=folder):
        assert run(train(finished_once)).state == JobState.DONE
    return finished_once, folder


def test_a_detector_learns_what_the_built_in_one_cannot_know(project: Project) -> None:
    assert learning(project) == []

    job = run(train(project))

    assert (job.state, job.error) == (JobState.DONE, "")
    assert job.done == job.total == 5
    detector = TrainedDetector.objects.get()
    assert (detector.project, detector.language, detector.job, detector.engine) == (project, "es", job, "crf")
    assert detector.sentences + detector.held_out_sentences == 100
    assert detector.active and detector.f1 > 90
    assert detector.baseline == built_in("es")
    assert detector.baseline_f1 is not None and detector.baseline_f1 < 50
    assert job.result["skipped"] == {"without a decision": 5}
    assert detector_in_use(project, "es").spec == detector.spec
    assert detector_in_use(project, "en").spec == built_in("en")


def test_the_better_one_serves_what_was_pre_labelled_before(project: Project) -> None:
    first = run(predict(project, chunk=3))
    before = {row.unit_id: row.content["spans"] for row in Suggestion.objects.filter(is_current=True)}
    assert not any(before.values())
    people = list(Annotation.objects.values())

    job = run(train(project))

    again = Job.objects.get(pk=job.result["pre_labelled_again_by_job"])
    detector = TrainedDetector.objects.get()
    assert again.params == {**first.params, "detector": detector.spec}
    run(again)
    now = Suggestion.objects.filter(is_current=True)
    assert {row.revision for row in now} == {detector.revision}
    assert sum(bool(row.content["spans"]) for row in now) >= 2
    assert Suggestion.objects.filter(job=first, is_current=False).count() == 5
    assert list(Annotation.objects.values()) == people
    # Nothing new to learn: the next one is no better than the one in use, which stays active.
    second = run(train(project))
    assert TrainedDetector.objects.get(job=second).baseline == detector.spec
    assert TrainedDetector.objects.get(job=second).active is False
    assert "pre_labelled_again_by_job" not in second.result
    assert detector_in_use(project, "es").spec == detector.spec


def test_a_language_without_a_built_in_detector_gets_its_own() -> None:
    project = make_project(languages=("ca", "en"))
    ana = make_member(project)
    labelled(project, ana, 100, language="ca")
    ((sentence, _labels),) = figurative(project, 1001, language="ca")

    job = run(start_job(project=project, kind=JobKind.TRAIN, params={"language": "ca"}, by=None))

    detector = TrainedDetector.objects.get(job=job)
    assert (detector.active, detector.baseline, detector.baseline_f1) == (True, "", None)
    run(start_job(project=project, kind=JobKind.PREDICT, params={"language": "ca"}, by=None))
    assert Suggestion.objects.get(unit=sentence).revision == detector.revision


def test_what_is_held_out_is_never_learnt_from_and_stays_so(project: Project) -> None:
    before = {row.sentence: row.split for row in examples(project, "es", "METAPHOR").rows}
    labelled(project, make_member(project), 40)
    after = {row.sentence: row.split for row in examples(project, "es", "METAPHOR").rows}

    assert {sentence: after[sentence] for sentence in before} == before
    assert {Split.TRAIN, Split.DEVELOPMENT, Split.HELD_OUT} == set(after.values())
    # A premise and its hypotheses share their words, and so does a sentence with its translation.
    assert all(split == split_of(Sentence.objects.get(pk=pk).segment.group) for pk, split in after.items())


def test_gold_comes_before_annotations_and_only_one_label_counts() -> None:
    project = make_project()
    ana = make_member(project)
    decided, finished, begun = (make_sentence(project, "La vida es un viaje") for _ in range(3))
    make_annotation(decided, ana, [span(1)])
    make_gold(decided, [span(4), span(1, label="OTHER")])
    make_annotation(finished, ana, [span(4)])
    make_annotation(begun, ana, [span(1)], state=AnnotationState.OPEN)

    found = examples(project, "es", "METAPHOR")

    assert [(row.sentence, row.spans) for row in found.rows] == [(decided.pk, [span(4)]), (finished.pk, [span(4)])]
    assert found.without == 1


def test_two_blind_opinions_are_no_decision() -> None:
    project = make_project()
    sentence = make_sentence(project)
    for _person in range(2):
        make_annotation(sentence, make_member(project), [span(1)], mode=Mode.BLIND)

    assert examples(project, "es", "METAPHOR").rows == []


def test_too_few_labels_are_told_with_their_numbers() -> None:
    project = make_project()
    labelled(project, make_member(project), 9)

    with pytest.raises(ActionError, match=r"too little to learn from.*At least 10 and 5 are needed"):
        train(project)

    assert not Job.objects.exists()


def test_labels_that_were_taken_back_before_the_training_began_are_missed(project: Project) -> None:
    job = train(project)
    Annotation.objects.update(state=AnnotationState.OPEN)

    run(job)

    assert job.state == JobState.FAILED
    assert "too little to learn from: 0 labelled tokens in 0 sentences" in job.error
    assert not TrainedDetector.objects.exists()


@pytest.mark.parametrize(
    ("params", "says"),
    [
        ({"language": "fr"}, "not have the language"),
        ({"engine": "lexical"}, "Unknown training engine"),
        ({"engine": "transformers:"}, "Unknown training engine"),
        ({"label": "IDIOM"}, "must be one of: METAPHOR"),
    ],
)
def test_what_cannot_be_trained_is_refused(project: Project, params: dict[str, str], says: str) -> None:
    with pytest.raises(ActionError, match=says):
        train(project, **params)
    assert not Job.objects.exists()


def test_whoever_goes_on_learns_from_what_was_planned(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker dies in the middle; meanwhile people go on working; the job's numbers are those of its plan."""
    job = train(project)

    class Died(BaseException):
        pass

    def die(*args: object) -> None:
        raise Died

    with monkeypatch.context() as patched:
        patched.setattr(training, "_train_crf", die)
        with pytest.raises(Died):
            run_job(job.pk, worker="one")
    labelled(project, make_member(project), 30)
    free_dead_workers()

    run(job)

    detector = TrainedDetector.objects.get()
    assert detector.sentences + detector.held_out_sentences == 100
    assert job.chunks.get().attempts == 2


def test_a_cancelled_training_ends_in_its_middle(project: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0.0)
    job = train(project)
    told: list[int] = []
    apart = training.in_child_process

    def cancelled(*args: Any, progress: Any, **more: Any) -> Any:
        def heard(done: int, total: int) -> None:
            told.append(done)
            if done == 2:
                assert Job.objects.get(pk=job.pk).done == 1
                cancel_job(job=job, by=None)
            progress(done, total)

        return apart(*args, progress=heard, **more)

    monkeypatch.setattr(training, "in_child_process", cancelled)
    run_job(job.pk, worker="one")
    monkeypatch.undo()

    job.refresh_from_db()
    assert (job.state, sorted(set(told) - {0})) == (JobState.CANCELLED, [1, 2])
    assert not TrainedDetector.objects.exists()
    run(retry_job(job=job, by=None))
    assert TrainedDetector.objects.get().active
    job.refresh_from_db()
    assert (job.state, job.done) == (JobState.DONE, job.total)


def test_a_worker_that_is_asked_to_stop_leaves_a_training_to_others(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0.0)
    job = train(project)
    asked: list[int] = []

    def after_two() -> bool:
        asked.append(1)
        return len(asked) > 2

    run_job(job.pk, worker="one", stop=after_two)

    job.refresh_from_db()
    chunk = job.chunks.get()
    assert (job.state, chunk.state, chunk.attempts) == (JobState.RUNNING, "pending", 0)
    run(job)
    assert (job.state, job.done) == (JobState.DONE, job.total)


def begun(project: Project, annotator: User, number: int, *, language: str = "es") -> list[Assignment]:
    """Sentences that the annotator has begun; what they hold is for `finish` to say."""
    stage = stage_of(project, "correct", language)
    made = figurative(project, *range(number), language=language)
    return [make_assignment(sentence, annotator, stage) for sentence, _labels in made]


def finished(project: Project, annotator: User, number: int, *, nothing: bool = False) -> list[Annotation]:
    """Labelled sentences, or ones with `nothing` labelled, counted as those that a person has done."""
    made = figurative(project, *range(number))
    stage = stage_of(project, "correct")
    for sentence, _labels in made:
        make_assignment(sentence, annotator, stage, done=True)
    return annotated(project, annotator, [(sentence, []) for sentence, _labels in made] if nothing else made)


def finish(assignment: Assignment) -> None:
    content = spans(span(0)) if assignment.unit.language == "es" else spans()
    save(assignment, content)


def two_labels(languages: tuple[str, ...] = ("es", "en")) -> Project:
    """A hundred finished sentences, the figurative words of each labelled METAPHOR, and its first word NAME."""
    project = make_project(languages=languages)
    layer = project.label_layer
    layer.scheme_data = Scheme(labels=("METAPHOR", "NAME")).to_json()
    layer.save()
    ana = make_member(project)
    both = [
        (sentence, found if span(0) in found else [*found, span(0, label="NAME")])
        for sentence, found in figurative(project, *range(100), language=languages[0])
    ]
    annotated(project, ana, both)
    figurative(project, 1001, language=languages[0])
    return project


def test_another_label_does_not_take_away_the_suggestions_of_the_one_in_use() -> None:
    project = two_labels()
    first = run(predict(project))
    assert first.state == JobState.DONE

    job = run(train(project, label="NAME"))

    assert job.state == JobState.FAILED
    assert f"The active detector, {built_in('es')}, suggests METAPHOR" in job.error
    assert Suggestion.objects.filter(is_current=True, job=first).count() == 1
    assert run(train(project)).state == JobState.DONE
    assert TrainedDetector.objects.get().label == "METAPHOR"


def test_before_anything_is_suggested_any_label_can_be_learnt_and_is_kept_to() -> None:
    project = two_labels()

    run(train(project, label="NAME"))

    detector = TrainedDetector.objects.get()
    assert (detector.label, detector.baseline, detector.active) == ("NAME", "", True)
    assert detector.labelled_tokens > 50
    assert train(project).params["label"] == "NAME"


def test_in_use_is_what_labelled_something_last(project: Project) -> None:
    """Neither a name that nothing is called, nor a pre-labelling of nothing, nor a failed one."""
    assert detector_in_use(project, "es") == InUse(built_in("es"), suggested=False)
    run(predict(project, detector="nothing-like-it"))
    assert detector_in_use(project, "es") == InUse(built_in("es"), suggested=False)
    run(train(project))
    detector = TrainedDetector.objects.get()
    assert detector_in_use(project, "es") == InUse(detector.spec, suggested=False)
    run(predict(project))
    assert detector_in_use(project, "es") == InUse(detector.spec, suggested=True)
    run(predict(project, detector="crf"))
    assert detector_in_use(project, "es") == InUse("crf", suggested=True)


@pytest.mark.parametrize("spec", ["trained:", "trained:x", "trained:-1", "trained:999", "trained:" + "9" * 5_000])
def test_a_number_that_no_detector_has_is_refused(project: Project, spec: str) -> None:
    with pytest.raises(ActionError, match=r"This project has no detector .* Available: none"):
        predict(project, detector=spec)


def test_two_opinions_on_a_sentence_are_one_finished_sentence() -> None:
    project = set_train_every(project=make_project(), hundreds=1, by=None)
    ana, ben = make_member(project), make_member(project)
    first = finished(project, ana, 60)
    annotated(project, ben, [(row.unit, row.content["spans"]) for row in first], mode=Mode.BLIND)
    for annotation in first:
        make_assignment(annotation.unit, ben, stage_of(project, "correct"), mode=Mode.BLIND, done=True)

    assert train_when_due(project=project, language="es") is None
    assert finished_sentences(project, "es") == 60


def test_every_so_many_finished_sentences_a_training_begins() -> None:
    project = set_train_every(project=make_project(), hundreds=1, by=None)
    ana = make_member(project)
    finished(project, ana, 98)
    first, second, third = begun(project, ana, 3)
    (english,) = begun(project, ana, 1, language="en")
    watch = TrainingWatch()

    finish(first)
    finish(english)
    watch()
    assert not Job.objects.exists()
    finish(second)
    # A save starts nothing: nobody waits for it.
    assert not Job.objects.exists()
    watch()

    job = Job.objects.get()
    assert (job.kind, job.params["language"], job.created_by) == (JobKind.TRAIN, "es", None)
    assert job.result == {"finished_sentences": 100}
    finish(third)
    watch()
    assert Job.objects.count() == 1
    run(job)
    # From its beginning on the next hundred counts, and one of them is there already.
    finished(project, ana, 98)
    watch()
    assert Job.objects.filter(kind=JobKind.TRAIN).count() == 1
    (last,) = begun(project, ana, 1)
    finish(last)
    watch()
    assert Job.objects.filter(kind=JobKind.TRAIN).count() == 2


def test_what_came_in_with_its_gold_does_not_start_a_training() -> None:
    project = set_train_every(project=make_project(), hundreds=1, by=None)
    for sentence, found in figurative(project, *range(100)):
        make_gold(sentence, found)

    TrainingWatch()()

    assert not Job.objects.exists()
    assert finished_sentences(project, "es", by_people=False) == 100


def test_a_training_that_failed_waits_for_as_many_sentences_as_any() -> None:
    project = set_train_every(project=make_project(), hundreds=1, by=None)
    finished(project, make_member(project), 100)
    job = train_when_due(project=project, language="es")
    assert job is not None
    Job.objects.update(state=JobState.FAILED)

    assert train_when_due(project=project, language="es") is None
    assert train(project).result == {"finished_sentences": 100}


def test_nothing_begins_by_itself_while_there_is_too_little_to_learn_from(django_assert_num_queries: Any) -> None:
    project = set_train_every(project=make_project(), hundreds=1, by=None)
    ana = make_member(project)
    finished(project, ana, 100, nothing=True)
    watch = TrainingWatch()

    watch()

    assert not Job.objects.exists()
    # And the labels are not read again before more are finished.
    with django_assert_num_queries(2):
        watch()
    finished(project, ana, 60)
    watch()
    assert Job.objects.get().result == {"finished_sentences": 160}


def test_by_hand_only_when_the_project_wants_it_so() -> None:
    project = set_train_every(project=make_project(), hundreds=0, by=None)
    finished(project, make_member(project), 100)

    TrainingWatch()()

    assert train_when_due(project=project, language="es") is None
    assert not Job.objects.exists()


def test_who_starts_a_training_waits_for_no_count_of_many_labels(monkeypatch: pytest.MonkeyPatch) -> None:
    """Where more than a few sentences are finished, the worker that takes it says that there is too little."""
    monkeypatch.setattr(queries, "FEW", 5)
    project = make_project()
    ana = make_member(project)
    finished(project, ana, 6, nothing=True)

    with CaptureQueriesContext(connection) as asked:
        job = train(project)

    assert not [query for query in asked if "annotator_annotation" in query["sql"]]
    assert run(job).state == JobState.FAILED
    assert "too little to learn from: 0 labelled tokens" in job.error


def test_how_often_is_logged_and_has_limits() -> None:
    project = make_project()
    mara = make_member(project)

    set_train_every(project=project, hundreds=5, by=mara)

    event = Event.objects.get(verb="project.train_every")
    assert (event.actor, event.before, event.after) == (mara, {"hundreds": 2}, {"hundreds": 5})
    for wrong in (-1, 101):
        with pytest.raises(ActionError, match="or 0 to train a detector only by hand"):
            set_train_every(project=project, hundreds=wrong, by=mara)
    project.refresh_from_db()
    assert project.train_every == 5


class TestTrained:
    """What begins with a detector that learnt: it does so once for all."""

    @pytest.fixture
    def project(self, trained: tuple[Project, Path], tmp_path: Path) -> Project:
        made, folder = trained
        shutil.copytree(folder / "models", tmp_path / "models", copy_function=os.link)
        return copy.deepcopy(made)

    def test_one_that_is_no_better_does_not_serve_and_leaves_no_files(self, project: Project) -> None:
        better = TrainedDetector.objects.get()

        job = run(train(project))

        worse = TrainedDetector.objects.get(job=job)
        assert (worse.active, worse.f1, worse.baseline, worse.baseline_f1) == (False, better.f1, better.spec, better.f1)
        assert not site_files().here(worse.stored_folder).exists()
        assert site_files().here(better.stored_folder).is_dir()
        with pytest.raises(ActionError, match="no detector"):
            predict(project, detector=worse.spec)

    def test_another_projects_detector_is_not_there(self, project: Project) -> None:
        other = make_project()
        make_sentence(other)

        with pytest.raises(ActionError, match="This project has no detector"):
            predict(other, detector=TrainedDetector.objects.get().spec)

    def test_a_worker_without_the_files_says_so(self, project: Project, settings: Any, tmp_path: Path) -> None:
        settings.MEDIA_ROOT = tmp_path / "elsewhere"

        job = run(predict(project))

        assert job.state == JobState.FAILED
        assert "are missing in the storage" in job.error
        # Lost for good: the baseline is active again, and a new one is trained.
        assert run(predict(project, detector="crf")).state == JobState.DONE
        assert TrainedDetector.objects.get(job=run(train(project))).baseline == "crf"

    def test_a_projects_detector_has_no_other_name(self, project: Project) -> None:
        folder = site_files().here(TrainedDetector.objects.get().stored_folder)
        other = make_project()
        make_sentence(other)

        for spec in (
            f"crf:{folder}",
            str(folder),
            f"transformers:{folder.parent}/../{folder.parent.name}/{folder.name}",
        ):
            job = run(predict(other, detector=spec))
            assert job.state == JobState.FAILED
            assert "in the folder of the projects' own detectors" in job.error
        assert not other.suggestions.exists()

    def test_the_same_detector_has_one_name(self, project: Project) -> None:
        detector = TrainedDetector.objects.get()

        assert predict(project, detector=f"trained:00{detector.pk}").params["detector"] == detector.spec

    def test_the_course_shows_both_and_which_is_active(self, project: Project) -> None:
        run(train(project))

        (course,) = learning(project)

        first, second = course.detectors
        assert (course.language, course.in_use, course.active) == ("es", first.spec, first)
        assert (first.active, second.active) == (True, False)
