"""Reading from one state of the database, on SQLite and on PostgreSQL."""

from __future__ import annotations

from tests.site import Site

READ = """
import json, threading
from django.db import connection, transaction
from django.db.utils import DatabaseError
from annotator.models import User
from annotator.core.database.snapshot import snapshot

def beside():
    User.objects.create(username=f"user{User.objects.count()}")
    connection.close()

def write():
    thread = threading.Thread(target=beside)
    thread.start()
    thread.join(20)
    return thread.is_alive()

found = {}
with snapshot():
    seen = [User.objects.count()]
    found["waited"] = write()
    seen.append(User.objects.count())
found["seen"] = [*seen, User.objects.count()]
try:
    with snapshot():
        User.objects.create(username="nobody")
except DatabaseError:
    found["refused"] = True
try:
    with transaction.atomic(), snapshot():
        pass
except RuntimeError:
    found["nested"] = "refused"
User.objects.create(username="later")
found["in all"] = User.objects.count()
print(json.dumps(found))
"""

RELEASE = """
import json, threading
from dataclasses import replace
from django.db import connection
from annotator.releases.actions.releases import prepare_release, store_release
from annotator.models import *
from annotator.reports.queries.tables import REPORTS
from tests.factories import *

project = make_project("corpus", languages=["es"])
make_gold(make_sentence(project), [span(2)])
late = make_sentence(project)
waited = []

def beside():
    make_gold(late, [span(0)])
    connection.close()

def decided_meanwhile(project):
    if not waited:
        thread = threading.Thread(target=beside)
        thread.start()
        thread.join(20)
        waited.append(thread.is_alive())
    return detection.figures.count(project)

detection = REPORTS["detection"]
REPORTS["detection"] = replace(detection, figures=replace(detection.figures, count=decided_meanwhile))
releases = []
for _ in range(2):
    job = Job.objects.create(project=project, kind="release")
    prepared = prepare_release(job=job, partial=True)
    store_release(job=job, prepared=prepared)
    files = prepared.content.files
    rows = json.loads(files["statistics/detection.json"])
    releases.append([files["sentences.jsonl"].count(b"\\n"), rows[-1]["sentences"], len(prepared.content.left_out)])
print(json.dumps({"waited": waited, "releases": releases}))
"""


def test_a_snapshot_stays_as_it_is_while_others_write_and_writes_nothing(any_site: Site) -> None:
    assert any_site.python(READ) == {
        "waited": False,
        "seen": [0, 0, 1],
        "refused": True,
        "nested": "refused",
        "in all": 2,
    }


def test_the_files_of_a_release_agree_and_what_came_meanwhile_is_in_the_next(any_site: Site) -> None:
    assert any_site.python(RELEASE) == {"waited": [False], "releases": [[1, 1, 1], [2, 2, 0]]}
