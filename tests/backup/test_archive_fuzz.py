"""Each field of a real archive, changed: it is refused with file and place, or all pages of the project answer."""

from __future__ import annotations

import copy
import io
import json
import os
import random
import zipfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.db import transaction

from annotator.backup.actions.looking import ArchiveError
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.models import Mode, Project, User
from tests.api.calls import Scene, calls
from tests.backup.archive_pages import faults
from tests.clients import client_of
from tests.factories import (
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_prediction,
    make_projection,
    make_release,
    make_sentence,
    make_tag,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db(transaction=True)

# With ARCHIVE_FUZZ=all every change of every field is tried, which takes an hour; else as many as this.
TRIED = 40
VALUES: list[Any] = [
    5, -1, 0, 2**63, 10**400, 1.5, 1e999, True, None, "", "x", "\0", "\ud800", "x" * 300, "../../etc", "es", [], {},
    [5], ["x"], {"a": 5}, [[[]]],
]  # fmt: skip
GONE = object()
Files = Mapping[str, bytes]


def real_archive() -> bytes:
    """Of a project in which something of everything was done, by calls as people do it."""
    scene = Scene()
    client = client_of(scene.user)
    for call in calls(scene, make_member(scene.project)):
        if call.name not in ("archive", "restore", "delete", "copy", "archives", "archive-file"):
            call.send(client, scene.project.slug)
    project = scene.project
    ana = make_member(project, username="ana")
    first, second = make_sentence(project, "Se pelearon ayer ."), make_sentence(project, "Llueve a mares .")
    make_prediction(first, [span(1)], [0.1, 0.9, 0.1, 0.1])
    make_gold(second, [span(2)])
    make_assignment(second, ana, stage_of(project, "correct"), mode=Mode.BLIND)
    make_tag(make_pair(project), "relevant")
    make_projection(
        first, make_sentence(project, "They fought .", language="en", segment=first.segment), [span(1)], [span(1)]
    )
    make_release(project)
    return written(project)


def written(project: Project) -> bytes:
    file = io.BytesIO()
    write_archive(project=project, file=file)
    return file.getvalue()


def files_of(archive: bytes) -> dict[str, bytes]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


def zipped(files: Files) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as made:
        for name, content in files.items():
            made.writestr(name, content)
    out.seek(0)
    return out


def places(value: Any, before: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Where something stands in a value of JSON."""
    if before:
        yield before
    if isinstance(value, dict):
        for key in value:
            yield from places(value[key], (*before, key))
    elif isinstance(value, list):
        for place in range(min(len(value), 2)):
            yield from places(value[place], (*before, place))


def changed(value: Any, place: tuple[Any, ...], new: Any) -> Any:
    value = copy.deepcopy(value)
    inside = value
    for key in place[:-1]:
        inside = inside[key]
    if new is GONE:
        del inside[place[-1]]
    else:
        inside[place[-1]] = new
    return value


Change = tuple[str, int, tuple[Any, ...], Any]


def all_changes(files: Files) -> list[Change]:
    """Of each file: the first row of each sort, each of its fields, each value."""
    found: list[Change] = []
    for name, content in files.items():
        lines = content.splitlines() if name.endswith(".jsonl") else [content]
        if not name.endswith((".json", ".jsonl")):
            continue
        first: dict[str, int] = {}
        for number, line in enumerate(lines):
            row = json.loads(line)
            first.setdefault(str(row.get("verb") or row.get("kind") or row.get("content_type")), number)
        for number in first.values():
            for place in places(json.loads(lines[number])):
                found += [(name, number, place, new) for new in [*VALUES, GONE]]
            found.append((name, number, ("unknown",), 1))
    return found


def with_change(files: Files, change: Change) -> dict[str, bytes]:
    name, number, place, new = change
    lines = files[name].splitlines(keepends=True) if name.endswith(".jsonl") else [files[name]]
    value = changed(json.loads(lines[number]), place, new)
    lines[number] = json.dumps(value).encode() + b"\n"
    return {**files, name: b"".join(lines)}


@pytest.fixture(autouse=True)
def folders(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


def test_each_field_of_a_real_archive_can_say_anything() -> None:
    files = files_of(real_archive())
    Project.objects.update(slug="before")
    changes = all_changes(files)
    if os.environ.get("ARCHIVE_FUZZ") != "all":
        random.Random(int(os.environ.get("ARCHIVE_FUZZ", "31"))).shuffle(changes)
        # One of each table, however few fields it has beside the others.
        changes = [*{change[0]: change for change in changes}.values(), *changes]
        changes = changes[: int(os.environ.get("ARCHIVE_FUZZ_TRIED", TRIED))]
    tables = {name for name, *_more in changes}
    found: list[str] = []
    for change in changes:
        try:
            with transaction.atomic():
                found += [f"{change}: {fault}" for fault in outcome(files, change)]
                transaction.set_rollback(True)
        except Exception as error:
            found.append(f"{change}: {error!r}")

    assert len(tables) > 10
    assert "\n".join(found) == ""


def outcome(files: Files, change: Change) -> list[str]:
    """What is wrong with what becomes of a changed archive."""
    accounts = set(User.objects.values_list("pk", flat=True))
    try:
        project = restore_archive(file=zipped(with_change(files, change)), slug="after", by=None)
    except ArchiveError as error:
        # A row may be refused since it does not go with one of another file any more.
        placed = change[0] == "manifest.json" or any(name in str(error) for name in files)
        wrong = [] if placed else [f"no place: {error}"]
        return wrong + ["accounts were left"] * (accounts != set(User.objects.values_list("pk", flat=True)))
    new = User.objects.exclude(pk__in=accounts)
    return [
        *faults(project),
        *[
            f"{user} can sign in"
            for user in new
            if user.placeholder_of != project.pk and user.is_active and not user.is_superuser
        ],
    ]
