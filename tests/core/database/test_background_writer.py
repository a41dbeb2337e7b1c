"""Rows that are written beside the preparation of the next ones: in order, all of them or none, on either database."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import transaction

from annotator.core.database.background_writer import BackgroundWriter
from tests.site import Site

SCRIPT = r"""
import json
from functools import partial
from django.db import IntegrityError, connection, transaction
from django.utils import translation
from annotator.core.database.background_writer import BackgroundWriter
from annotator.core.database.bulk import Insert
from annotator.models import User

@transaction.atomic
def add(*names):
    Insert(User, COLUMNS, [values(name) for name in names]).run()

def values(name):
    row = User(username=name)
    found = [getattr(row, field.attname) for field in FIELDS]
    return tuple(json.dumps(value) if isinstance(value, dict) else value for value in found)

FIELDS = [field for field in User._meta.concrete_fields if not field.primary_key]
COLUMNS = tuple(field.column for field in FIELDS)

def there():
    return sorted(User.objects.values_list("username", flat=True))

def commit():
    with connection.cursor() as cursor:
        cursor.execute("SHOW synchronous_commit")
        return cursor.fetchone()[0]

found = {"server": connection.vendor == "postgresql"}
backends, languages, order = [], set(), []
with translation.override("es"), BackgroundWriter() as beside:
    def one(number):
        add(f"a{number:02}")
        order.append(number)
        languages.add(translation.get_language())

    for number in range(20):
        beside.do(partial(one, number))
    beside.wait()
    found["seen after waiting"] = len(there())
    if found["server"]:
        beside.do(lambda: found.update(inside=commit()))
        beside.do(lambda: backends.append(connection.connection))
        beside.wait()
found["order"] = order == list(range(20))
found["languages"] = sorted(languages)
if found["server"]:
    found["outside"] = commit()
    found["its own connection"] = connection.connection is not backends[0]
    found["closed"] = bool(backends[0].closed)

# The second one fails: what was given after it is not done, and the next call says so.
try:
    with BackgroundWriter() as beside:
        beside.do(lambda: add("b1"))
        beside.do(lambda: add("b2", "a00"))
        beside.do(lambda: add("b3"))
except IntegrityError as error:
    found["raised"] = type(error).__name__
found["after failure"] = [name for name in there() if name.startswith("b")]

# Whoever gives up is told why, and nothing begins any more.
try:
    with BackgroundWriter() as beside:
        beside.do(lambda: add("c1"))
        beside.wait()
        raise KeyError("given up")
except KeyError:
    found["given up"] = [name for name in there() if name.startswith("c")]
print(json.dumps(found))
"""


def test_all_is_written_in_order_and_nothing_after_what_failed(any_site: Site) -> None:
    found: dict[str, Any] = any_site.python(SCRIPT)

    assert found["seen after waiting"] == 20
    assert found["order"]
    assert found["languages"] == ["es"]
    assert (found["raised"], found["after failure"]) == ("IntegrityError", ["b1"])
    assert found["given up"] == ["c1"]
    if found["server"]:
        assert found["its own connection"]
        assert found["closed"]
        assert (found["inside"], found["outside"]) == ("off", "on")


IMPORTED = r"""
import json
from annotator.imports.reading import check as import_check
from annotator.imports.writing import places as import_places
from annotator.imports.writing import rows as import_rows
from annotator.imports.reading.source import Terms
from annotator.imports.writing.imports import import_records
from annotator.projects.actions.projects import create_project
from annotator.formats.common.records import Record, Text
from annotator.models import Import, LemmaPlace, Segment, Unit
from annotator.core.starts import plain

# Small, so that a few sentences take many batches.
import_rows.CHUNK_SIZE, import_check.CHUNK_SIZE = 2, 4
import_places.MAX_CHUNK, import_places.STEP, import_places.SORTED_TOGETHER = 3, 3, 7

def records(number):
    for one in range(number):
        texts = {"es": Text(tokens=("perro", f"número{one}", "."), spaces=("", " ", "")),
                 "ca": Text(tokens=("gos", "gran", f"número{one}"), spaces=("", " ", " "))}
        yield Record("made.csv", one + 2, texts, id=str(one))

def give_up(done):
    if done > 40:
        raise RuntimeError("given up in the middle of writing")

found = []
project = create_project(slug="rows", preset=plain(["es", "ca"], ["METAPHOR"]), by=None)
def counts():
    return [Segment.objects.count(), Unit.objects.count(), LemmaPlace.objects.count(), Import.objects.count()]
try:
    import_records(project=project, reads=records(60), terms=Terms("made"), by=None, report=give_up)
except RuntimeError:
    found.append(counts())
import_records(project=project, reads=records(60), terms=Terms("made"), by=None)
found.append(counts())
import_records(project=project, reads=records(80), terms=Terms("made"), by=None)
found.append(counts())
places = LemmaPlace.objects.filter(unit__language="ca", form="gos").count()
wrong = sum(
    sorted(unit.lemma_places.values_list("index", flat=True)) != [i for i, c in enumerate(unit.content_words) if c]
    for unit in Unit.objects.all()
)
print(json.dumps({"found": found, "places": places, "wrong": wrong}))
"""


def test_an_import_in_many_batches_is_whole_or_nothing(any_site: Site) -> None:
    done = any_site.python(IMPORTED)

    nothing, first, second = done["found"]
    assert nothing == [0, 0, 0, 0]
    assert (first[:2], first[3]) == ([60, 120], 1)
    assert (second[:2], second[3]) == ([80, 160], 2)
    assert (done["places"], done["wrong"]) == (80, 0)


@pytest.mark.django_db
def test_inside_of_a_transaction_all_is_done_at_once() -> None:
    done: list[int] = []

    with transaction.atomic(), BackgroundWriter() as beside:
        beside.do(lambda: done.append(1))
        assert done == [1]
        with pytest.raises(ZeroDivisionError):
            beside.do(lambda: 1 / 0)
