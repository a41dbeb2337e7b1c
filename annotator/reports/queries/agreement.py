"""Agreement of two annotators over what both have done, in any layer: its content type says what is counted."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cached_property
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet

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
from annotator.reports.queries.finished_answers import judging_kinds

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

    @property
    def group(self) -> str:
        """What is pooled: a role, an inference label, or all."""
        return self.role if self.role != ALL else self.inference

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


@dataclass(frozen=True)
class Question:
    """Whose answers are compared, on what: the settings of an agreement, of which each is one that there is.

    `layer` is the name that is asked for, `found` the layer itself: None for the pairs of a project without any, where
    nothing is in common.
    """

    project: Project
    a: User
    b: User
    layer: str
    found: Layer | None
    language: str
    dimension: str
    mapping: str

    @cached_property
    def judging(self) -> Sequence[str]:
        """The kinds of work on the layer whose answers are judgements. One query, the first time."""
        return judging_kinds(self.found) if self.found else ()

    @property
    def taken_for(self) -> Mapping[str, str]:
        """The label that each label counts as; empty: itself."""
        return mapping_of(self.found, self.mapping) if self.found else {}

    @property
    def by_role(self) -> bool:
        """Whether there is a row for each role; else one for each inference label."""
        return self.layer != PAIRS and (self.found is None or self.found.unit_kind != Segment.PAIR)

    @property
    def groups(self) -> Sequence[str]:
        """The word for a row, but for the last one, which is the total."""
        return self.project.roles if self.by_role else self.project.inferences

    @property
    def values(self) -> tuple[str, ...]:
        """The values that a table of the layer has, in their order."""
        if self.found is None:
            return ()
        scheme = self.found.scheme_data
        if self.mapping:
            scheme = mapped_scheme(self.found.scheme, self.mapping).to_json()
        return content_type(self.found.content_type).values(scheme, self.dimension)


@dataclass(frozen=True, slots=True)
class Shared:
    """A unit that two people have both done: what each gave, and when the second of them had finished it.

    `answers`: the id and the version of either's answer.
    """

    unit: int
    role: str
    inference: str
    tokens: tuple[str, ...]
    first: Content
    second: Content
    answers: tuple[tuple[int, int], tuple[int, int]]
    blind: bool
    at: datetime

    def observations(self, layer: Layer, dimension: str) -> tuple[list[str], list[str]]:
        """What agreement counts of the two contents, one beside the other."""
        kind = content_type(layer.content_type)
        one, other = (
            kind.observations(content, tokens=self.tokens, dimension=dimension) for content in (self.first, self.second)
        )
        return one, other


def question(
    project: Project,
    *,
    a: User,
    b: User,
    layer: str,
    language: str = "",
    dimension: str = "",
    mapping: str = "",
) -> Question:
    """The question, with defaults filled in.

    `layer` is `tokens` (the project's labels), `pairs` (its tags), or a layer's slug; `language` defaults to the source
    language, `dimension` to the content type's first. `mapping` names one of the layer's scheme, under which both are
    seen. Raises InvalidError for a layer, dimension or mapping that there is not.
    """
    found = layer_named(project, layer)
    if found:
        dimension = dimension_of(found, dimension)
        mapping_of(found, mapping)
    return Question(project, a, b, layer, found, language or project.source_language, dimension, mapping)


def agreement(project: Project, *, a: User, b: User, layer: str, **choice: str) -> Agreement:
    """Agreement of `a` and `b`, computed now. The settings are those of `question`, and so are the errors."""
    asked = question(project, a=a, b=b, layer=layer, **choice)
    return agreement_of(asked, shared_work(asked))


def agreement_of(asked: Question, shared: Sequence[Shared]) -> Agreement:
    """Cohen's kappa per role (sentences) or per inference label (pairs), and overall (the last row); tokens are pooled
    over sentences. `shared`: all that both have done, of `shared_work`."""
    found = asked.found
    rows = []
    for group in [*asked.groups, ALL]:
        chosen = [unit for unit in shared if group in (unit.role if asked.by_role else unit.inference, ALL)]
        first: list[str] = []
        second: list[str] = []
        for unit in chosen:
            one, other = unit.observations(found, asked.dimension) if found else ([], [])
            first += one
            second += other
        rows.append(
            AgreementRow(
                role=group if asked.by_role else ALL,
                inference=ALL if asked.by_role else group,
                kappa=cohen_kappa(first, second, asked.values),
                units=len(chosen),
                blind=sum(unit.blind for unit in chosen),
                ac1=gwet_ac1(first, second, asked.values),
                spans=_over_spans(found, chosen, asked.dimension),
            )
        )
    return Agreement(
        a=asked.a.username,
        b=asked.b.username,
        layer=asked.layer,
        language=asked.language,
        dimension=asked.dimension,
        rows=tuple(rows),
        mapping=asked.taken_for,
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
    raise InvalidError(_("Unknown layer “%(layer)s”. Available: %(known)s."), layer=name, known=", ".join(known))


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
            _("The layer “%(layer)s” has no dimension “%(dimension)s”. Available: %(known)s."),
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
            _("The layer “%(layer)s” has no labels, and so no mapping “%(mapping)s”."), layer=str(layer), mapping=name
        )
    return mapping_named(layer.scheme, name)


def _counting(asked: Question, layer: Layer) -> Q:
    """On which units answers of the two count: the current ones, and where answers are judgements those that were
    replaced, too. Where a text was fixed as it stood, everybody's answer continued to the new one, and counts there."""
    current = Q(unit__is_current=True)
    if not asked.judging:
        return current
    held = Assignment.objects.filter(
        stage__layer=layer, stage__kind__in=asked.judging, unit=OuterRef("unit"), state=AssignmentState.DONE
    )
    aside = Unit.objects.filter(segment=OuterRef("unit__segment"), set_aside_with__isnull=False)
    judged = Q(*(Exists(held.filter(user=user)) for user in (asked.a, asked.b))) & Q(~Exists(aside))
    return current | judged


def both_done(asked: Question, layer: Layer) -> QuerySet[Annotation]:
    """The annotations of the first person on what both have done in the layer: on current units, and in a layer of
    judgements also on those that were sent back and replaced. Unordered."""
    return (
        Annotation.objects.order_by()
        .filter(
            PUBLISHED,
            project=asked.project,
            layer=layer,
            user=asked.a,
            state=AnnotationState.DONE,
            unit__language=asked.language,
            # In one call, so that all of it is asked of one and the same annotation of `b`.
            unit__annotations__layer=layer,
            unit__annotations__user=asked.b,
            unit__annotations__state=AnnotationState.DONE,
        )
        .filter(_counting(asked, layer))
    )


def shared_work(asked: Question) -> list[Shared]:
    """The units on which both have done annotations, seen under the mapping where one is named, in the order of their
    ids.

    One query, of what they share alone.
    """
    if asked.found is None:
        return []
    taken_for = asked.taken_for
    rows = (
        both_done(asked, asked.found)
        .order_by("unit_id")
        .values_list(
            "unit_id",
            "unit__segment__role",
            "unit__segment__pair__inference",
            "unit__tokens",
            "pk",
            "version",
            "content",
            "mode",
            "done_at",
            "updated_at",
            "unit__annotations__pk",
            "unit__annotations__version",
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
            answers=((pk, version), (other_pk, other_version)),
            blind=mode == other_mode == Mode.BLIND,
            at=max(done_at or updated_at, other_done_at or other_updated_at),
        )
        for (
            unit, role, inference, tokens,
            pk, version, first, mode, done_at, updated_at,
            other_pk, other_version, second, other_mode, other_done_at, other_updated_at,
        ) in rows
    ]  # fmt: skip
