"""Agreement on verdicts counts each revision that people judged, also those that were sent back and replaced."""

from __future__ import annotations

import pytest

from annotator.models import Assignment, Unit
from annotator.reports.queries.agreement import agreement
from annotator.reports.queries.overlaps import overlaps
from tests.protocols.mabl.work import ACCEPT, BLANKET, OFFICE, REJECT, WARM, Mabl

pytestmark = pytest.mark.django_db


@pytest.fixture
def scene() -> Mabl:
    return Mabl()


def counted(scene: Mabl, layer: str = "validity") -> int:
    _ana, ben, cai, _dan = scene.people
    return agreement(scene.project, a=ben, b=cai, layer=layer, language="en").overall.units


def in_common(scene: Mabl, layer: str = "validity") -> list[int]:
    _ana, ben, cai, _dan = scene.people
    return [row.units for row in overlaps(scene.project) if row.layer == layer and {row.a, row.b} == {ben, cai}]


def test_a_text_that_went_back_counts_with_its_writer_and_when_it_was_replaced(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    scene.written(ana)
    for person in (ben, cai):
        scene.judged(person, **REJECT)
    assert counted(scene) == 1
    assert in_common(scene) == [1]
    (back,) = scene.claim(ana, scene.write)
    scene.save(ana, back, WARM)
    assert counted(scene) == 1
    for person in (ben, cai):
        scene.judged(person, **ACCEPT)
    assert counted(scene) == 2
    assert in_common(scene) == [2]
    row = agreement(scene.project, a=ben, b=cai, layer="validity", language="en").overall
    assert (row.kappa.value, row.kappa.observed) == (1.0, 1.0), "acceptance alone would leave kappa undefined"


def test_other_answers_count_on_what_stands_alone(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    scene.written(ana, OFFICE)
    for person in (ben, cai):
        scene.judged(person, **ACCEPT)
    scene.categories.answers_wanted = 2
    scene.categories.save()
    for person in (ben, cai):
        (item,) = scene.claim(person, scene.categories)
        scene.save(person, item, {"answers": [["object"], []]})
    before = counted(scene, "categories"), in_common(scene, "categories")
    Unit.objects.filter(kind="figurative-pair").update(is_current=False)
    assert (counted(scene, "categories"), in_common(scene, "categories")) == (0, [])
    assert before == (1, [1])
    assert (counted(scene), in_common(scene)) == (1, [1])


def test_of_a_text_that_was_fixed_where_it_stood_only_the_new_one_counts(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    scene.written(ana, BLANKET)
    for person in (ben, cai):
        scene.judged(person, **ACCEPT)
    # As `carry_work` leaves the old revision: everybody's answer went on to the new one.
    Unit.objects.filter(kind="figurative-pair").update(is_current=False)
    Assignment.objects.filter(stage=scene.validate).update(state="returned")
    assert (counted(scene), in_common(scene)) == (0, [])
