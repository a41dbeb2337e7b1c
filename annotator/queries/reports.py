"""The tables of a project, counted from its gold and its annotations. The counting itself is the domain's."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.domain.origins import token_origins
from annotator.domain.spans import spans_from_json
from annotator.domain.statistics import (
    CorrectionCount,
    DetectionRow,
    InterpretationRow,
    PairCount,
    ProjectionCount,
    correction_rows,
    count_projected,
    count_sentence,
    count_unprojected,
    detection_rows,
    interpretation_rows,
    projection_rows,
)
from annotator.models import Annotation, AnnotationState, Mode, Prediction, Project, Projection, Sentence, TagKind
from annotator.queries.tables import aligned, percent


@dataclass(frozen=True)
class Report:
    """A table: its rows as JSON objects, and the same as text, with `notes` on what is not counted."""

    kind: str
    rows: tuple[dict[str, Any], ...]
    columns: tuple[str, ...]
    cells: tuple[tuple[str, ...], ...]
    notes: tuple[str, ...] = ()

    def to_text(self) -> str:
        """The aligned table for a terminal."""
        named = [number for number, column in enumerate(self.columns) if column in _NAMES]
        return "\n".join([aligned([self.columns, *self.cells], text_columns=named), *self.notes])


_NAMES = frozenset({"language", "dataset", "role", "inference"})


def detection(project: Project) -> Report:
    """Labelled tokens and sentences of the gold, per language, dataset and role."""
    sentences = _current(project)
    rows = detection_rows(
        count_sentence(language, dataset, role, spans_from_json(spans), length)
        for language, dataset, role, spans, length in _by_language(
            project,
            sentences.filter(gold__isnull=False).values_list(
                "language", "segment__dataset", "segment__role", "gold__spans", "token_count"
            ),
        )
    )
    undecided = sentences.filter(gold__isnull=True).count()

    def cells(row: DetectionRow) -> list[str]:
        return [
            row.language,
            row.dataset,
            row.role,
            str(row.labelled_tokens),
            str(row.tokens),
            percent(row.labelled_tokens, row.tokens),
            str(row.labelled_sentences),
            str(row.sentences),
            percent(row.labelled_sentences, row.sentences),
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
        _notes((undecided, _("Sentences without gold, not counted: %(count)d."))),
    )


def interpretation(project: Project, *, language: str = "") -> Report:
    """Gold pair tags per dataset and inference label, in one language (the source language by default)."""
    language = language or project.source_language
    tags = project.pair_tags.filter(kind=TagKind.GOLD, language=language)
    rows = interpretation_rows(
        PairCount(*row)
        for row in tags.order_by("pair__position").values_list("pair__dataset", "pair__inference", "tag")
    )

    def cells(row: InterpretationRow) -> list[str]:
        found = [row.dataset, row.inference]
        for count in (row.relevant, row.non_relevant, row.no_metaphor):
            found += [str(count), percent(count, row.total)]
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
            (project.pairs.count() - len(tags), _("Pairs without gold, not counted: %(count)d.")),
        ),
    )


def correction(project: Project) -> Report:
    """What people did to the detector's labels: done annotations in review mode that began from no projection."""
    done = _reviewed(project).filter(projection=None)
    rows = correction_rows(
        CorrectionCount(
            language, dataset, role, token_origins(spans_from_json(suggested), spans_from_json(spans), length)
        )
        for language, dataset, role, suggested, spans, length in _by_language(
            project,
            done.values_list(
                "sentence__language",
                "sentence__segment__dataset",
                "sentence__segment__role",
                "suggested",
                "spans",
                "sentence__token_count",
            ),
        )
    )
    columns = ("language", "dataset", "role", "predicted", "removed", "added", "revised")
    return _plain_report("correction", columns, [row.to_json() for row in rows])


def projection(project: Project) -> Report:
    """How the labels of the target languages came about, per language, dataset and role.

    A sentence's final labels are its gold, or, while nobody decided, its done annotation in review mode.
    What it began from is what the annotator was shown; without an annotation, the current projection
    or prediction. Sentences with neither gold nor annotation are not counted.
    """
    rows: list[dict[str, Any]] = []
    waiting = 0
    for language in project.target_languages:
        counts = []
        for count in _projection_counts(project, language):
            if count is None:
                waiting += 1
            else:
                counts.append(count)
        rows += [{"language": language, **row.to_json()} for row in projection_rows(counts)]
    columns = (
        "language", "dataset", "role",
        "source", "projected", "lost", "gained", "target", "predicted", "revised", "total",
    )  # fmt: skip
    return _plain_report(
        "projection", columns, rows, _notes((waiting, _("Sentences not yet reviewed, not counted: %(count)d.")))
    )


REPORTS: dict[str, Callable[[Project], Report]] = {
    "detection": detection,
    "interpretation": interpretation,
    "correction": correction,
    "projection": projection,
}


def _projection_counts(project: Project, language: str) -> Iterator[ProjectionCount | None]:
    """One count a sentence of the language; None for those nobody has reviewed yet."""
    reviewed = _reviewed(project).filter(sentence__language=language)
    annotations = {row.sentence_id: row for row in reviewed}
    projections = _projections(project, language)
    predictions = dict(
        Prediction.objects.filter(project=project, sentence__language=language, is_current=True).values_list(
            "sentence_id", "spans"
        )
    )
    shown = {row.pk: row for row in _with_source(project.projections.filter(annotations__in=reviewed))}
    for sentence in _current(project).filter(language=language).select_related("segment", "gold"):
        segment, length = sentence.segment, sentence.token_count
        annotation = annotations.get(sentence.pk)
        if hasattr(sentence, "gold"):
            final = spans_from_json(sentence.gold.spans)
        elif annotation is not None:
            final = spans_from_json(annotation.spans)
        else:
            yield None
            continue
        if annotation is not None:
            began = shown.get(annotation.projection_id) if annotation.projection_id else None
            suggested = annotation.suggested
        else:
            began = projections.get(sentence.pk)
            suggested = began.spans if began else predictions.get(sentence.pk, [])
        if began is None:
            yield count_unprojected(
                segment.dataset, segment.role, predicted=spans_from_json(suggested), revised=final, length=length
            )
            continue
        yield count_projected(
            segment.dataset,
            segment.role,
            source=spans_from_json(began.source_spans),
            source_length=began.source.token_count,
            projected=spans_from_json(suggested),
            reviewed=final,
            length=length,
        )


def _projections(project: Project, language: str) -> dict[int, Projection]:
    """The current projection of each sentence; with several source languages, the project's own source first."""
    order = {name: number for number, name in enumerate(project.languages)}
    rows = _with_source(project.projections.filter(target__language=language, is_current=True))
    return {
        row.target_id: row
        for row in sorted(rows, key=lambda row: (order.get(row.source.language, len(order)), row.pk), reverse=True)
    }


def _with_source(rows: Any) -> Iterable[Projection]:
    return list(rows.select_related("source"))


def _reviewed(project: Project) -> Any:
    """Done annotations in review mode, on current sentences."""
    return Annotation.objects.filter(
        project=project, mode=Mode.REVIEW, state=AnnotationState.DONE, sentence__is_current=True
    ).order_by("sentence__segment__position", "pk")


def _current(project: Project) -> Any:
    return Sentence.objects.filter(project=project, is_current=True).order_by("segment__position", "pk")


def _by_language(project: Project, rows: Iterable[Sequence[Any]]) -> list[Sequence[Any]]:
    """Rows that begin with a language, in the order of the project's languages and otherwise as they came."""
    order = {name: number for number, name in enumerate(project.languages)}
    return sorted(rows, key=lambda row: order.get(row[0], len(order)))


def _plain_report(
    kind: str, columns: tuple[str, ...], rows: Sequence[dict[str, Any]], notes: tuple[str, ...] = ()
) -> Report:
    cells = tuple(tuple(str(row[column]) for column in columns) for row in rows)
    return Report(kind, tuple(rows), columns, cells, notes)


def _notes(*counted: tuple[int, str]) -> tuple[str, ...]:
    return tuple(text % {"count": count} for count, text in counted if count)
