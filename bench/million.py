"""What pages and calls cost in a project of a million sentences.

    DATA_DIR=/tmp/million python bench/million.py --sentences 1000000      # SQLite in DATA_DIR
    DATABASE_URL=postgres://… DATA_DIR=/tmp/million python bench/million.py --sentences 13280 1000000

For each size a project of its own is filled, unless it is there already: sentences in one language with their items,
suggestions and places in the lemma index, ten thousand of them answered by each of two people, some hundreds of those
in disagreement. Then each call is made through Django's test client, middleware and templates included, and its p50
and p95 are printed. Where PostgreSQL runs on this machine, so are the processor's time of each call and the bytes of
each table for one of its rows. The sentences are put together from a small list of words, so their text means nothing.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple
from urllib.parse import quote_plus

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from django.core.management import call_command
from django.db import connection, transaction
from django.db.models import Max, Min, Model
from django.test import Client
from django.urls import reverse

from annotator.core.counters import recount
from annotator.core.database.statistics import refresh_statistics
from annotator.work.gold.actions.adjudication import refresh_adjudication
from annotator.work.queue.actions.items import enter_stages
from annotator.work.lexicon.actions.lemmas import index_places
from annotator.projects.actions.projects import add_member, create_project
from annotator.domain.text.lemmas import content_words, lemmas_of
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Event,
    Gold,
    Item,
    Job,
    JobKind,
    JobState,
    LemmaPlace,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)

LANGUAGE = "es"
# Written one by one; the rest are copies of them, made by the database.
SEED = 1000
COPIED = (Segment, Unit, Item, LemmaPlace, Suggestion, Assignment, Annotation, Gold)
ANSWERED = 10_000
DIFFERING = 400
# fmt: off
WORDS = [
    "casa", "río", "tiempo", "luz", "palabra", "camino", "idea", "fuego", "puerta", "mano", "noche", "barco", "ciudad",
    "árbol", "viento", "piedra", "mesa", "libro", "agua", "voz", "abrir", "cerrar", "volar", "crecer", "romper",
    "beber", "nacer", "morir", "subir", "bajar", "claro", "oscuro", "largo", "breve", "frío", "alto", "hondo", "vivo",
]
SMALL = ["el", "la", "de", "en", "que", "y", "un", "una", "con", "por"]
# fmt: on


def fill(project: Project, count: int) -> None:
    """`count` sentences, in groups of four, with what hangs on them."""
    units = _written(project, min(SEED, count))
    copies = count // len(units) - 1
    if copies > 0:
        copy_rows(project, len(units), copies)
        recount(project)
    refresh_statistics()


def _written(project: Project, count: int) -> list[Unit]:
    draw = random.Random(1)
    segments = Segment.objects.bulk_create(
        Segment(
            project=project, uid=f"s{n}", role="prem" if n % 4 == 0 else "hyp", dataset="made", group=f"g{n // 4}",
            position=n + 1,
        )
        for n in range(count)
    )  # fmt: skip
    units = []
    for segment in segments:
        tokens = [draw.choice(WORDS if place % 2 else SMALL) for place in range(draw.randint(8, 16))]
        units.append(
            Unit(
                project=project,
                segment=segment,
                language=LANGUAGE,
                tokens=tokens,
                token_count=len(tokens),
                lemmas=lemmas_of(tokens, LANGUAGE),
                content_words=content_words(tokens, LANGUAGE),
                touches=[segment.pk],
            )
        )
    Unit.objects.bulk_create(units)
    index_places(units)
    enter_stages(project, units)
    job = Job.objects.create(
        project=project, kind=JobKind.PREDICT, state=JobState.DONE, params={"language": LANGUAGE, "detector": "crf"}
    )
    Suggestion.objects.bulk_create(
        Suggestion(
            project=project,
            unit=unit,
            layer=project.label_layer,
            kind=SuggestionKind.PREDICTION,
            job=job,
            name="crf",
            revision="made",
            threshold=0.5,
            content={"spans": [{"tokens": [1], "label": "METAPHOR", "attributes": {}, "score": 0.9}]},
            probabilities=[0.1] * unit.token_count,
        )
        for unit in units
    )
    return units


def copy_rows(project: Project, size: int, copies: int) -> None:
    """`copies` times the project's rows, with ids of their own: row r of copy k gets r's id + k · distance. `size`: how
    many places in reading order they take."""
    mine = {"project_id": project.pk}
    if connection.vendor == "sqlite":
        # Millions of places are put into indexes: with the pages of a web process each would go to the disk again.
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA cache_size = -1000000")
    moved = {}
    for model in COPIED:
        rows = model._base_manager.filter(project=project).aggregate(first=Min("pk"), last=Max("pk"))
        if rows["first"] is not None:
            moved[model] = f"+ k.n * {_last(model) - rows['first'] + 1}"
    touches = "jsonb_build_array(segment_id {0})" if connection.vendor == "postgresql" else "json_array(segment_id {0})"
    changes = {
        Segment: {"uid": "|| '.' || k.n", "group": "|| '.' || k.n", "position": f"+ k.n * {size}"},
        Unit: {"segment_id": moved[Segment], "touches": "=" + touches.format(moved[Segment])},
        Item: {"reading": f"+ k.n * {size}"},
        Assignment: {"reading": f"+ k.n * {size}", "item_id": moved[Item]},
    }
    for model, distance in moved.items():
        changed = {"id": distance} | changes.get(model, {})
        if model not in (Segment, Unit):
            changed["unit_id"] = moved[Unit]
        _insert(model, mine, copies, changed)


def _last(model: type[Model]) -> int:
    return int(model._base_manager.aggregate(last=Max("pk"))["last"])


def _insert(model: type[Model], of: Mapping[str, int], copies: int, changed: Mapping[str, str]) -> None:
    """INSERT … SELECT of the project's rows times 1 to `copies`; a change that begins with "=" replaces the column."""
    table = connection.ops.quote_name(model._meta.db_table)
    columns = [field.column for field in model._meta.concrete_fields]
    quoted = [connection.ops.quote_name(column) for column in columns]
    values = []
    for column, name in zip(columns, quoted, strict=True):
        change = changed.get(column, "")
        values.append(change[1:] if change.startswith("=") else f"{name} {change}")
    numbers = "WITH RECURSIVE k(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM k WHERE n < %s)"
    insert = f"INSERT INTO {table} ({', '.join(quoted)}) "
    select = f"SELECT {', '.join(values)} FROM {table} CROSS JOIN k WHERE project_id = %s AND {table}.id <= %s"  # noqa: S608
    with connection.cursor() as cursor:
        query = f"{insert} {numbers} {select}" if connection.vendor == "postgresql" else f"{numbers} {insert} {select}"
        cursor.execute(query, [copies, of["project_id"], _last(model)])
        if connection.vendor == "postgresql":
            sequence = f"pg_get_serial_sequence('{model._meta.db_table}', 'id')"
            cursor.execute(f"SELECT setval({sequence}, MAX(id)) FROM {table}")  # noqa: S608


def answer(project: Project, people: list[User], count: int) -> None:
    """The first `count` sentences finished by one person, the next by the other; some of the first by both."""
    stage = project.stages.get(kind="correct", language=LANGUAGE)
    for number, person in enumerate(people):
        items = list(Item.objects.filter(stage=stage).order_by("reading")[number * count : (number + 1) * count])
        _done(project, stage, person, items, mode="review")
    both = list(Item.objects.filter(stage=stage).order_by("reading")[: min(DIFFERING, count // 4)])
    _done(project, stage, people[1], both, mode="blind")
    with transaction.atomic():
        for item in both:
            refresh_adjudication(
                project=project, unit=Unit.objects.select_related("segment").get(pk=item.unit_id), layer=stage.layer
            )


def _done(project: Project, stage: Stage, person: User, items: list[Item], *, mode: str) -> None:
    extra = mode == "blind"
    token = 3 if extra else 1
    Assignment.objects.bulk_create(
        Assignment(
            project=project, stage=stage, item=item, unit_id=item.unit_id, user=person, mode=mode, state="done",
            reading=item.reading,
        )
        for item in items
    )  # fmt: skip
    Annotation.objects.bulk_create(
        Annotation(
            project=project, unit_id=item.unit_id, layer=stage.layer, stage=stage, user=person, mode=mode, state="done",
            content={"spans": [{"tokens": [token], "label": "METAPHOR", "attributes": {}, "score": None}]},
        )
        for item in items
    )  # fmt: skip
    ids = [item.pk for item in items]
    for start in range(0, len(ids), 500):
        part = ids[start : start + 500]
        if extra:
            Item.objects.filter(pk__in=part).update(extra_done=1)
            continue
        Item.objects.filter(pk__in=part).update(answers_done=1, state="done")
        units = [item.unit_id for item in items[start : start + 500]]
        LemmaPlace.objects.filter(unit__in=units).update(labelled=False)
        LemmaPlace.objects.filter(unit__in=units, index=token).update(labelled=True)
    Counter.objects.update_or_create(
        stage=stage,
        user=person,
        create_defaults={"project": project, "done": len(ids), "own_done": len(ids)},
        defaults={"blind_done" if extra else "own_done": len(ids)},
    )


def prepare(count: int) -> tuple[Project, User, User]:
    """The project of this size, filled where it is not yet there, a manager and an annotator of it."""
    slug = f"made-{count}"
    people = []
    for name in ("bench-ana", "bench-ben", "bench-mara"):
        user, _created = User.objects.get_or_create(username=name)
        people.append(user)
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        began = time.perf_counter()
        found = create_project(slug=slug, preset="meta4xnli-es-en", by=people[2])
        for user in people[:2]:
            add_member(project=found, user=user, role="adjudicator", by=None)
        fill(found, count)
        answer(found, people[:2], min(ANSWERED, count // 4))
        print(f"{count:,} sentences filled in {time.perf_counter() - began:.0f} s", flush=True)
    return found, people[2], people[0]


class Taken(NamedTuple):
    """Seconds of one call: that passed, and that the processor spent in this process and in PostgreSQL's."""

    passed: float
    here: float
    database: float


def database_seconds() -> float:
    """Seconds of a processor in our connection's process of PostgreSQL; 0.0 where this machine has no such process."""
    if connection.vendor != "postgresql":
        return 0.0
    connection.ensure_connection()
    process = Path(f"/proc/{connection.connection.info.backend_pid}")
    is_here = (process / "comm").is_file() and (process / "comm").read_text().startswith("postgres")
    return int((process / "schedstat").read_text().split()[0]) / 1e9 if is_here else 0.0


def measure(project: Project, manager: User, annotator: User, times: int) -> dict[str, list[Taken]]:
    """Time each call, `times` times."""
    clients = {}
    for name, user in (("manager", manager), ("annotator", annotator)):
        clients[name] = Client(SERVER_NAME="localhost", headers={"accept-encoding": "identity"})
        clients[name].force_login(user)
    api = f"/api/v1/projects/{project.slug}/"
    stage = project.stages.get(kind="correct", language=LANGUAGE)
    adjudication = project.stages.get(kind=Stage.ADJUDICATE, language=LANGUAGE, layer=project.label_layer)
    taken: dict[str, list[Taken]] = {}

    def call(name: str, who: str, method: str, path: str, body: Any = None) -> Any:
        send: Callable[..., Any] = getattr(clients[who], method)
        began = Taken(time.perf_counter(), time.process_time(), database_seconds())
        answer = send(path, body, content_type="application/json") if method == "post" else send(path)
        ended = Taken(time.perf_counter(), time.process_time(), database_seconds())
        taken.setdefault(name, []).append(Taken(*(after - before for before, after in zip(began, ended, strict=True))))
        if answer.status_code != 200:
            raise SystemExit(f"{name}: {answer.status_code} {answer.content[:500]!r}")
        return answer

    for number in range(times):
        claimed = call("claim of 10", "annotator", "post", f"{api}stages/{stage.pk}/claim/", {"held": [], "count": 10})
        for item in claimed.json()["items"]:
            path = f"{api}assignments/{item['id']}/"
            body = {"version": item["annotation"]["version"], "content": {"spans": []}, "done": True}
            saved = call("save", "annotator", "post", f"{path}save/", body).json()
            if number % 4 == 0:
                version = saved["annotation"]["version"]
                again = call("undo", "annotator", "post", f"{path}undo/", {"version": version}).json()
                body["version"] = again["annotation"]["version"]
                call("save", "annotator", "post", f"{path}save/", body)
        call("dashboard", "manager", "get", reverse("project", args=[project.slug]))
        call("own items", "annotator", "get", reverse("items", args=[project.slug, stage.pk]))
        call("adjudication queue", "manager", "get", f"{api}stages/{adjudication.pk}/adjudicate/")
        call("jobs page", "manager", "get", reverse("jobs", args=[project.slug]))
        call("projects page", "manager", "get", reverse("projects"))
        word = WORDS[number % len(WORDS)]
        call("lemma", "annotator", "get", f"{api}lemmas/?language={LANGUAGE}&lemma={word}")
        words = f"{word} {WORDS[-1 - number % len(WORDS)]}"
        call("find by words", "annotator", "get", f"{reverse('find', args=[project.slug])}?q={quote_plus(words)}")
    return taken


def percentile(values: list[float], share: float) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(share * len(ordered)))]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="+", default=[13_280, 1_000_000])
    parser.add_argument("--times", type=int, default=40)
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    columns = {}
    for count in options.sentences:
        measure(*prepare(count), times=3)  # warms caches, compiles templates
        columns[count] = measure(*prepare(count), times=options.times)
    print(f"\n{connection.vendor}, milliseconds (p50 / p95)\n")
    table(columns, lambda found: tuple(percentile([one.passed for one in found], share) for share in (0.5, 0.95)))
    if database_seconds():
        print("\nMilliseconds of a processor on average: web process / PostgreSQL\n")
        table(columns, lambda found: (fmean(one.here for one in found), fmean(one.database for one in found)))
        print("\nBytes for each row: table / indexes\n")
        sizes()


def table(columns: Mapping[int, Mapping[str, list[Taken]]], pair: Callable[[list[Taken]], tuple[float, ...]]) -> None:
    """A line for each call, with a pair of numbers for each size of project."""
    print("| call | " + " | ".join(f"{count:,}" for count in columns) + " |")
    print("|---|" + "---:|" * len(columns))
    for name in next(iter(columns.values())):
        cells = [" / ".join(f"{1000 * value:.1f}" for value in pair(column[name])) for column in columns.values()]
        print(f"| {name} | " + " | ".join(cells) + " |")


def sizes() -> None:
    """The tables of the whole database with the bytes of one of their rows, and the database's for each sentence."""
    print("| table | rows | bytes of a row |\n|---|---:|---:|")
    with connection.cursor() as cursor:
        for model in (Segment, Unit, LemmaPlace, Suggestion, Item, Assignment, Annotation, Event):
            name = model._meta.db_table
            cursor.execute("SELECT pg_table_size(%s), pg_indexes_size(%s)", [name, name])
            rows, (data, indexes) = model._default_manager.count(), cursor.fetchone()
            print(f"| {name} | {rows:,} | {data / rows:.0f} / {indexes / rows:.0f} |")
        cursor.execute("SELECT pg_database_size(current_database())")
        whole, sentences = cursor.fetchone()[0], Unit.objects.filter(kind="sentence").count()
    print(f"\nThe database: {whole / 1e6:,.0f} MB, {whole / sentences:,.0f} bytes for each of {sentences:,} sentences.")


if __name__ == "__main__":
    main()
