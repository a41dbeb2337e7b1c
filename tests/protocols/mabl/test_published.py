"""MABL as it was published, where it is at hand: files as they were, and the numbers of the paper.

In one file, since the dictionary for Swahili takes 1.5 s to load.
"""

from __future__ import annotations

import json
from typing import Any

import pytest

from annotator.core.starts import STARTS
from annotator.domain.pairs.figurative_pairs import FigurativePair
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, FormatWarning
from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Record
from annotator.projects.actions.projects import create_project
from annotator.protocols.mabl.columns import DecidedRow, Layout, written
from annotator.protocols.mabl.format import Mabl
from annotator.releases.queries.exports import release_files
from annotator.reports.queries.tables import FURTHER
from tests.corpora import shared_corpus
from tests.drafts import load

# Each language once in the database, with its categories where there are some; all files without it.
IN_FULL = {
    "en_dev.csv": ("en", 547, 1094),
    "kn.csv": ("kn", 599, 1198),
    "categories/hi.csv": ("hi", 500, 1000),
    "categories/id.tsv": ("id", 570, 1140),
    "categories/sw.csv": ("sw", 550, 1099),
}


def test_every_file_is_written_as_it_was() -> None:
    root = shared_corpus("mabl")
    paths = sorted(path for path in root.rglob("*.?sv"))
    assert len(paths) >= 13
    for path in paths:
        file = SourceFile(path.name, path, "utf-8", "en")
        layout = Layout.from_json(json.loads(json.dumps(Mabl().layout(file, Options()))))
        rows = []
        for read in Mabl().read([file], Options()):
            assert not isinstance(read, FormatError), read
            assert not (isinstance(read, FormatWarning) and "begin alike" in str(read.what)), read
            if isinstance(read, Record):
                text = read.texts["en"]
                answers = text.contents.get("categories", {}).get("answers")
                valid = text.contents["validity"]["verdict"] == "accept"
                for row in FigurativePair.of_text(text_of(text.tokens, text.spaces)).rows:
                    rows.append((read.line, DecidedRow(row, valid, answers[row.label] if answers else None)))
        assert not layout.odd, path.name
        assert written(layout, rows) == path.read_bytes(), path.name


@pytest.mark.django_db
@pytest.mark.usefixtures("uploads")
@pytest.mark.parametrize("name", IN_FULL)
def test_what_is_imported_is_counted_and_released_as_it_was(name: str) -> None:
    path = shared_corpus("mabl") / name
    language, pairs, samples = IN_FULL[name]
    project = create_project(slug="mabl", preset=STARTS["mabl"].preset([language]), by=None)
    load(project, {path.name: path.read_bytes()}, files={"1": {"language": language}}, dataset="mabl")
    # Table 3 of the paper counts rows.
    (row,) = FURTHER["mabl-samples"].compute(project).rows
    assert (row["pairs"], row["samples"]) == (pairs, samples)
    assert release_files(project, partial=True).files[f"mabl/mabl/{path.name}"] == path.read_bytes()
    if language == "hi":
        (row,) = FURTHER["categories"].compute(project).rows
        shares = (row["object"], row["visual"], row["social"], row["cultural"])
        # Table 6.
        assert (row["sentences"], shares) == (1000, ("52.3", "16.3", "42.0", "9.2"))


@pytest.mark.django_db
@pytest.mark.usefixtures("uploads")
def test_languages_of_one_region_share_most() -> None:
    """There is no published table of concepts: what the paper says of them is what is tested."""
    root = shared_corpus("mabl")
    project = create_project(slug="mabl", preset=STARTS["mabl"].preset(["en", "hi", "kn", "sw"]), by=None)

    def bring(name: str, content: str, written_in: str, **changes: Any) -> None:
        load(project, {name: content}, files={"1": {"language": written_in}}, dataset=language, **changes)

    for language in ("hi", "kn", "sw"):
        lines = (root / f"{language}.csv").read_text(encoding="utf-8").splitlines(keepends=True)
        if language == "hi":
            # The translation lacks this pair.
            del lines[549:551]
        translated = (root / f"translated_{language}.csv").read_text(encoding="utf-8")
        bring(f"{language}.csv", "".join(lines), language)
        bring(f"translated_{language}.csv", translated, "en", options={"match": "order"})
    rows = {row["language"]: row for row in FURTHER["concepts"].compute(project).rows}
    # "The highest overlap between languages originating from the same region."
    assert {language: row["similar"] for language, row in rows.items()} == {"hi": "kn", "kn": "hi", "sw": "kn"}
    assert all(row["found"] > 0.96 * row["sentences"] for row in rows.values())
    # As the embedded extractor finds them in the translations; MABL's own objects are those of spaCy's parses.
    assert {language: row["concepts"] for language, row in rows.items()} == {"hi": 815, "kn": 671, "sw": 807}
