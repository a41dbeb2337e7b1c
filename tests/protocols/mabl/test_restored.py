"""Pairs of a restored project: stages and people have other ids there, and work goes on."""

from __future__ import annotations

import io

import pytest

from annotator.backup.actions.restoring import restore_archive
from annotator.backup.actions.writing import write_archive
from annotator.models import Annotation, Assignment, Project, Segment, Unit
from tests.factories import make_user
from tests.mapped import with_people
from tests.protocols.mabl.work import BLANKET, OFFICE, Mabl

pytestmark = pytest.mark.django_db(transaction=True)

REJECT = {"verdict": "reject", "reason": "incoherent"}


def elsewhere(scene: Mabl) -> Mabl:
    """The scene in a project restored from an archive, with the stages of there."""
    file = io.BytesIO()
    write_archive(project=scene.project, file=file)
    Project.objects.filter(pk=scene.project.pk).update(slug="older")
    restored = with_people(restore_archive(file=file, by=make_user()))
    there = Mabl(project=restored, people=0)
    there.people = scene.people
    return there


def current(scene: Mabl) -> list[Unit]:
    units = Unit.objects.filter(project=scene.project, kind="figurative-pair", is_current=True)
    return list(units.select_related("segment"))


def test_a_revised_pair_replaces_the_one_of_before() -> None:
    scene = Mabl()
    ana, *_ = scene.people
    item = scene.written(ana)
    there = elsewhere(scene)
    (old,) = current(there)
    own = Assignment.objects.get(stage=there.write, user=ana)
    assert own.unit.segment.uid == item["unit"]["uid"]
    version = Annotation.objects.get(stage=there.write, user=ana).version
    there.save(ana, {"id": own.pk, "annotation": {"version": version}}, OFFICE)
    (new,) = current(there)
    assert (new.segment, new.revision) == (old.segment, old.revision + 1)
    assert new.text.split("\n") == [*OFFICE["figurative"], *OFFICE["literal"]]
    assert [unit.text for unit in current(scene)] == [old.text], "the project of before stays as it was"


def test_a_rejected_pair_is_withdrawn() -> None:
    scene = Mabl()
    ana, ben, cai, _dan = scene.people
    scene.written(ana)
    there = elsewhere(scene)
    there.judged(ben, **REJECT)
    there.judged(cai, **REJECT)
    assert current(there) == []
    (back,) = there.claim(ana, there.write)
    assert back["annotation"]["content"] == BLANKET


def test_a_slot_is_new_whatever_ids_the_archive_came_from() -> None:
    scene = Mabl()
    ana, *_ = scene.people
    # As an archive brings it in which another stage and another person had these ids.
    Segment.objects.create(
        project=scene.project,
        uid=f"written:{scene.write.pk}:{ana.pk}:1",
        kind="pair-slot",
        dataset="written",
        position=1,
    )
    (item,) = scene.claim(ana, scene.write)
    assert item["annotation"]["content"] == {"figurative": ["", ""], "literal": ["", ""]}
