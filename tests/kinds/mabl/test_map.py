"""The map of sentences of a project that has figurative pairs and no plain sentences."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

import mlworkers.tasks  # noqa: F401 -- registers the handlers
from annotator.actions.jobs import start_job
from annotator.jobs import run_job
from annotator.models import Job, JobKind, JobState, SentenceMap
from annotator.queries.sentence_map import has_enough, map_of, to_map
from tests.drafts import load
from tests.engines.encoder import needs_encoder
from tests.factories import make_member
from tests.kinds.mabl.work import BLANKET, OFFICE, make_scene

pytestmark = pytest.mark.django_db

ROWS = """startphrase,ending1,ending2,labels
The road was a snake,It wound.,It was straight.,0
The road was a ruler,It wound.,It was straight.,1
The hall was a fridge,It was cold.,It was warm.,0
The hall was an oven,It was cold.,It was warm.,1
"""


def test_imported_and_written_pairs_are_drawn(client: Client) -> None:
    scene = make_scene()
    load(scene.project, {"en_dev.csv": ROWS.encode()})
    assert not has_enough(scene.project)
    scene.written(scene.people[0], BLANKET)
    scene.written(scene.people[1], OFFICE)

    assert has_enough(scene.project)
    found = to_map(scene.project, wanted=10, seed=1, languages={"en"})
    assert found.counts == {"sentences": {"en": 4}, "of": {"en": 4}, "skipped": {}}

    job = Job.objects.create(project=scene.project, kind=JobKind.MAP, state=JobState.DONE, result=found.counts)
    SentenceMap.objects.create(project=scene.project, job=job, points=[[pk, 1, 1] for pk in found.sentences])
    reader = make_member(scene.project)
    shown = map_of(scene.project, reader)
    assert shown is not None
    assert {point.unit for point in shown.points} == set(found.sentences)
    client.force_login(reader)
    assert "The road was a snake" in client.get(reverse("map", args=[scene.project.slug])).content.decode()


@needs_encoder
def test_the_job_draws_them() -> None:
    scene = make_scene()
    load(scene.project, {"en_dev.csv": (ROWS + ROWS.split("\n", 1)[1].replace("The", "My")).encode()})

    job = start_job(project=scene.project, kind=JobKind.MAP, params={}, by=None)
    run_job(job.pk, worker="one")

    job.refresh_from_db()
    assert (job.state, job.error, job.result.get("of")) == (JobState.DONE, "", {"en": 4})
    assert len(SentenceMap.objects.get().points) == 4
