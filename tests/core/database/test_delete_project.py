"""A deletion on each database: the log lets go of the project's events, and of no others."""

from __future__ import annotations

from tests.conftest import on_servers
from tests.site import Site

DELETE = """
import contextlib, io, json
from annotator.projects.actions.delete_project import delete_project
from annotator.core.events import log
from annotator.jobs.running import run_job
from annotator.models import Event, Project
from tests.factories import *
gone, stays = make_project("gone"), make_project("stays")
for project in (gone, stays):
    make_annotation(make_sentence(project), make_member(project), [span(0)])
    log(project=project, actor=None, verb="project.create", subject=project)
job = delete_project(project=gone, name="gone", by=None)
with contextlib.redirect_stdout(io.StringIO()):
    run_job(job.pk, worker="test")
events = [[event.verb, event.project_id == stays.pk] for event in Event.objects.all()]
print(json.dumps([list(Project.objects.values_list("slug", flat=True)), events]))
"""


def test_only_its_own_events_go_with_a_project(any_site: Site) -> None:
    assert any_site.python(DELETE) == [["stays"], [["project.create", True], ["project.delete", False]]]


@on_servers
def test_nobody_else_deletes_an_event(any_site: Site) -> None:
    said = any_site.python(
        "import json\nfrom django.db import connection, DatabaseError\nfrom tests.factories import *\n"
        "from annotator.core.events import log\nproject = make_project()\n"
        "log(project=project, actor=None, verb='project.create', subject=project)\n"
        "try:\n    connection.cursor().execute('DELETE FROM annotator_event')\nexcept DatabaseError as error:\n"
        "    print(json.dumps(str(error)))"
    )
    assert "append-only" in said
