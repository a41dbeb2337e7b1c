"""What happens at the same moment, on both databases: a button pressed twice, a claim beside blind work."""

from __future__ import annotations

from tests.conftest import on_servers
from tests.site import Site

TWICE = """
import json, threading
from django.db import connection
from annotator.work.blind.actions.blind import assign_blind
from annotator.core.errors import ActionError
from annotator.jobs.actions import start_job
from annotator.machines.actions.transfers import transfer_tags
from annotator.models import *
from tests.factories import *
project = make_project()
mara, ben = make_member(project, "manager"), make_member(project)
for _ in range(40):
    pair = make_pair(project)
    make_tag(pair, "relevant", user=mara)
    for segment in (pair.premise, pair.hypothesis):
        make_sentence(project, "Time flies", segment=segment, language="en")
    make_pair_unit(pair, "en")

def at_once(act):
    start, faults = threading.Barrier(4), []
    def run():
        start.wait()
        try:
            act()
        except ActionError as refusal:
            pass
        except Exception as error:  # whatever it is, the test is told of it
            faults.append(repr(error))
        finally:
            connection.close()
    threads = [threading.Thread(target=run) for _ in range(4)]
    [thread.start() for thread in threads]
    [thread.join() for thread in threads]
    return faults

faults = at_once(lambda: transfer_tags(project=project, source="es", target="en", by=mara))
faults += at_once(lambda: assign_blind(project=project, language="es", users=[ben], pairs=20, seed=1, by=mara))
faults += at_once(lambda: start_job(project=project, kind="release", params={"partial": True}, by=mara))
print(json.dumps({
    "faults": faults,
    "silver": Suggestion.objects.filter(kind="transfer").count(),
    "transferred": Event.objects.filter(verb="suggestion.transferred").count(),
    "blind": Assignment.objects.filter(mode="blind").count(),
    "given": Event.objects.filter(verb="assignment.blind").count(),
    "jobs": Job.objects.count(),
}))
"""


def test_what_is_asked_four_times_at_once_is_done_once(any_site: Site) -> None:
    found = any_site.python(TWICE)

    assert found == {"faults": [], "silver": 40, "transferred": 40, "blind": 60, "given": 60, "jobs": 1}


CROSSING = """
import json, threading
from django.db import connection, transaction
from django.utils import timezone
from annotator.work.queue.actions.assignments import claim
from annotator.work.blind.actions.blind import assign_blind
from annotator.models import *
from tests.factories import *
project = make_project()
mara, ben = make_member(project, "manager"), make_member(project)
pair = make_pair(project)
for segment in (pair.premise, pair.hypothesis):
    make_sentence(project, "Time flies", segment=segment, language="en")
make_pair_unit(pair, "en")
claimed = []

def claims():
    claimed.append(claim(stage=stage_of(project, "correct", "en"), user=ben, now=timezone.now()))
    connection.close()

with transaction.atomic():
    # Nobody else sees this before the transaction ends.
    assign_blind(project=project, language="es", users=[ben], pairs=1, seed=1, by=mara)
    thread = threading.Thread(target=claims)
    thread.start()
    thread.join(timeout=1)
thread.join()
print(json.dumps({
    "finished": len(claimed),
    "review": Assignment.objects.filter(mode="review").count(),
    "shown": Event.objects.filter(verb="assignment.claimed").count(),
}))
"""


def test_nobody_claims_in_the_other_language_what_is_being_handed_to_them_blind(any_site: Site) -> None:
    assert any_site.python(CROSSING) == {"finished": 1, "review": 0, "shown": 0}


DECIDING = """
import json, threading
from django.db import connection, transaction
from annotator.work.blind.actions.blind import assign_blind
from tests.deciding import decide_gold
from annotator.models import *
from tests.factories import *
project = make_project()
mara, ben = make_member(project, "manager"), make_member(project)
unit = make_sentence(project, "Time flies", language="en")
# In another stage of the layer: what is drawn blind gets an item of its own.
make_item(unit, stage_of(project, "project-review", "en"))
Item.objects.filter(stage=stage_of(project, "correct", "en")).delete()
drawn = []

def draws():
    drawn.extend(assign_blind(project=project, language="en", users=[ben], pairs=1, seed=1, by=mara))
    connection.close()

with transaction.atomic():
    # Nobody else sees this before the transaction ends.
    decide_gold(unit=unit.pk, layer=project.label_layer, content={"spans": []}, by=mara)
    thread = threading.Thread(target=draws)
    thread.start()
    thread.join(timeout=1)
thread.join()
print(json.dumps({
    "drawn": [(one.sentences, one.decided) for one in drawn],
    "blind": Assignment.objects.filter(mode="blind").count(),
    "live": BlindMark.objects.filter(live=True).count(),
}))
"""


def test_what_is_being_decided_is_not_drawn_blind(any_site: Site) -> None:
    assert any_site.python(DECIDING) == {"drawn": [[0, 1]], "blind": 0, "live": 0}


IMPORTS = """
import json, threading
from django.db import connection
from annotator.core.counters import recounted
from annotator.sample.demo import SAMPLE
from annotator.core.errors import ActionError
from annotator.imports.writing.imports import import_meta4xnli
from annotator.projects.actions.projects import create_project
from annotator.models import *
project = create_project(slug="corpus", preset="meta4xnli-es-en", by=None)
start, found = threading.Barrier(3), []

def imports():
    start.wait()
    try:
        summary = import_meta4xnli(project=project, root=SAMPLE, dataset="sample", labels="gold", by=None)
        found.append(summary.segments.new)
    except Exception as error:  # whatever it is, the test is told of it
        found.append(repr(error))
    finally:
        connection.close()

threads = [threading.Thread(target=imports) for _ in range(3)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
print(json.dumps({
    "found": sorted(found, key=str),
    "sentences": project.sentences.count(),
    "gold": Gold.objects.count(),
    "right": all(
        sum(stage.counters.values_list("total", flat=True)) == recounted(stage)["total"]
        for stage in project.stages.exclude(kind="adjudicate")
    ),
}))
"""


def test_imports_of_one_project_take_turns(any_site: Site) -> None:
    found = any_site.python(IMPORTS)

    assert found == {"found": [0, 0, 100], "sentences": 200, "gold": 350, "right": True}


DEADLOCK = """
import json, threading
from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation
from annotator.models import *
from tests.protocols.mabl.work import BLANKET, OFFICE, Mabl
settings.ALLOWED_HOSTS = ["testserver"]
# In this database alone: other tests wait in theirs at the same time.
HERE = "SELECT pid FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())"
WAITING = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN ({HERE})"
scene = Mabl()
ana = scene.people[0]
item = scene.written(ana)
faults = []

def saves():
    try:
        with connection.cursor() as cursor:
            # Time enough for the other transaction to wait, too: PostgreSQL looks for a deadlock once a wait.
            cursor.execute("SET deadlock_timeout = '5s'")
        save_annotation(
            project=scene.project, assignment=item["id"], version=1, content=OFFICE, done=True, by=ana,
            now=timezone.now(),
        )
    except Exception as error:  # whatever it is, the test is told of it
        faults.append(repr(error))
    finally:
        connection.close()

def locked(stage):
    return Item.objects.select_for_update(no_key=True).get(stage=stage)

thread = threading.Thread(target=saves)
with transaction.atomic():
    locked(scene.validate)
    with connection.cursor() as cursor:
        # Whoever looks for a deadlock ends it by giving up: never this transaction, however slow the machine.
        cursor.execute("SET LOCAL deadlock_timeout = '1min'")
        thread.start()
        waiting = False
        while not waiting and thread.is_alive():
            cursor.execute(WAITING)
            waiting = cursor.fetchone()[0]
    locked(scene.write)
thread.join()
unit = Unit.objects.get(kind="figurative-pair", is_current=True)
print(json.dumps({"faults": faults, "written": unit.text.split("\\n")[0], "waited": bool(waiting)}))
"""


@on_servers
def test_a_save_that_is_ended_by_a_deadlock_is_done_once_more(any_site: Site) -> None:
    found = any_site.python(DEADLOCK)

    assert found == {"faults": [], "written": "The office was a beehive.", "waited": True}


BESIDE = """
import json, threading
from django.db import connection, transaction
from django.utils import timezone
from annotator.work.answering.actions.annotations import save_annotation
from annotator.models import *
from tests.factories import *

# In this database alone: other tests wait in theirs at the same time.
HERE = "SELECT pid FROM pg_locks WHERE database = (SELECT oid FROM pg_database WHERE datname = current_database())"
WAITING = f"SELECT count(*) FROM pg_locks WHERE NOT granted AND pid IN ({HERE})"

def two_answers(in_two_stages):
    project = make_project()
    ana, ben = make_member(project), make_member(project)
    unit = make_sentence(project, "Time flies")
    first = second = stage_of(project, "correct")
    if in_two_stages:
        second = Stage.objects.create(
            project=project, kind="correct", layer=first.layer, language="es", position=9, answers_wanted=1
        )
        make_item(unit, second)
    else:
        Stage.objects.filter(pk=first.pk).update(answers_wanted=2)
        Item.objects.filter(stage=first).update(answers_wanted=2)
    rows = {ana: make_assignment(unit, ana, stage=first), ben: make_assignment(unit, ben, stage=second)}
    faults = []

    def saves(who, *spans):
        try:
            save_annotation(
                project=project, assignment=rows[who].pk, version=0, content={"spans": list(spans)}, done=True, by=who,
                now=timezone.now(),
            )
        except Exception as error:  # whatever it is, the test is told of it
            faults.append(repr(error))

    def saves_beside():
        saves(ben)
        connection.close()

    thread = threading.Thread(target=saves_beside)
    with transaction.atomic():
        saves(ana, span(1))
        thread.start()
        with connection.cursor() as cursor:
            waiting = False
            while not waiting and thread.is_alive():
                cursor.execute(WAITING)
                waiting = cursor.fetchone()[0]
    thread.join()
    items = Item.objects.filter(stage__project=project, stage__kind="adjudicate", state="free")
    return {"faults": faults, "waited": bool(waiting), "to decide": items.count()}

print(json.dumps([two_answers(False), two_answers(True)]))
"""


@on_servers
def test_answers_that_differ_and_come_at_once_wait_for_a_decision(any_site: Site) -> None:
    found = any_site.python(BESIDE)

    assert found == [{"faults": [], "waited": True, "to decide": 1}] * 2
