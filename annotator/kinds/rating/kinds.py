from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.domain.best_worst import UNIT_KIND
from annotator.domain.content import BEST_WORST, RATING
from annotator.kind import Json, Kind
from annotator.kinds.rating.marked import marked_words
from annotator.kinds.rating.texts import best_worst_scale, messages, rating_scale
from annotator.kinds.rating.tuples import make_more, to_come, too_few
from annotator.models import Layer, Project, Segment, Stage, Unit, User
from annotator.queries.workspace import Shown

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer

POINTS = 5


class Rate(Kind):
    """Every sentence of a language, or its words that are labelled in gold: a value on the layer's scale."""

    slug = "rate"
    title = pgettext_lazy("stage", "Rate")
    template = "kinds/rate.html"
    further_layers = True
    layer_slug = "ratings"
    content_type = RATING.slug

    def layer(self, project: Project) -> Layer:
        return self.further_layer(project, self.layer_slug)

    def further_layer(self, project: Project, slug: str) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=slug,
            defaults={
                "content_type": RATING.slug,
                "unit_kind": Segment.SENTENCE,
                "scheme_data": {"points": POINTS, "question": "", "high": "", "low": ""},
                # What is rated are the labelled words.
                "shows": [project.label_layer.slug],
                "position": 13,
            },
        )
        return found

    def items(self, shown: Sequence[Shown], user: User) -> Mapping[int, Json]:
        marked = marked_words(shown[0].stage, [row.unit for row in shown], user)
        return {row.assignment.pk: {"marked": marked[row.unit.pk]} for row in shown}

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.rating.serializers import MarkedPart

        return MarkedPart

    def adjudication(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
        marked = marked_words(stage, units, user)
        return {unit.pk: {"marked": marked[unit.pk]} for unit in units}

    def adjudication_part(self) -> type[Serializer[Any]]:
        return self.item_part()

    def page(self, stage: Stage) -> Json:
        return {"scale": rating_scale(stage.layer.scheme_data), "messages": messages()}

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.rating.api import routes

        return routes


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
        # They are those of the other kind.
        return ()
