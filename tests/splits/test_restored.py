"""Splits in project backups: they come back with their rows and results, and a stranger's are looked at."""

from __future__ import annotations

import io
from typing import Any

import pytest

from annotator.backup.actions.looking import ArchiveError
from annotator.backup.actions.restoring import restore_archive
from annotator.models import Event, Project, Role, Split, SplitRow
from annotator.splits.queries.stored import leaks_of, table_lines
from tests.backup.test_archive import changed, written
from tests.backup.test_archive_schema import first
from tests.factories import make_member, make_project, make_segment, make_sentence
from tests.splits.making import fill, make_split, parts_of

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def project() -> Project:
    """A project with a split that its author made, one by expressions, and sentences that parts share."""
    made = make_project("corpus")
    fill(made)
    for number in range(9):
        make_sentence(made, "Nadie mira el reloj", segment=make_segment(made, uid=f"same:{number}"))
    make_split(made, "ours", make_member(made, Role.MANAGER, "mara"))
    make_split(made, "lexical", method="lexical")
    return made


def named(split: Split) -> list[tuple[str, str]]:
    """The items that parts share, with their texts."""
    pairs = [pair for leak in leaks_of(split) for row in leak.rows for pair in row.examples]
    return [(one.uid, one.text) for pair in pairs for one in pair]


def test_they_come_back_with_their_rows_results_and_checksums(project: Project) -> None:
    # Ids are others there: rows of another project lie between.
    make_split(fill(make_project("other"))[0].project)

    found = restore_archive(file=io.BytesIO(written(project)), slug="second", by=None)

    for before in Split.objects.filter(project=project):
        after = found.splits.get(name=before.name)
        assert parts_of(after) == parts_of(before)
        assert list(table_lines(after)) == list(table_lines(before))
        same = ("parts", "params", "results", "sha256", "size", "left_out", "scheme_version", "created_at")
        assert all(getattr(after, name) == getattr(before, name) for name in same)
        assert after.layer == found.label_layer
        assert Event.objects.get(pk=after.last_event).project == found
        assert named(after) == named(before)
    pages = {
        one.page for leak in leaks_of(found.splits.get(name="ours")) for row in leak.rows for one in row.examples[0]
    }
    assert pages <= set(found.segments.values_list("pk", flat=True))
    assert found.splits.get(name="ours").created_by.backup_name == "mara"


def test_one_that_is_being_made_stays_out(project: Project) -> None:
    complete = written(project)
    hidden = Split.objects.get(name="lexical")
    Split.objects.filter(pk=hidden.pk).update(published_at=None)

    found = restore_archive(file=io.BytesIO(written(project)), slug="second", by=None)

    assert [one.name for one in found.splits.all()] == ["ours"]
    assert not SplitRow.objects.filter(segment__project=found).exclude(split__name="ours").exists()
    assert written(project) != complete


RESULTS: dict[str, Any] = {"sizes": [1, 1], "strata": [], "table": [], "leakage": []}


@pytest.mark.parametrize(
    ("table", "values", "says"),
    [
        ("split", {"name": "../x"}, "split.jsonl, line 1: name"),
        ("split", {"parts": ["train", "../x"]}, "split.jsonl, line 1: parts.1"),
        ("split", {"parts": ["train", "train"]}, "split.jsonl, line 1: parts"),
        ("split", {"published_at": None}, "split.jsonl, line 1: published_at"),
        ("split", {"last_event": 10**6}, "split.jsonl, line 1: last_event"),
        ("split", {"results": RESULTS}, "split.jsonl, line 1: results"),
        ("split", {"results": {**RESULTS, "table": [{"part": 1}]}}, "split.jsonl, line 1: results.table.0"),
        ("splitrow", {"part": 3}, "splitrow.jsonl, line 1: part"),
        ("splitrow", {"segment_id": 10**6}, "splitrow.jsonl, line 1: segment_id"),
        ("split", {"name": "lexical"}, "split.jsonl, line 2: is a duplicate"),
    ],
)
def test_what_no_split_is_is_refused(project: Project, table: str, values: dict[str, Any], says: str) -> None:
    archive = changed(written(project), *first(table, **values))

    with pytest.raises(ArchiveError) as refused:
        restore_archive(file=io.BytesIO(archive), slug="second", by=None)

    assert says in str(refused.value)
    assert list(Project.objects.values_list("slug", flat=True)) == ["corpus"]
