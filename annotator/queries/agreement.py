"""Agreement of two annotators over what both have done."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.agreement import Kappa, cohen_kappa, landis_koch
from annotator.domain.spans import OUTSIDE, spans_from_json, token_labels
from annotator.models import (
    Annotation,
    AnnotationState,
    Inference,
    Mode,
    PairTag,
    Project,
    SegmentRole,
    Tag,
    TagKind,
    User,
)

LAYERS = ("tokens", "pairs")
ALL = "all"


@dataclass(frozen=True)
class AgreementRow:
    """Kappa over the pooled items of a role, or of an inference label.

    `units` counts sentences or pairs that both have done, `blind` those of them that neither saw
    suggestions on; only these count as independent work.
    """

    role: str
    inference: str
    kappa: Kappa
    units: int
    blind: int

    def to_json(self, layer: str) -> dict[str, Any]:
        kappa = self.kappa.to_json()
        value = kappa.pop("value")
        return {
            "role": self.role,
            "inference": self.inference,
            "kappa": value,
            **kappa,
            "sentences" if layer == "tokens" else "pairs": self.units,
            "blind": self.blind,
        }


@dataclass(frozen=True)
class Agreement:
    """Agreement of annotators `a` and `b` (user names) in one language, on `tokens` or `pairs`."""

    a: str
    b: str
    layer: str
    language: str
    rows: tuple[AgreementRow, ...]

    @property
    def overall(self) -> AgreementRow:
        return self.rows[-1]

    def to_json(self) -> dict[str, Any]:
        return {
            "annotators": [self.a, self.b],
            "layer": self.layer,
            "language": self.language,
            "rows": [row.to_json(self.layer) for row in self.rows],
        }

    def to_text(self) -> str:
        """A table for a terminal."""
        from annotator.queries.tables import aligned

        unit = "sentences" if self.layer == "tokens" else "pairs"
        header = [
            "role" if self.layer == "tokens" else "inference", "kappa", "strength",
            "observed", "expected", self.layer, unit, "blind", "",
        ]  # fmt: skip
        rows = [
            [
                row.role if self.layer == "tokens" else row.inference,
                _number(row.kappa.value),
                landis_koch(row.kappa.value),
                _number(row.kappa.observed),
                _number(row.kappa.expected),
                str(row.kappa.n),
                str(row.units),
                str(row.blind),
                row.kappa.reason,
            ]
            for row in self.rows
        ]
        title = f"Agreement of {self.a} and {self.b} on {self.layer}, language {self.language}"
        return f"{title}\n{aligned([header, *rows], text_columns=(0, 2, 8))}"


@dataclass(frozen=True)
class _Unit:
    """One sentence or pair as both see it: one label a token, or the tag."""

    group: str
    first: Sequence[str]
    second: Sequence[str]
    blind: bool


def agreement(project: Project, *, a: User, b: User, layer: str, language: str = "") -> Agreement:
    """Cohen's kappa of `a` and `b` per role (`tokens`) or per inference label (`pairs`), and overall (the last row).

    Counts done annotations on the same revision of a sentence, if it is the current one; tokens are pooled
    over sentences. `language` defaults to the project's source language. Raises ValueError for an unknown layer.
    """
    language = language or project.source_language
    if layer == "tokens":
        units, groups = _token_units(project, a, b, language), list(SegmentRole.values)
        labels: Sequence[str] = (OUTSIDE, *project.scheme.labels)
    elif layer == "pairs":
        units, groups = _pair_units(project, a, b, language), list(Inference.values)
        labels = Tag.values
    else:
        raise ValueError(f'There is no layer "{layer}"; there are: {", ".join(LAYERS)}.')
    rows = []
    for group in [*groups, ALL]:
        chosen = [unit for unit in units if group in (unit.group, ALL)]
        rows.append(
            AgreementRow(
                role=group if layer == "tokens" else ALL,
                inference=group if layer == "pairs" else ALL,
                kappa=cohen_kappa(
                    [label for unit in chosen for label in unit.first],
                    [label for unit in chosen for label in unit.second],
                    labels,
                ),
                units=len(chosen),
                blind=sum(unit.blind for unit in chosen),
            )
        )
    return Agreement(a=a.username, b=b.username, layer=layer, language=language, rows=tuple(rows))


def _token_units(project: Project, a: User, b: User, language: str) -> list[_Unit]:
    first, second = common_annotations(project, a, b, language)
    units = []
    for key in first.keys() & second.keys():
        one, other = first[key], second[key]
        length = one.sentence.token_count
        units.append(
            _Unit(
                group=one.sentence.segment.role,
                first=token_labels(spans_from_json(one.spans), length),
                second=token_labels(spans_from_json(other.spans), length),
                blind=one.mode == Mode.BLIND and other.mode == Mode.BLIND,
            )
        )
    return units


def common_annotations(
    project: Project, a: User, b: User, language: str
) -> tuple[dict[int, Annotation], dict[int, Annotation]]:
    """The done annotations of `a` and of `b` on the current sentences that both have done, by sentence."""
    done = Annotation.objects.filter(
        project=project,
        state=AnnotationState.DONE,
        sentence__language=language,
        sentence__is_current=True,
    ).select_related("sentence__segment")

    def of(user: User, other: User) -> dict[int, Annotation]:
        # Of thousands that one of them has done, the other may share a few: the rest need not be read.
        shared = done.filter(annotator=other).order_by().values("sentence")
        return {row.sentence_id: row for row in done.filter(annotator=user, sentence__in=shared)}

    return of(a, b), of(b, a)


def _pair_units(project: Project, a: User, b: User, language: str) -> list[_Unit]:
    def done(user: User) -> dict[int, PairTag]:
        found = PairTag.objects.filter(project=project, user=user, kind=TagKind.PERSON, language=language)
        return {row.pair_id: row for row in found.select_related("pair")}

    first, second = done(a), done(b)
    return [
        _Unit(
            group=first[key].pair.inference,
            first=[first[key].tag],
            second=[second[key].tag],
            blind=first[key].mode == Mode.BLIND and second[key].mode == Mode.BLIND,
        )
        for key in first.keys() & second.keys()
    ]


def _number(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
