"""The map of sentences of a project that has figurative pairs and no plain sentences."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.sentence_map import stored
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, SentenceMap, Unit, User
from annotator.search.queries.sentence_map import has_enough, map_of, to_map
from tests.drafts import load
from tests.factories import make_member
from tests.mlworkers.encoder import needs_encoder
from tests.protocols.mabl.work import BLANKET, OFFICE, Mabl

pytestmark = pytest.mark.django_db

ROWS = """startphrase,ending1,ending2,labels
The road was a snake,It wound.,It was straight.,0
The road was a ruler,It wound.,It was straight.,1
The hall was a fridge,It was cold.,It was warm.,0
The hall was an oven,It was cold.,It was warm.,1
"""


def test_imported_and_written_pairs_are_drawn(client: Client) -> None:
    scene = Mabl()
    load(scene.project, {"en_dev.csv": ROWS.encode()})
    scene.written(scene.people[0], BLANKET)
    scene.written(scene.people[1], OFFICE)

    assert has_enough(scene.project)
    found = to_map(scene.project, wanted=10, seed=1, languages={"en"})
    assert found.counts == {"sentences": {"en": 8}, "of": {"en": 8}, "skipped": {}}

    reader = drawn(scene, [stored(sentence, (1, 1)) for sentence in found.sentences])
    shown = map_of(scene.project, reader)
    assert shown is not None
    assert {(point.unit, point.line) for point in shown.points} == set(found.sentences)
    client.force_login(reader)
    points = client.get(reverse("map-points", args=[scene.project.slug])).json()["points"]
    texts = {text: meaning for *_point, text, meaning in points}
    assert len(points) == len(texts) == 8
    assert texts["The road was a snake"] == "It wound."
    assert texts["The road was a ruler"] == "It was straight."
    assert texts[BLANKET["figurative"][1]] == BLANKET["literal"][1]
    page = client.get(reverse("map", args=[scene.project.slug])).content.decode()
    assert page.count("data-point=") == 8
    assert page.count("The road was a snake") == page.count("It wound.") == 1


def test_a_half_that_is_missing_is_no_point() -> None:
    scene = Mabl()
    load(scene.project, {"en_dev.csv": ROWS.rsplit("\n", 2)[0].encode()})
    assert has_enough(scene.project)
    found = to_map(scene.project, wanted=10, seed=1, languages=None)
    assert found.counts["sentences"] == found.counts["of"] == {"en": 3}
    assert sorted(one.line or 0 for one in found.sentences) == [0, 0, 1]
    assert to_map(scene.project, wanted=10, seed=1, languages={"es"}).counts["skipped"] == {
        "in a language that the model does not know": 3
    }


def test_too_few_sentences_are_not_enough() -> None:
    scene = Mabl()
    load(scene.project, {"en_dev.csv": "\n".join(ROWS.split("\n")[:3]).encode()})
    assert not has_enough(scene.project)


def test_a_map_that_was_drawn_of_whole_pairs_is_still_read(client: Client) -> None:
    scene = Mabl()
    load(scene.project, {"en_dev.csv": ROWS.encode()})
    pairs = Unit.objects.filter(project=scene.project, kind="figurative-pair").order_by("pk")
    client.force_login(drawn(scene, [[pair.pk, 5, 5] for pair in pairs]))

    points = client.get(reverse("map-points", args=[scene.project.slug])).json()["points"]
    assert [(key, text, meaning) for key, *_place, text, meaning in points] == [
        (str(pair.pk), pair.text, "") for pair in pairs
    ]
    assert client.get(reverse("map", args=[scene.project.slug])).status_code == 200


def drawn(scene: Mabl, points: list[list[int]]) -> User:
    """A map with these points, and somebody who reads it."""
    result = {"sentences": {"en": len(points)}, "of": {"en": len(points)}, "skipped": {}}
    job = Job.objects.create(project=scene.project, kind=JobKind.MAP, state=JobState.DONE, result=result)
    SentenceMap.objects.create(project=scene.project, job=job, points=points)
    return make_member(scene.project)


@needs_encoder
def test_the_job_draws_them() -> None:
    scene = Mabl()
    load(scene.project, {"en_dev.csv": (ROWS + ROWS.split("\n", 1)[1].replace("The", "My")).encode()})

    job = start_job(project=scene.project, kind=JobKind.MAP, params={}, by=None)
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.error, job.result.get("of")) == (JobState.DONE, "", {"en": 8})
    points = SentenceMap.objects.get().points
    assert len({(unit, line) for unit, _x, _y, line in points}) == len(points) == 8
    # Each sentence has its own vector: the halves of a pair lie in two places.
    halves: dict[int, set[tuple[int, int]]] = {}
    for unit, x, y, _line in points:
        halves.setdefault(unit, set()).add((x, y))
    assert all(len(places) == 2 for places in halves.values())
