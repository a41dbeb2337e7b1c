"""Agreement of two annotators over what both have done, in any layer: its content type says what is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from django.db.models import Exists, OuterRef, Q

from annotator.core.kind import judges_texts, kinds
from annotator.domain.agreement.chance_corrected import gwet_ac1
from annotator.domain.agreement.kappa import Kappa, cohen_kappa
from annotator.domain.agreement.spans import SpanAgreement, span_agreement
from annotator.domain.content import Content, content_type
from annotator.domain.content.spans import SENTENCE, SPANS
from annotator.domain.mapping import mapped_content, mapped_scheme, mapping_named
from annotator.domain.messages import InvalidError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.states import AnnotationState, AssignmentState, Mode
from annotator.models import Annotation, Assignment, Layer, Project, Segment, Unit, User
from annotator.models.corpus_import import PUBLISHED

# The names that the command, the API and the pages have for the project's labels and its tags.
TOKENS = "tokens"
PAIRS = "pairs"
LAYERS = (TOKENS, PAIRS)
ALL = "all"


@dataclass(frozen=True)
class AgreementRow:
    """Kappa over the pooled items of a role, or of an inference label.

    `units` counts sentences or pairs that both have done, `blind` those of them that neither saw
    suggestions on; only these count as independent work. `ac1` is Gwet's coefficient over the same items, None without.
    `spans`: the same over spans, where labels on tokens are compared.
    """

    role: str
    inference: str
    kappa: Kappa
    units: int
    blind: int
    ac1: float | None = None
    spans: SpanAgreement | None = None

    def to_json(self, layer: str) -> dict[str, Any]:
        kappa = self.kappa.to_json()
        value = kappa.pop("value")
        return {
            "role": self.role,
            "inference": self.inference,
            "kappa": value,
            "ac1": self.ac1,
            "spans": self.spans.to_json() if self.spans else None,
            **kappa,
            units_word(layer): self.units,
            "blind": self.blind,
        }


@dataclass(frozen=True)
class Agreement:
    """Agreement of annotators `a` and `b` (usernames) in one language and layer: `tokens`, `pairs`, or a slug.

    `dimension`: what of the contents is counted; empty for the tags of a project without any.
    `mapping`: what their labels were taken for before they were compared, by label; empty where they were not.
    """

    a: str
    b: str
    layer: str
    language: str
    dimension: str
    rows: tuple[AgreementRow, ...]
    mapping: Mapping[str, str] = field(default_factory=dict)

    @property
    def overall(self) -> AgreementRow:
        return self.rows[-1]

    def to_json(self) -> dict[str, Any]:
        return {
            "annotators": [self.a, self.b],
            "layer": self.layer,
            "language": self.language,
            "mapping": dict(self.mapping),
            "rows": [row.to_json(self.layer) for row in self.rows],
        }


@dataclass(frozen=True, slots=True)
class Shared:
    """A unit that two people have both done: what each gave, and when the second of them had finished it."""

    unit: int
    role: str
    inference: str
    tokens: tuple[str, ...]
    first: Content
    second: Content
    blind: bool
    at: datetime

    def observations(self, layer: Layer, dimension: str) -> tuple[list[str], list[str]]:
        """What agreement counts of the two contents, one beside the other."""
        kind = content_type(layer.content_type)
        one, other = (
            kind.observations(content, tokens=self.tokens, dimension=dimension) for content in (self.first, self.second)
        )
        return one, other


def agreement(
    project: Project,
    *,
    a: User,
    b: User,
    layer: str,
    language: str = "",
    dimension: str = "",
    mapping: str = "",
) -> Agreement:
    """Cohen's kappa of `a` and `b` per role (sentences) or per inference label (pairs), and overall (the last row).

    Counts done annotations on the same revision of a unit, if it is the current one or the layer is one of judgements
    (`Kind.judges`); tokens are pooled over sentences. `layer` is `tokens` (the project's labels), `pairs` (its tags),
    or a layer's slug; `language` defaults to the source language, `dimension` to the content type's first. `mapping`
    names one of the layer's scheme, under which both are seen. Raises InvalidError for a layer, dimension or mapping
    that there is not.
    """
    language = language or project.source_language
    found = layer_named(project, layer)
    shared = shared_work(project, found, a=a, b=b, language=language, mapping=mapping) if found else []
    by_role = layer != PAIRS and (found is None or found.unit_kind != Segment.PAIR)
    labels: tuple[str, ...] = ()
    if found:
        dimension = dimension_of(found, dimension)
        scheme = mapped_scheme(found.scheme, mapping).to_json() if mapping else found.scheme_data
        labels = content_type(found.content_type).values(scheme, dimension)
    rows = []
    for group in [*(project.roles if by_role else project.inferences), ALL]:
        chosen = [unit for unit in shared if group in (unit.role if by_role else unit.inference, ALL)]
        first: list[str] = []
        second: list[str] = []
        for unit in chosen:
            one, other = unit.observations(found, dimension) if found else ([], [])
            first += one
            second += other
        rows.append(
            AgreementRow(
                role=group if by_role else ALL,
                inference=ALL if by_role else group,
                kappa=cohen_kappa(first, second, labels),
                units=len(chosen),
                blind=sum(unit.blind for unit in chosen),
                ac1=gwet_ac1(first, second, labels),
                spans=_over_spans(found, chosen, dimension),
            )
        )
    return Agreement(
        a=a.username,
        b=b.username,
        layer=layer,
        language=language,
        dimension=dimension,
        rows=tuple(rows),
        mapping=mapping_of(found, mapping) if found else {},
    )


def _over_spans(layer: Layer | None, shared: Sequence[Shared], dimension: str) -> SpanAgreement | None:
    if layer is None or layer.content_type != Layer.SPANS or dimension == SENTENCE:
        return None
    return span_agreement(
        (SPANS.compared_spans(unit.first, dimension=dimension), SPANS.compared_spans(unit.second, dimension=dimension))
        for unit in shared
    )


def units_word(layer: str) -> str:
    """What is counted as `units` in a layer, as columns name it."""
    return {TOKENS: "sentences", PAIRS: "pairs"}.get(layer, "units")


def layer_named(project: Project, name: str) -> Layer | None:
    """The layer that is called `tokens`, `pairs`, or by its slug; None for the pairs of a project without any.

    Raises InvalidError that names those there are.
    """
    if name == TOKENS:
        return project.label_layer
    if name == PAIRS:
        return project.tag_layer
    layers = list(project.layers.all())
    for layer in layers:
        if layer.slug == name:
            return layer
    known = dict.fromkeys([*LAYERS, *(public_name(project, layer) for layer in layers)])
    raise InvalidError(_('There is no layer "%(layer)s"; there are: %(known)s.'), layer=name, known=", ".join(known))


def public_name(project: Project, layer: Layer) -> str:
    """What commands, the API and pages call a layer in agreement."""
    if layer == project.label_layer:
        return TOKENS
    return PAIRS if layer == project.tag_layer else layer.slug


def dimension_of(layer: Layer, dimension: str = "") -> str:
    """The dimension, or the content type's first one. Raises InvalidError that names those there are."""
    known = content_type(layer.content_type).dimensions
    if dimension and dimension not in known:
        raise InvalidError(
            _('The layer "%(layer)s" has no dimension "%(dimension)s"; there are: %(known)s.'),
            layer=str(layer),
            dimension=dimension,
            known=", ".join(known),
        )
    return dimension or known[0]


def mapping_of(layer: Layer, name: str) -> Mapping[str, str]:
    """The mapping of that name in the layer's scheme; empty without a name. Raises InvalidError that names those there
    are."""
    if not name:
        return {}
    if layer.content_type != Layer.SPANS:
        raise InvalidError(
            _('The layer "%(layer)s" has no labels, and so no mapping "%(mapping)s".'), layer=str(layer), mapping=name
        )
    return mapping_named(layer.scheme, name)


def _counting(layer: Layer, *users: User) -> Q:
    """On which units answers of these people count: the current ones, and where answers are judgements those that were
    replaced, too. Where a text was fixed as it stood, everybody's answer continued to the new one, and counts there."""
    judging = [kind.slug for kind in kinds() if judges_texts(kind)]
    held = Assignment.objects.filter(
        stage__layer=layer, stage__kind__in=judging, unit=OuterRef("unit"), state=AssignmentState.DONE
    )
    aside = Unit.objects.filter(segment=OuterRef("unit__segment"), set_aside_with__isnull=False)
    judged = Q(*(Exists(held.filter(user=user)) for user in users)) & Q(~Exists(aside))
    return Q(unit__is_current=True) | judged


def shared_work(project: Project, layer: Layer, *, a: User, b: User, language: str, mapping: str = "") -> list[Shared]:
    """The units on which both have done annotations in the layer, seen under a mapping where one is named: current
    ones, and in a layer of judgements also those that were sent back and replaced.

    One query, of what they share alone.
    """
    taken_for = mapping_of(layer, mapping)
    rows = (
        Annotation.objects.filter(
            PUBLISHED,
            project=project,
            layer=layer,
            user=a,
            state=AnnotationState.DONE,
            unit__language=language,
            # In one call, so that all of it is asked of one and the same annotation of `b`.
            unit__annotations__layer=layer,
            unit__annotations__user=b,
            unit__annotations__state=AnnotationState.DONE,
        )
        .filter(_counting(layer, a, b))
        .order_by("unit_id")
        .values_list(
            "unit_id",
            "unit__segment__role",
            "unit__segment__pair__inference",
            "unit__tokens",
            "content",
            "mode",
            "done_at",
            "updated_at",
            "unit__annotations__content",
            "unit__annotations__mode",
            "unit__annotations__done_at",
            "unit__annotations__updated_at",
        )
    )
    return [
        Shared(
            unit=unit,
            role=role,
            inference=inference or "",
            tokens=tuple(tokens),
            first=mapped_content(first, taken_for) if taken_for else first,
            second=mapped_content(second, taken_for) if taken_for else second,
            blind=mode == other_mode == Mode.BLIND,
            at=max(done_at or updated_at, other_done_at or other_updated_at),
        )
        for (
            unit, role, inference, tokens,
            first, mode, done_at, updated_at,
            second, other_mode, other_done_at, other_updated_at,
        ) in rows
    ]  # fmt: skip
