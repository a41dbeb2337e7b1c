"""What the list of sentences, the view in context and acts on 40 of its rows cost, by the size of the corpus.

    DATA_DIR=/tmp/sentences python bench/sentences_at_size.py                  # 13,320 × 2 and about a million, SQLite
    DATABASE_URL=postgres://… DATA_DIR=/tmp/s python bench/sentences_at_size.py --sentences 26640

For each size a project of its own is filled, unless it is there already: 13,320 sentences in two languages of made-up
words, drawn by a seed with the frequencies of a natural text (Zipf), spans on 6 % of the words, answers on a third of
the sentences and gold on a fifth; larger sizes are copies of them, made by the database. Then each page is asked for
through Django's test client. Printed are its SQL statements, the thousands of steps that SQLite took for them, which
grow with the rows that are read, and the median of the milliseconds; with --explain what a statement reads without an
index.
"""

from __future__ import annotations

import argparse
import random
import re
import sys
import time
from bisect import bisect_left
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import accumulate
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import bench.setup  # noqa: F401, I001 -- before all that needs models

from django.core.management import call_command
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from annotator.core.counters import recount
from annotator.core.database.statistics import refresh_statistics
from annotator.models import (
    Annotation,
    Assignment,
    Counter,
    Gold,
    Import,
    Item,
    Project,
    Segment,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
    User,
)
from annotator.projects.actions.projects import add_member, create_project
from annotator.work.lexicon.actions.lemmas import places
from annotator.work.queue.actions.items import enter_stages
from bench.million import copy_rows

SLOTS = 13_320
LANGUAGES = ("es", "en")
VOCABULARY = 20_000
LABELLED = 0.06
FUNCTION_WORDS = {
    "es": ["de", "la", "que", "el", "en", "y", "a", "los", "se", "del", "las", "un", "por", "con", "una", "su", "para"],
    "en": ["the", "of", "and", "to", "a", "in", "is", "it", "that", "was", "for", "on", "with", "as", "be", "at", "by"],
}
ENDINGS = {"es": ["a", "an", "aba", "ado", "ando", "ar"], "en": ["", "s", "ed", "ing"]}
ROWS_OF_AN_ACT = 40
TIMES = 3


class Words:
    """Made-up words of a language: a word of rank r is drawn 1 ÷ (r + 2.7) as often as the first. The most frequent are
    function words; the others a stem with an ending, and the stem is the lemma."""

    def __init__(self, language: str) -> None:
        draw = random.Random(language)
        self.language, self.function_words = language, FUNCTION_WORDS[language]
        syllables = [first + vowel for first in "bcdfglmnprstv" for vowel in "aeiou"]
        stems: dict[str, None] = {}
        while len(stems) < VOCABULARY:
            stems["".join(draw.choice(syllables) for _ in range(draw.choice([2, 3, 3, 4]))) + draw.choice("lnrst")] = (
                None
            )
        self.stems = list(stems)
        self.sums = list(accumulate(1 / (rank + 2.7) for rank in range(VOCABULARY + len(self.function_words))))

    def draw(self, draw: random.Random) -> tuple[str, str, bool]:
        """A form, its lemma, and whether it is a content word."""
        rank = bisect_left(self.sums, draw.random() * self.sums[-1])
        if rank < len(self.function_words):
            return self.function_words[rank], self.function_words[rank], False
        stem = self.stems[rank - len(self.function_words)]
        return stem + draw.choice(ENDINGS[self.language]), stem, True


def write(project: Project, people: list[User]) -> None:
    """13,320 sentences in two languages with what hangs on them: items, suggestions, answers, gold, disagreements."""
    draw = random.Random(1)
    brought = Import.objects.create(project=project, dataset="made", labels="none", published_at=timezone.now())
    segments = Segment.objects.bulk_create(
        Segment(
            project=project, uid=f"s{n}", role="prem" if n % 4 == 0 else "hyp", dataset="made", group=f"g{n // 4}",
            position=n + 1, imported=brought,
        )
        for n in range(SLOTS)
    )  # fmt: skip
    units = []
    for language in LANGUAGES:
        words = Words(language)
        for segment in segments:
            drawn = [words.draw(draw) for _ in range(draw.randint(6, 18))]
            tokens, lemmas, content = (list(column) for column in zip(*drawn, strict=True))
            units.append(
                Unit(
                    project=project, segment=segment, language=language, tokens=tokens, token_count=len(tokens),
                    lemmas=lemmas, content_words=content, touches=[segment.pk], imported=brought,
                )
            )  # fmt: skip
    Unit.objects.bulk_create(units, batch_size=500)
    spans = {unit.pk: labelled(draw, unit) for unit in units}
    decided = {unit.pk for unit in units if draw.random() < 0.2}
    answered = [unit for unit in units if draw.random() < 1 / 3]
    places(units, {unit: {at for span in spans[unit] for at in span["tokens"]} for unit in decided}).run()
    layer = project.label_layer
    Gold.objects.bulk_create(
        Gold(project=project, unit_id=unit, layer=layer, content={"spans": spans[unit]}, source="adjudicated")
        for unit in decided
    )
    enter_stages(project, units)
    Suggestion.objects.bulk_create(
        Suggestion(
            project=project, unit=unit, layer=layer, kind=SuggestionKind.PREDICTION, name="crf", revision="made",
            threshold=0.5, content={"spans": spans[unit.pk]},
        )
        for unit in units[::2]
    )  # fmt: skip
    answer(project, people, answered, spans, draw)


def labelled(draw: random.Random, unit: Unit) -> list[dict[str, Any]]:
    """Spans of one word each on 6 % of the words: of the content words, so many more."""
    share = LABELLED * len(unit.tokens) / max(sum(unit.content_words), 1)
    return [
        {"tokens": [at], "label": "METAPHOR", "attributes": {}, "score": None}
        for at, is_content in enumerate(unit.content_words)
        if is_content and draw.random() < share
    ]


def answer(
    project: Project, people: list[User], units: list[Unit], spans: dict[int, list[Any]], draw: random.Random
) -> None:
    """Each of the units is done by one of the people, one in fifty with a doubt; one in thirty waits for a decision."""
    stages = {language: project.stages.get(kind="correct", language=language) for language in LANGUAGES}
    judging = {one.language: one for one in project.stages.filter(kind=Stage.ADJUDICATE, layer=project.label_layer)}
    items = {item.unit_id: item for item in Item.objects.filter(project=project, stage__in=stages.values())}
    assignments, annotations, waiting = [], [], []
    for unit in units:
        if (item := items.get(unit.pk)) is None:
            continue
        person, doubt = draw.choice(people), draw.random() < 0.02
        item.answers_done = 1
        item.state = "done" if item.state == "free" else item.state
        common = {"project": project, "unit": unit, "user": person, "stage_id": item.stage_id, "state": "done"}
        assignments.append(Assignment(item=item, reading=item.reading, done_at=timezone.now(), **common))
        content = {"spans": spans[unit.pk]}
        annotations.append(
            Annotation(layer=project.label_layer, content=content, doubt=doubt, comment="?" if doubt else "", **common)
        )
        if item.state != "decided" and draw.random() < 1 / 30:
            waiting.append(Item(project=project, stage=judging[unit.language], unit=unit, reading=item.reading))
    Assignment.objects.bulk_create(assignments, batch_size=500)
    Annotation.objects.bulk_create(annotations, batch_size=500)
    Item.objects.bulk_update([items[row.unit_id] for row in assignments], ["answers_done", "state"], batch_size=500)
    Item.objects.bulk_create(waiting, batch_size=500)
    for person in people:
        for stage in stages.values():
            Counter.objects.get_or_create(project=project, stage=stage, user=person)


def prepare(count: int) -> tuple[Project, User, User]:
    """The project of about so many sentences, filled where it is not yet there, a manager and an annotator of it."""
    slug = f"sentences-{count}"
    people = [User.objects.get_or_create(username=f"bench-{name}")[0] for name in ("ana", "ben", "mara")]
    found = Project.objects.filter(slug=slug).first()
    if found is None:
        began = time.perf_counter()
        found = create_project(slug=slug, preset="meta4xnli-es-en", by=people[2])
        for user in people[:2]:
            add_member(project=found, user=user, role="annotator", by=None)
        write(found, people[:2])
        copies = round(count / (SLOTS * len(LANGUAGES))) - 1
        if copies > 0:
            copy_rows(found, SLOTS, copies)
        recount(found)
        refresh_statistics()
        print(f"{found.units.count():,} sentences filled in {time.perf_counter() - began:.0f} s", flush=True)
    return found, people[2], people[0]


class Taken(NamedTuple):
    """Of one request: SQL statements, steps of SQLite's machine in thousands (0 elsewhere), seconds."""

    statements: int
    steps: int
    seconds: float


@contextmanager
def counted_steps() -> Iterator[list[int]]:
    """How many thousand steps SQLite took: rows that are read show in them, also where none is returned."""
    steps = [0]
    if connection.vendor == "sqlite":
        connection.ensure_connection()

        def count() -> int:
            steps[0] += 1
            return 0

        connection.connection.set_progress_handler(count, 1000)
    try:
        yield steps
    finally:
        if connection.vendor == "sqlite":
            connection.connection.set_progress_handler(None, 0)


def ask(send: Callable[[], Any]) -> tuple[float, Any]:
    """The seconds of a request, and its answer."""
    began = time.perf_counter()
    answer = send()
    seconds = time.perf_counter() - began
    if answer.status_code not in (200, 302):
        raise SystemExit(f"{answer.status_code} {answer.content[:500]!r}")
    return seconds, answer


def pages_of(project: Project, annotator: User) -> dict[str, dict[str, str]]:
    """What the list is asked for, by name."""
    stage = project.stages.get(kind="correct", language="es")
    words = Words("es")
    rare, frequent = words.stems[3000], words.stems[0]
    deep = project.slots.count() * 9 // 10
    return {
        "no filter": {},
        "no filter, a page deep": {"after": f"{deep}.0"},
        "language": {"language": "en"},
        "language, a page deep": {"language": "en", "after": f"{deep}.0"},
        "stage": {"stage": str(stage.pk)},
        "stage and state": {"stage": str(stage.pk), "state": "done"},
        "stage and state, a page deep": {"stage": str(stage.pk), "state": "done", "after": f"{deep}.0"},
        "state": {"state": "free"},
        "person": {"person": str(annotator.pk)},
        "dataset and role": {"dataset": "made", "role": "prem"},
        "gold": {"gold": "yes"},
        "disagreement": {"disagreement": "yes"},
        "doubt": {"doubt": "yes"},
        "suggestion": {"suggestion": "prediction"},
        "document": {"document": "g7"},
        "label": {"label": "METAPHOR"},
        "label, a page deep": {"label": "METAPHOR", "after": f"{deep}.0"},
        "nothing to find": {"marked": "unlabelled", "label": "METAPHOR"},
        "a word": {"q": rare + "ado"},
        "a lemma": {"q": rare},
        "a frequent lemma": {"q": frequent},
        "a beginning": {"q": f"{rare[:4]}*"},
        "two words": {"q": f"{frequent} {rare}"},
        "an ID": {"q": "s42"},
        "concordance, left": {"q": rare, "view": "context", "sort": "left"},
        "concordance, right": {"q": rare, "view": "context", "sort": "right"},
        "concordance of a frequent lemma": {"q": frequent, "view": "context", "sort": "left"},
    }


def measure(project: Project, manager: User, annotator: User, explain: bool) -> dict[str, Taken]:
    """Each page three times: the median of the seconds, and what one more request asked of the database."""
    found: dict[str, Taken] = {}
    address = reverse("find", args=[project.slug])
    client = Client(SERVER_NAME="localhost", headers={"accept-encoding": "identity"})
    client.force_login(manager)
    client.get(address)
    for name, query in pages_of(project, annotator).items():
        found[name] = repeated(lambda query=query: client.get(address, query), name if explain else "")
    client.force_login(annotator)
    found["no filter, an annotator"] = repeated(lambda: client.get(address), "")
    found |= act(project, client, Words("es").stems[0])
    return found


def repeated(send: Callable[[], Any], explained: str) -> Taken:
    """Timed without what counts, which takes time of its own."""
    seconds = median(ask(send)[0] for _ in range(TIMES))
    with CaptureQueriesContext(connection) as asked, counted_steps() as steps:
        ask(send)
    if explained:
        for step, sql in plans([one["sql"] for one in asked]):
            print(f"{explained}: {step}\n    {sql[:300]}")
    return Taken(len(asked), steps[0], seconds)


def plans(asked: list[str]) -> Iterator[tuple[str, str]]:
    """Statements that read a table from one end to the other."""
    for sql in asked:
        if sql.lstrip("( ").startswith(("SELECT", "WITH", "UPDATE")):
            with connection.cursor() as cursor:
                cursor.execute(("EXPLAIN QUERY PLAN " if connection.vendor == "sqlite" else "EXPLAIN ") + sql)
                rows = [str(row[-1]) for row in cursor.fetchall()]
            yield from ((row, sql) for row in rows if row.startswith("SCAN annot") or "Seq Scan" in row)


def act(project: Project, client: Client, word: str) -> dict[str, Taken]:
    """ "Label these 40" on free sentences with a word, and its undo, by an annotator."""
    list_address, address = reverse("find", args=[project.slug]), reverse("find-act", args=[project.slug])
    found: dict[str, list[Taken]] = {}
    for _ in range(TIMES):
        page = client.get(list_address, {"q": word, "state": "free"})
        rows = re.findall(r'name="rows" value="([^"]+:free)"', page.content.decode())
        body = {"rows": rows[:ROWS_OF_AN_ACT], "do": "label", "label": "METAPHOR", "back": f"q={word}"}
        with CaptureQueriesContext(connection) as asked, counted_steps() as steps:
            seconds, answer = ask(lambda body=body: client.post(address, body))
        name = f"label {len(body['rows'])}"
        found.setdefault(name, []).append(Taken(len(asked), steps[0], seconds))
        key = answer["Location"].partition("act=")[2]
        with CaptureQueriesContext(connection) as asked, counted_steps() as steps:
            seconds, _answer = ask(lambda key=key: client.post(reverse("find-undo", args=[project.slug, key])))
        found.setdefault("undo", []).append(Taken(len(asked), steps[0], seconds))
    return {
        name: Taken(
            max(one.statements for one in some), max(one.steps for one in some), median(one.seconds for one in some)
        )
        for name, some in found.items()
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--sentences", type=int, nargs="+", default=[2 * SLOTS, 1_000_000])
    parser.add_argument("--explain", action="store_true")
    options = parser.parse_args()
    call_command("migrate", verbosity=0, interactive=False)
    columns = {count: measure(*prepare(count), options.explain) for count in options.sentences}
    print(f"\n{connection.vendor}: statements / thousand steps / milliseconds\n")
    print("| page | " + " | ".join(f"{count:,}" for count in columns) + " |\n|---|" + "---:|" * len(columns))
    for name in next(iter(columns.values())):
        some = [column[name] for column in columns.values()]
        cells = [f"{one.statements} / {one.steps:,} / {1000 * one.seconds:.0f}" for one in some]
        print(f"| {name} | " + " | ".join(cells) + " |")


if __name__ == "__main__":
    main()
