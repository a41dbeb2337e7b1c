"""All of xnli_dev from import to release, as people do it. The published labels and tags are one person's answers,
another's are a seeded noisy copy. Then every figure again, from the release alone."""

from __future__ import annotations

import json
import random
import uuid
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import call_command

from annotator.domain.dealing.deal import Order
from annotator.formats.corpus.corpus import pair_uid
from annotator.management.base import write_all
from annotator.models import Assignment, Gold, Item, Mode, Project, Role, Stage, User
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.studies.computing import compute
from annotator.reports.queries.studies.question import Drawing, study_question
from annotator.work.blind.actions.blind import assign_blind
from annotator.work.gold.actions.agreed import accept_agreed
from annotator.work.queue.actions.dealing import deal_items
from annotator.work.queue.queries.dealing import Wanted
from tests.clients import client_of
from tests.corpora import META4XNLI, needs_meta4xnli
from tests.deciding import decide_gold
from tests.domain.test_agreement_study import ac1_of, cohen_of, fleiss_of, krippendorff_of, same
from tests.factories import make_member, span
from tests.golden.test_published_corpus import DATASET, DETECTION, INTERPRETATION
from tests.releases.test_individual import recount_script
from tests.saving import save

pytestmark = [pytest.mark.django_db, pytest.mark.slow, needs_meta4xnli]
SEED = 3
PEOPLE = ("A01", "A02")
# Pairs that the second person answers blind, with their sentences.
SHARED = 400
BEGIN = datetime(2026, 1, 5, 9, tzinfo=UTC)
TABLES = ("detection", "interpretation", "correction", "projection")
# By layer, language and id.
Published = Mapping[tuple[str, str, str], dict[str, Any]]


@dataclass(frozen=True)
class Done:
    project: Project
    manager: User
    files: Mapping[str, bytes]
    # Counted by the script that comes with the documentation.
    counted: Mapping[str, list[dict[str, Any]]]


def run(*args: Any, **options: Any) -> str:
    out = StringIO()
    call_command(*map(str, args), stdout=out, stderr=StringIO(), **options)
    return out.getvalue()


def published_content() -> Published:
    """What the published files say, read by a project of their own."""
    run("create_project", "published", "--preset", "meta4xnli-es-en")
    run("import_meta4xnli", "published", META4XNLI, "--dataset", DATASET, "--labels", "gold")
    rows = Gold.objects.filter(project__slug="published").select_related("unit__segment", "layer")
    return {(row.layer.slug, row.unit.language, row.unit.segment.uid): row.content for row in rows.iterator()}


def noisy(draw: random.Random, content: dict[str, Any], row: Assignment) -> dict[str, Any]:
    """The content as somebody would give it who overlooks a fifth, and labels another word of two hundred."""
    if "value" in content:
        values = row.stage.layer.scheme_data["values"]
        return (
            content if draw.random() > 0.15 else {"value": draw.choice([one for one in values if one != "discarded"])}
        )
    kept = [one for one in content["spans"] if draw.random() > 0.2]
    labelled = {token for one in kept for token in one["tokens"]}
    added = [span(at) for at in range(row.unit.token_count) if at not in labelled and draw.random() < 0.005]
    return {"spans": sorted(kept + added, key=lambda one: one["tokens"])}


def work(stage: Stage, people: Mapping[str, User], published: Published) -> None:
    """The first person answers the whole stage; what both agree on is accepted, the rest decided as it is published."""
    deal_items(
        stage=stage, wanted=Wanted((people["ana"],), Order(), (), False), by=people["mara"], operation=uuid.uuid4()
    )
    draw, when = random.Random(SEED), BEGIN + timedelta(days=10 * stage.position)
    rows = Assignment.objects.filter(stage=stage, state="open").order_by("pk")
    for row in rows.select_related("unit__segment", "stage__layer", "project", "user"):
        content = published[stage.layer.slug, stage.language, row.unit.segment.uid]
        when += timedelta(seconds=draw.randint(5, 60))
        save(row, content if row.user == people["ana"] else noisy(draw, content, row), now=when)
    layer = stage.layer
    accept_agreed(project=stage.project, layer=layer, language=stage.language, by=people["mara"], without_overlap=True)
    waiting = Item.objects.filter(stage__kind=Stage.ADJUDICATE, stage__layer=layer, stage__language=stage.language)
    for item in waiting.filter(state="free").select_related("unit__segment"):
        content = published[layer.slug, stage.language, item.unit.segment.uid]
        decide_gold(unit=item.unit_id, layer=layer, content=content, by=people["mara"], reason="")


@pytest.fixture(scope="module")
def done(kept_rows: None, tmp_path_factory: pytest.TempPathFactory) -> Done:
    published = published_content()
    run("create_project", "corpus", "--preset", "meta4xnli-es-en")
    run("import_meta4xnli", "corpus", META4XNLI, "--dataset", DATASET, "--labels", "none")
    project = Project.objects.get(slug="corpus")
    roles = {"ana": Role.ANNOTATOR, "ben": Role.ANNOTATOR, "mara": Role.MANAGER}
    people = {name: make_member(project, role, name) for name, role in roles.items()}
    run("predict", "corpus", "--language", "es", "--detector", "crf", "--wait")
    assign_blind(project=project, language="es", users=[people["ben"]], pairs=SHARED, seed=SEED, by=people["mara"])
    stages = project.stages.exclude(kind=Stage.ADJUDICATE).select_related("layer", "project").order_by("position")
    for stage in stages:
        if stage.kind == "project-review":
            run("project_labels", "corpus", "--source", "es", "--target", "en", "--labels", "gold", "--wait")
        work(stage, people, published)
    files = release_files(project, partial=False).files
    folder = tmp_path_factory.mktemp("release")
    write_all(folder, files)
    return Done(project, people["mara"], files, recount_script().recount(folder))


def filled(rows: list[dict[str, Any]], columns: list[str]) -> list[dict[str, Any]]:
    """These columns of the rows that have a number other than 0, in an order of their own."""
    found = [{name: row[name] for name in columns} for row in rows]
    return sorted((row for row in found if any(type(one) is int and one for one in row.values())), key=str)


def asked(done: Done, path: str) -> Any:
    response = client_of(done.manager).get(f"/api/v1/projects/corpus/{path}")
    assert response.status_code == 200, response.content
    return response.json()


def test_the_gold_is_what_was_published(done: Done, tmp_path: Path) -> None:
    written = {path: content for path, content in done.files.items() if path.endswith(".tsv")}
    assert len(written) == 7
    for path, content in written.items():
        assert content == (META4XNLI / path).read_bytes(), path
    rows = filled(done.counted["detection"], ["language", "role", "labelled_tokens", "tokens", "labelled_sentences"])
    assert sorted(tuple(row.values()) for row in rows) == sorted(row[:-1] for row in DETECTION)
    rows = done.counted["interpretation"]
    assert sorted(tuple(row.values())[1:] for row in rows) == sorted(INTERPRETATION)


@pytest.mark.parametrize("table", TABLES)
def test_tables_are_counted_again_from_the_release_alone(done: Done, table: str) -> None:
    """In the release, by the command that prints them, and through the API."""
    counted = done.counted[table]
    columns = list(counted[0])
    expected = filled(counted, columns)
    assert len(expected) >= 3
    assert filled(json.loads(done.files[f"statistics/{table}.json"]), columns) == expected
    assert filled(json.loads(run("report", "corpus", table, "--format", "json")), columns) == expected


def test_agreement_is_counted_again_from_the_release_alone(done: Done) -> None:
    rows = {(row["layer"], row["language"]): row for row in done.counted["agreement"]}
    assert {key: row["units"] for key, row in rows.items()} == {
        ("labels", "es"): Assignment.objects.filter(user__username="ben", stage__layer__slug="labels").count(),
        ("interpretation", "es"): SHARED,
    }
    for (layer, language), row in rows.items():
        name = {"labels": "tokens", "interpretation": "pairs"}[layer]
        of_command = json.loads(
            run("agreement", "corpus", "--annotators", "ana", "ben", "--layer", name, "--language", language,
                "--format", "json")
        )  # fmt: skip
        of_api = asked(done, f"agreement/?a=ana&b=ben&layer={name}&language={language}")
        for found in (of_command, of_api):
            overall = found["rows"][-1]
            assert (overall["sentences" if name == "tokens" else "pairs"], overall["blind"]) == (row["units"], 0)
            assert overall["kappa"] == pytest.approx(row["kappa"], abs=1e-9)
        (stored,) = [
            one
            for one in json.loads(done.files["statistics/kappa.json"])
            if (one["layer"], one["language"]) == (layer, language)
        ]
        assert stored["kappa"] == pytest.approx(row["kappa"], abs=1e-4)
    # The noise of the second person, and no other.
    assert 0.6 < rows["labels", "es"]["kappa"] < 0.85
    assert 0.7 < rows["interpretation", "es"]["kappa"] < 0.9


def test_who_answered_what_is_in_the_release(done: Done) -> None:
    answers = [json.loads(line) for line in done.files["annotations/labels.jsonl"].splitlines()]
    stored = Assignment.objects.filter(project=done.project, stage__layer__slug="labels")
    assert len(answers) == stored.count()
    blind = [row for row in answers if row["mode"] == Mode.BLIND]
    assert {row["annotator"] for row in blind} == {"A02"}
    assert not [row for row in blind if row["suggested"] or row["suggestion"] or row["shown"]]


def shared_answers(done: Done, layer: str) -> Iterator[tuple[list[tuple[str, str]], Sequence[str], Sequence[str]]]:
    """From the release alone: the groups of each item that both answered in Spanish, and what each of them gave."""
    answers: dict[str, dict[str, Any]] = defaultdict(dict)
    for line in done.files[f"annotations/{layer}.jsonl"].splitlines():
        row = json.loads(line)
        if row["language"] == "es":
            answers[row["uid"]][row["annotator"]] = row
    about = {}
    for line in done.files["sentences.jsonl"].splitlines():
        row = json.loads(line)
        about[row["uid"]] = [("genre", row["genre"]), ("document", row["group"])]
    for line in done.files["pairs.jsonl"].splitlines():
        row = json.loads(line)
        about[pair_uid(row["dataset"], row["pair_id"])] = [("genre", row["genre"]), ("inference", row["inference"])]
    observed = recount_script().observed
    for uid, both in answers.items():
        if len(both) == len(PEOPLE):
            rows = [both[name] for name in PEOPLE]
            at = max(row["done_at"] for row in rows)
            groups = [("all", "all"), ("dataset", rows[0]["dataset"]), ("month", at[:7])]
            if rows[0]["role"]:
                groups.append(("role", rows[0]["role"]))
            yield [*groups, *about.get(uid, ())], observed(rows[0]), observed(rows[1])


def independent(one: Sequence[str], other: Sequence[str], values: Sequence[str]) -> dict[str, float | None]:
    """The coefficients by what others have written, and Gwet's by its formula."""
    rows = [list(row) for row in zip(one, other, strict=True)]
    return {
        "observed": sum(a == b for a, b in rows) / len(rows),
        "cohen": cohen_of(one, other, values),
        "fleiss": fleiss_of(rows, values),
        "alpha": krippendorff_of(rows, values=values),
        "ac1": ac1_of(rows, values),
    }


@pytest.mark.parametrize(("layer", "name"), [("labels", "tokens"), ("interpretation", "pairs")])
def test_each_coefficient_in_every_group_is_an_independent_one(done: Done, layer: str, name: str) -> None:
    people = [User.objects.get(username=name) for name in ("ana", "ben")]
    asked = study_question(done.project, people=people, layer=name, language="es", drawing=Drawing(resamples=100))
    results = compute(asked, now=BEGIN).results
    found = {
        (row["dimension"], row["stratum"], row["coefficient"]): row["value"]
        for row in results["rows"]
        if row["population"] == "all" and not row["label"]
    }
    given: dict[tuple[str, str], tuple[list[str], list[str]]] = defaultdict(lambda: ([], []))
    for groups, *both in shared_answers(done, layer):
        for group in groups:
            for column, labels in zip(given[group], both, strict=True):
                column += labels
    compared = 0
    for (dimension, stratum), (one, other) in given.items():
        for coefficient, value in independent(one, other, results["values"]).items():
            if (dimension, stratum, coefficient) in found:
                same(found[dimension, stratum, coefficient], value)
                compared += 1
    assert compared > 20
