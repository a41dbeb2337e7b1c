"""What an import writes is seen when all of it is there, and can be taken back."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.errors import ActionError
from annotator.domain.verbs import Verb
from annotator.formats.corpora.meta4xnli import read_corpus
from annotator.formats.corpus.corpus import Corpus
from annotator.imports.undo.undo_import import undo_import
from annotator.imports.writing import known_labels
from annotator.imports.writing import rows as import_rows
from annotator.imports.writing.imports import ImportSummary, import_corpus
from annotator.imports.writing.leases import EXPIRES_AFTER, LeaseLostError, hanging_on
from annotator.jobs.running import Interrupted
from annotator.models import (
    Assignment,
    BlindMark,
    Event,
    Gold,
    Import,
    Item,
    ItemState,
    Job,
    JobKind,
    JobState,
    Layer,
    LemmaPlace,
    Pair,
    Project,
    Segment,
    Stage,
    Unit,
)
from annotator.projects.actions.projects import create_project
from annotator.revisions.revisions import revise_text
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.actions.assignments import claim
from annotator.work.queue.actions.giving_back import free_open
from tests.corpus_files import DATASET, SAMPLE
from tests.deciding import decide_gold
from tests.factories import make_annotation, make_member, span, spans, stage_of
from tests.imports.test_imports import assert_counters_right, content, stage_numbers
from tests.saving import save

pytestmark = pytest.mark.django_db
PREMISE = "sample:prem:1_sample"


@pytest.fixture(autouse=True)
def small_batches(monkeypatch: pytest.MonkeyPatch) -> None:
    """As many as on SQLite, so that there is something between two of them."""
    monkeypatch.setattr(import_rows, "MORE", dict.fromkeys(import_rows.MORE, 1))


class Stop(Exception):
    """What a killed process would not have time to raise."""


def stop_at(number: int, look: Callable[[], None] = lambda: None) -> Callable[[], None]:
    """Something to call between transactions that looks around, and raises at the n-th call."""
    calls = 0

    def report() -> None:
        nonlocal calls
        calls += 1
        look()
        if calls == number:
            raise Stop

    return report


@pytest.fixture(scope="module")
def corpus() -> Corpus:
    return read_corpus(SAMPLE, DATASET)


@pytest.fixture
def project() -> Project:
    return create_project(slug="corpus", preset="meta4xnli-es-en", by=None)


def load(project: Project, corpus: Corpus, labels: str = "gold", **more: Any) -> ImportSummary:
    return import_corpus(project=project, corpus=corpus, labels=labels, by=None, **more)


@pytest.fixture(scope="class")
def texts(kept_rows_of_class: None, corpus: Corpus) -> Project:
    """A project with the texts and no labels, for all tests of a class."""
    project = create_project(slug="corpus", preset="meta4xnli-es-en", by=None)
    load(project, corpus, "none")
    return project


@pytest.fixture(scope="class")
def decided(kept_rows_of_class: None, corpus: Corpus) -> Project:
    """The same with gold."""
    project = create_project(slug="corpus", preset="meta4xnli-es-en", by=None)
    load(project, corpus)
    return project


def adjudicated(project: Project) -> dict[tuple[str, str], int]:
    stages = [stage for stage in project.stages.select_related("layer") if stage.adjudicates]
    return {(stage.layer.slug, stage.language): stage_numbers(stage)["done"] for stage in stages}


def test_nothing_is_seen_or_claimed_before_all_of_it_is_there(project: Project, corpus: Corpus) -> None:
    ana = make_member(project)
    stage = stage_of(project, "correct")
    seen: list[list[int]] = []

    def look() -> None:
        seen.append(
            [
                project.segments.count(),
                project.sentences.count(),
                Pair.objects.published().count(),
                Gold.objects.count(),
                len(claim(stage=stage, user=ana, now=timezone.now())),
                stage_numbers(stage)["total"],
            ]
        )

    load(project, corpus, "none", report=look)

    assert len(seen) > 5
    assert not any(map(any, seen))
    assert stage_numbers(stage)["total"] == 100
    assert len(claim(stage=stage, user=ana, now=timezone.now())) == 1


def part(corpus: Corpus, *languages: str) -> Corpus:
    """The corpus in some of its languages."""
    return Corpus(
        corpus.dataset,
        languages,
        corpus.segments,
        corpus.pairs,
        *(
            {language: given[language] for language in languages}
            for given in (corpus.sentences, corpus.spans, corpus.tags)
        ),
    )


def test_a_language_that_comes_later_joins_segments_and_pairs(project: Project, corpus: Corpus) -> None:
    load(project, part(corpus, "es"))
    assert Unit.objects.filter(kind=Segment.PAIR).count() == 75

    summary = load(project, part(corpus, "en"))

    assert (summary.segments.known, summary.pairs.known, summary.sentences["en"].new) == (100, 75, 100)
    assert project.slots.count() == 175
    assert Unit.objects.filter(kind=Segment.PAIR, language="en").count() == 75
    assert Gold.objects.count() == 350
    assert_counters_right(project)


@pytest.mark.parametrize("at", [1, 7, *(pytest.param(at, marks=pytest.mark.exhaustive) for at in (3, 5))])
def test_an_import_that_fails_leaves_nothing_and_can_be_begun_again(project: Project, corpus: Corpus, at: int) -> None:
    before = content()

    with pytest.raises(Stop):
        load(project, corpus, report=stop_at(at))

    assert content() == before
    assert not Import.objects.exists()
    load(project, corpus)
    assert Gold.objects.count() == 350
    assert_counters_right(project)


def killed(project: Project, corpus: Corpus, monkeypatch: pytest.MonkeyPatch, at: int, job: int | None = None) -> None:
    """An import that is killed: nobody cleans up after it."""
    with monkeypatch.context() as patched:
        patched.setattr("annotator.imports.writing.imports.drop_failed", lambda turn: None)
        with pytest.raises(Stop):
            load(project, corpus, job=job, report=stop_at(at))


def test_a_job_begins_anew_what_was_killed(project: Project, corpus: Corpus, monkeypatch: pytest.MonkeyPatch) -> None:
    killed(project, corpus, monkeypatch, 5, job=7)
    assert project.slots.exists()
    assert not project.segments.exists()

    summary = load(project, corpus, job=7)

    assert (summary.segments.new, Import.objects.count()) == (100, 1)
    assert_counters_right(project)


def test_what_was_cancelled_after_its_last_report_is_not_published(project: Project, corpus: Corpus) -> None:
    """Reports look at the job now and then; a short import may be over before the next look."""
    job = Job.objects.create(project=project, kind=JobKind.IMPORT, state=JobState.RUNNING)

    def cancel() -> None:
        Job.objects.filter(pk=job.pk).update(state=JobState.CANCELLED)

    with pytest.raises(Interrupted):
        load(project, corpus, job=job.pk, report=cancel)

    assert not (Unit.objects.exists() or Segment.objects.exists() or Import.objects.exists() or Gold.objects.exists())
    assert Event.objects.filter(verb=Verb.IMPORT).count() == 0


def test_what_a_dead_import_left_is_taken_back_by_the_next_one(
    project: Project, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    killed(project, corpus, monkeypatch, 5)
    Import.objects.update(seen_at=timezone.now() - EXPIRES_AFTER - timedelta(seconds=1))

    load(project, corpus)

    assert (Import.objects.count(), project.slots.count(), Gold.objects.count()) == (1, 175, 350)
    assert_counters_right(project)


def test_an_import_waits_for_another_one_that_is_alive(
    project: Project, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = Import.objects.create(project=project, dataset="other", labels="none")

    with pytest.raises(Stop):
        load(project, corpus, report=stop_at(2))
    assert Import.objects.get() == other

    def ends() -> None:
        Import.objects.filter(pk=other.pk).update(published_at=timezone.now())

    load(project, corpus, report=ends)
    assert project.segments.count() == 100


def test_an_import_that_was_taken_for_dead_writes_nothing_any_more(project: Project, corpus: Corpus) -> None:
    taken = False

    def report() -> None:
        nonlocal taken
        if project.slots.exists() and not taken:
            taken = True
            Import.objects.update(seen_at=timezone.now() - EXPIRES_AFTER - timedelta(seconds=1))
            load(project, corpus)

    with pytest.raises(LeaseLostError, match="Start it again"):
        load(project, corpus, report=report)

    assert (Import.objects.count(), project.slots.count(), Gold.objects.count()) == (1, 175, 350)
    assert_counters_right(project)


# Taking back


def test_all_that_can_hang_on_a_unit_goes_with_it_and_before_what_it_points_to() -> None:
    models = [rows.model for rows in hanging_on([1])]

    reached = {Unit}
    for model in models[::-1]:
        targets = {field.related_model for field in model._meta.concrete_fields if field.is_relation}
        assert model is Unit or targets & reached
        reached.add(model)
    leading = {relation.related_model for model in reached for relation in model._meta.related_objects}
    assert leading <= reached | {Unit.parents.through}
    for place, model in enumerate(models):
        pointing = {relation.related_model for relation in model._meta.related_objects} - {model}
        assert not pointing & set(models[place + 1 :])


def works(project: Project, unit: Unit) -> None:
    ana = make_member(project)
    own = claim(stage=stage_of(project, "correct"), user=ana, now=timezone.now())[0]
    save(own, spans(), done=False)


def decides(project: Project, unit: Unit) -> None:
    decide_gold(unit=unit.pk, layer=project.label_layer, content=spans(), by=make_member(project))


def draws(project: Project, unit: Unit) -> None:
    assign_blind(project=project, language="es", users=[make_member(project)], pairs=1, seed=1, by=None)


def works_and_hands_back(project: Project, unit: Unit) -> None:
    works(project, unit)
    own = Assignment.objects.get()
    free_open(stage=own.stage, user=own.user, mode=own.mode, by=own.user)


def fixes(project: Project, unit: Unit) -> None:
    revise_text(project=project, unit=unit.pk, text="Otro texto .", by=make_member(project), anybodys=True)


@pytest.mark.slow
def test_gold_on_what_was_there_before_is_open_again(project: Project, corpus: Corpus) -> None:
    spanish = part(corpus, "es")
    load(project, spanish, "none")
    first, before = Import.objects.get(), [stage_numbers(stage) for stage in project.stages.all()]
    load(project, spanish)
    with pytest.raises(ActionError, match="added to this import later"):
        undo_import(imported=first, by=None)

    undo_import(imported=Import.objects.latest("pk"), by=None)

    assert project.sentences.count() == 100
    assert not Gold.objects.exists()
    assert not Item.objects.exclude(state=ItemState.FREE).exclude(stage__kind="adjudicate").exists()
    assert [stage_numbers(stage) for stage in project.stages.all()] == before
    assert not LemmaPlace.objects.exclude(labelled=None).exists()
    load(project, spanish)
    assert set(Gold.objects.values_list("version", flat=True)) == {2}


def test_a_language_that_joined_goes_first(project: Project, corpus: Corpus) -> None:
    load(project, part(corpus, "es"), "none")
    load(project, part(corpus, "en"), "none")
    first, second = Import.objects.all()
    with pytest.raises(ActionError, match="added to this import later"):
        undo_import(imported=first, by=None)

    undo_import(imported=second, by=None)
    undo_import(imported=first, by=None)

    assert not Unit.objects.exists()


@pytest.mark.slow
def test_where_a_decision_goes_blind_work_is_blind_again(project: Project, corpus: Corpus) -> None:
    spanish = part(corpus, "es")
    load(project, spanish, "none")
    assign_blind(project=project, language="es", users=[make_member(project)], pairs=1, seed=1, by=None)
    load(project, spanish)
    assert not BlindMark.objects.filter(live=True).exists()

    undo_import(imported=Import.objects.latest("pk"), by=None)

    assert BlindMark.objects.exists()
    assert not BlindMark.objects.filter(live=False).exists()


class TestOnTexts:
    @pytest.fixture
    def project(self, texts: Project) -> Project:
        return copy.deepcopy(texts)

    def test_a_pair_is_made_of_its_sentences(self, project: Project) -> None:
        pair = Pair.objects.get(pair_id="1_sample")
        unit = pair.segment.units.get(language="en")
        assert unit.touches == [pair.segment_id, pair.premise_id, pair.hypothesis_id]
        assert {parent.segment_id for parent in unit.parents.all()} == {pair.premise_id, pair.hypothesis_id}
        assert {parent.language for parent in unit.parents.all()} == {"en"}
        sentence = Unit.objects.get(segment__uid=PREMISE, language="es")
        assert len(sentence.lemmas) == len(sentence.content_words) == sentence.token_count
        assert sentence.touches == [sentence.segment_id]
        assert sentence.imported == Import.objects.get()

    def test_gold_that_comes_later_decides_what_is_there(self, project: Project, corpus: Corpus) -> None:
        ana, ben = make_member(project), make_member(project)
        assign_blind(project=project, language="es", users=[ben], pairs=5, seed=1, by=None)
        own = claim(stage=stage_of(project, "correct"), user=ana, now=timezone.now())[0]
        saved = {
            "project": project,
            "assignment": own.pk,
            "version": 0,
            "content": spans(span(2)),
            "now": timezone.now(),
        }
        save_annotation(**saved, done=False, by=ana)

        load(project, corpus)

        assert not Item.objects.filter(stage__project=project).exclude(state=ItemState.DECIDED).exists()
        assert not BlindMark.objects.filter(live=True).exists()
        assert_counters_right(project)
        assert adjudicated(project)["labels", "es"] == 100
        assert not LemmaPlace.objects.filter(labelled=None).exists()
        with pytest.raises(ActionError, match="Gold has been decided"):
            save_annotation(**{**saved, "version": 1}, done=True, by=ana)

    @pytest.mark.slow
    def test_a_job_completes_the_gold_of_an_import_that_was_published(
        self, project: Project, corpus: Corpus, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(known_labels, "DECIDED_TOGETHER", 60)
        # Ten parts find nothing to write; then gold, in parts of sixty.
        parts = 0

        def count() -> None:
            nonlocal parts
            parts += 1

        other = create_project(slug="other", preset="meta4xnli-es-en", by=None)
        load(other, corpus, "none")
        load(other, corpus, report=count)
        with pytest.raises(Stop):
            load(project, corpus, job=7, report=stop_at(parts - 2))
        assert 0 < Gold.objects.filter(project=project).count() < 350
        assert_counters_right(project)

        load(project, corpus, job=7)
        events = Event.objects.count()
        again = load(project, corpus, job=7)

        assert Gold.objects.filter(project=project).count() == 350
        assert not again.changed
        assert Event.objects.count() == events
        assert Import.objects.filter(project=project, job_id=7).count() == 2
        assert_counters_right(project)

    def test_what_was_only_claimed_does_not_hinder(self, project: Project) -> None:
        ana = make_member(project)
        stage = stage_of(project, "correct")
        claim(stage=stage, user=ana, count=5, now=timezone.now())

        undo_import(imported=Import.objects.get(), by=None)

        assert not Assignment.objects.exists()
        assert stage_numbers(stage) == {"total": 0, "done": 0, "open": 0}
        assert not any(stage.counters.filter(user=ana).values_list("own_open", flat=True))

    @pytest.mark.parametrize(
        ("act", "words"),
        [
            (works, "on 1 item "),
            (decides, "on 1 item "),
            (draws, "on 3 items "),
            (works_and_hands_back, "on 1 item "),
            (fixes, "on 1 item "),
        ],
    )
    def test_what_people_worked_on_is_not_taken_back(
        self, project: Project, act: Callable[[Project, Unit], None], words: str
    ) -> None:
        act(project, Unit.objects.get(segment__uid=PREMISE, language="es"))
        before = content()

        with pytest.raises(ActionError, match=words):
            undo_import(imported=Import.objects.get(), by=None)

        assert content() == before
        assert not Event.objects.filter(verb="import.taken_back").exists()

    def test_answers_that_differ_wait_for_a_decision_again_once_it_is_taken_back(
        self, project: Project, corpus: Corpus
    ) -> None:
        unit = Unit.objects.get(segment__uid=PREMISE, language="es")
        for place in (0, 1):
            make_annotation(unit, make_member(project), [span(place)])
        waiting = Item.objects.filter(unit=unit, stage__kind=Stage.ADJUDICATE, state=ItemState.FREE)
        assert waiting.exists()
        load(project, corpus)
        assert not waiting.exists()

        undo_import(imported=Import.objects.latest("pk"), by=None)

        assert waiting.exists()
        assert_counters_right(project)

    def test_a_decision_on_what_was_there_that_somebody_reopened_is_theirs(
        self, project: Project, corpus: Corpus
    ) -> None:
        load(project, corpus)
        unit = Unit.objects.get(segment__uid=PREMISE, language="es")
        reopen_gold(project=project, unit=unit.pk, layer=project.label_layer, version=1, by=make_member(project))

        with pytest.raises(ActionError, match="on 1 item "):
            undo_import(imported=Import.objects.latest("pk"), by=None)


class TestOnGold:
    @pytest.fixture
    def project(self, decided: Project) -> Project:
        return copy.deepcopy(decided)

    def test_items_counters_and_lemmas_follow(self, project: Project) -> None:
        assert_counters_right(project)
        totals = {
            (stage.kind, stage.language): stage_numbers(stage)
            for stage in project.stages.all()
            if not stage.adjudicates
        }
        of = {"open": 0}
        assert totals == {
            ("correct", "es"): {"total": 100, "done": 100, **of},
            ("correct", "en"): {"total": 100, "done": 100, **of},
            ("project-review", "en"): {"total": 0, "done": 0, **of},
            ("pair-tag", "es"): {"total": 75, "done": 75, **of},
            ("pair-tag", "en"): {"total": 75, "done": 75, **of},
        }
        assert adjudicated(project) == {
            ("labels", "es"): 100,
            ("labels", "en"): 100,
            ("interpretation", "es"): 75,
            ("interpretation", "en"): 75,
        }
        labelled = LemmaPlace.objects.filter(labelled=True).values_list("lemma", flat=True)
        assert {"devorar", "batería"} <= set(labelled)
        assert not LemmaPlace.objects.filter(labelled=None).exists()

    def test_taking_back_leaves_the_project_as_it_was(self, project: Project, corpus: Corpus) -> None:
        ana = make_member(project)
        imported = Import.objects.get()

        undo_import(imported=imported, by=ana)

        for model in (Segment, Unit, Pair, Item, LemmaPlace, Import):
            assert not model._default_manager.exists(), model
        assert not Gold.all_rows.exists()
        assert not any(adjudicated(project).values())
        assert_counters_right(project)
        event = Event.objects.latest("pk")
        assert (event.verb, event.actor, event.before["import"]) == ("import.taken_back", ana, imported.pk)
        assert load(project, corpus).segments.new == 100

    def test_gold_that_somebody_reopened_is_theirs(self, project: Project) -> None:
        unit = Unit.objects.get(segment__uid=PREMISE, language="es")
        layer: Layer = project.label_layer
        reopen_gold(project=project, unit=unit.pk, layer=layer, version=1, by=make_member(project))

        with pytest.raises(ActionError, match="on 1 item "):
            undo_import(imported=Import.objects.get(), by=None)

    def test_nothing_is_taken_back_while_another_import_is_under_way(self, project: Project) -> None:
        Import.objects.create(project=project, dataset="other", labels="none")

        with pytest.raises(ActionError, match="under way"):
            undo_import(imported=Import.objects.first(), by=None)

        assert project.sentences.count() == 200
