"""A project in one file, and back: on the same database, and on the other."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Any

import pytest

from annotator.backup.actions.references import CONTENT, NAMED_BY_KEY, PEOPLE_BY_KEY
from tests.forks import ROOT
from tests.site import Site


@pytest.fixture(scope="module")
def archive(tmp_path_factory: pytest.TempPathFactory, migrated_file: Path) -> Path:
    """That of the sample project."""
    folder = tmp_path_factory.mktemp("archive")
    made = Site(folder / "site")
    shutil.copy(migrated_file, made.folder)
    made.manage("load_sample")
    # By an interpreter of its own, which hashes words otherwise than those that archive the project again.
    archive = [sys.executable, "manage.py", "archive_project", "sample", str(folder / "sample.zip")]
    subprocess.run(archive, check=True, cwd=ROOT, env=made.env)
    made.stop()
    return folder / "sample.zip"


def test_what_was_restored_gives_the_same_archive_and_the_same_reports(
    any_site: Site, archive: Path, tmp_path: Path
) -> None:
    any_site.command("restore_project", str(archive))
    any_site.command("archive_project", "sample", str(tmp_path / "again.zip"))

    assert (tmp_path / "again.zip").read_bytes() == archive.read_bytes()
    report = json.loads(any_site.command("report", "sample", "detection", "--format", "json"))
    assert report[0]["sentences"] > 0
    released = any_site.python(
        "import json\nfrom annotator.models import Release\n"
        "from annotator.core.files.storage import site_files\n"
        "print(json.dumps([site_files().size(one.stored) == one.size for one in "
        "Release.objects.all()]))"
    )
    assert released == [True]


def test_work_goes_on_where_it_was_and_its_log_can_be_undone(any_site: Site, archive: Path) -> None:
    any_site.command("restore_project", str(archive))

    found = any_site.python("""
import json
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation, undo_annotation
from annotator.work.queue.actions.assignments import claim
from annotator.core.counters import recounted
from annotator.work.queue.queries.progress import stage_progress
from annotator.models import *
project = Project.objects.get(slug="sample")
done = Annotation.objects.filter(project=project, undo_event__isnull=False).exclude(unit__golds__reopened=False).first()
row = Assignment.objects.get(item__stage=done.stage, unit=done.unit, user=done.user)
back = undo_annotation(project=project, assignment=row.pk, version=done.version, by=done.user, now=timezone.now())
stage = project.stages.get(kind="correct", language="es")
person = User.objects.get(username__startswith="mara~")
rows = claim(stage=stage, user=person, count=3, now=timezone.now())
for row in rows:
    save_annotation(project=project, assignment=row.pk, version=0, content={"spans": []}, done=True, by=person,
                    now=timezone.now())
counts = [[recounted(stage)[name] for name in ("total", "done")] for stage in project.stages.exclude(kind="adjudicate")]
kept = [[progress.total, progress.done] for progress in
        (stage_progress(stage, None) for stage in project.stages.exclude(kind="adjudicate"))]
print(json.dumps({"version": back.version - done.version, "state": back.state, "counts": counts, "kept": kept}))
""")

    assert found["version"] == 1
    assert found["state"] == "open"
    assert found["counts"] == found["kept"]


def test_odd_texts_come_back_as_they_were(any_site: Site) -> None:
    found = any_site.python(r"""
import io, json
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.models import Annotation, Segment
from tests.factories import *
odd = ["\\N", "a\tb\nc\rd", "\\\\t \\", "\"'%s {} é 🌧 \u0301", "", "  "]
project = make_project("odd")
for number, text in enumerate(odd):
    row = make_annotation(make_sentence(project), make_member(project), [])
    Annotation.objects.filter(pk=row.pk).update(comment=text)
    Segment.objects.filter(pk=row.unit.segment_id).update(genre=text)
file = io.BytesIO()
write_archive(project=project, file=file)
restored = restore_archive(file=file, slug="even", by=None)
rows = restored.annotations.order_by("pk").values_list("comment", "unit__segment__genre")
print(json.dumps([list(rows) == [(text, text) for text in odd], len(rows)]))
""")

    assert found == [True, 6]


def test_a_taken_name_is_refused_and_another_one_can_be_given(site: Site, archive: Path, tmp_path: Path) -> None:
    site.command("restore_project", str(archive))

    refused = site.manage("restore_project", str(archive), check=False)
    second = site.command("restore_project", str(archive), "--slug", "second")
    site.command("archive_project", "sample", str(tmp_path / "first.zip"))

    assert refused.returncode == 1
    assert "short name" in refused.stderr
    assert "(second)" in second
    assert (tmp_path / "first.zip").read_bytes() == archive.read_bytes()


def test_people_are_mapped_to_accounts(site: Site, archive: Path) -> None:
    said = site.manage("restore_project", str(archive)).stderr
    assert "Not restored: jobs:" in said
    assert "mara" in said
    site.python("from tests.factories import make_user\nmake_user('mara')")

    assert "mara" in site.command("map_people", "sample").splitlines()
    site.command("map_people", "sample", "mara=mara")

    assert "mara" not in site.command("map_people", "sample").splitlines()
    found = site.python("""
import json
from annotator.models import *
print(json.dumps(list(Membership.objects.filter(user__username="mara").values_list("role", flat=True))))
""")
    assert found == ["manager"]
    again = site.manage("map_people", "sample", "nobody=mara", check=False)
    assert again.returncode == 1
    assert "nobody" in again.stderr


def test_people_can_be_pseudonyms(site: Site, archive: Path, tmp_path: Path) -> None:
    site.command("restore_project", str(archive))
    site.command("archive_project", "sample", str(tmp_path / "people.zip"), "--pseudonyms")

    with zipfile.ZipFile(tmp_path / "people.zip") as written:
        people = [json.loads(line)["username"] for line in written.read("people.jsonl").splitlines()]
        everything = b"".join(written.read(name) for name in written.namelist() if not name.startswith("releases/"))
    assert people == [f"person-{number}" for number in range(1, len(people) + 1)]
    assert b'"adela"' not in everything


# Keys of numbers in events that are no ids.
NUMBERS = {"version", "number", "size", "seed", "chunk", "fill_gap", "new", "known", "hundreds", "tokens"}


def test_every_number_in_an_event_is_known_as_an_id_or_as_none(archive: Path) -> None:
    found: set[str] = set()

    def look(value: Any, key: str) -> None:
        if isinstance(value, dict):
            for name, one in value.items():
                if name != CONTENT:
                    look(one, name)
        elif isinstance(value, list):
            for one in value:
                look(one, key)
        elif isinstance(value, int) and not isinstance(value, bool):
            found.add(key)

    with zipfile.ZipFile(archive) as written:
        for line in written.read("event.jsonl").splitlines():
            row = json.loads(line)
            look(row["before"], "")
            look(row["after"], "")

    assert {"stage", "unit", "user"} <= found
    assert found - NUMBERS - NAMED_BY_KEY.keys() - PEOPLE_BY_KEY == set()
