"""The shapes of rows: every column has one, and what does not have it is refused with its file and place."""

from __future__ import annotations

import bz2
import io
import json
import struct
import zipfile
from collections.abc import Callable
from typing import Any

import pytest
from django.utils import timezone

from annotator.backup.actions import looking
from annotator.backup.actions.looking import ArchiveError, look_into, opened
from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.schema import _JSON, _of_project
from annotator.backup.actions.tables import TABLES, Table
from annotator.backup.actions.uploads import finish_restoring, run_restoring, start_restoring, take_archive
from annotator.core.files.room import NoRoomError
from annotator.core.files.room_used import bytes_of
from annotator.models import Import, Job, Project, Release, User
from annotator.projects.actions.projects import MAX_LAYERS, MAX_MEMBERS, MAX_STAGES
from tests.backup.test_archive import changed, written
from tests.factories import (
    make_annotation,
    make_gold,
    make_member,
    make_pair,
    make_project,
    make_release,
    make_sentence,
    make_tag,
    make_user,
    span,
)

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: table.name)
def test_the_shape_of_every_column_of_json_is_known(table: Table) -> None:
    given = {column for model, column in _JSON if model is table.model}
    of_project = (column for column in table.contents() if _of_project(table.model, column, Project(languages=["en"])))
    assert set(table.contents()) <= {*given, *of_project}


@pytest.fixture
def project(settings: Any, tmp_path: Any) -> Project:
    settings.MEDIA_ROOT = tmp_path
    made = make_project("corpus")
    ana = make_member(made, username="ana")
    sentence = make_sentence(made)
    Import.objects.create(project=made, dataset="corpus", labels="gold", published_at=timezone.now())
    pair = make_pair(made)
    make_gold(sentence, [span(1)])
    make_tag(pair, "relevant")
    make_annotation(sentence, ana, [span(0)])
    make_release(made)
    return made


def first(name: str, /, **values: Any) -> tuple[str, Callable[[bytes], bytes]]:
    """The first row of a file with other values."""

    def change(content: bytes) -> bytes:
        line, end, rest = content.partition(b"\n")
        return json.dumps({**json.loads(line), **values}).encode() + end + rest

    return f"{name}.jsonl", change


def changed_row(name: str, line: int, **values: Any) -> tuple[str, Callable[[bytes], bytes]]:
    def change(content: bytes) -> bytes:
        lines = content.splitlines(keepends=True)
        lines[line - 1] = json.dumps({**json.loads(lines[line - 1]), **values}).encode() + b"\n"
        return b"".join(lines)

    return f"{name}.jsonl", change


def same(name: str, one: str, other: str) -> tuple[str, Callable[[bytes], bytes]]:
    """The first row of a file with one value in two columns."""

    def change(content: bytes) -> bytes:
        return first(name, **{other: json.loads(content.partition(b"\n")[0])[one]})[1](content)

    return f"{name}.jsonl", change


def settings_with(**values: Any) -> tuple[str, Callable[[bytes], bytes]]:
    return "project.json", lambda content: json.dumps({**json.loads(content), **values}).encode()


# What is wrong, and the place that is named.
REFUSED: dict[str, tuple[tuple[str, Callable[[bytes], bytes]], str]] = {
    "a number instead of texts": (settings_with(descriptions=5), "project.json: descriptions"),
    "a language that is none": (settings_with(languages=["../es"]), "project.json: languages.0"),
    "no language": (settings_with(languages=[]), "project.json: languages"),
    "a script as an address": (
        settings_with(dictionaries={"es": [{"name": "x", "url": "javascript:alert('{lemma}')"}]}),
        "project.json: dictionaries.es.0",
    ),
    "a name of two lines": (settings_with(name="a\nb"), "project.json: name"),
    "a stage of an unknown kind": (first("stage", kind="no-such-kind"), "stage.jsonl, line 1: kind"),
    "a stage on a layer of another kind": (first("stage", layer_id=2), "stage.jsonl, line 1: layer_id"),
    "a layer that is not installed": (first("layer", content_type="x"), "layer.jsonl, line 1: content_type"),
    "a scheme that is none": (first("layer", scheme_data={"labels": 5}), "layer.jsonl, line 1: scheme_data"),
    "a number that is too large": (first("item", reading=10**30), "item.jsonl, line 1: reading"),
    "a number that is none": (first("item", uncertainty=float("nan")), "item.jsonl, line 1"),
    "an endless number": (first("item", uncertainty=float("inf")), "item.jsonl, line 1"),
    "a truth value as a number": (first("item", reading=True), "item.jsonl, line 1: reading"),
    "a row that is not there": (first("unit", segment_id=99), "unit.jsonl, line 1: segment_id"),
    "a person who is not there": (first("annotation", user_id=2), "annotation.jsonl, line 1: user_id"),
    "a label beyond the sentence": (
        first("gold", content={"spans": [span(99)]}), "gold.jsonl, line 1: content",
    ),
    "a label that is none of the project's": (
        first("annotation", content={"spans": [span(0, label="X")]}), "annotation.jsonl, line 1: content",
    ),
    "tokens that are no texts": (first("unit", tokens=[5]), "unit.jsonl, line 1: tokens.0"),
    "lemmas for other tokens": (first("unit", lemmas=["x"]), "unit.jsonl, line 1: lemmas"),
    "a column more": (first("unit", folder="../x"), "unit.jsonl, line 1: folder"),
    "a character that cannot be stored": (first("annotation", comment="\0"), "annotation.jsonl, line 1"),
    "half a character": (first("annotation", comment="\ud800"), "annotation.jsonl, line 1"),
    "a role that is none": (first("membership", role="admin"), "membership.jsonl, line 1: role"),
    "the file of a release that is another one": (first("release", sha256="0" * 64), "releases/1.zip"),
    "a release larger than its file": (first("release", size=2**39), "release.jsonl, line 1: releases/1.zip"),
    "a release without its file": (first("release", number=5), "release.jsonl, line 1: releases/5.zip is missing"),
    "a manifest that says no reason": (
        first("release", manifest={"left_out": [{"uid": "x"}]}), "release.jsonl, line 1: manifest.left_out.0.reason",
    ),
    "a time that is none": (first("unit", created_at="2026-02-30T00:00:00.000000+00:00"), "unit.jsonl, line 1"),
    "a time before all zones": (first("unit", created_at="0001-01-01T00:00:00.000000+00:00"), "unit.jsonl, line 1"),
    "a day that is none of the backup": (
        ("manifest.json", lambda content: json.dumps(
            {**json.loads(content), "changed_at": "2026-02-30T00:00:00.000000+00:00"}
        ).encode()),
        "not a project backup",
    ),
    "a time of other digits": (
        first("unit", created_at="２０２６-02-03T00:00:00.000000+00:00"), "unit.jsonl, line 1: created_at",
    ),
    "an import that is under way": (first("import", published_at=None), "import.jsonl, line 1: published_at"),
    "new units by language that are no numbers": (
        first("import", summary={"units": [1, "x"]}), "import.jsonl, line 1: summary.units",
    ),
    "new units by kind that are no numbers": (
        first("import", summary={"units": {"es": {"": "x"}}}), "import.jsonl, line 1: summary.units.es",
    ),
    "warnings of an import that are no texts": (
        first("import", summary={"differing": [5]}), "import.jsonl, line 1: summary.differing.0",
    ),
    "more labels than a scheme has": (
        first("layer", scheme_data={
            "labels": [f"L{number}" for number in range(501)], "discontinuous": True, "overlaps": False,
            "attributes": {},
        }),
        "layer.jsonl, line 1: scheme_data",
    ),
    "guidelines without end": (settings_with(guidelines={"es": "x" * 200_001}), "project.json: guidelines.es"),
    "a sentence without end": (
        first("unit", tokens=["a"] * 5001, token_count=5001, spaces=[], lemmas=[], content_words=[]),
        "unit.jsonl, line 1: tokens",
    ),
    "a role that the project does not have": (first("segment", role="villain"), "segment.jsonl, line 1: role"),
    "an id of two fields": (first("segment", uid="a\tb"), "segment.jsonl, line 1: uid"),
    "an id of two lines": (first("segment", uid="a\nb"), "segment.jsonl, line 1: uid"),
    "time that went backwards": (first("annotation", seconds=-1), "annotation.jsonl, line 1: seconds"),
    "more time than there was": (first("annotation", seconds=1e300), "annotation.jsonl, line 1: seconds"),
    "a category that cannot be chosen": (
        changed_row("layer", 2, scheme_data={"values": ["a"], "nothing": ["b"]}),
        "layer.jsonl, line 2: scheme_data.nothing",
    ),
    "a choice that is none": (changed_row("gold", 2, content={"value": "x"}), "gold.jsonl, line 2: content"),
    "a layer that shows one that is not there": (first("layer", shows=["x"]), "layer.jsonl: refers to a layer"),
    "a revision after which there is none": (first("unit", revision=2**31 - 1), "unit.jsonl, line 1: revision"),
    "a version after which there is none": (first("layer", position=2**31 - 1), "layer.jsonl, line 1: position"),
    "a pair of a sentence and itself": (
        same("pair", "premise_id", "hypothesis_id"), "pair.jsonl, line 1: hypothesis_id",
    ),
    "a person without a name": (("people.jsonl", lambda _content: b"{}\n"), "people.jsonl, line 1"),
    "a list nested too deeply": (
        ("gold.jsonl", lambda _content: b"[" * 5000 + b"]" * 5000 + b"\n"), "gold.jsonl, line 1",
    ),
    "a digit string of a million": (
        ("gold.jsonl", lambda content: content.replace(b'"version":1', b'"version":' + b"1" * 10**6, 1)),
        "gold.jsonl, line 1",
    ),
}  # fmt: skip


@pytest.mark.parametrize("how", REFUSED)
def test_what_a_stranger_may_write_is_refused_with_its_place(project: Project, how: str) -> None:
    change, place = REFUSED[how]
    archive = changed(written(project), *change)
    before = list(User.objects.values_list("username", "is_active", "is_superuser"))

    with pytest.raises(ArchiveError) as refused:
        restore_archive(file=io.BytesIO(archive), slug="second", by=None)

    assert place in str(refused.value)
    assert list(User.objects.values_list("username", "is_active", "is_superuser")) == before
    assert list(Project.objects.values_list("slug", flat=True)) == ["corpus"]


def packed_otherwise(archive: bytes, name: str, content: bytes, how: int) -> bytes:
    out = io.BytesIO(changed(archive, name, lambda _content: None))
    with zipfile.ZipFile(out, "a") as file:
        file.writestr(name, content, how)
    return out.getvalue()


@pytest.mark.parametrize("how", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
def test_what_unpacks_as_much_as_it_likes_is_refused(project: Project, how: int) -> None:
    assert len(bz2.compress(b"\n" * 10**7)) < 100
    archive = packed_otherwise(written(project), "unit.jsonl", b"\n" * 10**6, how)

    with pytest.raises(ArchiveError, match=r"unit\.jsonl"), opened(io.BytesIO(archive)) as found:
        look_into(found)


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("unit.jsonl", "unit.jsonl: is in the backup twice"),
        ("../../outside", "is not a file of a project backup"),
        ("/etc/passwd", "is not a file of a project backup"),
        ("releases/../../x.zip", "is not a file of a project backup"),
        ("C:\\x", "is not a file of a project backup"),
    ],
)
@pytest.mark.filterwarnings("ignore:Duplicate name")
def test_a_file_that_no_backup_has_is_refused(project: Project, name: str, says: str) -> None:
    out = io.BytesIO(written(project))
    with zipfile.ZipFile(out, "a") as file:
        file.writestr(name, b"x")

    with pytest.raises(ArchiveError, match=says), opened(out) as found:
        look_into(found)


def test_rows_of_a_few_bytes_each_are_no_rows(project: Project) -> None:
    """What is kept of each row is made from the number that the manifest says."""
    number = 1_000_000

    def more(content: bytes) -> bytes:
        about = json.loads(content)
        about["counts"]["unit"] = number
        return json.dumps(about).encode()

    archive = changed(written(project), "unit.jsonl", lambda _content: b"{}\n" * number)
    with pytest.raises(ArchiveError), opened(io.BytesIO(changed(archive, "manifest.json", more))) as found:
        look_into(found)


def test_a_line_without_end_is_not_read_to_its_end(project: Project) -> None:
    archive = changed(written(project), "gold.jsonl", lambda _content: b'{"reason":"' + b"x" * 20_000_000 + b'"}\n')

    with pytest.raises(ArchiveError, match=r"gold\.jsonl, line 1: is cut off or too long"):
        restore_archive(file=io.BytesIO(archive), slug="second", by=None)


def with_files(archive: bytes, contents: dict[str, bytes], **said: int) -> bytes:
    """The archive with further files, of which its list of files says this."""
    out = io.BytesIO(archive)
    with zipfile.ZipFile(out, "a", zipfile.ZIP_DEFLATED) as file:
        for name, content in contents.items():
            file.writestr(name, content)
            for key, value in said.items():
                setattr(file.getinfo(name), key, value)
    return out.getvalue()


@pytest.mark.parametrize("name", ["models/1/x", "releases/9.zip"])
def test_what_a_zip_says_of_its_files_makes_no_room_for_others(project: Project, name: str) -> None:
    archive = with_files(written(project), {"releases/8.zip": bytes(looking.SMALL + 1)})
    with pytest.raises(ArchiveError, match="would unpack to"), opened(io.BytesIO(archive)):
        pass

    lying = with_files(archive, {name: b"x"}, compress_size=2**31)
    with pytest.raises(ArchiveError, match="would unpack to"), opened(io.BytesIO(lying)):
        pass


def with_large_record(archive: bytes, size: int, comment: bytes = b"") -> bytes:
    """The archive with the record of a large zip before its end, whose own record says that its list is empty."""
    end = archive.rindex(b"PK\x05\x06")
    _sign, _disk, _start, _here, number, _size, offset, _comment = struct.unpack("<4s4H2LH", archive[end : end + 22])
    large = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, number, number, size, offset)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    last = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 0xFFFF, 0xFFFF, 0, 0xFFFFFFFF, len(comment))
    return archive[:end] + large + locator + last + comment


def test_a_large_zip_is_read_as_zipfile_reads_it(project: Project) -> None:
    archive = written(project)
    size = struct.unpack_from("<L", archive, archive.rindex(b"PK\x05\x06") + 12)[0]

    restored = restore_archive(file=io.BytesIO(with_large_record(archive, size)), slug="second", by=None)

    assert restored.golds.count() == project.golds.count()


@pytest.mark.parametrize("comment", [b"", b"x", b"x" * 65_535])
def test_a_list_of_files_cannot_hide_how_long_it_is(project: Project, comment: bytes) -> None:
    archive = with_large_record(written(project), looking.LARGEST_DIRECTORY + 1, comment)
    with pytest.raises(ArchiveError, match="not a project backup" if comment else "far more files"):
        opened(io.BytesIO(archive)).__enter__()


def test_releases_need_room_before_they_are_written(project: Project, settings: Any) -> None:
    archive = with_files(written(project), {"releases/2.zip": bytes(10**6)})
    second = json.dumps({**json.loads(files_of(archive, "release.jsonl")), "number": 2, "size": 10**6}).encode()
    archive = changed(archive, "release.jsonl", lambda content: content + second + b"\n")
    archive = changed(archive, "manifest.json", with_counts(release=2))
    berta = make_user("berta")
    upload = take_archive(chunks=[archive], name="x.zip", by=berta, now=timezone.now())
    job = start_restoring(upload=upload, slug="second", by=berta)
    settings.ACCOUNT_MAX_BYTES = 2 * upload.size + 900_000

    with pytest.raises(NoRoomError):
        run_restoring(job=Job.objects.get(pk=job.pk), report=lambda _done: None)

    assert not Release.objects.filter(project=job.project).exists()


def test_releases_that_were_restored_count_for_whoever_restored_them(project: Project) -> None:
    berta = make_user("berta")
    upload = take_archive(chunks=[written(project)], name="x.zip", by=berta, now=timezone.now())
    job = start_restoring(upload=upload, slug="second", by=berta)
    run_restoring(job=Job.objects.get(pk=job.pk), report=lambda _done: None)
    finish_restoring(job=job)

    size = Release.objects.get(project=job.project).size
    assert size
    assert bytes_of(berta) == upload.size + size


def files_of(archive: bytes, name: str) -> bytes:
    with zipfile.ZipFile(io.BytesIO(archive)) as file:
        return file.read(name)


def with_counts(**counts: int) -> Callable[[bytes], bytes]:
    def change(content: bytes) -> bytes:
        about = json.loads(content)
        about["counts"].update(counts)
        return json.dumps(about).encode()

    return change


@pytest.mark.parametrize(
    ("table", "values"),
    [
        ("segment", {}),
        ("unit", {}),
        ("gold", {}),
        ("item", {}),
        ("layer", {}),
        ("membership", {}),
        ("release", {}),
        # Two revisions of which both are current.
        ("unit", {"revision": 2}),
    ],
)
def test_a_row_that_is_there_twice_is_named_by_its_lines(project: Project, table: str, values: dict[str, Any]) -> None:
    archive = written(project)
    rows = files_of(archive, f"{table}.jsonl")
    number = rows.count(b"\n")
    again = json.dumps({**json.loads(rows.partition(b"\n")[0]), **values}).encode() + b"\n"
    archive = changed(archive, f"{table}.jsonl", lambda content: content + again)
    archive = changed(archive, "manifest.json", with_counts(**{table: number + 1}))

    with pytest.raises(ArchiveError) as refused:
        restore_archive(file=io.BytesIO(archive), slug="second", by=None)

    said = str(refused.value)
    assert f"{table}.jsonl, line {number + 1}: is a duplicate: line 1 has the same row" in said
    assert "constraint" not in said
    assert list(Project.objects.values_list("slug", flat=True)) == ["corpus"]


@pytest.mark.parametrize(("table", "most"), [("layer", MAX_LAYERS), ("stage", MAX_STAGES), ("membership", MAX_MEMBERS)])
def test_a_backup_has_no_more_rows_than_a_project_can_have(project: Project, table: str, most: int) -> None:
    archive = written(project)
    row = files_of(archive, f"{table}.jsonl").partition(b"\n")[0] + b"\n"
    archive = changed(archive, f"{table}.jsonl", lambda _content: row * (most + 1))
    archive = changed(archive, "manifest.json", with_counts(**{table: most + 1}))

    with pytest.raises(ArchiveError, match=f"{table}.jsonl: has more than {most} rows"):
        restore_archive(file=io.BytesIO(archive), slug="second", by=None)


def test_people_of_names_that_collide_are_told_apart(project: Project) -> None:
    people = [{"username": name, "first_name": "", "last_name": ""} for name in ("a.3", "a", "a", "a.4", "a")]
    archive = changed(
        written(project), "people.jsonl", lambda _content: b"".join(json.dumps(one).encode() + b"\n" for one in people)
    )

    restored = restore_archive(file=io.BytesIO(archive), slug="second", by=None)

    assert User.objects.filter(placeholder_of=restored.pk).count() == 5
