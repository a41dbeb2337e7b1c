"""The pairs of a project with their class, and what was decided on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from annotator.domain.content.verdict import ACCEPT, VERDICT
from annotator.domain.inference_pairs import UNIT_KIND, PairClass, class_of
from annotator.kinds.impli.pair_files import SLUG
from annotator.models import Gold, Project, Unit

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair. `verdict`: gold, or None; `file`: of an imported one, its path in releases and its layout."""

    unit: Unit
    made: PairClass
    verdict: Json | None
    file: tuple[str, Json] | None

    @property
    def rejected(self) -> bool:
        """Whether gold says that it is not well-formed, or that its label is wrong."""
        return self.verdict is not None and not is_valid(self.made, self.verdict)


def is_valid(made: PairClass, verdict: Json) -> bool:
    """Whether a verdict accepts a pair and, where it says so, finds its label right."""
    return bool(verdict["verdict"] == ACCEPT and verdict["second"] in (None, made.follows))


def pairs_of(project: Project) -> Iterator[Pair]:
    """All current pairs, imported ones first and in the order of their files. Those of no known class are left out."""
    gold = dict(
        Gold.objects.filter(project=project, layer__content_type=VERDICT.slug, layer__unit_kind=UNIT_KIND).values_list(
            "unit_id", "content"
        )
    )
    units = Unit.objects.published().filter(project=project, kind=UNIT_KIND, is_current=True)
    ordered = units.select_related("segment", "imported").order_by("imported", "origin_file", "origin_line", "pk")
    for unit in ordered.iterator(chunk_size=500):
        file = _file_of(unit)
        made = class_of(file["name"] if file else unit.rule)
        if made is None:
            continue
        source = None
        if file is not None and file.get("format") == SLUG and file.get("layout"):
            source = _path(unit, file["name"], file["layout"]), file["layout"]
        yield Pair(unit, made, gold.get(unit.pk), source)


def _file_of(unit: Unit) -> Json | None:
    imported = unit.imported
    if imported is None or unit.origin_file is None or unit.origin_file >= len(imported.files):
        return None
    file: Json = imported.files[unit.origin_file]
    return file


def _path(unit: Unit, name: str, layout: Json) -> str:
    """Where a file goes in releases: below its dataset, as it lay in an archive that was imported. What had no tabs is
    written with them, and called so."""
    if layout.get("suffix"):
        name = str(PurePosixPath(name).with_suffix(layout["suffix"]))
    parts = [part for part in PurePosixPath(name).parts if not part.endswith(".zip")]
    return f"impli/{unit.segment.dataset}/{'/'.join(parts)}"
