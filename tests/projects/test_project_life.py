"""Copying, archiving and deleting a project, its settings, languages and stages."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.utils import timezone

from annotator.core.access import projects_for
from annotator.core.errors import ActionError, ArchivedError
from annotator.core.presets import StageSpec, Texts
from annotator.core.starts import STARTS
from annotator.domain.labels.relabel import LabelRow
from annotator.imports.terms import change_import_terms
from annotator.imports.undo.undo_import import undo_import
from annotator.jobs import running as jobs
from annotator.jobs.actions import start_job
from annotator.machines.actions.training import set_train_every
from annotator.machines.actions.transfers import transfer_tags
from annotator.models import (
    Annotation,
    Event,
    Import,
    Item,
    Job,
    JobKind,
    JobState,
    Membership,
    Mode,
    Project,
    Role,
    Stage,
    Unit,
    User,
)
from annotator.projects import jobs as project_jobs
from annotator.projects.actions import stages
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.delete_project import delete_project
from annotator.projects.actions.guidelines import edit_guidelines, fingerprint
from annotator.projects.actions.project_settings import (
    add_language,
    archive_project,
    change_settings,
    remove_language,
    restore_project,
)
from annotator.projects.actions.projects import add_member, change_role, create_project, free_slug, remove_member
from annotator.projects.actions.relabel import change_scheme, labels_plan
from annotator.projects.actions.stages import add_stages, order_stages, remove_stage
from annotator.revisions.revisions import revise_text
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.gold.actions.gold import reopen_gold
from annotator.work.queue.actions.assignments import assign_review, claim
from annotator.work.queue.actions.giving_back import free_open
from tests.deciding import decide_gold
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_project,
    make_release,
    make_sentence,
    make_tag,
    make_user,
    span,
    spans,
    stage_of,
)
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("start", STARTS.values(), ids=lambda start: start.name)
@pytest.mark.parametrize("languages", [("ca",), ("ca", "es"), ("ar", "eu", "pt-BR")])
def test_every_starting_point_serves_any_languages(start: Any, languages: tuple[str, ...]) -> None:
    project = create_project(slug="corpus", preset=start.preset(languages), by=None)

    assert project.languages == list(languages)
    assert {stage.language for stage in project.stages.all()} == set(languages)
    assert bool(project.tag_layer) == (start.texts == Texts.PAIRS)
    assert "English" not in str(project.guidelines.get("en"))
    assert "inglés" not in str(project.guidelines.get("es"))


def test_what_is_projected_begins_in_one_language_and_what_is_compared_is_answered_twice() -> None:
    languages = ("ca", "es")
    parallel, agreement = (STARTS[name].preset(languages) for name in ("parallel", "agreement"))

    assert [spec.language for spec in parallel.stages if spec.kind == "project-review"] == ["es"]
    twice = [(spec.mode, spec.answers_wanted) for spec in agreement.stages if spec.kind == "correct"]
    assert twice == [("blind", 2)] * 2
    assert [bool(one.roles or one.inferences) for one in (parallel, STARTS["pairs"].preset(languages))] == [False, True]


def test_short_names_are_made_of_latin_letters_and_free() -> None:
    make_project("metafora-catala-espanol")

    assert free_slug("Metàfora Català–Español") == "metafora-catala-espanol-2"
    assert free_slug("Метафора") == "metafora"
    assert free_slug("…") == "project"


class TestSettings:
    def test_what_is_different_is_one_event(self) -> None:
        project, mara = make_project(), make_user()

        change_settings(
            project=project,
            changes={"name": " Letters ", "adjudicate_own": True, "descriptions": {"es": "Cartas", "en": " "}},
            by=mara,
        )

        project.refresh_from_db()
        assert (project.name, project.descriptions) == ("Letters", {"es": "Cartas"})
        event = Event.objects.get()
        assert (event.actor, event.after) == (mara, {"name": "Letters", "descriptions": {"es": "Cartas"}})
        change_settings(project=project, changes={"name": "Letters"}, by=mara)
        assert Event.objects.count() == 1

    @pytest.mark.parametrize(
        "changes",
        [
            {"name": " "},
            {"slug": "other"},
            {"train_every": 101},
            {"dictionaries": {"es": [{"name": "DLE", "url": "javascript:{lemma}"}]}},
            {"dictionaries": {"es": [{"name": "DLE", "url": "https://dle.rae.es/"}]}},
        ],
    )
    def test_what_cannot_be_changes_nothing(self, changes: dict[str, Any], project: Project) -> None:
        with pytest.raises(ActionError):
            change_settings(project=project, changes={"adjudicate_own": False, **changes}, by=None)
        assert Project.objects.get().adjudicate_own
        assert not Event.objects.exists()

    def test_a_language_has_dictionaries_of_its_own(self) -> None:
        project = make_project(languages=("ca", "es"))
        own = [{"name": "DIEC2", "url": "https://dlc.iec.cat/?word={lemma}"}]
        change_settings(project=project, changes={"dictionaries": {"ca": own}}, by=None)
        project.refresh_from_db()
        assert project.dictionaries_for("ca") == own
        assert project.dictionaries_for("es")[0]["name"] == "DLE"


class TestLanguages:
    def test_a_further_language_gets_the_stages_of_the_others(self) -> None:
        project = make_project(languages=("es", "en"))
        add_language(project=project, language="ca", by=None)
        project.refresh_from_db()
        assert project.languages == ["es", "en", "ca"]
        kinds = [(s.kind, s.layer.slug) for s in project.stages.filter(language="ca")]
        assert kinds == [(s.kind, s.layer.slug) for s in project.stages.filter(language="en")]

    def test_a_language_with_sentences_stays(self, project: Project) -> None:
        make_sentence(project)
        with pytest.raises(ActionError, match="1 sentence"):
            remove_language(project=project, language="es", by=None)
        remove_language(project=project, language="en", by=None)
        project.refresh_from_db()
        assert project.languages == ["es"]
        assert not project.stages.filter(language="en").exists()

    def test_imports_written_in_a_removed_language_no_longer_name_it(self, project: Project) -> None:
        english, spanish = (
            Import.objects.create(project=project, dataset=code, original_language=code, published_at=timezone.now())
            for code in ("en", "es")
        )
        elsewhere = Import.objects.create(project=make_project("other"), dataset="en", original_language="en")
        remove_language(project=project, language="en", by=None)
        found = Import.objects.filter(pk__in=[english.pk, spanish.pk, elsewhere.pk]).order_by("pk")
        assert [one.original_language for one in found] == ["", "es", "en"]
        event = project.events.get(verb="project.language_remove")
        assert event.before == {"language": "en", "original_of": [english.pk]}
        # Their other terms can still be changed.
        assert change_import_terms(imported=english, licence="CC0", by=None).licence == "CC0"


class TestStages:
    def test_a_stage_that_comes_late_has_an_item_for_every_sentence(self, project: Project) -> None:
        sentences = [make_sentence(project) for _ in range(3)]
        make_gold(sentences[0])
        add_stages(project=project, specs=[StageSpec("correct", "es", mode="blind", answers_wanted=2)], by=None)
        late = project.stages.last()
        assert list(Item.objects.filter(stage=late).order_by("unit").values_list("answers_wanted", "state")) == [
            (2, "decided"),
            (2, "free"),
            (2, "free"),
        ]

    @pytest.mark.django_db(transaction=True)
    def test_many_items_are_made_by_a_job(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(stages, "MAX_INLINE", 2)
        monkeypatch.setattr(project_jobs, "FILL_CHUNK", 2)
        project = make_project()
        for _ in range(5):
            make_sentence(project)
        job = add_stages(project=project, specs=[StageSpec("correct", "es")], by=None)
        assert job is not None
        late = project.stages.last()
        make_sentence(project)  # comes in before the job begins, and enters by itself
        jobs.run_job(job.pk, worker="test")
        job.refresh_from_db()
        assert (job.state, job.error) == (JobState.DONE, "")
        assert Item.objects.filter(stage=late).count() == 6

    def test_answers_keep_a_stage(self, project: Project, ana: User) -> None:
        stage = stage_of(project, "correct")
        sentence = make_sentence(project)
        assigned = make_assignment(sentence, ana, stage)
        tagging = stage_of(project, "pair-tag")
        save(assigned, {"spans": []})
        with pytest.raises(ActionError, match="1 finished answer"):
            remove_stage(stage=stage, by=None)
        remove_stage(stage=tagging, by=None)
        assert not Stage.objects.filter(pk=tagging.pk).exists()
        assert Annotation.objects.get().stage == stage

    def test_the_order_is_that_of_the_list(self, project: Project) -> None:
        turned = list(reversed(project.stages.values_list("pk", flat=True)))
        order_stages(project=project, stages=turned, by=None)
        assert list(project.stages.values_list("pk", flat=True)) == turned
        with pytest.raises(ActionError):
            order_stages(project=project, stages=turned[1:], by=None)

    def test_gold_of_a_layer_is_decided_in_one_stage_a_language(self) -> None:
        with pytest.raises(ActionError, match="already"):
            add_stages(project=make_project(), specs=[StageSpec("adjudicate", "es", "labels")], by=None)


class TestArchive:
    def test_nothing_in_it_changes_until_it_is_brought_back(self, project: Project, ana: User) -> None:
        stage = stage_of(project, "correct")
        sentence = make_sentence(project)
        make_sentence(project)
        assigned = make_assignment(sentence, ana, stage)
        archive_project(project=project, by=ana)
        project = Project.objects.get()
        stage.project = project
        events = Event.objects.count()

        def attempts() -> list[Any]:
            saved = {"assignment": assigned.pk, "version": 0, "content": {"spans": []}, "done": True, "by": ana}
            return [
                lambda: save_annotation(project=project, now=timezone.now(), **saved),
                lambda: claim(stage=stage, user=ana, now=timezone.now()),
                lambda: start_job(project=project, kind=JobKind.RELEASE, params={}, by=ana),
                lambda: add_member(project=project, user=make_user(), role=Role.ANNOTATOR, by=ana),
                lambda: change_settings(project=project, changes={"name": "Other"}, by=ana),
                lambda: add_language(project=project, language="ca", by=ana),
                lambda: archive_project(project=project, by=ana),
            ]

        for attempt in attempts():
            with pytest.raises(ArchivedError):
                attempt()
        assert (Event.objects.count(), Job.objects.count(), Annotation.objects.count()) == (events, 0, 0)

        project = restore_project(project=project, by=ana)
        stage.project = project
        attempts()[0]()
        assert Annotation.objects.count() == 1
        assert list(Event.objects.filter(verb__startswith="project.").values_list("verb", flat=True)) == [
            "project.archive",
            "project.restore",
        ]

    def test_whatever_anybody_does_in_it_no_row_changes(self, project: Project) -> None:
        ana = make_member(project, Role.MANAGER)
        stage = stage_of(project, "correct")
        imported = Import.objects.create(project=project, dataset="set", labels="gold", published_at=timezone.now())
        pair = make_pair(project)
        make_tag(pair, "relevant")
        for segment in (pair.premise, pair.hypothesis):
            make_sentence(project, "Time flies", language="en", segment=segment)
        make_pair_unit(pair, "en")
        free, agreed, decided, answered = (make_sentence(project) for _ in range(4))
        make_annotation(agreed, make_member(project), [span(0)])
        gold = make_gold(decided, [span(0)], imported=imported)
        mine = make_assignment(answered, ana, stage)
        saved = save(mine, spans(span(0)), done=False)
        project = archive_project(project=project, by=ana)
        stage.project = project
        layer, other = project.label_layer, project.memberships.exclude(user=ana).get()
        to: dict[str, Any] = {"project": project, "by": ana}
        acts: list[Callable[[], Any]] = [
            lambda: undo_annotation(assignment=mine.pk, version=saved.version, now=timezone.now(), **to),
            lambda: free_open(stage=stage, user=ana, mode=Mode.REVIEW, by=ana),
            lambda: assign_review(stage=stage, units=[free.pk], user=ana, by=ana),
            lambda: assign_blind(language="es", users=[ana], pairs=1, seed=1, **to),
            lambda: decide_gold(unit=agreed.pk, layer=layer, version=0, content=spans(), **to),
            lambda: reopen_gold(unit=decided.pk, layer=layer, version=gold.version, **to),
            lambda: accept_agreed(layer=layer, language="es", **to),
            lambda: transfer_tags(source="es", target="en", **to),
            lambda: revise_text(unit=free.pk, text="El tiempo huye", anybodys=True, **to),
            lambda: change_scheme(layer=layer, plan=labels_plan([LabelRow("METAPHOR", "MRW")]), version=1, by=ana),
            lambda: edit_guidelines(language="en", text="# New", before=fingerprint(""), **to),
            lambda: undo_import(imported=Import.objects.get(), by=ana),
            lambda: change_role(membership=other, role=Role.ADJUDICATOR, by=ana),
            lambda: remove_member(membership=other, by=ana),
            lambda: add_stages(project=project, specs=[StageSpec("correct", "es")], by=ana),
            lambda: remove_stage(stage=stage_of(project, "project-review", "en"), by=ana),
            lambda: set_train_every(hundreds=7, **to),
            lambda: change_settings(changes={"adjudicate_own": not project.adjudicate_own}, **to),
        ]
        models = list(apps.get_app_config("annotator").get_models())
        before = [list(model._base_manager.order_by("pk").values()) for model in models]

        for act in acts:
            with pytest.raises(ArchivedError):
                act()

        assert [list(model._base_manager.order_by("pk").values()) for model in models] == before

    def test_a_job_under_way_is_waited_for(self, project: Project) -> None:
        Job.objects.create(project=project, kind=JobKind.PREDICT)
        with pytest.raises(ActionError, match="is running"):
            archive_project(project=project, by=None)


class TestCopy:
    def test_settings_are_copied_and_texts_are_not(self, project: Project) -> None:
        ana, ben = make_member(project, Role.MANAGER), make_member(project)
        project.guidelines = {"en": "# Ours"}
        project.archived_at = timezone.now()
        project.save()
        make_pair(project)

        made = copy_project(project=project, slug="copy", name="Copy", members=True, by=ana)

        made = Project.objects.get(pk=made.pk)
        assert (made.languages, made.guidelines, made.is_archived) == (project.languages, {"en": "# Ours"}, False)
        assert [(s.kind, s.language, s.layer.slug) for s in made.stages.all()] == [
            (s.kind, s.language, s.layer.slug) for s in project.stages.all()
        ]
        assert all(stage.layer.project_id == made.pk for stage in made.stages.select_related("layer"))
        assert not Unit.objects.filter(project=made).exists()
        assert project.stages.count() == made.stages.count()
        roles = Membership.objects.filter(project=made).values_list("user", "role")
        assert set(roles) == {(ana.pk, "manager"), (ben.pk, "annotator")}


@pytest.mark.django_db(transaction=True)
class TestDelete:
    def test_nothing_is_left_but_one_line(self, settings: Any, tmp_path: Path) -> None:
        settings.MEDIA_ROOT = tmp_path
        project, other = make_project("gone"), make_project("stays")
        mara = make_member(project, Role.MANAGER)
        for one in (project, other):
            ana = make_member(one)
            pair = make_pair(one)
            sentence = make_sentence(one)
            make_annotation(sentence, ana, [span(0)])
            make_gold(pair.premise.units.get(), [span(0)])
            make_prediction(sentence, [span(0)], [0.9, 0.1, 0.1])
            make_assignment(sentence, ana, stage_of(one, "correct"))
            make_release(one)
            change_settings(project=one, changes={"name": f"Project {one.slug}"}, by=ana)
            (tmp_path / "models" / str(one.pk)).mkdir(parents=True)
        project.refresh_from_db()
        Job.objects.create(project=project, kind=JobKind.IMPORT, state=JobState.QUEUED)
        before = {model: model._base_manager.count() for model in apps.get_app_config("annotator").get_models()}
        with pytest.raises(ActionError, match="not the name"):
            delete_project(project=project, name="Project stays", by=mara)

        job = delete_project(project=project, name="Project gone", by=mara)

        assert project.jobs.get(kind=JobKind.IMPORT).state == JobState.CANCELLED
        assert not projects_for(mara).exists()
        jobs.run_job(job.pk, worker="test")
        assert list(Project.objects.all()) == [other]
        for model, count in before.items():
            fields = {field.name for field in model._meta.concrete_fields}
            if "project" in fields and model is not Event:
                assert not model._base_manager.filter(project_id=project.pk).exists(), model
                assert 0 < model._base_manager.count() <= count or not count, model
        [event] = Event.objects.exclude(project=other)
        assert (event.verb, event.actor, event.project, event.before["slug"]) == ("project.delete", mara, None, "gone")
        assert Event.objects.filter(project=other).exists()
        assert [path.name for path in (tmp_path / "releases").iterdir()] == ["stays"]
        assert [path.name for path in (tmp_path / "models").iterdir()] == [str(other.pk)]
