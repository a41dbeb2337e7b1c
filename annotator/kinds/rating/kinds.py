from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.domain.best_worst import UNIT_KIND
from annotator.domain.content import BEST_WORST, RATING, Content
from annotator.kind import Holds, Json, Kind
from annotator.kinds.rating.expressions import UNIT_KIND as MARKED
from annotator.kinds.rating.expressions import gather, tokens_of, with_brackets, words_of
from annotator.kinds.rating.texts import best_worst_scale, messages, rating_scale
from annotator.kinds.rating.tuples import make_more, to_come, too_few
from annotator.models import Layer, Project, Stage, Unit, User
from annotator.queries.workspace import Shown

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer

POINTS = 5


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
                # Whoever rates may label, too: what is rated are the labelled words, or it is not about them.
                "shows": [layer.slug for layer in project.layers.all() if layer.content_type == Layer.SPANS],
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


class RateMarked(_OnAScale):
    """Every labelled expression of a sentence, one by one: a value on the layer's scale."""

    slug = "rate-marked"
    title = pgettext_lazy("stage", "Rate marked expressions")
    unit_kind = MARKED
    doubt = gettext_lazy("I am in doubt about this expression")
    alone = False
    gathers = True
    comes_first = gettext_lazy(
        "Label words first: each labelled expression is rated by itself. What several people labelled blind is here "
        "once it is decided."
    )
    layer_slug = "expression-ratings"
    position = 15

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == Layer.SPANS

    def holds(self, stage: Stage) -> Holds:
        return Holds.MADE

    def gather(self, stage: Stage, said: Sequence[tuple[Unit, Content | None]]) -> None:
        gather(stage, said)

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: with_brackets(unit) for unit in units}

    def items(self, shown: Sequence[Shown], user: User) -> Mapping[int, Json]:
        return {row.assignment.pk: _shown(row.unit) for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.rating.serializers import MarkedPart

        return MarkedPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        return {unit.pk: _shown(unit) for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()


def _shown(unit: Unit) -> Json:
    return {"marked": tokens_of(unit), "expression": words_of(unit, between=" … ")}


class BestWorstScaling(Kind):
    """Tuples of four sentences, made when somebody asks for one and none is free; and those that are there."""

    slug = "best-worst"
    title = pgettext_lazy("stage", "Compare")
    unit_kind = UNIT_KIND
    doubt = gettext_lazy("I am in doubt about these four sentences")
    template = "kinds/best_worst.html"
    further_layers = True
    layer_slug = "best-worst"
    content_type = BEST_WORST.slug

    def layer(self, project: Project) -> Layer:
        return self.further_layer(project, self.layer_slug)

    def further_layer(self, project: Project, slug: str) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=slug,
            defaults={
                "content_type": BEST_WORST.slug,
                "unit_kind": UNIT_KIND,
                "scheme_data": {"question": "", "high": "", "low": ""},
                "position": 14,
            },
        )
        return found

    def offers(self, stage: Stage, user: User) -> int:
        return to_come(stage)

    def lacks(self, stage: Stage) -> str:
        return too_few(stage)

    def supply(self, stage: Stage, user: User, count: int) -> bool:
        return make_more(stage)

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: unit.text.replace("\n", " / ") for unit in units}

    def page(self, stage: Stage) -> Json:
        return {"scale": best_worst_scale(stage.layer.scheme_data), "messages": messages()}

    def routes(self) -> Sequence[URLPattern]:
        # They are those of rating.
        return ()
