"""IMPLI's files in a release: imported ones as they were, and what was made here under the published names."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet

from annotator.domain.content import DEFINITIONS
from annotator.domain.content.verdict import VERDICT
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.pairs.inference_pairs import MANUAL, MANUAL_ANTONYMS, UNIT_KIND, PairClass
from annotator.domain.states import AnnotationState
from annotator.formats.common.enclosing import enclosed_writer
from annotator.formats.tables.odd_rows import BOM, joined
from annotator.kinds.impli.units import EXPRESSION
from annotator.kinds.impli.up_to_date import drift
from annotator.models import Annotation, Gold, Project, Segment, Stage, Unit
from annotator.protocols.impli.corpus import Pair, pairs_of
from annotator.releases.queries.release_parts import Part, corrected_note
from annotator.work.gold.queries.left_out import LeftOut
from annotator.work.gold.queries.withheld import repeats_withheld, withheld
from annotator.work.queue.queries.returned import left_with_writers

# Published pairs that were made by rule have an empty score, those that people wrote none.
_WRITTEN: dict[str, Any] = {"bom": False, "line_end": "\n", "ended": True, "more": "", "odd": {}}
_BY_RULE = {**_WRITTEN, "more": "\t"}


def part(project: Project) -> Part:
    """`impli/<dataset>/<file>` for each imported file, `impli/<language>/<file>` for what was made here.

    A pair that nobody here wrote, and of which a correction is gold, goes out as corrected. Left out are pairs that
    were rejected or whose label was found wrong, those that nobody accepted yet, imported or made here, those that are
    with their writers, those whose text, or that of the sentence they were made from, may not be published, and those
    by rule that the rules no longer make. Expressions are listed of which pairs are still to be made, or whose finished
    definitions nobody accepted yet.
    """
    rows: defaultdict[str, list[tuple[int, str]]] = defaultdict(list)
    layouts: dict[str, dict[str, Any]] = {}
    datasets: list[str] = []
    left_out: list[LeftOut] = []
    corrected = 0
    kept_back = withheld(project)
    found = drift(project)
    for pair in pairs_of(project):
        why = _why_not(pair, kept_back, found.stale)
        if why is not None:
            left_out.append(_left_out(pair.unit, why, _reason(pair)))
            continue
        path, layout = pair.file or _place(pair.unit, pair.made)
        layouts[path] = layout
        datasets.append(pair.unit.segment.dataset)
        rows[path].append((pair.unit.origin_line or 0, pair.text))
        corrected += pair.is_corrected
    left_out += left_with_writers(project, UNIT_KIND)
    left_out += [_left_out(unit, NotReleased.UNMADE) for unit in found.unmade]
    left_out += [_left_out(unit, NotReleased.NO_GOLD) for unit in _without_gold(project)]
    files = {path: _written(rows[path], layouts[path]) for path in rows}
    words = "pairs for inference, the second sentence after a tab: _e follows from the first, _ne does not"
    about = {"impli/": words + corrected_note(corrected)}
    return Part(files, about if files else {}, tuple(left_out), tuple(dict.fromkeys(datasets)), found.stale)


def undecided(project: Project) -> Mapping[tuple[str, str], int]:
    """How many pairs, and how many expressions with finished definitions, a release leaves out until somebody accepts
    them."""
    decided = Gold.objects.filter(unit=OuterRef("pk"), layer__content_type=VERDICT.slug, layer__unit_kind=UNIT_KIND)
    units = Unit.objects.published().filter(~Exists(decided), project=project, kind=UNIT_KIND, is_current=True)
    counted = units.exclude(imported__publishable=False).order_by().values_list("language").annotate(n=Count("pk"))
    defined = _without_gold(project).order_by().values_list("language").annotate(n=Count("pk"))
    return {
        **{(language, str(Segment.PAIR)): number for language, number in counted},
        **{(language, EXPRESSION): number for language, number in defined},
    }


def _without_gold(project: Project) -> QuerySet[Unit]:
    """Expressions whose definitions are finished and not accepted, in the languages in which somebody decides."""
    of_layer = {"unit": OuterRef("pk"), "layer__content_type": DEFINITIONS.slug}
    finished = Annotation.objects.filter(**of_layer, state=AnnotationState.DONE)
    judged = Stage.objects.filter(
        project=project, kind=Stage.ADJUDICATE, layer__content_type=DEFINITIONS.slug, language=OuterRef("language")
    )
    units = Unit.objects.published().filter(project=project, kind=EXPRESSION, is_current=True)
    found = units.filter(Exists(finished), Exists(judged)).exclude(Exists(Gold.objects.filter(**of_layer)))
    return found.select_related("segment").order_by("pk")


def _why_not(pair: Pair, kept_back: Collection[tuple[str, int]], stale: Collection[int]) -> NotReleased | None:
    # A pair made here repeats the sentence that it is made from.
    if repeats_withheld(pair.unit, kept_back):
        return NotReleased.WITHHELD
    if pair.why_rejected is not None:
        return pair.why_rejected
    if pair.unit.pk in stale:
        return NotReleased.OUTDATED
    return NotReleased.NO_GOLD if pair.verdict is None else None


def _place(unit: Unit, made: PairClass) -> tuple[str, dict[str, Any]]:
    if made.way in (MANUAL, MANUAL_ANTONYMS):
        return f"impli/{unit.language}/{made.file_name()}", _WRITTEN
    source = re.sub(r"[^a-z0-9]+", "-", unit.segment.dataset.lower()).strip("-")
    return f"impli/{unit.language}/{made.file_name(source)}", _BY_RULE


def _written(rows: list[tuple[int, str]], layout: dict[str, Any]) -> bytes:
    odd = layout["odd"]
    # What follows the sentences begins with its tab.
    lines = ([*text.split("\n"), *odd.get(str(line), layout["more"]).split("\t")[1:]] for line, text in rows)
    writer = enclosed_writer(layout.get("enclosing", "none"), layout["line_end"])
    text = joined(lines, layout.get("odd_rows", {}), writer, without="" if layout["ended"] else layout["line_end"])
    return ((BOM if layout["bom"] else "") + text).encode()


def _reason(pair: Pair) -> str:
    """Why it was rejected, as the verdict's code."""
    return str(pair.verdict["reason"]) if pair.verdict is not None else ""


def _left_out(unit: Unit, code: NotReleased, reason: str = "") -> LeftOut:
    in_language = code in (NotReleased.NO_GOLD, NotReleased.WITHHELD)
    note = reason if code == NotReleased.REJECTED else ""
    why = WhyNotReleased(code, unit.language if in_language else "", note=note)
    return LeftOut(
        EXPRESSION if unit.kind == EXPRESSION else "pair", unit.segment.dataset, unit.segment.uid, unit.language, why
    )
