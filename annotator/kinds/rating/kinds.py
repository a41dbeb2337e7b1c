from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext, gettext_lazy, pgettext_lazy

from annotator.core.kind import Holds, Json, Kind, imported_markings
from annotator.domain.agreement.best_worst import UNIT_KIND
from annotator.domain.content import BEST_WORST, RATING, Content
from annotator.kinds.rating.expressions import TUPLE_KIND, tokens_of, with_brackets, words_of
from annotator.kinds.rating.expressions import UNIT_KIND as MARKED
from annotator.kinds.rating.gathering import enter_lacking, gather, tuples_of
from annotator.kinds.rating.texts import best_worst_scale, messages, messages_of_expressions, rating_scale
from annotator.kinds.rating.tuples import make_more, parts_of, to_come, too_few, too_few_expressions
from annotator.models import Layer, Project, Stage, Unit, User
from annotator.work.answering.queries.own import ANYBODYS
from annotator.work.answering.queries.workspace import WorkspaceItem

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer

POINTS = 5


class _OnMarked(Kind):
    """What both kinds share that ask about marked expressions: where these come from, and what is shown of them.

    They are made from labels, or from units that came in with files, with what is marked in them.
    """

    alone = False
    gathers = True
    comes_first = gettext_lazy(
        "Label words first: each labelled expression is an item of its own. What several people labelled blind is here "
        "once it is decided."
    )

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == Layer.SPANS or layer.unit_kind in imported_markings()

    def holds(self, stage: Stage) -> Holds:
        return Holds.MADE

    def lacks(self, stage: Stage) -> str:
        if stage.made_from is not None and stage.made_from.layer.content_type != Layer.SPANS:
            return gettext("Import sentences with a marked word first: each marked word is an item of its own.")
        return super().lacks(stage)

    def shown(self, units: Sequence[Unit]) -> Mapping[int, Json]:
        """By unit (id), the fields of `item_part`."""
        raise NotImplementedError  # each of them has its own

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        found = self.shown([row.unit for row in shown])
        return {row.assignment.pk: found[row.unit.pk] for row in shown}

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        return self.shown(units)

    def adjudication_part(self) -> type[Serializer[Any]] | None:
        return self.item_part()


def shown_to_raters(project: Project) -> list[str]:
    """The layers whose content whoever rates or compares blind may still see. They may label, too: what they look at
    are the labelled words, or it is not about them. They may write for marked words, and decide on what was written."""
    scales = (RATING.slug, BEST_WORST.slug)
    return [
        layer.slug
        for layer in project.layers.all()
        if layer.content_type == Layer.SPANS or (layer.unit_kind not in ANYBODYS and layer.content_type not in scales)
    ]


class _OnAScale(Kind):
    """What both kinds of rating share: a value on the scale of the layer."""

    template = "kinds/rate.html"
    further_layers = True
    content_type = RATING.slug
    position: int

    def layer(self, project: Project) -> Layer:
        return self.further_layer(project, self.layer_slug)

    def further_layer(self, project: Project, slug: str) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=slug,
            defaults={
                "content_type": RATING.slug,
                "unit_kind": self.unit_kind,
                "scheme_data": {"points": POINTS, "question": "", "high": "", "low": ""},
                "shows": shown_to_raters(project),
                "position": self.position,
            },
        )
        return found

    def page(self, stage: Stage) -> Json:
        return {"scale": rating_scale(stage.layer.scheme_data), "messages": messages()}


class Rate(_OnAScale):
    """Every sentence of a language, as a whole: a value on the layer's scale."""

    slug = "rate"
    title = pgettext_lazy("stage", "Rate")
    layer_slug = "ratings"
    position = 13

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.rating.api import routes

        return routes


class RateMarked(_OnMarked, _OnAScale):
    """Every marked expression of a sentence, one by one: a value on the layer's scale."""

    slug = "rate-marked"
    title = pgettext_lazy("stage", "Rate marked expressions")
    unit_kind = MARKED
    doubt = gettext_lazy("I am in doubt about this expression")
    layer_slug = "expression-ratings"
    position = 15

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        enter_lacking(stage, gather(stage, said))

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: with_brackets(unit) for unit in units}

    def shown(self, units: Sequence[Unit]) -> Mapping[int, Json]:
        return {unit.pk: _shown(unit) for unit in units}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.rating.serializers import MarkedPart

        return MarkedPart


def _shown(unit: Unit) -> Json:
    return {"marked": tokens_of(unit), "expression": words_of(unit, between=" … ")}


class _Compared(Kind):
    """What both kinds of best–worst scaling share: which of four has most and which least."""

    template = "kinds/best_worst.html"
    further_layers = True
    content_type = BEST_WORST.slug
    position: int

    def layer(self, project: Project) -> Layer:
        return self.further_layer(project, self.layer_slug)

    def further_layer(self, project: Project, slug: str) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=slug,
            defaults={
                "content_type": BEST_WORST.slug,
                "unit_kind": self.unit_kind,
                "scheme_data": {"question": "", "high": "", "low": ""},
                "shows": shown_to_raters(project),
                "position": self.position,
            },
        )
        return found

    def offers(self, stage: Stage, user: User) -> int:
        return to_come(stage)

    def supply(self, stage: Stage, user: User, count: int) -> bool:
        return make_more(stage)

    def page(self, stage: Stage) -> Json:
        return {"scale": best_worst_scale(stage.layer.scheme_data), "messages": messages()}


class BestWorstScaling(_Compared):
    """Tuples of four sentences, made when somebody asks for one and none is free; and those that are there."""

    slug = "best-worst"
    title = pgettext_lazy("stage", "Compare")
    unit_kind = UNIT_KIND
    doubt = gettext_lazy("I am in doubt about these four sentences")
    layer_slug = "best-worst"
    position = 14

    def lacks(self, stage: Stage) -> str:
        return too_few(stage)

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: _in_a_line(unit) for unit in units}


class BestWorstMarked(_OnMarked, _Compared):
    """Tuples of four marked expressions, made the same way, from what is labelled or came marked."""

    slug = "best-worst-marked"
    title = pgettext_lazy("stage", "Compare marked expressions")
    unit_kind = TUPLE_KIND
    doubt = gettext_lazy("I am in doubt about these four expressions")
    layer_slug = "expression-best-worst"
    position = 16

    def lacks(self, stage: Stage) -> str:
        # Tuples are made when somebody asks for one.
        return "" if to_come(stage) else too_few_expressions(stage) or super().lacks(stage)

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        enter_lacking(stage, list(tuples_of(gather(stage, said))))

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        found = parts_of(units)
        marked = {pk: " / ".join(map(with_brackets, parts)) for pk, parts in found.items()}
        return {unit.pk: marked[unit.pk] or _in_a_line(unit) for unit in units}

    def shown(self, units: Sequence[Unit]) -> Mapping[int, Json]:
        return {pk: {"parts": [_as_part(part) for part in parts]} for pk, parts in parts_of(units).items()}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.rating.serializers import MarkedTuple

        return MarkedTuple

    def page(self, stage: Stage) -> Json:
        return {**super().page(stage), "messages": messages() | messages_of_expressions()}


def _in_a_line(unit: Unit) -> str:
    return unit.text.replace("\n", " / ")


def _as_part(unit: Unit) -> Json:
    return {"tokens": unit.tokens, "spaces": unit.spaces, **_shown(unit)}
