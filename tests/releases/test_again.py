"""Each file of a release is imported again with the same labels, or refused with a sentence that says what to do."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from typing import Any

import pytest

from annotator.core.files.uploads import UploadError
from annotator.formats.json_lines.release import PAIRS, SENTENCES
from annotator.imports.drafts.drafts import preview_draft
from annotator.models import Gold, Project, Segment, Unit
from annotator.releases.actions.releases import write_zip
from annotator.releases.queries.exports import release_files
from tests.drafts import draft_of, load
from tests.factories import make_gold, make_project, make_sentence
from tests.releases.rich import rich_project

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("uploads")]

Labels = dict[tuple[str, tuple[str, ...]], Any]
# Text about the release, which an import takes for text if it is all that is chosen.
ABOUT = ("README.md", "LICENSE", "left_out.tsv")
# Files with sentences, each alone.
SENTENCES_ALONE = ("sentences.jsonl", "hub/", "data/sentences_", "detection/source_datasets/")
PAIRS_ALONE = ("data/pairs_",)
# Answers, suggestions, layers and links: they name units of other files.
ABOUT_UNITS = ("annotations/", "suggestions/", "layers/", "data/annotations_", "data/layers_")


@pytest.fixture
def project() -> Project:
    return rich_project()


@pytest.fixture
def files(project: Project) -> dict[str, bytes]:
    """Of a partial release: a sentence of which only the Spanish has gold is in no published layout."""
    one = make_sentence(project, "Sola vuela la noche")
    make_sentence(project, "وحده", language="ar", segment=one.segment)
    make_gold(one)
    return release_files(project, partial=True).files


def again(given: Mapping[str, bytes], slug: str) -> Project:
    """An empty project with these files imported as gold."""
    made = make_project(slug, languages=("es", "ar"))
    load(made, dict(given), labels_as="gold")
    return made


def labels(project: Project) -> Labels:
    rows = Gold.objects.filter(project=project, layer=project.label_layer).select_related("unit")
    return {
        (one.unit.language, tuple(one.unit.tokens)): [(span["label"], span["tokens"]) for span in one.content["spans"]]
        for one in rows
    }


def tags(project: Project) -> list[tuple[str, str, str]]:
    rows = Gold.objects.filter(project=project, layer=project.tag_layer).select_related("unit__segment__pair")
    return sorted((one.unit.language, one.unit.segment.pair.inference, one.content["value"]) for one in rows)


def refusal(path: str, content: bytes, slug: str) -> str:
    """What the import says of a file that it does not take, and that it takes nothing of it."""
    made = make_project(slug, languages=("es", "ar"))
    try:
        preview = preview_draft(draft=draft_of(made, {path: content}))
    except UploadError as error:
        return str(error)
    assert not preview["ready"], path
    assert preview["counts"]["records"] == 0, path
    assert not Unit.objects.filter(project=made).exists()
    assert len({one["expected"] for one in preview["problems"]}) == 1, path
    return f"{preview['problems'][0]['expected']}: {preview['problems'][0]['got']}"


def test_the_zip_is_imported_as_it_was_downloaded(project: Project, files: dict[str, bytes]) -> None:
    packed = io.BytesIO()
    write_zip(packed, files)

    made = again({"rich-1.zip": packed.getvalue()}, "again")

    assert labels(made) == labels(project)
    assert tags(made) == tags(project) != []
    released = {json.loads(line)["uid"] for line in files[SENTENCES].splitlines()}
    kept = made.segments.exclude(kind=Segment.PAIR).values_list("uid", flat=True)
    # After the name of the new dataset and the role.
    assert {uid.removeprefix("rich_1:").removeprefix("prem:").removeprefix("hyp:") for uid in kept} == released


def test_sentences_and_pairs_are_imported_whatever_their_order(project: Project, files: dict[str, bytes]) -> None:
    made = again({path: files[path] for path in (PAIRS, SENTENCES)}, "again")

    assert labels(made) == labels(project)
    assert tags(made) == tags(project)


def test_the_published_layout_is_imported(project: Project, files: dict[str, bytes]) -> None:
    layout = {
        path: content
        for path, content in files.items()
        if path.startswith(("detection/source_datasets/es/set", "detection/source_datasets/ar/set", "interpretation/"))
    }
    made = again(layout, "again")

    found = labels(made)
    assert found == {key: value for key, value in labels(project).items() if key in found}
    assert len(found) == 8
    assert tags(made) == tags(project)


def test_each_file_with_sentences_has_the_same_labels_alone(project: Project, files: dict[str, bytes]) -> None:
    expected, alone = labels(project), [path for path in files if path.startswith(SENTENCES_ALONE)]
    seen: Labels = {}
    for number, path in enumerate(one for one in alone if not one.endswith(".parquet")):
        found = labels(again({path: files[path]}, f"again{number}"))
        assert found, path
        assert found == {key: expected[key] for key in found}, path
        seen |= found
    assert seen == expected


def test_each_file_with_pairs_has_their_tags_alone(project: Project, files: dict[str, bytes]) -> None:
    for number, path in enumerate(one for one in files if one.startswith(PAIRS_ALONE) and one.endswith(".jsonl")):
        language = path.removesuffix(".jsonl")[-2:]
        assert tags(again({path: files[path]}, f"again{number}")) == [
            one for one in tags(project) if one[0] == language
        ]


def test_every_other_file_is_refused_with_what_to_import_instead(files: dict[str, bytes]) -> None:
    others = [
        path
        for path in files
        if path not in ABOUT
        and path not in (SENTENCES, PAIRS)
        and not path.startswith("interpretation/")
        and (path.endswith(".parquet") or not path.startswith((*SENTENCES_ALONE, *PAIRS_ALONE)))
    ]
    assert {path.partition("/")[0] for path in others} >= {
        *(
            "annotations",
            "suggestions",
            "alignments",
            "layers",
            "statistics",
            "data",
            "manifest.json",
            "croissant.json",
        ),
    }
    for number, path in enumerate(others):
        said = refusal(path, files[path], f"again{number}")
        if path.endswith(".parquet"):
            assert "JSON Lines" in said, path
        elif path.startswith(ABOUT_UNITS) or "alignments" in path:
            assert "sentences.jsonl of the release" in said, path
        else:
            assert "keys" in said or "remove this file" in said, (path, said)


def test_pairs_without_their_sentences_say_what_is_missing(files: dict[str, bytes]) -> None:
    made = make_project("alone", languages=("es", "ar"))
    preview = preview_draft(draft=draft_of(made, {PAIRS: files[PAIRS]}))

    assert not preview["ready"]
    assert preview["problems"][0]["expected"].endswith("add the file with the sentences")


def test_objects_of_others_with_such_keys_are_read(project: Project) -> None:
    """A text called `content` beside an `annotator` is no answer of a release."""
    rows = [{"uid": "1", "content": "La luna sale", "annotator": "eva", "spans": []}]
    made = make_project("others", languages=("es", "ar"))
    load(made, {"other.jsonl": "".join(json.dumps(row) + "\n" for row in rows)})

    assert list(made.sentences.values_list("tokens", flat=True)) == [["La", "luna", "sale"]]
