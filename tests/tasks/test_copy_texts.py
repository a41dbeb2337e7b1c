"""A copy of a project with its texts: all of them as they stand, without what was said of them; or nothing at all."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone

from annotator.core.counters import recounted
from annotator.core.presets import StageSpec
from annotator.imports.writing import copy_texts
from annotator.jobs import running as jobs
from annotator.jobs.actions import cancel_job, retry_job
from annotator.jobs.running import run_job
from annotator.jobs.sweep import free_dead_workers
from annotator.models import (
    Annotation,
    Gold,
    Import,
    Item,
    Job,
    JobKind,
    JobState,
    LemmaPlace,
    Membership,
    Pair,
    Project,
    Role,
    Segment,
    Stage,
    Suggestion,
    Unit,
)
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.stages import add_stages
from annotator.revisions.revisions import revise_text
from annotator.work.queue.queries.progress import stage_progress
from tests.drafts import load
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_project,
    make_sentence,
    span,
    unit_of,
)

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("toy_kinds")]


@pytest.fixture(autouse=True)
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(jobs, "REPORT_SECONDS", 0)
    monkeypatch.setattr(copy_texts, "CHUNK_SIZE", 2)


@pytest.fixture
def project() -> Project:
    made = make_project("letters")
    ana = make_member(made, username="ana")
    for _number in range(2):
        pair = make_pair(made)
        sides = Unit.objects.filter(segment__in=(pair.premise_id, pair.hypothesis_id), language="es")
        unit_of(pair).parents.set(sides)
    sentence = make_sentence(made)
    make_annotation(sentence, ana, [span(1)])
    make_gold(make_sentence(made, "Otra carta"), [span(1)])
    make_prediction(make_sentence(made, "La última carta"), [span(1)], [0.1, 0.9, 0.1])
    return made


def copied(project: Project, **more: Any) -> tuple[Project, Job]:
    made = copy_project(project=project, slug="copy", name="Copy", texts=True, **{"by": None, **more})
    return made, made.jobs.get(kind=JobKind.COPY)


def texts(project: Project) -> list[Any]:
    """All that is seen of a project's texts, by ids that last."""
    units = Unit.objects.published().filter(project=project, is_current=True, kind__in=("sentence", "pair"))
    names = ("segment__uid", "segment__kind", "segment__role", "segment__group", "segment__position", "language")
    found = list(units.order_by("segment__uid", "language").values_list(*names, "tokens", "spaces", "lemmas"))
    pairs = Pair.objects.published().filter(project=project).order_by("pair_id")
    return found + list(pairs.values_list("pair_id", "premise__uid", "hypothesis__uid", "inference", "position"))


def test_the_texts_come_and_nothing_that_was_said_of_them(project: Project) -> None:
    made, job = copied(project)
    before = texts(project)
    assert texts(made) == []

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    assert job.done == job.total == Segment.objects.filter(project=project).count()
    assert texts(made) == before == texts(project)
    for model in (Annotation, Gold, Suggestion):
        assert not model._default_manager.filter(project=made).exists()
    for stage in made.stages.exclude(kind=Stage.ADJUDICATE):
        assert stage_progress(stage, None).total == recounted(stage)["total"]
    assert Item.objects.filter(project=made).exists()
    places = [
        list(
            LemmaPlace.objects.filter(project=one).order_by("unit__segment__uid", "index").values_list("lemma", "form")
        )
        for one in (project, made)
    ]
    assert places[0] == places[1]
    parents = Unit.parents.through.objects.filter(from_unit__project=made)
    assert parents.count() == Unit.parents.through.objects.filter(from_unit__project=project).count() > 0
    assert not parents.exclude(to_unit__project=made).exists()


def test_units_of_other_kinds_come_where_files_brought_them_and_not_where_answers_made_them(
    monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path
    source = make_project("votes")
    specs = [StageSpec("toy-write", "es"), StageSpec("toy-vote", "es", made_from="toy-write")]
    add_stages(project=source, specs=specs, by=None)
    load(source, {"a.voted": "Las horas corren\tgood\nNadie habla\tbad\n"}, files={"1": {"language": "es"}})
    brought = Unit.objects.filter(project=source, kind="text", imported__isnull=False)
    made_here = Segment.objects.create(project=source, uid="made", kind="text", dataset="made", position=9)
    Unit.objects.create(project=source, segment=made_here, kind="text", language="es", tokens=["Corre"])

    made, job = copied(source)
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.DONE, job.error
    names = ("segment__uid", "segment__kind", "kind", "language", "tokens", "origin_file", "origin_line")
    there = list(Unit.objects.filter(project=made).order_by("segment__uid").values_list(*names))
    assert there == list(brought.order_by("segment__uid").values_list(*names)) != []
    assert job.result["datasets"][0]["counts"]["segments"]["new"] == 2


def test_a_fixed_text_comes_as_it_stands_now(project: Project) -> None:
    sentence = project.sentences.get(tokens__0="Otra", is_current=True)
    revise_text(project=project, unit=sentence.pk, text="Otra carta larga", by=None, anybodys=True)

    made, job = copied(project)
    run_job(job.pk, worker="one")

    found = made.sentences.get(segment__uid=sentence.segment.uid)
    assert (found.text, found.revision) == ("Otra carta larga", 1)


def test_without_texts_only_the_settings_come(project: Project) -> None:
    made = copy_project(project=project, slug="copy", name="Copy", by=None)

    assert not made.jobs.exists()
    assert texts(made) == []


def test_what_must_not_be_published_stays_so_and_licences_come(project: Project) -> None:
    for licence, publishable in (("CC0", True), ("ours", False)):
        Import.objects.create(
            project=project, dataset="set", licence=licence, publishable=publishable, published_at=timezone.now(),
            files=[{"name": f"{licence}.txt"}],
        )  # fmt: skip
    unit = project.sentences.first()
    Unit.objects.filter(pk=unit.pk).update(imported=project.imports.last(), origin_file=0, origin_line=7)

    made, job = copied(project)
    run_job(job.pk, worker="one")

    imported = made.imports.get()
    assert (imported.licence, imported.publishable) == ("CC0; ours", False)
    found = made.sentences.get(segment__uid=unit.segment.uid, language=unit.language)
    assert (imported.files[found.origin_file]["name"], found.origin_line) == ("ours.txt", 7)


@pytest.mark.parametrize(("originals", "found"), [(("en", "en"), "en"), (("en", "es"), ""), (("en", ""), "")])
def test_the_original_language_comes_where_all_texts_have_the_same(
    project: Project, originals: tuple[str, str], found: str
) -> None:
    for original in originals:
        Import.objects.create(project=project, dataset="set", original_language=original, published_at=timezone.now())

    made, job = copied(project)
    run_job(job.pk, worker="one")

    assert made.imports.get().original_language == found


def test_a_cancelled_copy_has_no_texts_and_can_be_gone_on_with(project: Project) -> None:
    made, job = copied(project)
    looks: list[int] = []

    def cancel() -> bool:
        looks.append(1)
        if len(looks) == 3:
            cancel_job(job=job, by=None)
        return False

    run_job(job.pk, worker="one", stop=cancel)

    assert texts(made) == []
    assert not Unit.objects.filter(project=made).exists()
    run_job(retry_job(job=Job.objects.get(pk=job.pk), by=None).pk, worker="one")
    assert texts(made) == texts(project)


def test_after_a_worker_that_died_the_copy_is_begun_anew(project: Project) -> None:
    made, job = copied(project)
    looks: list[int] = []

    def dies() -> bool:
        looks.append(1)
        if len(looks) == 3:
            raise KeyboardInterrupt
        return False

    with pytest.raises(KeyboardInterrupt):
        run_job(job.pk, worker="one", stop=dies)
    assert texts(made) == []
    free_dead_workers()
    run_job(job.pk, worker="two")

    assert texts(made) == texts(project)
    assert made.imports.count() == 1


def test_nobody_copies_what_they_do_not_manage_any_more(project: Project) -> None:
    mara = make_member(project, Role.MANAGER, "mara")
    made, job = copied(project, by=mara)
    Membership.objects.filter(project=project, user=mara).update(role=Role.ANNOTATOR)

    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert job.state == JobState.FAILED
    assert "no longer manage it" in job.error
    assert texts(made) == []
