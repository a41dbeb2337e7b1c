"""Stored splits: which there are, who may see them, and what is stored of one.

`results` of a split has `sizes` (items of each part), `strata` (dataset, role, inference label, language and what is
decided, with the items of each part), `table` (items, tokens, labelled tokens and what is decided by part, language,
role and inference label), `leakage` (an object for each sort of leak and language, as `domain/splits/leakage.py` has
it, its examples as ids of segments) and, where rows of published files are not in the project, their number as
`unmatched`.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from django.core.exceptions import PermissionDenied
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.models import Layer, Project, Segment, Split, SplitRow
from annotator.models.split import SplitQuerySet
from annotator.work.blind.queries.blind import has_blind_work
from annotator.work.gold.queries.slots import segments_in

# What of an item a stratum may be made of; `label` is what was decided, in each language.
STRATA = ("dataset", "role", "inference", "label")
# What is decided on an item whose layer has no values to choose from.
LABELLED, UNLABELLED, UNDECIDED = "labelled", "unlabelled", "undecided"
# Rows that are fetched at once.
CHUNK = 2000


class LeakKind(StrEnum):
    """What parts have in common. `near`: texts with most of their words in common."""

    GROUP = "group"
    EQUAL = "equal"
    NEAR = "near"
    TRANSLATION = "translation"
    EXPRESSION = "expression"


def splits_in(project: Project) -> SplitQuerySet:
    """The splits of a project, newest first, without their results, which are long."""
    rows = Split.objects.published().filter(project=project).select_related("created_by", "layer", "project")
    return rows.defer("results").order_by("-pk")


def why_not_seen(access: Access) -> str:
    """Why the user may not look into splits, as a sentence; empty where they may. What is in which part may follow from
    gold, and the numbers of a split count it. One query."""
    if has_blind_work(access.user, access.project):
        return _("You have blind items in this project, so you cannot see its splits until gold is decided there.")
    return ""


def split_seen(access: Access, pk: int) -> Split:
    """A split of the project, for somebody who looks into it. Raises Http404 where there is none, PermissionDenied for
    the person who works blind."""
    split = splits_in(access.project).defer(None).filter(pk=pk).first()
    if split is None:
        raise Http404(_("There is no such split in this project."))
    if reason := why_not_seen(access):
        raise PermissionDenied(reason)
    return split


def whole_size(layer: Layer) -> int:
    """How many items of the layer a split is made of."""
    return segments_in(layer).count()


def gone(split: Split) -> int:
    """How many items of a split are no longer in the project, as after an import was undone."""
    return split.size + split.left_out - SplitRow.objects.filter(split=split).count()


def rows_in_order(split: Split, part: int | None) -> Iterator[tuple[str, str, str]]:
    """Uid, pair id and dataset of the items of a part, in the order of its files."""
    rows = SplitRow.objects.filter(split=split, part=part).order_by("position", "segment__position", "pk")
    columns = ("segment__uid", "segment__pair__pair_id", "segment__dataset")
    return ((uid, pair or "", dataset) for uid, pair, dataset in rows.values_list(*columns).iterator(CHUNK))


def table_lines(split: Split) -> Iterator[str]:
    """The split as a table, line by line: an item a line with its id and its part; those in no part come last."""
    yield "id\tpair_id\tdataset\tsplit\n"
    for part, name in [*enumerate(split.parts), (None, "")]:
        for uid, pair, dataset in rows_in_order(split, part):
            yield f"{uid}\t{pair}\t{dataset}\t{name}\n"


@dataclass(frozen=True, slots=True)
class PartShare:
    """How many items of a stratum a part has, and their share of those in parts, in per cent."""

    items: int
    percent: float


@dataclass(frozen=True, slots=True)
class Stratum:
    """A stratum as the page shows it."""

    dataset: str
    role: str
    inference: str
    language: str
    state: str
    parts: Sequence[PartShare]
    left_out: int

    @property
    def total(self) -> int:
        return sum(part.items for part in self.parts)


@dataclass(frozen=True, slots=True)
class TableRow:
    """Items of a part in a language, with a role or an inference label. `states`: how many were decided so."""

    part: str
    language: str
    role: str
    inference: str
    items: int
    tokens: int
    labelled_tokens: int
    states: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Example:
    """An item that parts have in common with another one: its uid, the segment (id) that has a page, and a text: of a
    pair, its hypothesis."""

    uid: str
    page: int
    text: str


@dataclass(frozen=True, slots=True)
class LeakRow:
    """The leakage between two parts."""

    parts: tuple[str, str]
    shared: int
    items: tuple[int, int]
    examples: Sequence[tuple[Example, Example]] = ()


@dataclass(frozen=True, slots=True)
class LeakTable:
    """One sort of leak in a language: of `names`, `spread` are in several parts."""

    kind: LeakKind
    language: str
    names: int
    spread: int
    uncompared: int
    rows: Sequence[LeakRow]


def strata_of(split: Split) -> list[Stratum]:
    """The strata with the share of each part."""
    found = []
    for row in split.results["strata"]:
        total = sum(row["items"])
        shares = [PartShare(items, 100 * items / total if total else 0) for items in row["items"]]
        found.append(
            Stratum(
                row["dataset"], row["role"], row["inference"], row["language"], row["state"], shares, row["left_out"]
            )
        )
    return found


def table_of(split: Split) -> list[TableRow]:
    """The table of the parts."""
    return [TableRow(**row) for row in split.results["table"]]


def bare_parts(split: Split) -> list[tuple[str, str]]:
    """Part and language where no item has a label in gold: nothing can be learned or tested there."""
    labelled: Counter[tuple[str, str]] = Counter()
    for row in table_of(split):
        bare = row.states.get(UNLABELLED, 0) + row.states.get(UNDECIDED, 0)
        labelled[row.part, row.language] += sum(row.states.values()) - bare
    return [of for of, number in labelled.items() if not number]


def part_sizes(split: Split) -> list[tuple[str, int]]:
    """The parts with the number of their items."""
    return list(zip(split.parts, split.results["sizes"], strict=True))


def leaks_of(split: Split) -> list[LeakTable]:
    """What the parts have in common, with examples and their texts. Two statements."""
    stored: Sequence[Mapping[str, Any]] = split.results["leakage"]
    uids = {one for table in stored for leak in table["leaks"] for pair in leak["examples"] for one in pair}
    rows = Segment.objects.filter(project=split.project_id, uid__in=uids)
    pages = {uid: hypothesis or pk for pk, uid, hypothesis in rows.values_list("pk", "uid", "pair__hypothesis")}
    units = split.project.units.filter(segment__in=set(pages.values()), is_current=True)
    texts = {(unit.segment_id, unit.language): unit.text for unit in units}

    def example(uid: str, language: str) -> Example:
        page = pages[uid]
        return Example(uid, page, texts.get((page, language or split.project.source_language), ""))

    def leak_row(leak: Mapping[str, Any], language: str) -> LeakRow:
        one, other = leak["parts"]
        there = [pair for pair in leak["examples"] if all(uid in pages for uid in pair)]
        examples = [(example(first, language), example(second, language)) for first, second in there]
        return LeakRow(
            (split.parts[one], split.parts[other]), leak["shared"], (leak["items"][0], leak["items"][1]), examples
        )

    return [
        LeakTable(
            LeakKind(table["kind"]),
            table["language"],
            table["names"],
            table["spread"],
            table["uncompared"],
            [leak_row(leak, table["language"]) for leak in table["leaks"]],
        )
        for table in stored
    ]
