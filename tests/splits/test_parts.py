"""The table of a split's parts: with sums and shares, on its page and as files; and what the published files have."""

from __future__ import annotations

import csv
import io
from random import Random
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.formats.text.tagged import parse_tagged
from annotator.models import Project, Role, Segment, Split
from annotator.splits.queries.parts import parts_report
from annotator.splits.queries.stored import leaks_of
from tests.corpora import META4XNLI, needs_meta4xnli
from tests.drafts import make_plain
from tests.factories import make_member, make_pair, make_project, make_tag
from tests.splits.making import fill, fill_at_once, make_split, upload

pytestmark = pytest.mark.django_db


def row_of(split: Split, **wanted: str) -> dict[str, Any]:
    (row,) = [row for row in parts_report(split).rows if {name: row[name] for name in wanted} == wanted]
    return row


def test_each_part_and_all_of_them_are_added_up(project: Project) -> None:
    fill(project)
    split = make_split(project)
    report = parts_report(split)

    for language in ("es", "en"):
        parts = [row_of(split, part=part, language=language, role="all") for part in ("train", "dev", "test")]
        whole = row_of(split, part="all", language=language, role="all")
        assert [row["items"] for row in parts] == [48, 16, 16]
        for name in ("items", "tokens", "labelled_tokens", "gold_labelled", "gold_unlabelled"):
            assert whole[name] == sum(row[name] for row in parts)
            roles = [row_of(split, part="all", language=language, role=role) for role in ("prem", "hyp")]
            assert whole[name] == sum(row[name] for row in roles)
    cells = [dict(zip(report.columns[:5], cells, strict=False)) for cells in report.cells]
    assert [one["%"] for one in cells if one["language"] == "es" and one["role"] == "all"] == [
        "60.00", "20.00", "20.00", "100.00",
    ]  # fmt: skip


def test_files_have_what_the_page_has(client: Client, project: Project) -> None:
    fill(project, 5)
    split = make_split(project)
    client.force_login(make_member(project, Role.MANAGER, "mara"))
    args = [project.slug, split.pk]

    page = client.get(reverse("split", args=args)).content.decode()
    rows = list(csv.DictReader(io.StringIO(client.get(reverse("split-csv", args=args)).content.decode())))
    as_json = client.get(reverse("split-json", args=args)).json()
    latex = client.get(reverse("split-tex", args=args)).content.decode()

    assert [{name: str(value) for name, value in row.items()} for row in as_json] == rows
    assert as_json == list(parts_report(split).rows)
    assert latex.count(r"\\") == len(rows) + 1
    for ending in ("csv", "json", "tex"):
        assert reverse(f"split-{ending}", args=args) in page
    # A part more than there are: all of them.
    assert {row["part"] for row in rows} == {"train", "dev", "test", "all"}


def test_pairs_are_counted_by_inference_label_and_tag() -> None:
    """As in the paper's table of pairs, and with what it does not say: premises of several parts."""
    project, parts, draw = make_project("letters"), {"train": "", "dev": "", "test": ""}, Random(1)
    tags: dict[str, str] = {}
    premise_of: dict[str, int] = {}
    for number in range(20):
        for inference in ("entailment", "neutral", "contradiction"):
            pair = make_pair(project, inference=inference)
            Segment.objects.filter(pk=pair.segment_id).update(group=f"g{number}")
            premise_of[pair.pair_id] = number
            tags[pair.pair_id] = draw.choice(("relevant", "no_metaphor"))
            make_tag(pair, tags[pair.pair_id])
            parts[draw.choices(list(parts), (64, 16, 20))[0]] += f"{pair.pair_id}\n"
    files = {f"{part}.txt": ids for part, ids in parts.items()}

    split = make_split(project, "theirs", layer=project.tag_layer, **upload(project, files))

    for part, ids in parts.items():
        row = row_of(split, part=part, language="es", inference="all")
        assert row["items"] == len(ids.split())
        assert row["gold_relevant"] == sum(tags[one] == "relevant" for one in ids.split())
    (leak,) = [one for one in leaks_of(split) if one.kind == "group"]
    spread = [{premise_of[one] for one in ids.split()} for ids in parts.values()]
    several = {one for one in premise_of.values() if sum(one in part for part in spread) > 1}
    assert (leak.names, leak.spread) == (20, len(several))
    assert several


@needs_meta4xnli
def test_the_published_files_give_these_figures() -> None:
    """Tables 13 and 14 of the paper, from its files: counted here by lines, and by a split that was imported."""
    project = make_plain(languages=("es", "en"))
    folder = META4XNLI / "detection" / "splits"
    given = {
        f"{language}/meta4xnli_{part}.tsv": (folder / language / f"meta4xnli_{part}.tsv").read_bytes()
        for language in ("es", "en")
        for part in ("train", "dev")
    }
    for part in ("train", "dev"):
        fill_at_once(project, {one: given[f"{one}/meta4xnli_{part}.tsv"] for one in ("es", "en")}, part)

    split = make_split(project, "meta4xnli", **upload(project, given))

    for name, content in given.items():
        language, part = name[:2], name.split("_")[1].removesuffix(".tsv")
        sentences = parse_tagged(content, language).sentences
        marked = [[tag for tag in sentence.tags if tag != "O"] for sentence in sentences]
        row = row_of(split, part=part, language=language)
        assert row["items"] == len(sentences)
        assert row["tokens"] == sum(len(sentence.tokens) for sentence in sentences)
        assert row["labelled_tokens"] == sum(map(len, marked))
        assert row["gold_labelled"] == sum(map(bool, marked))
    assert [row_of(split, part=part, language="en")["items"] for part in ("train", "dev")] == [7259, 2431]
