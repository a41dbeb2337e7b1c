"""Sentences that came in with a marked word, as those of MUNCH, are rated and compared: nobody has labelled there."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.imports.undo.undo_import import undo_import
from annotator.jobs.running import run_job
from annotator.kinds.rating.expressions import TUPLE_KIND, with_brackets
from annotator.models import Import, Item, JobKind, Project, Role, Stage, Unit, User
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.protocols.munch.start import START
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from annotator.work.answering.actions.trials import answer_trial
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.drafts import load
from tests.factories import make_member, make_sentence, span, spans

pytestmark = pytest.mark.django_db

SENTENCES = (
    "She felt a <b>wave</b>, a wave of joy.",
    "Prices <b>climb</b> again.",
    "His patience <b>frayed</b>.",
    "The plan <b>sank</b> at once.",
)
HEADING = "i0,idx,s0,novelty,sid,genre,human_ans"
BRACKETS = [
    "She felt a [wave], a wave of joy.", "Prices [climb] again.", "His patience [frayed].", "The plan [sank] at once.",
]  # fmt: skip
RATE = StageSpec("rate-marked", "en", made_from="substitute")
COMPARE = StageSpec("best-worst-marked", "en", made_from="substitute")


def file_of(sentences: Sequence[str]) -> dict[str, str | bytes]:
    rows = [f'{at},{at},"{text}",0.1,a-{at},FICTION,word' for at, text in enumerate(sentences)]
    return {"for_generation.csv": "\r\n".join([HEADING, *rows, ""])}


def call(project: Project, user: User, path: str, body: Any) -> Any:
    response = client_of(user).post(f"/api/v1/projects/{project.slug}/{path}", body)
    assert response.status_code == 200, response.content
    return response.json()


def claim(project: Project, user: User, kind: str) -> list[dict[str, Any]]:
    path = f"stages/{project.stages.get(kind=kind).pk}/claim/"
    found: list[dict[str, Any]] = call(project, user, path, {"count": 20})["items"]
    return found


def save(project: Project, user: User, item: dict[str, Any], content: Any) -> None:
    body = {"version": item["annotation"]["version"], "content": content, "done": True}
    call(project, user, f"assignments/{item['id']}/save/", body)


def rated(project: Project) -> list[str]:
    """What there is to rate, in order."""
    stage = project.stages.get(kind="rate-marked")
    rows = Item.objects.filter(stage=stage, unit__is_current=True).select_related("unit__segment").order_by("reading")
    assert stage_progress(stage).total == len(rows)
    return [with_brackets(row.unit) for row in rows]


@pytest.mark.parametrize("stage_first", [True, False])
def test_each_marked_word_is_an_item_whenever_the_stage_is_added(stage_first: bool, uploads: Path) -> None:
    project = create_project(slug="words", preset=START.preset(["en"]), by=None)
    make_member(project, Role.MANAGER)
    if stage_first:
        add_stages(project=project, specs=[RATE], by=None)
        assert rated(project) == []
    load(project, file_of(SENTENCES))
    if not stage_first:
        add_stages(project=project, specs=[RATE], by=None)
    assert rated(project) == BRACKETS
    load(project, file_of(["Her <b>smile</b> froze."]), dataset="later")
    assert rated(project) == [*BRACKETS, "Her [smile] froze."]
    for imported in Import.objects.order_by("-pk"):
        undo_import(imported=imported, by=None)
    assert rated(project) == []
    assert not Unit.objects.exists()


def test_a_copy_with_the_texts_has_its_own(uploads: Path) -> None:
    project = create_project(slug="words", preset=START.preset(["en"]), by=None)
    add_stages(project=project, specs=[RATE], by=None)
    load(project, file_of(SENTENCES))
    made = copy_project(project=project, slug="copy", name="Copy", texts=True, by=None)
    run_job(made.jobs.get(kind=JobKind.COPY).pk, worker="w")
    assert rated(made) == BRACKETS


def with_stages() -> Project:
    project = create_project(slug="words", preset=START.preset(["en"]), by=None)
    add_stages(project=project, specs=[RATE, COMPARE], by=None)
    return project


def test_pages_say_what_to_do_first_and_offer_the_stages(client: Client) -> None:
    project = with_stages()
    client.force_login(make_member(project, Role.MANAGER))
    page = client.get(reverse("settings-stages", args=["words"])).content.decode()
    assert "Rate marked expressions, made from: Substitute a word" in page
    assert "Compare marked expressions, made from: Correct labels" in page
    assert "Rate marked expressions, made from: Rate marked expressions" not in page
    for stage in project.stages.filter(kind__in=("rate-marked", "best-worst-marked")):
        work = client.get(reverse("work", args=["words", stage.pk])).content.decode()
        assert "Import sentences with a marked word first" in work


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Project:
    project = with_stages()
    load(project, file_of(SENTENCES))
    return project


@pytest.fixture
def project(made: Project, uploads: Path) -> Project:
    return copy.deepcopy(made)


def test_pages_say_how_many_are_there_before_anybody_opened_one(project: Project, client: Client) -> None:
    client.force_login(make_member(project, Role.MANAGER))
    sent = {"language": "en", "mode": "blind", "answers_wanted": "1"}
    add = reverse("settings-stage-add", args=["words"])
    for what, scale, there in (
        ("rate-marked<substitute", "novelty", "This language has 4 marked expressions."),
        ("best-worst-marked<substitute", "novelty", "This language has 4 marked sentences."),
        ("correct", "", "This language has 0 sentences."),
    ):
        assert there in client.get(add, {**sent, "what": what, "scale": scale}).text
    page = client.get(reverse("project", args=["words"])).text
    assert "Up to 8 tuples of marked expressions will be created when someone starts." in page
    assert "Import sentences with a marked word first" not in page


def test_it_is_rated_and_released_by_the_id_of_its_sentence(project: Project) -> None:
    ana = make_member(project)
    items = claim(project, ana, "rate-marked")
    assert [item["expression"] for item in items] == ["wave", "climb", "frayed", "sank"]
    assert all(item["unit"]["tokens"][item["marked"][0]] == item["expression"] for item in items)
    for item, value in zip(items, (2, 1, 4, 3), strict=True):
        save(project, ana, item, {"value": value})
    (row,) = FURTHER["expression-ratings"].compute(project).rows
    assert (row["expressions"], row["mean"]) == (4, "2.50")
    lines = release_files(project, partial=True).files["expression-ratings/en.tsv"].decode().splitlines()
    first = Unit.objects.filter(kind="marked").order_by("segment__position").select_related("segment")[0]
    assert lines[1].split("\t") == [
        first.segment.uid, "3", "wave", "2.000", "", "1", "2", "She felt a wave, a wave of joy.",
    ]  # fmt: skip
    assert len(lines) == 5


def test_it_is_compared(project: Project) -> None:
    ana = make_member(project)
    (item,) = claim(project, ana, "best-worst-marked")
    words = [part["expression"] for part in item["parts"]]
    assert sorted(words) == ["climb", "frayed", "sank", "wave"]
    save(project, ana, item, {"best": words.index("frayed"), "worst": words.index("climb")})
    lines = release_files(project, partial=True).files["expression-best-worst/en.tsv"].decode().splitlines()
    found = {line.split("\t")[2]: line.split("\t")[3] for line in lines[1:]}
    assert found == {"wave": "0.000", "climb": "-1.000", "frayed": "1.000", "sank": "0.000"}


def test_an_import_is_taken_back_with_its_tuples(project: Project) -> None:
    imported = Import.objects.get()
    claim(project, make_member(project), "best-worst-marked")
    assert Unit.objects.filter(kind=TUPLE_KIND).count() == 1
    load(project, file_of(["Her <b>smile</b> froze."]), dataset="later")
    undo_import(imported=imported, by=None)
    assert [unit.text for unit in Unit.objects.filter(kind="marked")] == ["Her smile froze."]
    assert not Unit.objects.filter(kind=TUPLE_KIND).exists()
    stage = project.stages.get(kind="best-worst-marked")
    numbers, shown = recounted(stage), stage_progress(stage)
    assert (shown.total, shown.open, shown.done) == (numbers["total"], numbers["open"], numbers["done"])


def _further(project: Project) -> Import:
    load(project, file_of(["Her <b>smile</b> froze.", "The city <b>sleeps</b>."]), dataset="later")
    return Import.objects.get(dataset="later")


def test_tuples_with_others_expressions_go_with_an_import_and_are_made_anew(project: Project) -> None:
    later, (ana, ben) = _further(project), [make_member(project) for _ in range(2)]
    assert len(claim(project, ana, "best-worst-marked")) == Unit.objects.filter(kind=TUPLE_KIND).count() > 2
    undo_import(imported=later, by=None)
    assert rated(project) == BRACKETS
    assert not any(one.text.count("smile") or one.text.count("sleeps") for one in Unit.objects.all())
    (item,) = claim(project, ben, "best-worst-marked")
    assert sorted(part["expression"] for part in item["parts"]) == ["climb", "frayed", "sank", "wave"]
    assert len(claim(project, ana, "best-worst-marked")) == 0, "one answer is wanted, and ben has it"
    stage = project.stages.get(kind="best-worst-marked")
    numbers, shown = recounted(stage), stage_progress(stage)
    assert (shown.total, shown.open, shown.done) == (numbers["total"], numbers["open"], numbers["done"]) == (1, 1, 0)


@pytest.mark.parametrize("mixed", [False, True])
def test_an_import_stays_whose_tuples_somebody_answered_and_it_is_said_who(project: Project, mixed: bool) -> None:
    imported = _further(project) if mixed else Import.objects.get()
    ana = make_member(project)
    items = claim(project, ana, "best-worst-marked")
    of_both = {"smile", "sleeps"}
    item = next(one for one in items if not mixed or of_both & {part["expression"] for part in one["parts"]})
    save(project, ana, item, {"best": 0, "worst": 1})
    before = Unit.objects.count()
    why = rf"items made from .* this import \(1 tuple of marked expressions\).* {ana}: marked-tuple:en:\d+ \[en\]"
    with pytest.raises(ActionError, match=why):
        undo_import(imported=imported, by=None)
    assert Unit.objects.filter(is_current=True).count() == before


def test_what_is_marked_here_is_rated_by_a_stage_made_from_its_labels(project: Project) -> None:
    ana, ben = make_member(project), make_member(project, Role.ADJUDICATOR)
    sentence = make_sentence(project, "Doubt moved in .", language="en")
    (item,) = claim(project, ana, "correct")
    save(project, ana, item, spans(span(1)))
    marked = Unit.objects.get(kind="marked", is_current=True, imported=None)
    stage = project.stages.get(kind="substitute")
    assert answer_trial(stage=stage, content={"word": "criticised", "reason": ""}, by=ben)
    written = {one["unit"]["id"]: one for one in claim(project, ben, "substitute")}
    save(project, ben, written[marked.pk], {"word": "arrived", "reason": ""})
    assert rated(project) == BRACKETS
    add_stages(project=project, specs=[StageSpec("rate-marked", "en", made_from="correct", mode="blind")], by=None)
    further = project.stages.get(kind="rate-marked", made_from__kind="correct")
    assert further.layer == project.stages.get(kind="rate-marked", made_from__kind="substitute").layer
    there = [with_brackets(row.unit) for row in Item.objects.filter(stage=further)]
    assert there == ["Doubt [moved] in ."]
    for item in call(project, ben, f"stages/{further.pk}/claim/", {"count": 20})["items"]:
        save(project, ben, item, {"value": 5})
    lines = release_files(project, partial=True).files["expression-ratings/en.tsv"].decode().splitlines()
    assert lines[1].split("\t")[0] == sentence.segment.uid


def test_what_came_marked_and_what_is_marked_here_are_in_tuples_of_their_own(project: Project) -> None:
    add_stages(project=project, specs=[StageSpec("best-worst-marked", "en", made_from="correct")], by=None)
    make_sentence(project, "Doubt moved in and hung its coat .", language="en")
    ana = make_member(project)
    (item,) = claim(project, ana, "correct")
    save(project, ana, item, spans(span(0), span(1, 2), span(4), span(6)))
    found = {}
    for stage in project.stages.filter(kind="best-worst-marked").select_related("made_from"):
        assert stage.made_from is not None
        items = call(project, ana, f"stages/{stage.pk}/claim/", {"count": 20})["items"]
        found[stage.made_from.kind] = [sorted(part["expression"] for part in one["parts"]) for one in items]
        assert stage_progress(stage).total == 1
    assert found == {
        "substitute": [["climb", "frayed", "sank", "wave"]], "correct": [["Doubt", "coat", "hung", "moved in"]],
    }  # fmt: skip


def test_whoever_rates_blind_may_find_inapt_words_and_decide(project: Project) -> None:
    ana = make_member(project, Role.ADJUDICATOR)
    Stage.objects.filter(project=project, kind="rate-marked").update(mode="blind")
    assert len(claim(project, ana, "rate-marked")) == 4
    assert len(claim(project, ana, "inapt")) == 4
