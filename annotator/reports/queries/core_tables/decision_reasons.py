"""Why people differed, by what adjudicators wrote to their decisions."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.core.permissions import Permission
from annotator.models import Counter, Gold, GoldSource, Project, Stage
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, notes_of, plain_report

NAME = "decision-reasons"
_COLUMNS = ("language", "name", "decisions")
# Rows of the table: the most frequent reasons. Items of each.
MAX_ROWS, MAX_ITEMS = 500, 200


@dataclass
class _Reason:
    """A reason in a language. `text`: as it was written first."""

    text: str
    decisions: int = 0
    units: list[int] = field(default_factory=list)


def count(project: Project) -> Json:
    """Standing decisions of adjudicators on current texts, by language and reason: the same words in any case and with
    any spaces are one reason."""
    found: dict[tuple[str, str], _Reason] = {}
    without = 0
    decided = Gold.objects.filter(project=project, source=GoldSource.ADJUDICATED, unit__is_current=True)
    rows = decided.order_by("unit__segment__position", "pk").values_list("unit_id", "unit__language", "reason")
    for unit, language, reason in rows.iterator(chunk_size=1000):
        text = " ".join(reason.split())
        if not text:
            without += 1
            continue
        one = found.setdefault((language, text.casefold()), _Reason(text))
        one.decisions += 1
        if len(one.units) < MAX_ITEMS:
            one.units.append(unit)
    order = sorted(found.items(), key=lambda one: (-one[1].decisions, one[0]))
    behind: dict[str, dict[str, Any]] = {}
    for (language, _key), one in order[:MAX_ROWS]:
        behind.setdefault(one.text, {})[language] = [(unit, 0) for unit in one.units]
    return {
        "rows": [
            {"language": language, "name": one.text, "decisions": one.decisions}
            for (language, _key), one in order[:MAX_ROWS]
        ],
        "behind": behind,
        "left": len(order[MAX_ROWS:]),
        "without": without,
    }


def show(figures: Json) -> Report:
    """The table; each reason leads to the items that were decided for it."""
    notes = notes_of(
        (figures["left"], _("Further reasons: %(count)d.")),
        (figures["without"], _("Decisions without a reason: %(count)d.")),
    )
    report = plain_report(_COLUMNS, figures["rows"], notes)
    return Report(report.rows, report.columns, report.cells, notes, leading="name", behind=figures["behind"])


def _there(project: Project) -> bool:
    """Whether anybody has decided in a stage. One statement, from the counters."""
    return Counter.objects.filter(project=project, stage__kind=Stage.ADJUDICATE, own_done__gt=0).exists()


TABLE = ReportSpec(
    name=NAME,
    figures=Figures(NAME, _there, count),
    show=show,
    title=gettext_lazy("Reasons for decisions"),
    text=gettext_lazy(
        "Reasons that adjudicators gave for their decisions. Each one leads to its items. A frequent reason shows what "
        "the guidelines lack."
    ),
    columns={
        "name": gettext_lazy("Reason"),
        "decisions": gettext_lazy("Decisions"),
    },
    needs=Permission.ADJUDICATE,
)
