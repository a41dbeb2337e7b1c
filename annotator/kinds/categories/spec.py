"""The kind of work *categories*: pairs that were accepted in the stage before, and those that were imported."""

from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import Forwarded
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Workspace
from annotator.domain.content import CATEGORIES
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.kinds.categories.reports import AGREEMENT, SHARES
from annotator.kinds.categories.texts import value_words
from annotator.kinds.categories.workspace import HALVES, is_judged, page

# What the authors of MABL asked for.
VALUES = ("object", "visual", "social", "cultural")

_KINDS = (
    Kind(
        slug="categories",
        title=pgettext_lazy("stage", "Categorise"),
        unit=UNIT_KIND,
        layer=LayerSpec(
            slug="categories",
            name=pgettext_lazy("layer", "categories"),
            content_type=CATEGORIES.slug,
            scheme={"values": list(VALUES), "parts": HALVES},
            position=12,
            value_words=value_words,
        ),
        workspace=Workspace(
            template="kinds/categories.html", doubt=gettext_lazy("I'm not sure about this pair"), page=page
        ),
        intake=Forwarded(
            from_layer=is_judged,
            empty_reason=gettext_lazy("Write and accept pairs first, or import them."),
        ),
    ),
)
SPEC = PackageSpec(
    kinds=_KINDS,
    reports=(AGREEMENT, SHARES),
)
