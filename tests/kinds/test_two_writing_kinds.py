"""Several kinds of writing in one project: what is validated where."""

from __future__ import annotations

import copy

import pytest

from annotator.core.counters import recounted
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec
from annotator.core.starts import STARTS
from annotator.kinds.impli.gathering import gather_expressions, make_pairs
from annotator.models import Gold, Item, Project, Unit
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages, remove_stage
from annotator.releases.queries.exports import release_files
from annotator.work.queue.queries.progress import stage_progress
from tests.clients import client_of
from tests.deciding import decide_gold
from tests.drafts import load
from tests.factories import make_gold, make_member, make_sentence

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

FIGURATIVE: dict[str, str | bytes] = {
    "en.csv": "startphrase,ending1,ending2,labels\nHer voice is silk,It is soft.,It is rough.,0\n"
    "Her voice is gravel,It is soft.,It is rough.,1\n"
}
INFERENCE: dict[str, str | bytes] = {"manual_e.tsv": "He spilt the beans.\tHe told it.\n"}


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Project:
    project = create_project(slug="both", preset=STARTS["mabl"].preset(["en"]), by=None)
    more = (
        StageSpec("correct", "en"),
        StageSpec("rewrite", "en", made_from="correct"),
        StageSpec("define", "en"),
        StageSpec("validate", "en", made_from="rewrite", answers_wanted=2),
    )
    add_stages(project=project, specs=more, by=None)
    return project


@pytest.fixture
def project(made: Project) -> Project:
    return copy.deepcopy(made)


def _second(project: Project) -> None:
    """Writing from prompts beside writing from nothing, and rewriting once more; each is judged."""
    more = (
        StageSpec("write-pair-prompted", "en"),
        StageSpec("validate", "en", made_from="write-pair-prompted", answers_wanted=2),
        StageSpec("rewrite", "en", made_from="correct"),
        StageSpec("validate", "en", made_from="rewrite", answers_wanted=2),
    )
    add_stages(project=project, specs=more, by=None)


def _held() -> list[tuple[str, str]]:
    """Each item of somebody who validates: what its stage is made from, and the kind of its unit."""
    rows = Item.objects.filter(stage__kind="validate").exclude(state="void")
    return sorted(rows.values_list("stage__made_from__kind", "unit__kind"))


@pytest.mark.parametrize("when", ["before", "after"])
def test_each_imported_pair_is_validated_in_one_stage(project: Project, when: str) -> None:
    if when == "before":
        _second(project)
    load(project, FIGURATIVE, dataset="mabl")
    load(project, INFERENCE, dataset="impli")
    if when == "after":
        _second(project)

    assert _held() == [("rewrite", "inference-pair"), ("write-pair", "figurative-pair")]
    oldest = list(project.stages.filter(kind="validate").order_by("pk")[:2])
    assert set(Item.objects.filter(stage__kind="validate").values_list("stage", flat=True)) == {s.pk for s in oldest}

    for stage in (project.stages.get(kind="categories"), *oldest):
        remove_stage(stage=stage, by=None)
    others = [("rewrite", "inference-pair"), ("write-pair-prompted", "figurative-pair")]
    assert _held() == others, "they go on to the others"
    for stage in project.stages.filter(kind="validate"):
        assert recounted(stage)["total"] == stage_progress(stage).total


def test_a_second_stage_that_would_judge_the_same_is_refused() -> None:
    project = create_project(slug="pairs", preset=STARTS["mabl"].preset(["en"]), by=None)
    spec = StageSpec("validate", "en", made_from="write-pair", answers_wanted=3)
    with pytest.raises(ActionError, match=r"A stage “Validate” \(en\) already exists"):
        add_stages(project=project, specs=[spec], by=None)
    assert project.stages.filter(kind="validate").count() == 1
    remove_stage(stage=project.stages.get(kind="categories"), by=None)
    remove_stage(stage=project.stages.get(kind="validate"), by=None)
    add_stages(project=project, specs=[spec], by=None)
    assert project.stages.get(kind="validate").answers_wanted == 3


def test_each_pair_made_by_rule_is_validated_in_one_stage(project: Project) -> None:
    _second(project)
    sentence = make_sentence(project, "Our branch was left holding the baby .", language="en")
    make_gold(sentence, [{"tokens": [4, 5, 6], "label": "METAPHOR", "attributes": {}, "score": None}])
    define = project.stages.get(kind="define")
    gather_expressions(stage=define, after=0)
    content = {"correct": "to be responsible", "adversarial": "", "antonym": ""}
    decide_gold(unit=Unit.objects.get(kind="expression").pk, layer=define.layer, content=content, by=None)
    assert make_pairs(stage=define, after=0, by=None).made == 1

    assert _held() == [("rewrite", "inference-pair")]


def test_what_is_written_is_validated_in_the_stage_that_is_made_from_its_own(project: Project) -> None:
    _second(project)
    make_sentence(project, "A voice may be like cloth .", language="en")
    ana = make_member(project)
    content = {
        "figurative": ["Her voice is silk", "Her voice is gravel"], "literal": ["It is soft.", "It is rough."],
    }  # fmt: skip
    for stage in project.stages.filter(kind__startswith="write-pair").order_by("pk"):
        path = f"/api/v1/projects/both/stages/{stage.pk}/claim/"
        (item,) = client_of(ana).post(path, {"count": 1}).json()["items"]
        body = {"version": 0, "content": content, "done": True}
        saved = client_of(ana).post(f"/api/v1/projects/both/assignments/{item['id']}/save/", body)
        assert saved.status_code == 200, saved.content
        content = {**content, "figurative": ["Her voice is satin", "Her voice is sand"]}
    for stage in project.stages.filter(kind="validate", made_from__kind__startswith="write-pair"):
        assert stage.items.count() == 1


def test_what_was_published_is_gold_in_the_layer_of_its_own_kind(project: Project) -> None:
    load(project, FIGURATIVE, dataset="figures")
    load(project, INFERENCE, dataset="pairs")
    assert sorted(Gold.objects.values_list("unit__kind", "layer__unit_kind", "layer__slug", "content__verdict")) == [
        ("figurative-pair", "figurative-pair", "validity", "accept"),
        ("inference-pair", "inference-pair", "validity-inference-pair", "accept"),
    ]
    files = release_files(project, partial=False).files
    assert files["impli/pairs/manual_e.tsv"] == bytes(str(INFERENCE["manual_e.tsv"]), "utf-8")
