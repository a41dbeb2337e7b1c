"""The tables of a project, counted from its gold and its annotations. The counting itself is the domain's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from annotator.domain.origins import token_origins
from annotator.domain.spans import spans_from_json
from annotator.domain.statistics import (
    CorrectionCount,
    DetectionRow,
    InterpretationRow,
    PairCount,
    ProjectionCount,
    SentenceCount,
    correction_rows,
    count_projected,
    count_sentence,
    count_unprojected,
    detection_rows,
    interpretation_rows,
    projection_rows,
)
from annotator.models import (
    Annotation,
    AnnotationState,
    Mode,
    Project,
    Segment,
    Sentence,
    Suggestion,
    SuggestionKind,
    Unit,
)
from annotator.models.corpus_import import PUBLISHED
from annotator.permissions import Permission
from annotator.queries.standing import standing
from annotator.queries.suggestions import rank

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Columns of names, which stand to the left; the others are numbers.
NAMES = frozenset({"language", "dataset", "role", "inference", "name", "genre", "other", "similar", "languages"})
# What a review begins from, the most telling first.
_BEGAN = (SuggestionKind.PROJECTION.value, SuggestionKind.PREDICTION.value)


Json = dict[str, Any]


@dataclass(frozen=True)
class HeatMap:
    """Numbers from 0 to 1 for every two of `names`; None where there is none."""

    names: tuple[str, ...]
    cells: tuple[tuple[float | None, ...], ...]


@dataclass(frozen=True)
class Report:
    """A table: its rows as JSON objects, and the same as texts in columns, with `notes` on what is not counted.

    `heat`: the same numbers as a picture, where they have a shape. `searched`: the column whose words lead to the
    sentences that have them.
    """

    kind: str
    rows: tuple[dict[str, Any], ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()
    heat: HeatMap | None = None
    searched: str = ""


def detection(project: Project) -> Report:
    """Labelled tokens and sentences of the gold, per language, dataset and role."""
    counts: list[SentenceCount] = []
    undecided = 0
    for language in project.languages:
        gold = standing(project, project.label_layer, language=language, gold_only=True)
        sentences = _current(project, language).values_list("pk", "segment__dataset", "segment__role", "token_count")
        for sentence, dataset, role, length in sentences.iterator():
            if sentence in gold:
                spans = spans_from_json(gold[sentence]["spans"])
                counts.append(count_sentence(language, dataset, role, spans, length))
            else:
                undecided += 1
    rows = detection_rows(counts, project.roles)
    on_sentence = sum(one.on_sentence for one in counts)

    def cells(row: DetectionRow) -> list[str]:
        return [
            row.language,
            row.dataset,
            row.role,
            str(row.labelled_tokens),
            str(row.tokens),
            _percent(row.labelled_tokens, row.tokens),
            str(row.labelled_sentences),
            str(row.sentences),
            _percent(row.labelled_sentences, row.sentences),
        ]

    columns = (
        "language", "dataset", "role",
        "labelled_tokens", "tokens", "%", "labelled_sentences", "sentences", "%",
    )  # fmt: skip
    return Report(
        "detection",
        tuple(row.to_json() for row in rows),
        columns,
        tuple(tuple(cells(row)) for row in rows),
        _notes(
            (undecided, _("Sentences without gold, not counted: %(count)d.")),
            (on_sentence, _("Labels on a sentence that no token bears, not among the tokens: %(count)d.")),
        ),
    )


def interpretation(project: Project, *, language: str = "") -> Report:
    """Gold pair tags per dataset and inference label, in one language (the source language by default)."""
    language = language or project.source_language
    layer = project.tag_layer
    gold = standing(project, layer, language=language, gold_only=True) if layer else {}
    pairs = (
        Unit.objects.published()
        .filter(project=project, kind=Segment.PAIR, language=language, is_current=True)
        .order_by("segment__pair__position", "pk")
        .values_list("pk", "segment__pair__dataset", "segment__pair__inference")
    )
    rows = interpretation_rows(
        (PairCount(dataset, inference, gold[pair]["value"]) for pair, dataset, inference in pairs if pair in gold),
        project.inferences,
    )

    def cells(row: InterpretationRow) -> list[str]:
        found = [row.dataset, row.inference]
        for count in (row.relevant, row.non_relevant, row.no_metaphor):
            found += [str(count), _percent(count, row.total)]
        return [*found, str(row.total)]

    columns = (
        "dataset", "inference", "relevant", "%", "non_relevant", "%", "no_metaphor", "%", "total",
    )  # fmt: skip
    discarded = sum(row.discarded for row in rows if row.inference == "all")
    return Report(
        "interpretation",
        tuple(row.to_json() for row in rows),
        columns,
        tuple(tuple(cells(row)) for row in rows),
        _notes(
            (discarded, _("Discarded pairs, not counted: %(count)d.")),
            (project.pairs.published().count() - len(gold), _("Pairs without gold, not counted: %(count)d.")),
        ),
    )


def correction(project: Project) -> Report:
    """What people did to the detector's labels: done annotations in review mode that began from them, or from nothing.

    What began from a projection, or from gold on an earlier text, is no correction of a detector.
    """
    counts = []
    for language in project.languages:
        # Not `exclude`, which would leave out what began from nothing as well.
        done = _reviewed(project, language).filter(
            Q(suggestion__isnull=True) | Q(suggestion__kind=SuggestionKind.PREDICTION)
        )
        for dataset, role, suggested, content, length in done.values_list(
            "unit__segment__dataset", "unit__segment__role", "suggested", "content", "unit__token_count"
        ).iterator():
            before = spans_from_json(suggested["spans"]) if suggested else ()
            counts.append(
                CorrectionCount(
                    language, dataset, role, token_origins(before, spans_from_json(content["spans"]), length)
                )
            )
    rows = correction_rows(counts, project.roles)
    columns = ("language", "dataset", "role", "predicted", "removed", "added", "revised")
    return plain_report("correction", columns, [row.to_json() for row in rows])


def projection(project: Project) -> Report:
    """How the labels of the target languages came about, per language, dataset and role.

    A sentence's final labels are its gold, or, while nobody decided, its done annotation in review mode.
    What it began from is what the annotator was shown; without an annotation, the current projection
    or prediction. Sentences with neither gold nor annotation are not counted. Where several languages were projected
    onto a sentence, it counts once, by the projection that it began from.
    """
    rows: list[dict[str, Any]] = []
    waiting = 0
    sources: list[str] = []
    for language in project.target_languages:
        counts = []
        began: Counter[str] = Counter()
        for count in _projection_counts(project, language, began):
            if count is None:
                waiting += 1
            else:
                counts.append(count)
        if len(project.sources_of(language)) > 1 and began:
            numbers = ", ".join(f"{source}: {began[source]}" for source in project.languages if began[source])
            sources.append(
                _("Sentences in %(language)s by the source that their review began from: %(numbers)s.")
                % {"language": language, "numbers": numbers}
            )
        rows += [{"language": language, **row.to_json()} for row in projection_rows(counts, project.roles)]
    columns = (
        "language", "dataset", "role",
        "source", "projected", "lost", "gained", "target", "predicted", "revised", "total",
    )  # fmt: skip
    notes = (*sources, *_notes((waiting, _("Sentences not yet reviewed, not counted: %(count)d."))))
    return plain_report("projection", columns, rows, notes)


REPORTS: dict[str, Callable[[Project], Report]] = {
    "detection": detection,
    "interpretation": interpretation,
    "correction": correction,
    "projection": projection,
}


@dataclass(frozen=True)
class FurtherReport:
    """A table that a kind brings: what it is called, what it counts, and how it is counted.

    `needs`: whoever may see it. One that counts what others answered before it is decided needs ADJUDICATE, as the
    agreement page does: to an annotator who is blind it would tell what the others chose. `layers`: content types; in a
    project with a stage on such a layer, the page says of the table what it will count before it has rows. `languages`:
    how many a project must have, for a table that compares them.
    """

    title: str | _StrPromise
    text: str | _StrPromise
    compute: Callable[[Project], Report]
    # Headings of columns that the core has no words for.
    columns: Mapping[str, str | _StrPromise] = field(default_factory=dict)
    needs: Permission = Permission.VIEW
    layers: tuple[str, ...] = ()
    languages: int = 1
    # Of one that is made from figures: their name, and how it is made from them.
    figures: str = ""
    show: Callable[[Json], Report] | None = None


@dataclass(frozen=True)
class Figures:
    """What tables are made from that takes too long to count while somebody waits for a page.

    A job counts it and keeps it, as JSON, in its result (`queries/figures.py`). `applies`: whether a project has
    anything to count; asked for every page, so it looks into an index.
    """

    applies: Callable[[Project], bool]
    count: Callable[[Project], Json]


# Shown and released where they have rows.
FURTHER: dict[str, FurtherReport] = {}
FIGURES: dict[str, Figures] = {}


def register_report(kind: str, new: FurtherReport) -> None:
    """Make a table known under its name in addresses and commands; packages of kinds do so when they are imported."""
    FURTHER[kind] = new


def register_figures(name: str, new: Figures) -> None:
    """Make figures known under the name by which tables and jobs ask for them."""
    FIGURES[name] = new


def register_counted(
    kind: str,
    new: FurtherReport,
    *,
    applies: Callable[[Project], bool],
    show: Callable[[Report], Report] = lambda report: report,
) -> None:
    """Make a table known that a job counts, as it reads every answer; its columns and rows are kept.

    `applies` is that of `Figures`. `show` adds what depends on the reader's language.
    """

    def count(project: Project) -> Json:
        report = new.compute(project)
        return {"columns": list(report.columns), "rows": list(report.rows)}

    def shown(figures: Json) -> Report:
        return show(plain_report(kind, tuple(figures["columns"]), figures["rows"]))

    register_figures(kind, Figures(applies, count))
    register_report(kind, replace(new, compute=lambda project: show(new.compute(project)), figures=kind, show=shown))


def from_figures(
    name: str,
    show: Callable[[Json], Report],
    *,
    title: str | _StrPromise,
    text: str | _StrPromise,
    columns: Mapping[str, str | _StrPromise],
    layers: tuple[str, ...],
    languages: int = 1,
) -> FurtherReport:
    """A table that is made from figures: at once in a release or a command, from a job's on a page."""

    def compute(project: Project) -> Report:
        return show(FIGURES[name].count(project))

    return FurtherReport(title, text, compute, columns, layers=layers, languages=languages, figures=name, show=show)


def further_reports(project: Project) -> Iterator[tuple[str, Report]]:
    """The tables of kinds by name, counted now; figures that several are made from are counted once."""
    counted: dict[str, Json] = {}
    for kind, one in FURTHER.items():
        if one.show is None:
            yield kind, one.compute(project)
            continue
        if one.figures not in counted:
            counted[one.figures] = FIGURES[one.figures].count(project)
        yield kind, one.show(counted[one.figures])


def report_named(kind: str) -> Callable[[Project], Report]:
    """How a table is counted. Raises LookupError."""
    return FURTHER[kind].compute if kind in FURTHER else REPORTS[kind]


def permission_for(kind: str) -> Permission:
    """What somebody must be permitted to see a table."""
    return FURTHER[kind].needs if kind in FURTHER else Permission.VIEW


def plain_report(
    kind: str, columns: tuple[str, ...], rows: Sequence[dict[str, Any]], notes: tuple[str, ...] = ()
) -> Report:
    """A table whose cells are its rows' values."""
    cells = tuple(tuple(str(row[column]) for column in columns) for row in rows)
    return Report(kind, tuple(rows), columns, cells, notes)


def _projection_counts(project: Project, language: str, sources: Counter[str]) -> Iterator[ProjectionCount | None]:
    """One count a sentence of the language; None for those nobody has reviewed yet. What a sentence began from is
    added to `sources`."""
    stands = standing(project, project.label_layer, language=language, reviewed_only=True)
    reviews: dict[int, Annotation] = {}
    for row in _reviewed(project, language).select_related("suggestion__source").iterator(chunk_size=1000):
        reviews.setdefault(row.unit_id, row)
    current = _suggestions(project, language)
    for sentence in _current(project, language).select_related("segment").iterator(chunk_size=1000):
        segment, length = sentence.segment, sentence.token_count
        if sentence.pk not in stands:
            yield None
            continue
        final = spans_from_json(stands[sentence.pk]["spans"])
        review = reviews.get(sentence.pk)
        # What the person saw, and where nobody looked, what they would see now.
        began = review.suggestion if review else current.get(sentence.pk)
        shown = (review.suggested if review else began and began.content) or {"spans": []}
        # Gold on an earlier text is nobody's prediction.
        of_gold = began is not None and began.kind == SuggestionKind.EARLIER_GOLD
        suggested = [] if of_gold else spans_from_json(shown["spans"])
        if began is None or began.kind != SuggestionKind.PROJECTION or began.source is None:
            yield count_unprojected(segment.dataset, segment.role, predicted=suggested, revised=final, length=length)
            continue
        sources[began.source_language] += 1
        yield count_projected(
            segment.dataset,
            segment.role,
            source=spans_from_json(began.detail["source_spans"]),
            source_length=began.source.token_count,
            projected=suggested,
            reviewed=final,
            length=length,
        )


def _suggestions(project: Project, language: str) -> dict[int, Suggestion]:
    """What a review of each sentence would begin from now."""
    rows = Suggestion.objects.filter(
        PUBLISHED, project=project, layer=project.label_layer, kind__in=_BEGAN, unit__language=language, is_current=True
    ).select_related("source")
    found: dict[int, Suggestion] = {}
    for row in sorted(rows, key=lambda row: rank(project, _BEGAN, row)):
        found.setdefault(row.unit_id, row)
    return found


def _reviewed(project: Project, language: str) -> QuerySet[Annotation]:
    """Done annotations of the labels in review mode, on current sentences, the first of each sentence first."""
    return Annotation.objects.filter(
        PUBLISHED,
        project=project,
        layer=project.label_layer,
        mode=Mode.REVIEW,
        state=AnnotationState.DONE,
        unit__language=language,
        unit__is_current=True,
    ).order_by("unit__segment__position", "unit", "pk")


def _current(project: Project, language: str) -> QuerySet[Sentence]:
    return project.sentences.filter(language=language, is_current=True).order_by("segment__position", "pk")


def _percent(part: int, whole: int) -> str:
    """Two decimals; "-" of nothing."""
    return f"{100 * part / whole:.2f}" if whole else "-"


def _notes(*counted: tuple[int, str]) -> tuple[str, ...]:
    return tuple(text % {"count": count} for count, text in counted if count)
