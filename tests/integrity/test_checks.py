"""What must not be is found, and a healthy site is clean."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.core.management.base import CommandError
from django.db import connection
from django.utils import timezone

from annotator.core.files.storage import site_files
from annotator.integrity import files
from annotator.integrity.checks import find_problems
from annotator.models import (
    Annotation,
    Assignment,
    ChunkState,
    Counter,
    Event,
    Gold,
    Item,
    Job,
    JobChunk,
    JobKind,
    JobState,
    Project,
    Release,
    User,
)
from annotator.work.answering.actions.annotations import undo_annotation
from annotator.work.gold.actions.gold import reopen_gold
from tests.deciding import decide_gold
from tests.factories import layer_of, make_assignment, make_member, make_release, make_sentence, span, stage_of, store
from tests.saving import save

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, settings: Any) -> Path:
    settings.MEDIA_ROOT = tmp_path
    return tmp_path


@pytest.fixture
def worked(project: Project, ana: User, ben: User) -> Project:
    """A project with saves, an undo, gold, reopened gold, a release and a job that was done."""
    stage = stage_of(project, "correct")
    rows = [make_assignment(make_sentence(project), user, stage) for user in (ana, ben, ana)]
    for row in rows:
        save(row, {"spans": [span(0)]}, comment="look again")
        save(row, {"spans": [span(1)]})
    undo_annotation(project=project, assignment=rows[0].pk, version=2, by=ana, now=timezone.now())
    judge = make_member(project, "adjudicator")
    for row in rows[:2]:
        decide_gold(
            project=project, unit=row.unit_id, layer=layer_of(row.unit), version=0, content={"spans": []}, by=judge
        )
    reopen_gold(project=project, unit=rows[1].unit_id, layer=layer_of(rows[1].unit), version=1, by=judge)
    make_release(project)
    job = Job.objects.create(project=project, kind=JobKind.FILL, state=JobState.DONE, planned=True, total=5, done=5)
    JobChunk.objects.create(job=job, index=0, items=[], state=ChunkState.DONE, size=5, done=5)
    return project


def found(*, contents: bool = False) -> list[str]:
    return [str(one) for one in find_problems(contents=contents, now=timezone.now())]


def checked(*options: str) -> tuple[int, str]:
    said = io.StringIO()
    try:
        call_command("check_integrity", *options, stdout=said)
    except CommandError as error:
        return 1, said.getvalue() + str(error)
    return 0, said.getvalue()


def test_a_healthy_site_is_clean(worked: Project) -> None:
    assert checked("--files") == (0, "No problems. Warnings: 0.\n")


def sql(statement: str) -> Callable[[], None]:
    def run() -> None:
        with connection.cursor() as cursor:
            cursor.execute(statement)

    return run


def change(model: Any, **values: Any) -> Callable[[], None]:
    """Change the first row past all actions."""
    return lambda: (
        model._base_manager.filter(pk=model._base_manager.order_by("pk").first().pk).update(**values) and None
    )


def remove_events(**which: Any) -> Callable[[], None]:
    def run() -> None:
        pks = list(Event.objects.filter(**which).values_list("pk", flat=True))[-1:]
        Event.objects.filter(pk__in=pks)._raw_delete("default")

    return run


def assign_again() -> None:
    """In another stage of the same layer."""
    row = Assignment.objects.earliest("pk")
    stage = row.stage
    stage.pk = None
    stage.save()
    item = row.item
    item.pk, item.stage = None, stage
    item.save()
    row.pk, row.stage, row.item = None, stage, item
    row.save()


def store_twice() -> None:
    JobChunk.objects.update(done=10)


def leave_in_hand() -> None:
    Job.objects.filter(kind=JobKind.FILL).update(state=JobState.CANCELLED)
    JobChunk.objects.update(state=ChunkState.RUNNING, worker="gone")


DAMAGES = {
    "a counter": (change(Counter, done=99), "its counters say"),
    "a person's counter": (lambda: Counter.objects.exclude(user=None).update(own_done=99) and None, "but their work"),
    "an item's answers": (change(Item, answers_done=0), "its assignments differ"),
    "an item's state": (change(Item, state="taken"), 'is "taken", but should be'),
    "assigned twice": (assign_again, "is assigned 2 times to user"),
    "an assignment without an answer": (change(Annotation, state="open"), "is done, but has no finished answer"),
    "an answer that is done and open": (change(Assignment, state="open"), "is done, but its assignment is open"),
    "a save that is lost": (change(Annotation, version=2), "it has version 2, but the newest in the log is 3"),
    "another content": (change(Annotation, content={"spans": []}), "its content differs from the newest version"),
    "another comment": (change(Annotation, comment="?"), "its comment differs"),
    "a save that was not logged": (remove_events(verb="annotation.undone"), "the newest in the log is 2"),
    "no event of a first save": (
        remove_events(verb="annotation.saved", subject_type="assignment"), "version 2 follows version 0",
    ),
    "nothing to undo": (change(Annotation, undo_event=0), "the save that an undo would undo"),
    "other gold": (change(Gold, content={"spans": [span(1)]}), "its content differs from the newest event"),
    "gold that was not reopened": (change(Gold, version=7), "it has version 7, but the newest in the log is 1"),
    "a job's progress": (change(Job, state="done", total=1), "is done, but its progress is not"),
    "a part stored twice": (store_twice, "has a different progress from its parts"),
    "a part of an ended job": (leave_in_hand, 'is held by "gone", but the job has ended'),
    "the log's trigger": (sql("DROP TRIGGER annotator_event_no_update"), "The trigger annotator_event_no_up"),
    "a place of a word without a unit": (
        sql("INSERT INTO annotator_lemmaplace (project_id, language, lemma, form, unit_id, \"index\")"
            " SELECT id, 'es', 'a', 'a', 999, 0 FROM annotator_project"),
        "places of words refer to a unit that does not exist",
    ),
}  # fmt: skip


@pytest.mark.parametrize("damage", DAMAGES)
def test_what_must_not_be_is_found(worked: Project, damage: str) -> None:
    spoil, expected = DAMAGES[damage]

    spoil()

    code, said = checked()
    assert code == 1
    assert expected in said


def test_a_project_that_is_being_restored_or_deleted_is_left_alone(worked: Project) -> None:
    for spoil in (change(Counter, done=99), change(Annotation, version=7), change(Gold, version=7)):
        spoil()
    site_files().delete(Release.objects.get().stored)
    assert len(found()) == 4

    Project.objects.update(deleting_at=timezone.now())

    assert found() == []


def test_gold_without_an_event_is_found(worked: Project) -> None:
    gold = Gold.objects.get()
    Event.objects.filter(verb="gold.decided", subject_id=gold.unit_id)._raw_delete("default")

    assert found() == [
        f"gold {gold.pk} in {worked.slug}: the log has no event for it. Restore the last site backup in which it was "
        "right, or report this line."
    ]


def test_gold_that_stands_though_it_was_reopened_is_found(worked: Project) -> None:
    gold = Gold.all_rows.get(reopened=True)
    Gold.all_rows.filter(pk=gold.pk).update(reopened=False)

    assert any(line.startswith(f"gold {gold.pk} ") and "is open again" in line for line in found())


@pytest.mark.parametrize(
    ("content", "option", "expected"),
    [
        (None, [], "is missing."),
        (b"PK a", [], "has 4 bytes, but its row says 12."),
        (b"PK a r3lease", ["--files"], "has other bytes than were stored"),
    ],
)
def test_a_release_that_is_missing_or_changed_is_found(
    worked: Project, content: bytes | None, option: list[str], expected: str
) -> None:
    stored = Release.objects.get().stored
    site_files().delete(stored)
    if content is not None:
        store(stored, content)

    code, said = checked(*option)

    assert code == 1
    assert f"{stored} (release 1 of {worked.slug}): {expected}" in said


def test_a_file_that_no_row_names_is_a_warning(worked: Project, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(files, "STRAY_AFTER", -files.STRAY_AFTER)
    # The second one is being written.
    for name in ("archives/1/7.zip", "archives/1/.abc.part"):
        default_storage.save(name, ContentFile(b"PK"))

    code, said = checked()

    assert code == 0
    assert said.splitlines() == [
        "warning: archives/1/7.zip: No row refers to it. Delete it if nobody needs it.",
        "No problems. Warnings: 1.",
    ]
