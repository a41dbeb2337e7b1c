"""What an archive refuses, and that nothing of a refused one is kept."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from django.apps import apps
from django.db.models import ForeignKey
from django.utils import timezone
from pytest_django.fixtures import Settings

from annotator.backup.actions.looking import look_into, opened
from annotator.backup.actions.restoring import ArchiveError, restore_archive
from annotator.backup.actions.tables import TABLES
from annotator.backup.actions.writing import write_archive
from annotator.core.events import log
from annotator.core.files.pictures import picture_file
from annotator.core.files.storage import site_files
from annotator.domain.verbs import Verb
from annotator.models import (
    AgreementPerson,
    AgreementRun,
    AgreementStudy,
    ApiToken,
    Archive,
    Comparison,
    ComparisonRow,
    Event,
    GuidelineProposal,
    Import,
    ImportDraft,
    Invitation,
    Job,
    JobChunk,
    JobKind,
    JobState,
    Project,
    Segment,
    SentenceMap,
    TrainedDetector,
    Training,
    Unit,
    User,
    Webhook,
    WebhookDelivery,
)
from annotator.projects.actions.delete_project import tables_of
from annotator.projects.actions.guidelines import add_picture
from annotator.work.answering.actions.annotations import undo_annotation
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_release,
    make_sentence,
    make_trained,
    span,
    stage_of,
    store,
)
from tests.saving import save

pytestmark = pytest.mark.django_db(transaction=True)

# What belongs to a project and is not in its archive: what does something or is run, and archives.
NOT_ARCHIVED = {
    ApiToken,
    AgreementPerson,
    AgreementRun,
    AgreementStudy,
    Archive,
    Comparison,
    ComparisonRow,
    GuidelineProposal,
    ImportDraft,
    Invitation,
    Job,
    JobChunk,
    Project,
    SentenceMap,
    Training,
    TrainedDetector,
    User,
    Webhook,
    WebhookDelivery,
}


def written(project: Project) -> bytes:
    file = io.BytesIO()
    write_archive(project=project, file=file)
    return file.getvalue()


def changed(archive: bytes, name: str, change: Callable[[bytes], bytes | None]) -> bytes:
    """The archive with another content of one of its files; without it for None."""
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(archive)) as before, zipfile.ZipFile(out, "w") as after:
        for info in before.infolist():
            content = before.read(info)
            if info.filename == name:
                replaced = change(content)
                if replaced is None:
                    continue
                content = replaced
            after.writestr(info, content)
    return out.getvalue()


def cut(content: bytes) -> bytes:
    return content[: len(content) // 2]


def shorter(content: bytes) -> bytes:
    return b"".join(content.splitlines(keepends=True)[:-1])


DAMAGED: dict[str, tuple[str, Callable[[bytes], bytes | None]]] = {
    "half a row": ("unit.jsonl", cut),
    "a row less": ("unit.jsonl", shorter),
    "no rows": ("annotation.jsonl", lambda _content: None),
    "a person who is not there": ("membership.jsonl", lambda content: content.replace(b'"user_id":1', b'"user_id":9')),
    "a field that is not there": ("segment.jsonl", lambda content: content.replace(b'"uid"', b'"other"')),
    "a text twice": ("unit.jsonl", lambda content: content.replace(b'"segment_id":2', b'"segment_id":1')),
    "no manifest": ("manifest.json", lambda _content: None),
    "no settings": ("project.json", lambda _content: b"[]"),
    "a name that leads elsewhere": ("project.json", lambda content: content.replace(b'"corpus"', b'"../corpus"')),
}


@pytest.fixture
def project() -> Project:
    made = make_project("corpus")
    make_member(made, username="ana")
    make_gold(make_sentence(made), [span(1)])
    make_sentence(made, "Llueve 🌧 a cántaros", language="es")
    return made


@pytest.mark.parametrize("how", DAMAGED)
def test_a_damaged_archive_is_refused_and_nothing_of_it_is_kept(project: Project, how: str) -> None:
    archive = changed(written(project), *DAMAGED[how])
    User.objects.filter(username="ana").update(username="somebody else")
    Project.objects.filter(pk=project.pk).update(slug="older")
    before = {model: model._base_manager.count() for model in apps.get_app_config("annotator").get_models()}

    with pytest.raises(ArchiveError):
        restore_archive(file=io.BytesIO(archive), by=None)

    assert before == {model: model._base_manager.count() for model in before}


def test_more_rows_than_its_bytes_can_be_are_refused_before_they_are_counted(project: Project) -> None:
    def more(content: bytes) -> bytes:
        about = json.loads(content)
        about["counts"]["unit"] = 10**9
        return json.dumps(about).encode()

    file = io.BytesIO(changed(written(project), "manifest.json", more))
    with pytest.raises(ArchiveError, match="not a project backup"), opened(file) as archive:
        look_into(archive)


@pytest.mark.parametrize("content", [b"", b"PK", b"no zip at all"])
def test_what_is_no_zip_is_refused(content: bytes) -> None:
    with pytest.raises(ArchiveError):
        restore_archive(file=io.BytesIO(content), by=None)


def test_jobs_and_files_of_models_are_left_out_and_counted(
    project: Project, settings: Settings, tmp_path: Path
) -> None:
    settings.MEDIA_ROOT = tmp_path / "data"
    job = {"kind": "delete", "state": "failed", "params": {"people": [1]}}

    def of_format_2(content: bytes) -> bytes:
        about = json.loads(content)
        about |= {"format": 2, "counts": {**about["counts"], "job": 3, "traineddetector": 1}}
        return json.dumps(about).encode()

    without = written(project)
    for table in ("pseudonym", "repeat", "split", "splitrow"):
        without = changed(without, f"{table}.jsonl", lambda _content: None)
    archive = io.BytesIO(changed(without, "manifest.json", of_format_2))
    with zipfile.ZipFile(archive, "a") as file:
        file.writestr("job.jsonl", json.dumps(job) + "\n")
        file.writestr("traineddetector.jsonl", "no JSON at all")
        for name in ("models/1/model.crfsuite", "models/1/../../../outside"):
            file.writestr(name, b"x")

    restored = restore_archive(file=archive, slug="second", by=None)

    assert not restored.jobs.exists()
    assert not restored.trained_detectors.exists()
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
    logged = Event.objects.get(verb=Verb.PROJECT_RESTORED).after
    assert logged is not None
    assert logged["left_out"] == {"job": 3, "traineddetector": 1}


def test_an_archive_counts_what_it_leaves_out(project: Project) -> None:
    Job.objects.create(project=project, kind=JobKind.IMPORT, state=JobState.DONE)
    make_trained(project, 60.0)

    with opened(io.BytesIO(written(project))) as archive:
        assert look_into(archive)["left_out"] == {"job": 2, "traineddetector": 1}
        assert not {"job.jsonl", "traineddetector.jsonl"} & set(archive.namelist())


def test_every_table_of_a_project_is_in_its_archive(project: Project) -> None:
    archived = {table.model for table in TABLES}
    # Parents of units are written with them.
    assert {model for model, _rows in tables_of(project)} - archived - NOT_ARCHIVED == {Unit.parents.through}


def test_a_table_comes_after_those_that_its_rows_belong_to() -> None:
    models = [table.model for table in TABLES]
    for place, table in enumerate(TABLES):
        keys = [one for one in table.fields() if isinstance(one, ForeignKey) and one.related_model in models]
        assert {one.related_model for one in keys} <= set(models[: place + 1]), table.name


def test_what_an_unfinished_import_wrote_is_left_out(project: Project) -> None:
    complete = written(project)
    hidden = Import.objects.create(project=project, dataset="more", labels="none")
    segment = Segment.objects.create(project=project, uid="more:1", dataset="more", position=99, imported=hidden)
    Unit.objects.create(project=project, segment=segment, language="es", tokens=["Nada"], imported=hidden)

    assert written(project) == complete


def test_restoring_is_logged_outside_of_the_project(project: Project) -> None:
    person = User.objects.get(username="ana")
    sentence = project.sentences.last()
    log(project=project, actor=person, verb=Verb.GOLD_DECIDED, subject=sentence, after={"unit": sentence.pk})
    archive = written(project)
    # Ids differ there, so that one that was left as it is shows.
    Project.objects.filter(pk=project.pk).update(slug="older")

    restored = restore_archive(file=io.BytesIO(archive), by=person)

    logged = Event.objects.get(verb="project.restored")
    assert (logged.project_id, logged.actor, logged.subject_id) == (None, person, restored.pk)
    assert restored.deleting_at is None
    assert written(restored) == archive
    about = restored.events.get(verb=Verb.GOLD_DECIDED)
    assert about.subject_id == about.after["unit"] == restored.sentences.last().pk


@pytest.mark.parametrize("damage", [None, b"PK a relea", b"PK a r3lease"], ids=["missing", "cut off", "changed"])
def test_a_release_whose_file_is_gone_is_named_and_its_row_is_kept(project: Project, damage: bytes | None) -> None:
    stored = make_release(project).stored
    make_release(project, number=2, content=b"PK another one")
    site_files().delete(stored)
    if damage is not None:
        store(stored, damage)

    archive = written(project)
    restored = restore_archive(file=io.BytesIO(archive), slug="restored", by=None)

    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        assert json.loads(opened.read("manifest.json"))["missing_releases"] == [1]
        assert {name for name in opened.namelist() if name.startswith("releases/")} == {"releases/2.zip"}
    assert [row.number for row in restored.releases.order_by("number")] == [1, 2]
    files = {row.number: row.stored for row in restored.releases.all()}
    assert not site_files().exists(files[1])
    with site_files().open(files[2]) as file:
        assert file.read() == b"PK another one"


def test_what_an_undo_undid_is_named_anew() -> None:
    """Events of the restored project have other ids than those of the one that is still there."""
    project = make_project("first")
    ana = make_member(project)
    sentence = make_sentence(project)
    row = make_assignment(sentence, ana, stage_of(project, "correct"))
    now = timezone.now()
    save(row, {"spans": [span(0)]})
    undo_annotation(project=project, assignment=row.pk, version=1, by=ana, now=now)

    restored = restore_archive(file=io.BytesIO(written(project)), slug="second", by=None)

    for one in (project, restored):
        saved, undone = (one.events.get(verb=verb) for verb in ("annotation.saved", "annotation.undone"))
        assert undone.after["undoes"] == saved.pk


PNG = b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR" + bytes(20)


@pytest.mark.parametrize("damage", [None, b"<svg>", PNG + b"x"])
def test_pictures_of_the_guidelines_come_along_if_they_are_what_their_names_say(
    project: Project, settings: Settings, tmp_path: Path, damage: bytes | None
) -> None:
    settings.MEDIA_ROOT = tmp_path
    name = add_picture(project=project, data=PNG, by=None)
    Project.objects.filter(pk=project.pk).update(guidelines={"es": f"![x](pictures/{name})"})
    archive = written(Project.objects.get(pk=project.pk))
    if damage is not None:
        archive = changed(archive, f"guidelines/{name}", lambda _content: damage)

    if damage is not None:
        with pytest.raises(ArchiveError, match="is not the picture that its name says"):
            restore_archive(file=io.BytesIO(archive), slug="again", by=None)
        assert len(list(tmp_path.rglob("*.png"))) == 1, "that of the project itself"
        return
    restored = restore_archive(file=io.BytesIO(archive), slug="again", by=None)
    with site_files().open(picture_file(restored.pk, name)) as file:
        assert file.read() == PNG
