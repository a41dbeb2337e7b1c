"""Two worlds that differ in nothing but what others answered, and what was suggested, on what somebody is still to
answer blind. Every page and every call of the API tells that person the same in both, numbers included."""

from __future__ import annotations

import io
import itertools
import re
import zipfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlencode

import pytest
from django.core.cache import cache
from django.db import transaction
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.fixtures import Settings
from rest_framework.test import APIClient

from annotator.core.permissions import GRANTS
from annotator.domain.merging.rules import RuleName
from annotator.jobs.actions import start_job
from annotator.jobs.running import run_job
from annotator.models import Job, JobKind, JobState, Mode, Pair, Role, Segment, Stage, Unit, User
from annotator.page_urls import urlpatterns
from annotator.reports.queries.tables import EVALUATIONS, FURTHER, REPORTS
from tests import factories
from tests.api.calls import Call, Scene, calls, sentence_of
from tests.factories import (
    choice,
    make_assignment,
    make_gold,
    make_member,
    make_pair,
    make_pair_unit,
    make_prediction,
    make_project,
    make_projection,
    make_segment,
    make_sentence,
    make_silver,
    span,
    spans,
    stage_of,
    unit_of,
)
from tests.pages.test_access import PAGES
from tests.saving import save
from tests.splits.making import make_split

pytestmark = [pytest.mark.django_db, pytest.mark.slow]

NOW = datetime(2030, 1, 1, 12, tzinfo=UTC)
NOTHING = spans()
SIMILE = "SIMILE"
# What cannot be the same twice, whatever is told.
_PASSING = re.compile(
    r'csrfmiddlewaretoken" value="[^"]+'
    r"|X-CSRFToken[^,}>]+"
    r'|nonce="[^"]+'
    r'|data-person="[^"]+'
    r"|<dcterms:\w+ [^>]*>[^<]*"
    r"|written:[0-9a-f]{12}"
    r"|\b[0-9a-f]{64}\b"
    r"|\b[0-9a-f]{32}\b"
    r"|\b[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}\b"
    r'|"secret":"[^"]+'
    r'|"link":"[^"]+'
)
# What differs all the same, by name and address, and why.
ALLOWED = {
    r"api:releases ": "the size in bytes of a packed file of everything, which cannot be downloaded",
}


class World:
    """A project at work. `other`: whether others answered the other thing on what `scene.user` is to answer blind."""

    def __init__(self, role: str, *, other: bool) -> None:
        self.other = other
        project = make_project("letters", labels_named=("METAPHOR", SIMILE))
        self.scene = Scene(project=project, mode=Mode.BLIND, role=role)
        self.project, self.user = project, self.scene.user
        self.ana, self.ben = make_member(project, username="ana"), make_member(project, username="ben")
        self._everything_else()
        self._to_answer_blind()
        self._jobs()

    def said(self, one: Any, another: Any) -> Any:
        return another if self.other else one

    def answered(self, unit: Unit, stage: Stage, by_ana: Any, by_ben: Any, comment: str = "") -> None:
        for person, mode, content in ((self.ana, Mode.REVIEW, by_ana), (self.ben, Mode.BLIND, by_ben)):
            row = make_assignment(unit, person, stage, mode=mode)
            save(row, content, doubt=bool(comment), comment=comment, seconds=5, now=NOW)

    def tagged(self, pair: Pair, language: str, by_ana: str, by_ben: str) -> None:
        tags = (choice(by_ana), choice(by_ben))
        self.answered(unit_of(pair, language), stage_of(self.project, "pair-tag", language), *tags)

    def _to_answer_blind(self) -> None:
        """The pair of the scene in two languages, and a sentence of none. Every pair of answers agrees in both worlds,
        or differs in both."""
        said, project, pair = self.said, self.project, self.scene.pair
        premise, hypothesis = sentence_of(pair.premise), sentence_of(pair.hypothesis)
        alone = make_sentence(project, "El tiempo corre y vuela")
        spanish, english = stage_of(project, "correct"), stage_of(project, "project-review", "en")
        make_assignment(hypothesis, self.user, spanish, mode=Mode.BLIND)
        make_assignment(alone, self.user, spanish, mode=Mode.BLIND)
        for sentence in (premise, hypothesis, alone):
            predicted = said([span(0)], [])
            make_prediction(
                sentence, predicted, said([0.9, 0.1, 0.1], [0.2, 0.1, 0.1]) + [0.1] * (sentence.token_count - 3)
            )
        self.answered(
            premise, spanish, said(spans(span(0)), spans(span(2, label=SIMILE))), said(spans(span(0), span(1)), NOTHING)
        )
        self.answered(hypothesis, spanish, *said([spans(span(1))] * 2, [NOTHING] * 2))
        self.answered(
            alone, spanish, *said([spans(span(4))] * 2, [spans(span(2, label=SIMILE))] * 2), said("A journey", "A bird")
        )
        for number, (segment, text) in enumerate(((pair.premise, "Time flies"), (pair.hypothesis, "Nobody looks"))):
            sentence = make_sentence(project, text, language="en", segment=segment)
            make_projection(sentence_of(segment), sentence, said([span(1)], []), said([span(2)], []))
            contents = said(spans(span(number)), NOTHING), said(spans(span(0), span(1)), spans(span(1, label=SIMILE)))
            self.answered(sentence, english, *contents)
        make_pair_unit(pair, "en")
        self.tagged(pair, "es", *said(("relevant", "discarded"), ("non_relevant", "no_metaphor")))
        self.tagged(pair, "en", *said(("relevant", "relevant"), ("non_relevant", "non_relevant")))
        make_silver(pair, said("relevant", "no_metaphor"), language="es", source="en")
        make_silver(pair, said("relevant", "no_metaphor"))

    def _everything_else(self) -> None:
        project = self.project
        spanish, english = stage_of(project, "correct"), stage_of(project, "correct", "en")
        # Words of the others, too, so that what is made of marked words is there in both worlds.
        marked = make_sentence(project, "El tiempo corre y vuela si nadie mira el reloj")
        self.answered(marked, spanish, spans(*map(span, range(10))), NOTHING)
        for number in range(6):
            segment = make_segment(project)
            text = ("Cae el tiempo", "La noche vuela", "Nadie corre")[number % 3]
            sentence = make_sentence(project, text, segment=segment)
            make_prediction(sentence, [span(1)], [0.1, 0.8, 0.2][: sentence.token_count])
            self.answered(sentence, spanish, spans(span(1)), spans(span(1 - number % 2)), "?" * (number == 3))
            translated = make_sentence(project, "Night flies", language="en", segment=segment)
            make_projection(sentence, translated, [span(1)], [span(1)])
            self.answered(translated, english, spans(span(1)), NOTHING)
            if number < 2:
                make_gold(sentence, [span(1)])
                make_gold(translated, [span(1)])
        for tag in ("relevant", "non_relevant"):
            pair = make_pair(project, premise="Cae la noche", hypothesis="Es tarde")
            self.tagged(pair, "es", tag, tag)
        make_gold(unit_of(pair), content=choice("relevant"))

    def _comparisons(self) -> Iterator[dict[str, Any]]:
        sides: dict[str, Any] = {"left": {"language": "es"}, "right": {"language": "en"}}
        yield {"kind": "languages", **sides}
        yield {"kind": "versions", "left": {"source": "gold"}, "right": {"source": "person", "person": self.ana.pk}}

    def _jobs(self) -> None:
        project = self.project
        make_split(project)
        asked: list[tuple[JobKind, dict[str, Any]]] = [
            (JobKind.COUNT, {}),
            (JobKind.RELEASE, {"partial": True}),
            *((JobKind.COMPARE, {"layer": project.label_layer.pk, **params}) for params in self._comparisons()),
            (JobKind.PROJECT, {"source": "es", "target": "en", "aligner": "lexical", "labels": "gold"}),
        ]
        for kind, params in asked:
            job = start_job(project=project, kind=kind, params=params, by=None)
            run_job(job.pk, worker="one")
            job.refresh_from_db()
            assert job.state == JobState.DONE, job.error
        # What jobs count of what they predicted, and learnt from; no model runs for it.
        counts = {"labelled_sentences": self.said(8, 6), "labelled_tokens": self.said(8, 6)}
        for kind in (JobKind.PREDICT, JobKind.TRAIN):
            result = {"sentences": 9, **counts}
            Job.objects.create(
                project=project, kind=kind, state=JobState.DONE, planned=True, params={"language": "es"}, result=result
            )
        spans_carried = {"source_spans": self.said(9, 4), "outcomes": {"projected": self.said(9, 4)}}
        params = {"source": "es", "target": "en"}
        Job.objects.create(
            project=project,
            kind=JobKind.PROJECT,
            state=JobState.DONE,
            planned=True,
            params=params,
            result=spans_carried,
        )
        factories.make_study(project, [self.ana, self.ben])


def addresses(world: World, role: str) -> Iterator[tuple[str, str]]:
    """The name of a page and its address: each page that is read, of everything there is of what its address names."""
    project, scene = world.project, world.scene
    rows: dict[str, Callable[[], Sequence[Any]]] = {
        "slug": lambda: [project.slug],
        "stage": lambda: ids(project.stages),
        "job": lambda: ids(project.jobs),
        "number": lambda: list(project.releases.values_list("number", flat=True)),
        "member": lambda: ids(project.memberships),
        "kind": lambda: [*FURTHER, *EVALUATIONS, *REPORTS],
        "tag": lambda: project.languages,
        "layer": lambda: list(project.layers.values_list("slug", flat=True)),
        "imported": lambda: ids(project.imports),
        "draft": lambda: ids(project.import_drafts),
        "file": lambda: [1],
        "person": lambda: [world.ana.pk, world.ben.pk, world.user.pk],
        "segment": lambda: ids(project.slots),
        "pair": lambda: [scene.pair.pk],
        "unit": lambda: ids(project.units),
        "annotation": lambda: ids(project.annotations),
        "answer": lambda: ids(project.annotations),
        "invitation": lambda: [1],
        "study": lambda: ids(project.agreement_studies),
        "archive": lambda: ids(project.archives),
        "split": lambda: ids(project.splits),
        "comparison": lambda: ids(project.comparisons),
        "hook": lambda: ids(project.webhooks),
        "api_token": lambda: [1],
        "picture": lambda: [f"{0:032x}.png"],
        "key": lambda: ["00000000-0000-0000-0000-000000000001"],
        "name": lambda: ["managers"],
        "token": lambda: ["none"],
        "uidb36": lambda: ["1"],
    }
    for pattern in urlpatterns:
        name, gaps = str(pattern.name), sorted(pattern.pattern.converters)
        page = PAGES[name]
        # What is of no project tells of none, and the backups of one are made of all that is in it.
        if page.method != "get" or page.needs not in GRANTS[role] or "slug" not in gaps:
            continue
        for values in itertools.product(*(rows[gap]() for gap in gaps)):
            address = reverse(name, kwargs=dict(zip(gaps, values, strict=True)))
            yield name, address
            for query in queries(world, name):
                yield name, f"{address}?{urlencode(query, doseq=True)}"


def ids(found: Any) -> list[int]:
    return list(found.order_by("pk").values_list("pk", flat=True))


def queries(world: World, name: str) -> list[dict[str, Any]]:
    """What a page is asked for."""
    people = [world.ana, world.ben, world.user]
    project = world.project
    stages, layers, ana = ids(project.stages), ids(project.layers), world.ana.pk
    compared = [
        {"a": "ana", "b": "ben", "layer": layer, "language": language, "first": first, "second": ""}
        for layer, language, first in itertools.product(("tokens", "labels", "pairs"), ("es", "en"), ("", "METAPHOR"))
    ]
    dealt = {
        "users": [ana], "amount": "all", "number": 1, "sample": "random", "seed": 1, "shared_amount": "number",
        "shared": 0, "turns": "in_turn",
    }  # fmt: skip
    split = {
        "name": "new", "train": 60, "dev": 20, "test": 20, "folds": 3, "strata": ["dataset", "role", "label"],
        "together": "on", "seed": 1,
    }  # fmt: skip
    asked: dict[str, Iterable[dict[str, Any]]] = {
        "find": filters(world, people),
        "find-csv": filters(world, people),
        "pairs": (
            {"stage": stage, "tag": tag, "whose": whose, "user": ana}
            for stage, tag, whose in itertools.product(
                ids(project.stages.filter(kind="pair-tag")),
                ("relevant", "non_relevant", "no_metaphor", "discarded"),
                ("", "gold", "answers"),
            )
        ),
        "agreement": compared,
        "agreement-words": compared,
        "study": ({"part": part} for part in ("coefficients", "people", "categories", "words")),
        "accept-rules": (
            {"language": language, "rule": rule, "limit": 49, "person": ana}
            for language, rule in itertools.product(("es", "en"), RuleName)
        ),
        "assign": (dealt | {"strata": [one]} for one in ("dataset", "role", "document", "class", "labels")),
        "split-new": (
            split | {"layer": layer, "method": method}
            for layer, method in itertools.product(layers, ("ratio", "folds", "lexical"))
        ),
        "report-sentences": (
            {"value": value, "language": "es"} for value in ("METAPHOR", SIMILE, "relevant", "tiempo", "vuela")
        ),
        "settings-label-merge": [{"label": "METAPHOR", "into": SIMILE}],
        "settings-label-split": [{"label": "METAPHOR", "into": "NEW"}],
        "settings-label-delete": ({"label": label} for label in ("METAPHOR", SIMILE)),
        "items": [{"state": "open"}, {"state": "done"}, {"state": "returned"}, {"doubt": 1}],
        "blind-pool": ({"stage": stage, "users": [ana, world.user.pk], "count": 3, "seed": 1} for stage in stages),
        "terms": [{"attribute": "source"}],
        "exports": (
            {"format": file, "layer": "labels", "whose": whose}
            for file, whose in itertools.product(("jsonl", "text"), ("gold", "people"))
        ),
    }
    return list(asked.get(name, ()))


def filters(world: World, people: Sequence[User]) -> Iterator[dict[str, Any]]:
    """Of the list of sentences: each alone, and those of a stage together."""
    for marked in ("labelled", "unlabelled", "suggested"):
        yield {"marked": marked}
    for label in ("METAPHOR", SIMILE):
        yield {"label": label}
    for name, values in {
        "q": ("tiempo", "vuela", "el"), "doubt": ("yes", "no"), "comment": ("yes", "no"), "gold": ("yes", "no"),
        "disagreement": ("yes", "no"), "suggestion": ("yes", "no"), "language": ("es", "en"),
    }.items():  # fmt: skip
        yield from ({name: value} for value in values)
    yield from ({"q": word, "view": "context", "sort": "left"} for word in ("tiempo", "vuela", "el"))
    for stage in ids(world.project.stages.filter(kind="correct")):
        for state in ("free", "taken", "done", "decided"):
            yield {"stage": stage, "state": state}
        for person in people:
            for whose in (f"{person.pk}", f"{person.pk}:blind", f"{person.pk}:review"):
                yield {"stage": stage, "person": whose}


def more_calls(world: World) -> Iterator[Call]:
    """The calls that read, or only count, of everything there is."""
    project = world.project
    needs = calls(world.scene)[0].needs
    stages = ids(project.stages)
    for name in ("items", "adjudicate", "no-metaphor", "source-changed", "assign", "stage"):
        yield from (Call(name, "get", needs, {"stage": stage}) for stage in stages)
    yield from (Call("job", "get", needs, {"pk": pk}) for pk in ids(project.jobs))
    yield from (Call("report", "get", needs, {"kind": kind}) for kind in (*FURTHER, *EVALUATIONS, *REPORTS))
    yield from (Call("split", "get", needs, {"pk": pk}) for pk in ids(project.splits))
    yield from (Call("study", "get", needs, {"pk": pk}) for pk in ids(project.agreement_studies))
    for number in project.releases.values_list("number", flat=True):
        yield Call("release", "get", needs, {"number": number})
        yield Call("release-file", "get", needs, {"number": number})
    yield from (Call("member", "get", needs, {"pk": pk}) for pk in ids(project.memberships))
    for language, word in itertools.product(("es", "en"), ("el", "tiempo", "vuela", "nadie", "flies", "time")):
        yield Call("lemmas", "get", needs, query=f"?language={language}&lemma={word}")
    for stage in stages:
        for strata in ([], ["labels"], ["role"]):
            body = {"users": ["ana"], "amount": "all", "dry_run": True, "strata": strata, "seed": 1}
            yield Call("assign", "post", needs, {"stage": stage}, body)
    for query in filters(world, [world.ana, world.ben, world.user]):
        yield Call("sentences", "get", needs, query=f"?{urlencode(query)}")
        yield Call("sentences-file", "get", needs, query=f"?{urlencode(query)}")
    for stage in ids(project.stages.filter(kind="pair-tag")):
        for tag in ("relevant", "no_metaphor"):
            yield Call("pairs", "get", needs, query=f"?stage={stage}&tag={tag}&user=ana")
    for segment in ids(Segment.objects.filter(project=project)):
        yield Call("sentence", "get", needs, {"pk": segment})
    for stage in ids(project.stages.exclude(kind=Stage.ADJUDICATE)):
        yield Call("training", "get", needs, {"stage": stage})
        yield Call("training-people", "get", needs, {"stage": stage})
        yield Call("blind", "post", needs, {"stage": stage}, {"users": ["ana"], "count": 3, "dry_run": True})
    for pk in ids(project.comparisons):
        yield from (
            Call("comparison-file", "get", needs, {"pk": pk}, query=f"?file_format={one}") for one in ("csv", "json")
        )
    for stage in ids(project.stages.filter(kind=Stage.ADJUDICATE)):
        for rule in ("all", "at_least", "single", "dawid_skene", "person"):
            body = {"dry_run": True, "rule": rule, "limit": 0.49, "person": world.ana.pk if rule == "person" else None}
            yield Call("accept", "post", needs, {"stage": stage}, body)


def told(response: Any) -> tuple[int, str]:
    """What somebody is told: where they are sent, and the body, without what is new each time."""
    body = b"".join(response.streaming_content) if response.streaming else response.content
    if body.startswith(b"PK\x03"):
        with zipfile.ZipFile(io.BytesIO(body)) as packed:
            body = b"\n".join(packed.read(name) for name in packed.namelist())
    text = response.headers.get("Location", "") + "\n" + body.decode(errors="replace")
    return response.status_code, _PASSING.sub("", text)


def fetched(role: str, *, other: bool) -> dict[str, tuple[int, str]]:
    """All that the person is told in a world, which is gone afterwards."""
    # No block of its own: some reads must be in the outermost one.
    before = transaction.savepoint()
    world = World(role, other=other)
    page, api = Client(), APIClient()
    page.force_login(world.user)
    api.force_login(world.user)
    api.default_format = "json"
    found = {f"{name} {address}": told(page.get(address)) for name, address in addresses(world, role)}
    for call in [*more_calls(world), *calls(world.scene, world.ana)]:
        key = f"api:{call.name} {call.method} {call.address(world.project.slug)} {call.body}"
        found[f"{key} {len(found)}"] = told(call.send(api, world.project.slug))
    transaction.savepoint_rollback(before)
    return found


@pytest.fixture
def same_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Both worlds are of one moment."""
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.mark.parametrize("role", Role.values)
@pytest.mark.usefixtures("same_time")
def test_whoever_is_to_answer_blind_is_told_the_same_whatever_others_answered(
    role: str, monkeypatch: pytest.MonkeyPatch, settings: Settings, tmp_path: Path
) -> None:
    worlds = []
    for other in (False, True):
        # The same names, folders and ids in both.
        monkeypatch.setattr(factories, "_counter", itertools.count(1))
        settings.MEDIA_ROOT = tmp_path / str(other)
        cache.clear()
        worlds.append(fetched(role, other=other))
    first, second = worlds

    assert list(first) == list(second)
    differing = {key: difference(first[key], second[key]) for key in first if first[key] != second[key]}
    assert {key: told for key, told in differing.items() if not any(re.match(known, key) for known in ALLOWED)} == {}


def difference(one: tuple[int, str], another: tuple[int, str]) -> list[str]:
    """Where two answers begin to differ."""
    at = next((at for at, (a, b) in enumerate(zip(one[1], another[1], strict=False)) if a != b), 0)
    return [f"{status} {text[max(0, at - 80) : at + 40]!r}" for status, text in (one, another)]
