"""MABL's tables and files in a project that began as another one: its layers are known by what they hold."""

from __future__ import annotations

import copy

import pytest

from annotator.core.presets import ADJUDICATE, StageSpec
from annotator.core.starts import STARTS
from annotator.models import Gold, Layer, Project, Unit
from annotator.projects.actions.projects import create_project
from annotator.projects.actions.stages import add_stages
from annotator.protocols.mabl.concepts import compared
from annotator.protocols.mabl.release import undecided
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from tests.drafts import load
from tests.protocols.mabl.work import BLANKET, OFFICE, Mabl

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

HEAD = "startphrase,ending1,ending2,labels,valid\n"
ONE = "The hut is a palace.,It is fine.,It is poor.,0,1\nThe hut is a hole.,It is fine.,It is poor.,1,1\n"
BAD = "The sea is silk.,It is calm.,It is rough.,0,0\nThe sea is sand.,It is calm.,It is rough.,1,0\n"


@pytest.fixture(scope="module")
def made(kept_rows: None) -> Mabl:
    """Begun as IMPLI, whose verdicts have the name `validity`; pairs were added later."""
    project = create_project(slug="figures", preset=STARTS["impli"].preset(["en"]), by=None)
    more = (
        StageSpec("write-pair", "en"),
        StageSpec("validate", "en", made_from="write-pair", answers_wanted=2),
    )
    add_stages(project=project, specs=more, by=None)
    validate = project.stages.get(kind="validate", made_from__kind="write-pair")
    slug = validate.layer.slug
    assert slug != "validity"
    then = (
        StageSpec("categories", "en", made_from="validate", mode="blind", answers_wanted=2),
        StageSpec(ADJUDICATE, "en", layer=slug),
    )
    add_stages(project=project, specs=then, by=None)
    scene = Mabl(project=project)
    scene.validate = validate
    return scene


@pytest.fixture
def scene(made: Mabl) -> Mabl:
    return copy.deepcopy(made)


def samples(project: Project) -> list[tuple[object, ...]]:
    columns = ("dataset", "pairs", "accepted", "rejected")
    return [tuple(row[name] for name in columns) for row in FURTHER["mabl-samples"].compute(project).rows]


def test_what_people_judge_here_is_counted_and_released(scene: Mabl) -> None:
    ana, ben, cai, _dan = scene.people
    scene.written(ana)
    for person in (ben, cai):
        scene.judged(person, verdict="accept")
    scene.written(ana, OFFICE)
    assert samples(scene.project) == [("written", 2, 1, 0)]
    assert undecided(scene.project) == {("en", "pair"): 1}
    files = release_files(scene.project, partial=True).files
    assert BLANKET["figurative"][0] in files["mabl/en.csv"].decode()
    assert OFFICE["figurative"][0] not in files["mabl/en.csv"].decode()
    assert "mabl/categories/en.csv" not in files
    unit = Unit.objects.get(items__stage=scene.categories)
    layer = scene.categories.layer
    Layer.objects.filter(pk=layer.pk).update(slug="senses-of-pairs")
    Gold.objects.create(
        project=scene.project, unit=unit, layer=layer, content={"answers": [["visual"], []]}, source="agreed", version=1
    )
    assert "mabl/categories/en.csv" in release_files(scene.project, partial=True).files


def test_files_bring_their_verdicts_and_rejected_pairs_compare_nothing(scene: Mabl) -> None:
    load(scene.project, {"en.csv": HEAD + ONE + BAD}, dataset="mabl")
    assert samples(scene.project) == [("mabl", 2, 1, 1)]
    assert undecided(scene.project) == {}
    assert {one.unit.text.split("\n")[0] for one in compared(scene.project)} == {"The hut is a palace."}
    assert b"palace" in release_files(scene.project, partial=True).files["concepts/en.tsv"]


def test_datasets_are_added_up(scene: Mabl) -> None:
    load(scene.project, {"en.csv": HEAD + ONE}, dataset="first")
    load(scene.project, {"en.csv": HEAD + BAD}, dataset="second")
    assert samples(scene.project) == [("first", 1, 1, 0), ("second", 1, 0, 1), ("all", 2, 1, 1)]


def test_verdicts_on_other_pairs_are_none_of_these(scene: Mabl) -> None:
    pairs: dict[str, str | bytes] = {"manual_e.tsv": "He spilt the beans.\tHe told it.\n"}
    load(scene.project, pairs, dataset="impli")
    assert Gold.objects.filter(layer__slug="validity").exists()
    assert samples(scene.project) == []
    assert undecided(scene.project) == {}
