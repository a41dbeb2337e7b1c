"""The pairs of a project with their class, and what was decided on them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from django.db.models import Exists, OuterRef, QuerySet

from annotator.domain.content.verdict import ACCEPT, CORRECT, GOES_OUT, VERDICT
from annotator.domain.leaving_out import NotReleased
from annotator.domain.pairs.inference_pairs import UNIT_KIND, PairClass, class_of
from annotator.domain.states import AnnotationState
from annotator.models import Annotation, Gold, Project, Unit
from annotator.protocols.impli.pair_files import SLUG

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """A pair. `verdict`: gold, or None; `file`: of an imported one, its path in releases and its layout."""

    unit: Unit
    made: PairClass
    verdict: Json | None
    file: tuple[str, Json] | None

    @property
    def why_rejected(self) -> NotReleased | None:
        """What gold says against it: that it is not well-formed, or that its label is wrong."""
        if self.verdict is None:
            return None
        if self.verdict["verdict"] not in GOES_OUT:
            return NotReleased.REJECTED
        return None if has_right_label(self.made, self.verdict) else NotReleased.WRONG_LABEL

    @property
    def is_corrected(self) -> bool:
        """Whether gold is a correction of it. Those that somebody here wrote go back instead."""
        return self.verdict is not None and self.verdict["verdict"] == CORRECT

    @property
    def text(self) -> str:
        """Both sentences, as they were corrected where gold is a correction."""
        if self.verdict is None or not self.is_corrected:
            return self.unit.text
        lines = list(self.verdict["texts"])
        # A sentence of the corpus goes out as it is there, white space included.
        return "\n".join(lines if self.unit.imported_id else [self.unit.text.split("\n")[0], *lines[1:]])


def has_right_label(made: PairClass, verdict: Json) -> bool:
    """Whether a verdict finds the label of a pair right, where it says so."""
    return verdict["second"] in (None, made.follows)


def is_valid(made: PairClass, verdict: Json) -> bool:
    """Whether a verdict accepts a pair as it stands and, where it says so, finds its label right."""
    return verdict["verdict"] == ACCEPT and has_right_label(made, verdict)


def finished_verdicts(project: Project) -> QuerySet[Annotation]:
    """The finished verdicts on current pairs."""
    return Annotation.objects.filter(
        project=project,
        layer__content_type=VERDICT.slug,
        layer__unit_kind=UNIT_KIND,
        state=AnnotationState.DONE,
        unit__is_current=True,
    )


def pairs_of(project: Project, *, judged: bool = False) -> Iterator[Pair]:
    """All current pairs, imported ones first and in the order of their files; or those with finished verdicts alone.
    Those of no known class are left out."""
    gold = dict(
        Gold.objects.filter(project=project, layer__content_type=VERDICT.slug, layer__unit_kind=UNIT_KIND).values_list(
            "unit_id", "content"
        )
    )
    units = Unit.objects.published().filter(project=project, kind=UNIT_KIND, is_current=True)
    if judged:
        units = units.filter(Exists(finished_verdicts(project).filter(unit=OuterRef("pk"))))
    ordered = (
        units.select_related("segment")
        .defer("lemmas", "content_words")
        .order_by("imported", "origin_file", "origin_line", "pk")
    )
    # An import says all of its files: with each unit it would be read thousands of times.
    for unit in ordered.prefetch_related("imported").iterator(chunk_size=500):
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
