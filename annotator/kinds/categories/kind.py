from __future__ import annotations

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.kind import Holds, Json, Kind, parts_of
from annotator.domain.content import CATEGORIES, VERDICT
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.kinds.categories.texts import messages, values
from annotator.models import Layer, Project, Stage, Unit

LAYER = "categories"
# What the authors of MABL asked for.
VALUES = ("object", "visual", "social", "cultural")
HALVES = 2


class Categories(Kind):
    """Pairs that were accepted in the stage before, and those that came with files: both of their sentences."""

    slug = "categories"
    title = pgettext_lazy("stage", "Categorise")
    doubt = gettext_lazy("I am in doubt about this pair")
    template = "kinds/categories.html"
    comes_first = gettext_lazy("Pairs are written and accepted first, or imported.")
    unit_kind = UNIT_KIND
    alone = False

    def layer(self, project: Project) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=LAYER,
            defaults={
                "content_type": CATEGORIES.slug,
                "unit_kind": UNIT_KIND,
                "scheme_data": {"values": list(VALUES), "parts": HALVES},
                "position": 12,
            },
        )
        return found

    def takes(self, layer: Layer) -> bool:
        return layer.content_type == VERDICT.slug and layer.unit_kind == UNIT_KIND

    def holds(self, stage: Stage) -> Holds:
        return Holds.PASSED

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: " / ".join(line for line in unit.text.split("\n") if line) for unit in units}

    def page(self, stage: Stage) -> Json:
        return {
            "parts": parts_of(stage.layer.unit_kind),
            "halves": [_("Sentence %(number)d") % {"number": number} for number in range(1, HALVES + 1)],
            "values": values(stage.layer.scheme_data["values"]),
            "messages": messages(),
        }
