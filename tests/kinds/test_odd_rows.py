"""Rows that a file writes otherwise than its others go out as they came in."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.core.starts import STARTS
from annotator.models import Project
from annotator.projects.actions.projects import create_project
from annotator.releases.queries.exports import release_files
from tests.drafts import load

pytestmark = pytest.mark.django_db

HEAD = "startphrase,ending1,ending2,labels\n"
PAIR = "A hut is a palace.,It is fine.,It is poor.,0\nA hut is a hole.,It is fine.,It is poor.,1\n"
NEXT = PAIR.replace("hut", "house")
PLAIN = "She was over the moon.\tShe was glad.\t\nHe left early.\tHe left.\t\n"
MARKED = "i0,idx,s0,novelty,sid,genre,human_ans\n"
WORDS = "0,7,She felt a <b>wave</b>.,,a,NEWS,surge rush\n1,8,He had a <b>road</b>.,,a,NEWS,way\n"


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Any) -> None:
    settings.MEDIA_ROOT = tmp_path


@pytest.fixture(scope="module")
def projects(kept_rows: None) -> dict[str, Project]:
    """One of each preset."""
    return {
        name: create_project(slug=name, preset=STARTS[name].preset(["en"]), by=None)
        for name in ("mabl", "impli", "substitution")
    }


def _mixed(content: str) -> str:
    """With another end of its second line."""
    first, second, *rest = content.splitlines(keepends=True)
    return "".join([first, second[:-1] + "\r\n", *rest])


@pytest.mark.parametrize(
    ("start", "name", "content"),
    [
        pytest.param("mabl", "en.csv", _mixed(HEAD + PAIR), id="mabl, mixed line ends"),
        pytest.param("mabl", "en.csv", _mixed(HEAD + PAIR).rstrip(), id="mabl, mixed line ends and none at the end"),
        pytest.param(
            "mabl", "en.csv", (HEAD + PAIR + NEXT)[:-1].replace("\n", "\r\n") + "\n", id="mabl, another end of the last"
        ),
        pytest.param("mabl", "en.csv", _mixed(HEAD + PAIR + PAIR), id="mabl, mixed line ends and a pair twice"),
        pytest.param("mabl", "en.csv", HEAD + PAIR + _mixed(PAIR), id="mabl, the same the other way round"),
        pytest.param("mabl", "en.csv", HEAD + PAIR[:-1] + "\r", id="mabl, a stray character at the end"),
        pytest.param(
            "mabl", "en.csv", '"startphrase","ending1","ending2","labels"\n' + PAIR, id="mabl, a heading in marks"
        ),
        pytest.param(
            "mabl", "en.csv", HEAD + PAIR.replace("It is fine.", '"It is fine."', 1), id="mabl, a cell in marks"
        ),
        pytest.param("mabl", "en.csv", f"{HEAD}\n{PAIR},,,\n{NEXT}\n\n", id="mabl, rows without text"),
        pytest.param("mabl", "en.csv", HEAD + PAIR.replace(",0\n", ",0,,\n"), id="mabl, empty cells at the end"),
        pytest.param(
            "mabl", "en.tsv", _mixed((HEAD + PAIR).replace(",", "\t").replace("hut", '"hut"')), id="mabl, tabs"
        ),
        pytest.param(
            "mabl", "en.csv", "sep=;\n" + (HEAD + PAIR).replace(",", ";").replace("\n", "\r\n"), id="mabl, sep="
        ),
        pytest.param(
            "mabl", "en.csv", HEAD + PAIR.replace("A hut is a hole.", "\u200b "), id="mabl, a half that nobody sees"
        ),
        pytest.param("impli", "manual_e.tsv", _mixed("A b.\tC d.\t\n" + PLAIN), id="impli, mixed line ends"),
        pytest.param("impli", "manual_e.tsv", PLAIN[:-1].replace("\n", "\r\n") + "\n", id="impli, another end"),
        pytest.param("impli", "manual_e.tsv", PLAIN.replace("\n", "\n\n\t\t\n", 1) + "\n", id="impli, empty rows"),
        pytest.param("impli", "manual_e.tsv", PLAIN.replace("\n", "\t\t\n", 1), id="impli, empty cells at the end"),
        pytest.param("substitution", "for_generation.csv", _mixed(MARKED + WORDS), id="munch, mixed line ends"),
        pytest.param(
            "substitution", "for_generation.csv", MARKED + WORDS[:-1].replace("\n", "\r\n") + "\n",
            id="munch, another end",
        ),
        pytest.param(
            "substitution", "for_generation.csv", MARKED + WORDS.replace("surge ", "Surge  surge "),
            id="munch, two spaces between words",
        ),
        pytest.param(
            "substitution", "for_generation.csv", MARKED + WORDS.replace("0,7", "0, 7"), id="munch, a space and an id"
        ),
        pytest.param(
            "substitution", "for_generation.csv", MARKED + WORDS.replace("NEWS", '"NEWS"', 1), id="munch, marks",
        ),
    ],
)  # fmt: skip
def test_a_file_goes_out_as_it_came_in(projects: dict[str, Project], start: str, name: str, content: str) -> None:
    project = copy.deepcopy(projects[start])
    load(project, {name: content.encode()}, dataset="own", files={"1": {"language": "en"}})
    released = release_files(project, partial=True).files
    (path,) = (path for path in released if path.endswith(name) and not path.startswith("concepts/"))
    assert released[path].decode() == content


def test_words_that_another_import_brought_are_not_called_a_sentence(projects: dict[str, Project]) -> None:
    project = copy.deepcopy(projects["substitution"])
    load(project, {"for_generation.csv": MARKED + WORDS}, dataset="own")
    said = r"The text own:7:3:words \[en\] is “surge rush” here, but “surge way” in the files.* files again together"
    with pytest.raises(ActionError, match=said):
        load(project, {"for_generation.csv": MARKED + WORDS.replace("rush", "way")}, dataset="own")
