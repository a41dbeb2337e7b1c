"""What a call asks of the database: as much in a large project as in a small one, and after hundreds of answers."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from annotator.core.database import statistics
from annotator.domain.states import AnnotationState, AssignmentState, ItemState
from annotator.domain.text.lemmas import content_words, lemmas_of
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Item,
    Job,
    JobKind,
    Pair,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.work.lexicon.actions.lemmas import index_places
from annotator.work.queue.actions.items import enter_stages
from tests.clients import client_of
from tests.factories import make_member, make_project, make_projection, make_sentence, span, spans, stage_of
from tests.site import Site

pytestmark = pytest.mark.django_db

SMALL, LARGE, ANSWERED = 100, 5000, 1000
TOKENS = ["El", "tiempo", "vuela"]
# Of one save: session, user, access and progress included. The transaction's savepoint is not among them.
MAX_STATEMENTS = 16


@pytest.fixture
def project() -> Project:
    return make_project()


@pytest.fixture
def ana(project: Project) -> User:
    return make_member(project)


@pytest.fixture
def stage(project: Project) -> Stage:
    return stage_of(project, "correct")


def fill(project: Project, first: int, last: int) -> None:
    """Sentences number `first` to `last` with predictions, in groups of four: a premise, and three hypotheses in pairs
    with it."""
    segments = Segment.objects.bulk_create(
        Segment(
            project=project,
            uid=f"set:{number}",
            role="prem",
            dataset="set",
            group=f"group{number // 4}",
            position=number,
        )
        for number in range(first, last)
    )
    lemmas, words = lemmas_of(TOKENS, "es"), content_words(TOKENS, "es")
    units = Unit.objects.bulk_create(
        Unit(
            project=project,
            segment=segment,
            language="es",
            tokens=TOKENS,
            token_count=len(TOKENS),
            lemmas=lemmas,
            content_words=words,
            touches=[segment.pk],
        )
        for segment in segments
    )
    index_places(units)
    enter_stages(project, units)
    pair_up(project, segments)
    job = Job.objects.create(project=project, kind=JobKind.PREDICT)
    Suggestion.objects.bulk_create(
        Suggestion(
            project=project,
            unit=unit,
            layer=project.label_layer,
            kind=SuggestionKind.PREDICTION,
            job=job,
            content=spans(span(2)),
            probabilities=[0.1, 0.1, 0.9],
        )
        for unit in units
    )


def pair_up(project: Project, sentences: Sequence[Segment]) -> None:
    """Pairs of the first of four with each of the other three."""
    both = [(sentences[number // 4 * 4], sentence) for number, sentence in enumerate(sentences) if number % 4]
    slots = Segment.objects.bulk_create(
        Segment(
            project=project,
            kind=Segment.PAIR,
            uid=f"{hypothesis.uid}:pair",
            dataset="set",
            group=hypothesis.group,
            position=hypothesis.position,
        )
        for _premise, hypothesis in both
    )
    Pair.objects.bulk_create(
        Pair(
            project=project,
            segment=slot,
            pair_id=slot.uid,
            dataset="set",
            premise=premise,
            hypothesis=hypothesis,
            inference="neutral",
            position=slot.position,
        )
        for slot, (premise, hypothesis) in zip(slots, both, strict=True)
    )
    units = Unit.objects.bulk_create(
        Unit(
            project=project,
            segment=slot,
            kind=Segment.PAIR,
            language="es",
            touches=[slot.pk, premise.pk, hypothesis.pk],
        )
        for slot, (premise, hypothesis) in zip(slots, both, strict=True)
    )
    enter_stages(project, units)


def answer(stage: Stage, user: User, count: int) -> None:
    """The first free sentences of the stage, answered by the user."""
    items = list(Item.objects.filter(stage=stage, state=ItemState.FREE).order_by("reading")[:count])
    Assignment.objects.bulk_create(
        Assignment(
            project=stage.project,
            stage=stage,
            item=item,
            unit_id=item.unit_id,
            user=user,
            reading=item.reading,
            state=AssignmentState.DONE,
        )
        for item in items
    )
    Annotation.objects.bulk_create(
        Annotation(
            project=stage.project,
            unit_id=item.unit_id,
            layer=stage.layer,
            stage=stage,
            user=user,
            state=AnnotationState.DONE,
            content=spans(span(2)),
        )
        for item in items
    )
    Item.objects.filter(pk__in=[item.pk for item in items]).update(answers_done=1, state=ItemState.DONE)
    counter, _new = Counter.objects.get_or_create(project=stage.project, stage=stage, user=user)
    Counter.objects.filter(pk=counter.pk).update(done=len(items), own_done=len(items))


def statements(call: Callable[[], Any]) -> list[str]:
    """What the call asks of the database, without the marks of transactions."""
    with CaptureQueriesContext(
        connection,
    ) as asked:
        call()
    found = [query["sql"] for query in asked.captured_queries]
    return [sql for sql in found if not sql.startswith(("SAVEPOINT", "RELEASE", "BEGIN", "COMMIT"))]


class Person:
    """Somebody at work in a stage."""

    def __init__(self, stage: Stage, user: User) -> None:
        self.base = f"/api/v1/projects/{stage.project.slug}/"
        self.stage = stage
        self.client: APIClient = client_of(user)
        self.held: list[dict[str, Any]] = []

    def claim(self, count: int) -> None:
        body = {"count": count, "held": [item["id"] for item in self.held]}
        told = self.client.post(f"{self.base}stages/{self.stage.pk}/claim/", body)
        assert told.status_code == 200, told.content
        assert len(told.json()["items"]) == count
        self.held += told.json()["items"]

    def save(self) -> None:
        item = self.held.pop(0)
        body = {"version": item["annotation"]["version"], "content": spans(span(1)), "done": True, "seconds": 3}
        told = self.client.post(f"{self.base}assignments/{item['id']}/save/", body)
        assert told.status_code == 200, told.content

    def look_up(self) -> None:
        assert self.client.get(f"{self.base}lemmas/?language=es&lemma=volar").status_code == 200

    def go_back(self) -> None:
        assert self.client.get(f"{self.base}stages/{self.stage.pk}/items/?before=0&limit=20").status_code == 200

    def costs(self) -> dict[str, int]:
        """Statements by call. The first of each is not counted: it makes rows that are there ever after."""
        self.claim(10)
        self.save()
        calls: dict[str, Callable[[], None]] = {
            "claim": lambda: self.claim(10),
            "save": self.save,
            "lemma": self.look_up,
            "items": self.go_back,
        }
        return {name: len(statements(call)) for name, call in calls.items()}


def test_a_save_is_at_most_sixteen_statements(project: Project, ana: User, stage: Stage) -> None:
    fill(project, 0, 20)
    person = Person(stage, ana)
    person.claim(5)
    asked = statements(person.save)
    assert len(asked) <= MAX_STATEMENTS, "\n".join(asked)
    asked = statements(person.save)
    assert len(asked) <= MAX_STATEMENTS, "\n".join(asked)


def test_so_is_one_on_what_was_carried_over_to_another_language(
    project: Project, ana: User, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    fill(project, 0, 20)
    _look_at_small_tables(monkeypatch)
    person = Person(stage, ana)
    person.claim(4)
    first, again, *rest = person.held
    # Of gold, as long as nobody has answered; then of answers, one of which becomes another one.
    for item, labels in ((first, "gold"), (again, "annotations")):
        unit = Unit.objects.get(pk=item["unit"]["id"])
        target = make_sentence(project, "Time flies", language="en", segment=unit.segment)
        projection = make_projection(unit, target, [span(0)], [span(0)])
        projection.detail["labels"] = labels
        projection.save()
    asked = statements(person.save)
    assert len(asked) <= MAX_STATEMENTS, "\n".join(asked)
    person.save()
    path = f"{person.base}assignments/{again['id']}/save/"
    for version, token in ((1, 0), (2, 1), (3, 0)):
        body = {"version": version, "content": spans(span(token)), "done": True, "seconds": 3}
        asked = statements(lambda body=body: person.client.post(path, body))
        assert len(asked) <= MAX_STATEMENTS, "\n".join(asked)
        assert scans(asked) == reaching_many(asked) == []
        assert Suggestion.objects.filter(
            unit__segment__units=again["unit"]["id"], source_changed=True
        ).exists() == bool(token)
    assert rest


@pytest.mark.slow
def test_calls_cost_the_same_in_a_large_project_and_after_many_answers(
    project: Project, ana: User, stage: Stage
) -> None:
    fill(project, 0, SMALL)
    small = Person(stage, ana).costs()
    assert small["save"] <= MAX_STATEMENTS
    fill(project, SMALL, LARGE)
    large = Person(stage, make_member(project)).costs()
    assert large == small
    ben = make_member(project)
    answer(stage, ben, ANSWERED)
    assert Person(stage, ben).costs() == small


GROWING = frozenset(model._meta.db_table for model in statistics.GROWING)
# What many rows of them share: reached by these alone, a table is read as good as a whole.
_WIDE = frozenset({"project_id", "layer_id", "kind", "is_current", "language", "source_language"})
_TABLE = re.compile(r'"(annotator_\w+)"(?: (?:AS )?"?([A-Z]\d+)"?)?')


def _look_at_small_tables(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(statistics, "LARGE", 0)
    statistics.refresh_statistics()


def scans(asked: Sequence[str]) -> list[tuple[str, str]]:
    """Where a plan of the database reads a growing table from one end to the other: step and statement."""
    plain = [sql for sql in asked if sql.lstrip("( \n").startswith(("SELECT", "UPDATE", "DELETE", "WITH", "EXECUTE"))]
    assert plain
    by_vendor = {"sqlite": _scans_sqlite, "postgresql": _scans_postgresql}
    return [(step, sql) for sql in plain for step in by_vendor[connection.vendor](sql)]


def _scans_sqlite(sql: str) -> list[str]:
    # A step names a table as the statement does: by its alias, where it has one.
    called = {alias or table: table for table, alias in _TABLE.findall(sql)}
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
        steps = [str(row[3]) for row in cursor.fetchall()]
    # A filter or an index that is made for one statement is made of the whole table.
    read = [re.match(r"(?:SCAN|BLOOM FILTER ON|SEARCH(?= \S+ USING AUTOMATIC)) (\S+)", step) for step in steps]
    return [step for step, one in zip(steps, read, strict=True) if one and called.get(one[1], one[1]) in GROWING]


def reaching_many(asked: Sequence[str]) -> list[tuple[str, str]]:
    """Where SQLite's plan goes by what many rows of a growing table share, statistics at hand: step and statement."""
    found = []
    with connection.cursor() as cursor:
        for sql in asked if connection.vendor == "sqlite" else ():
            if sql.lstrip("( \n").startswith(("SELECT", "UPDATE", "DELETE", "WITH")):
                cursor.execute(f"EXPLAIN QUERY PLAN {sql}")
                found += [(str(row[3]), sql) for row in cursor.fetchall()]
    return [one for one in found if _reaches_many(one[0])]


def _reaches_many(step: str) -> bool:
    found = re.match(r"SEARCH .* INDEX (\S+) \((.+)\)$", step)
    if found is None or not set(re.findall(r"(\w+)[=<>]", found[2])) <= _WIDE:
        return False
    with connection.cursor() as cursor:
        cursor.execute("SELECT tbl_name FROM sqlite_master WHERE name = %s", [found[1]])
        return cursor.fetchone()[0] in GROWING


def _scans_postgresql(sql: str) -> list[str]:
    with connection.cursor() as cursor:
        # A small table is read as a whole whatever there is; this asks whether it must be.
        cursor.execute("SET enable_seqscan = off")
        cursor.execute(f"EXPLAIN (FORMAT JSON, VERBOSE) {sql}")
        (found,) = cursor.fetchone()
        cursor.execute("RESET enable_seqscan")
    # What a subquery finds anywhere, read once into memory, instead of looked up for each row.
    kept = set(re.findall(r"hashed (SubPlan \d+)", json.dumps(found)))
    nodes = [(found[0]["Plan"], False, False)]
    wrong = []
    while nodes:
        node, is_kept, is_limited = nodes.pop()
        is_kept = is_kept or node.get("Subplan Name") in kept
        is_limited = is_limited or node["Node Type"] == "Limit"
        nodes += [(one, is_kept, is_limited) for one in node.get("Plans", ())]
        whole = node["Node Type"] == "Seq Scan" or (
            node["Node Type"] in ("Index Scan", "Index Only Scan") and (is_kept or "Index Cond" not in node)
        )
        # Where a condition is on what was kept in memory, each row is looked at, unless the first ones are enough.
        whole = whole or ("hashed SubPlan" in node.get("Filter", "") and not is_limited)
        if whole and node.get("Relation Name") in GROWING:
            wrong.append(f"{node['Node Type']} of {node['Relation Name']}")
    return wrong


def test_no_call_reads_rows_that_grow_with_the_project(
    project: Project, ana: User, stage: Stage, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Plans of the database: each table is reached by an index, never read from one end to the other."""
    fill(project, 0, SMALL)
    answer(stage, ana, 20)
    _look_at_small_tables(monkeypatch)
    person = Person(stage, ana)
    person.claim(10)
    person.save()
    calls: Sequence[Callable[[], None]] = (lambda: person.claim(5), person.save, person.look_up, person.go_back)
    asked = [sql for call in calls for sql in statements(call)]
    assert scans(asked) == reaching_many(asked) == []


def test_a_table_that_is_read_as_a_whole_is_found(project: Project) -> None:
    fill(project, 0, 4)
    for rows in (Item.objects.filter(answers_done=3), Unit.objects.exclude(items__answers_done=3)):
        assert scans(statements(lambda rows=rows: list(rows)))


ON_POSTGRESQL = """
import json
from annotator.models import Item
from annotator.core.database.postgresql.base import Cursor
from django.test.utils import setup_test_environment
from tests.api.test_cost import ANSWERED, LARGE, SMALL, Person, answer, fill, scans, statements
from tests.factories import make_member, make_project, stage_of
setup_test_environment()
project = make_project()
stage, ben = stage_of(project, "correct"), make_member(project)
fill(project, 0, SMALL)
small = Person(stage, make_member(project)).costs()
fill(project, SMALL, LARGE)
large = Person(stage, make_member(project)).costs()
answer(stage, ben, ANSWERED)
person = Person(stage, ben)
answered = person.costs()
calls = (lambda: person.claim(5), person.save, person.look_up, person.go_back)
person.claim(12)
for again in range(12):
    person.save()
    person.look_up()
plain, run = [], Cursor.run
def noted(cursor, sql, params=None):
    if sql.lstrip().startswith(("SELECT", "INSERT", "UPDATE", "DELETE")):
        plain.append(sql)
    run(cursor, sql, params)
Cursor.run = noted
for again in range(4):
    person.save()
    person.look_up()
Cursor.run = run
print(json.dumps({
    "planned": plain,
    "costs": [small, large, answered],
    "scans": scans([sql for call in calls for sql in statements(call)]),
    "caught": len(scans(statements(lambda: list(Item.objects.filter(answers_done=3))))),
}))
"""


@pytest.mark.services
def test_it_is_the_same_on_postgresql(server_site: Site) -> None:
    found = server_site.python(ON_POSTGRESQL)
    small, *others = found["costs"]
    assert small["save"] <= MAX_STATEMENTS
    assert others == [small, small]
    assert (found["scans"], found["caught"]) == ([], 1)
    # Each statement of a save and of a look-up was planned before.
    assert found["planned"] == []
