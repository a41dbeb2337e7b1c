"""How much of the gold a simple classifier guesses from parts of its items."""

from __future__ import annotations

from collections.abc import Iterator

from django.utils import translation
from django.utils.formats import number_format
from django.utils.text import capfirst
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.counts import grouped
from annotator.core.kind import layer_title
from annotator.core.permissions import Permission
from annotator.domain.audit.conclusions import conclusions
from annotator.domain.audit.scores import Guessed, Score, Seen, Split, Undefined
from annotator.models import Project
from annotator.reports.queries.headlines import language_in_words
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec

NAME = "artifacts"
# Decided items below which nothing is audited.
_FEWEST = 20
_COLUMNS = ("layer", "language", "split", "seen", "instances", "classes", "macro_f1", "spread")

_SEEN = {
    Seen.WHOLE: gettext_lazy("Whole instance"),
    Seen.EXPRESSION: gettext_lazy("Expression alone"),
    Seen.MASKED: gettext_lazy("Expression masked"),
    Seen.FIRST: gettext_lazy("First text alone (premise)"),
    Seen.SECOND: gettext_lazy("Second text alone (hypothesis)"),
    Seen.OVERLAP: gettext_lazy("Word overlap"),
    Seen.MAJORITY: gettext_lazy("Commonest class"),
}
_SPLITS = {Split.RANDOM: gettext_lazy("random"), Split.LEXICAL: gettext_lazy("lexical")}


def count(project: Project) -> Json:
    """The scores of each layer with categories and each language."""
    # Loaded here: it needs NumPy, and web processes have no use for it.
    from annotator.reports.queries.core_tables.artifact_instances import count as counted

    return counted(project)


def released_rows(figures: Json) -> list[Json]:
    """The tasks of a release, with their conclusions in words, in English."""
    with translation.override("en"):
        return [{**task, "conclusions": list(_sentences(task))} for task in figures["tasks"]]


def _scores(task: Json) -> list[Score]:
    return [
        Score(
            Split(one["split"]),
            Seen(one["seen"]),
            one["mean"],
            one["spread"],
            Undefined(one["undefined"]) if one["undefined"] else None,
        )
        for one in task["scores"]
    ]


def _classes(task: Json) -> int:
    return len(task["classes"]) - len(task["rare"])


def show(figures: Json) -> Report:
    """The scores as a table, and below it what they mean."""
    rows, cells, notes = [], [], []
    for task in figures["tasks"]:
        scores = _scores(task)
        # Without any score, a task has one row.
        for score in [one for one in scores if one.mean is not None] or scores[:1]:
            numbers = {"macro_f1": _rounded(score.mean), "spread": _rounded(score.spread)}
            about = {name: task[name] for name in ("layer", "language", "what", "instances")}
            row = {**about, "split": score.split.value, "seen": score.seen.value, "classes": _classes(task), **numbers}
            rows.append(row)
            words = {"layer": _guessed(task), "split": _SPLITS[score.split], "seen": _SEEN[score.seen]}
            cells.append(
                tuple("–" if value is None else str(value) for value in ({**row, **words}[name] for name in _COLUMNS))
            )
        notes.append(" ".join([f"{_guessed(task)}, {language_in_words(task['language'])}:", *_sentences(task)]))
    return Report(tuple(rows), _COLUMNS, tuple(cells), tuple(notes))


def _guessed(task: Json) -> str:
    return _("Inference label") if task["what"] == Guessed.INFERENCE else capfirst(layer_title(task["layer"]))


def _sentences(task: Json) -> Iterator[str]:
    written = conclusions(_scores(task), _classes(task), lambda number: str(number_format(f"{number:.1f}")))
    yield from (one.translated(_) for one in written)
    if task["rare"] and _classes(task):
        yield _("Classes with too few instances were left out: %(names)s.") % {"names": ", ".join(task["rare"])}
    if task["used"] + sum(task["classes"][name] for name in task["rare"]) < task["instances"]:
        gaps = {"used": grouped(task["used"]), "whole": grouped(task["instances"])}
        yield _("A sample of %(used)s of %(whole)s instances was used.") % gaps


def _rounded(number: float | None) -> float | None:
    return None if number is None else round(number, 1)


def is_there(project: Project) -> bool:
    """Whether enough is decided for two classes. One statement."""
    return project.golds.order_by()[:_FEWEST].count() == _FEWEST


TABLE = ReportSpec(
    name=NAME,
    figures=Figures(NAME, is_there, count, slow=True),
    show=show,
    title=gettext_lazy("Artifacts"),
    text=gettext_lazy(
        "Macro-F1 (%) of a simple classifier that sees only a part of each instance, over five folds. In lexical "
        "splits, no expression or group is in two folds."
    ),
    columns={
        "layer": gettext_lazy("Guessed"),
        "split": pgettext_lazy("noun", "Split"),
        "seen": gettext_lazy("Shown"),
        "instances": gettext_lazy("Instances"),
        "classes": gettext_lazy("Classes"),
        "macro_f1": gettext_lazy("Macro-F1"),
        "spread": gettext_lazy("Standard deviation"),
    },
    needs=Permission.ADJUDICATE,
)
