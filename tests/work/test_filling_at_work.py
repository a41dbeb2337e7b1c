"""A stage is filled while people save the answers that its units are made from."""

from __future__ import annotations

import pytest

from tests.site import Site

pytestmark = pytest.mark.services

AT_ONCE = """
import json, threading
from django.db import connection, transaction
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation
from annotator.work.queue.actions.assignments import claim
from annotator.projects.actions.projects import add_stage
from annotator.projects.actions.stages import add_stages, fill_stage
from annotator.models import *
from annotator.core.presets import StageSpec
from tests.factories import *
from tests.protocols.mabl.work import Mabl

scene = Mabl()
project, write, (ana, *_) = scene.project, scene.write, scene.people
scene.categories.delete()
scene.validate.delete()

def content(number, ending):
    first = f"Voice {number} is {ending}"
    return {"figurative": [first, f"Voice {number} is gravel"], "literal": [f"It is {ending}.", "It is rough."]}

def save(row, version, number, ending):
    save_annotation(
        project=project, assignment=row.pk, version=version, content=content(number, ending), done=True, by=ana,
        now=timezone.now(),
    )

def together(*works):
    start, faults = threading.Barrier(len(works)), []
    def run(work):
        try:
            start.wait()
            work()
        except Exception as error:  # whatever it is, the test is told of it
            faults.append(repr(error))
        finally:
            connection.close()
    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return faults

def check(row, stage, number):
    made = Unit.objects.filter(parents=row.unit_id, is_current=True, items__stage=stage).distinct()
    texts = [unit.text.split("\\n")[0] for unit in made]
    Stage.objects.filter(pk=stage.pk).update(made_from=None)
    return [] if texts == [f"Voice {number} is satin"] else [texts]

validate = StageSpec("validate", "en", made_from="write-pair", answers_wanted=2)
found = {"faults": [], "filled": [], "added": []}
for number in range(12):
    (row,) = claim(stage=write, user=ana, count=1, now=timezone.now())
    save(row, 0, number, "silk")
    stage = add_stage(project=project, spec=validate, position=10 + number)
    found["faults"] += together(
        lambda: save(row, 1, number, "satin"), lambda: fill_stage(stage, [row.unit_id]),
    )
    found["filled"] += check(row, stage, number)

# A save that began before the stage was there, and is at work until somebody waits for it.
for number in (12, 13):
    (row,) = claim(stage=write, user=ana, count=1, now=timezone.now())
    if number == 13:
        save(row, 0, number, "silk")
    saving, waiting = threading.Event(), threading.Event()

    def slowly():
        with transaction.atomic():
            save(row, number - 12, number, "satin")
            saving.set()
            assert waiting.wait(60)

    def adding():
        assert saving.wait(60)
        add_stages(project=project, specs=[validate], by=None)

    adds = threading.Thread(target=lambda: found["faults"].extend(together(slowly, adding)))
    adds.start()
    with connection.cursor() as cursor:
        while adds.is_alive() and not waiting.is_set():
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            if cursor.fetchone()[0] or project.stages.filter(kind="validate", made_from=write, items__isnull=False):
                waiting.set()
    adds.join()
    found["added"] += check(row, project.stages.get(kind="validate", made_from=write), number)
print(json.dumps(found))
"""


def test_an_answer_that_is_saved_meanwhile_becomes_one_unit(server_site: Site) -> None:
    """The newest answer, once, whoever came first. SQLite has one writer at a time."""
    assert server_site.python(AT_ONCE) == {"faults": [], "filled": [], "added": []}
