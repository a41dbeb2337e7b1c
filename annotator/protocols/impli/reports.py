"""Counts of pairs by class, how many are valid, and what the rules refused: IMPLI's Tables 2 and 5."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import replace
from itertools import groupby
from typing import Any

from django.conf import settings
from django.db.models import Count
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from annotator.core.permissions import Permission
from annotator.domain.content import DEFINITIONS, REWRITE
from annotator.domain.content.verdict import ACCEPT
from annotator.domain.pairs.inference_pairs import BY_RULE, UNIT_KIND
from annotator.domain.shares import in_percent, majority
from annotator.domain.silver import Refusal, SmallParser
from annotator.domain.statistics import ALL
from annotator.environment import SMALL_PARSER
from annotator.kinds.impli.expressions import expressions_of
from annotator.kinds.impli.silver import pairs_of as silver_of
from annotator.kinds.impli.texts import class_words, way_words
from annotator.kinds.impli.units import EXPRESSION
from annotator.models import Project, Unit
from annotator.protocols.impli.corpus import Pair, finished_verdicts, is_valid, pairs_of
from annotator.reports.queries.headlines import total
from annotator.reports.queries.report_lists import has_answers, has_units
from annotator.reports.queries.reports import Json, Report, ReportSpec, plain_report, table_figures, table_of

_CLASS_COLUMNS = ("language", "dataset", "name", "entailed", "not_entailed", "total")
_VALID_COLUMNS = (
    "language", "dataset", "name", "verdicts", "well_formed", "label_right", "pairs", "valid", "%", "interval",
)  # fmt: skip
# What pairs are made from.
_LAYERS = (REWRITE.slug, DEFINITIONS.slug)
_REASONS = {reason.value.replace("-", "_"): reason for reason in Refusal}


def classes(project: Project) -> Report:
    """Pairs by language, dataset and how they were made, with their label; without those that were rejected. Where some
    were corrected, how many."""
    counts: defaultdict[tuple[str, str, str], Counter[bool]] = defaultdict(Counter)
    corrected = Counter[tuple[str, str, str]]()
    for pair in pairs_of(project):
        if pair.why_rejected is None:
            where = pair.unit.language, pair.unit.segment.dataset, pair.made.way
            counts[where][pair.made.entailed] += 1
            corrected[where] += pair.is_corrected
    with_corrected = bool(corrected.total())
    rows: list[dict[str, Any]] = [
        {
            **dict(zip(_CLASS_COLUMNS, where, strict=False)),
            "entailed": labels[True],
            "not_entailed": labels[False],
            "total": labels.total(),
            **({"corrected": corrected[where]} if with_corrected else {}),
        }
        for where in _with_totals(counts, corrected)
        for labels in [counts[where]]
    ]
    columns = (*_CLASS_COLUMNS, *(["corrected"] if with_corrected else []))
    return plain_report(columns, rows)


def _with_totals(
    counts: dict[tuple[str, str, str], Counter[bool]], corrected: Counter[tuple[str, str, str]]
) -> list[tuple[str, str, str]]:
    """The places in order; where a language has several datasets, the sums over them are added as the dataset ALL, by
    how pairs were made and in all."""
    places = []
    for language, group in groupby(sorted(counts), key=lambda place: place[0]):
        found = list(group)
        places += found
        if len({dataset for _language, dataset, _way in found}) > 1:
            totals = [*((language, ALL, way) for way in sorted({place[2] for place in found})), (language, ALL, ALL)]
            for place in found:
                for total in ((language, ALL, place[2]), (language, ALL, ALL)):
                    counts[total].update(counts[place])
                    corrected[total] += corrected[place]
            places += totals
    return places


def valid_pairs(project: Project) -> Report:
    """By class: finished verdicts, those that accept and that find the label right; and the judged pairs, with those
    that are valid, their share and its 95% interval.

    A pair is one trial: it is valid where more than half of its verdicts say both. Where half of them do, what an
    adjudicator decided counts; undecided, it is in no share.
    """
    verdicts = list(finished_verdicts(project).values_list("unit_id", "content"))
    known = {pair.unit.pk: pair for pair in pairs_of(project, judged=True)} if verdicts else {}
    counts: defaultdict[tuple[str, str, str], Counter[str]] = defaultdict(Counter)
    judged: defaultdict[tuple[str, str, str], defaultdict[int, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for unit, content in verdicts:
        if unit not in known:
            continue
        pair = known[unit]
        place = pair.unit.language, pair.unit.segment.dataset, str(pair.made)
        where = counts[place]
        where["verdicts"] += 1
        where["well_formed"] += content["verdict"] == ACCEPT
        where["label_right"] += content["second"] == pair.made.follows
        judged[place][unit].append(is_valid(pair.made, content))
    rows = []
    for place, found in sorted(counts.items()):
        outcomes = [_outcome(known[unit], said) for unit, said in judged[place].items()]
        valid, pairs = outcomes.count(True), len(outcomes) - outcomes.count(None)
        share, interval = in_percent(valid, pairs)
        rows.append(
            {
                **dict(zip(_VALID_COLUMNS, place, strict=False)),
                **{name: found[name] for name in ("verdicts", "well_formed", "label_right")},
                "pairs": len(outcomes),
                "valid": valid,
                "%": share,
                "interval": interval,
            }
        )
    return plain_report(_VALID_COLUMNS, rows)


def _outcome(pair: Pair, said: Sequence[bool]) -> bool | None:
    """Whether a pair is valid; None where its verdicts are as many for it as against it, and nobody decided."""
    found = majority(said)
    return is_valid(pair.made, pair.verdict) if found is None and pair.verdict is not None else found


def silver(project: Project) -> Report:
    """By language: expressions with definitions, the pairs that the rules make of them now, and refusals by reason.

    With a parser that needs a model nothing is parsed for a table: the pairs are those that are there, and refusals are
    left out.
    """
    if settings.PARSER != SMALL_PARSER:
        return plain_report(("language", "expressions", "pairs"), _stored(project))
    rows = []
    for stage in project.stages.filter(kind="define").select_related("layer", "project").order_by("pk"):
        made, defined, refused = 0, 0, Counter[Refusal]()
        for expression in expressions_of(project, stage.language):
            _uses, found = silver_of(stage, expression, SmallParser(stage.language))
            made += len(found.pairs)
            refused += found.refused
            defined += bool(found.pairs or found.refused)
        if defined:
            reasons = {name: refused[reason] for name, reason in _REASONS.items()}
            rows.append({"language": stage.language, "expressions": defined, "pairs": made, **reasons})
    return plain_report(("language", "expressions", "pairs", *_REASONS), rows)


def with_ways(figures: Json) -> Report:
    """The table of classes, with how the pairs were made in the reader's language."""
    return _renamed(table_of(figures), way_words)


def with_classes(figures: Json) -> Report:
    """The table of valid pairs, with what their classes are called in the reader's language."""
    return _renamed(table_of(figures), class_words)


def _renamed(report: Report, words: Callable[[str], str]) -> Report:
    at = report.columns.index("name")
    cells = tuple((*row[:at], words(row[at]), *row[at + 1 :]) for row in report.cells)
    return replace(report, cells=cells)


def with_note(figures: Json) -> Report:
    """The table of silver pairs, with where the refusals are listed that it leaves out."""
    report = table_of(figures)
    if not report.rows or set(_REASONS) & set(report.columns):
        return report
    return replace(report, notes=(gettext("Pairs that the rules reject are listed where you update the pairs."),))


def _stored(project: Project) -> list[dict[str, Any]]:
    pairs = Unit.objects.published().filter(
        project=project, kind=UNIT_KIND, is_current=True, rule__in=[str(made) for made in BY_RULE.values()]
    )
    counts = pairs.filter(parents__kind=EXPRESSION).order_by("language").values("language")
    found = counts.annotate(expressions=Count("parents", distinct=True), pairs=Count("pk", distinct=True))
    return [dict(row) for row in found]


CLASSES = ReportSpec(
    name="pair-classes",
    title=gettext_lazy("Pairs by class"),
    text=gettext_lazy("Inference pairs by how they were made and by label, without rejected ones."),
    figures=table_figures("pair-classes", classes, has_units(UNIT_KIND)),
    show=with_ways,
    columns={
        "name": pgettext_lazy("pairs", "Made by"),
        "entailed": gettext_lazy("Entailed"),
        "not_entailed": gettext_lazy("Not entailed"),
        "corrected": gettext_lazy("Corrected"),
    },
    layers=_LAYERS,
    headline=total("total", gettext_lazy("inference pairs, without rejected ones.")),
)
VALID = ReportSpec(
    name="valid-pairs",
    title=gettext_lazy("Valid pairs"),
    text=gettext_lazy(
        "By class: verdicts, and valid pairs (well-formed and with the right label), by majority or, in a tie, by "
        "decision. Ties that nobody has decided are not counted."
    ),
    figures=table_figures("valid-pairs", valid_pairs, has_units(UNIT_KIND)),
    show=with_classes,
    columns={
        "name": gettext_lazy("Class"),
        "verdicts": gettext_lazy("Verdicts"),
        "well_formed": gettext_lazy("Well-formed"),
        "label_right": gettext_lazy("Correct label"),
        "pairs": gettext_lazy("Pairs"),
        "valid": gettext_lazy("Valid"),
        "interval": gettext_lazy("Interval"),
    },
    needs=Permission.ADJUDICATE,
    layers=_LAYERS,
    headline=total("valid", gettext_lazy("valid pairs.")),
)
SILVER = ReportSpec(
    name="silver-pairs",
    title=gettext_lazy("Silver pairs"),
    text=gettext_lazy(
        "Pairs that the rules make from definitions and marked sentences, and those that they reject, by reason."
    ),
    # The rules are run for every expression, which takes 15 ms of each.
    figures=table_figures("silver-pairs", silver, has_answers(DEFINITIONS.slug), slow=True),
    show=with_note,
    columns={
        "expressions": gettext_lazy("Expressions"),
        "split": gettext_lazy("Words in between"),
        "inside_phrase": gettext_lazy("Ends inside a phrase"),
        "part_of_speech": gettext_lazy("Part of speech"),
        "verb_form": gettext_lazy("Verb form"),
        "agreement": pgettext_lazy("grammar", "Agreement"),
        "voice": pgettext_lazy("grammar", "Voice"),
        "unchanged": gettext_lazy("Unchanged"),
        "duplicate": gettext_lazy("Duplicates"),
    },
    layers=(DEFINITIONS.slug,),
    headline=total("pairs", gettext_lazy("pairs made by the rules.")),
)
