"""The same pairs in several files of one set: once in the project, with what all files say, and in each file of a
release."""

from __future__ import annotations

import pytest

from annotator.core.starts import STARTS
from annotator.models import Gold, Project, Unit
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from tests.corpora import shared_corpus
from tests.drafts import load

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

PAIRS = (
    "startphrase,ending1,ending2,labels\n"
    "Her smile is a lamp.,It is bright.,It is dull.,0\nHer smile is a cave.,It is bright.,It is dull.,1\n"
    "The road is a snake.,It winds.,It is straight.,0\nThe road is an arrow.,It winds.,It is straight.,1\n"
)
# The other way round, with another pair, and with the second pair of above rejected.
JUDGED = (
    "startphrase,ending1,ending2,labels,valid,category,obj,vis,soc,cul\n"
    "The road is a snake.,It winds.,It is straight.,0,0,vis,0,1,0,0\n"
    "The road is an arrow.,It winds.,It is straight.,1,0,vis,0,1,0,0\n"
    "He is a wall.,He is firm.,He is weak.,0,1,obj,1,0,0,0\nHe is a reed.,He is firm.,He is weak.,1,1,obj,1,0,0,0\n"
    "Her smile is a lamp.,It is bright.,It is dull.,0,1,vis,0,1,0,0\n"
    "Her smile is a cave.,It is bright.,It is dull.,1,1,vis,0,1,0,0\n"
)


def project_of(language: str) -> Project:
    return create_project(slug="mabl", preset=STARTS["mabl"].preset([language]), by=None)


@pytest.mark.parametrize("names", [("en.csv", "categories/en.csv"), ("categories/en.csv", "en.csv")])
def test_a_pair_in_two_files_comes_in_once_with_what_both_say(names: tuple[str, str]) -> None:
    project = project_of("en")
    contents = {"en.csv": PAIRS, "categories/en.csv": JUDGED}
    given: dict[str, str | bytes] = {name: contents[name] for name in names}
    summary = load(project, given, dataset="en", files={str(n): {"language": "en"} for n in (1, 2)})

    starts = [unit.text.split("\n")[0] for unit in Unit.objects.order_by("pk")]
    assert sorted(starts) == ["He is a wall.", "Her smile is a lamp.", "The road is a snake."]
    assert [warning for warning in summary["warnings"] if "2 pairs are also in another file of this set" in warning]
    assert [warning for warning in summary["warnings"] if "1 of them is judged differently there" in warning]
    verdicts = {
        gold.unit.text.split("\n")[0]: gold.content["verdict"] for gold in Gold.objects.filter(layer__slug="validity")
    }
    assert verdicts == {
        "Her smile is a lamp.": "accept", "The road is a snake.": "reject", "He is a wall.": "accept",
    }  # fmt: skip
    assert Gold.objects.filter(layer__slug="categories").count() == 3

    files = release_files(project, partial=True).files
    assert files["mabl/en/categories/en.csv"] == JUDGED.encode()
    # As it came, though the other file rejects one of its pairs.
    assert files["mabl/en/en.csv"] == PAIRS.encode()


def test_a_pair_twice_in_one_file_is_there_twice() -> None:
    project = project_of("en")
    load(project, {"en.csv": PAIRS + PAIRS.partition("\n")[2]}, files={"1": {"language": "en"}})
    assert Unit.objects.count() == 4


@pytest.mark.parametrize(
    ("language", "name", "pairs"), [("id", "categories/id.tsv", 572), ("sw", "categories/sw.csv", 638)]
)
def test_published_files_of_a_language_go_out_as_they_came(language: str, name: str, pairs: int) -> None:
    root = shared_corpus("mabl")
    project = project_of(language)
    names = (f"{language}.csv", name)
    given: dict[str, str | bytes] = {one: (root / one).read_bytes() for one in names}
    load(project, given, dataset="mabl", files={str(n): {"language": language} for n in (1, 2)})
    assert Unit.objects.count() == pairs
    files = release_files(project, partial=True).files
    assert [files.get(f"mabl/mabl/{one}") == given[one] for one in names] == [True, True]
