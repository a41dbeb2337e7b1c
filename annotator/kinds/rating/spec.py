"""The kinds of work on scales: *rate* and *best-worst*, of sentences and of marked expressions; and what they bring."""

from dataclasses import replace

from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import AllUnits, Derived, OnDemand
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Part, Workspace, of_items
from annotator.core.unit_kinds import SENTENCE, Marking, UnitKind
from annotator.domain.agreement.best_worst import UNIT_KIND as TUPLE
from annotator.domain.content import BEST_WORST, RATING
from annotator.kinds.rating import expressions
from annotator.kinds.rating.derivation import MARKED_EXPRESSIONS
from annotator.kinds.rating.release import part
from annotator.kinds.rating.reports import (
    BEST_WORST_MARKED_REPORT,
    BEST_WORST_REPORT,
    EXPRESSIONS_REPORT,
    RATINGS_REPORT,
)
from annotator.kinds.rating.rules import (
    LABEL_FIRST,
    is_marked,
    shown_to_raters,
    why_no_expressions,
    why_no_marked_tuples,
)
from annotator.kinds.rating.start import STARTS
from annotator.kinds.rating.tuples import make_more, to_come, too_few, wording
from annotator.kinds.rating.workspace import (
    compare_marked_page,
    compare_page,
    expression_texts,
    marked_fields,
    marked_tuple_texts,
    rate_page,
    tuple_fields,
    tuple_texts,
)
from annotator.releases.queries.release_parts import ReleasePart

_PACKAGE = "annotator.kinds.rating"
_MARKED_PART = f"{_PACKAGE}.serializers.MarkedPart"
_TUPLE_PART = f"{_PACKAGE}.serializers.MarkedTuple"

_UNIT_KINDS = (
    UnitKind(
        slug=TUPLE,
        names=ngettext_lazy("%(shown)s tuple", "%(shown)s tuples", "number"),
        texts=tuple_texts,
        wording=wording,
    ),
    UnitKind(
        slug=expressions.TUPLE_KIND,
        names=ngettext_lazy(
            "%(shown)s tuple of marked expressions", "%(shown)s tuples of marked expressions", "number"
        ),
        texts=marked_tuple_texts,
        wording=wording,
        marking=Marking(),
        bound=True,
        restored=True,
    ),
    UnitKind(
        slug=expressions.UNIT_KIND,
        names=ngettext_lazy("%(shown)s marked expression", "%(shown)s marked expressions", "number"),
        texts=expression_texts,
        wording=expressions.wording,
        marking=Marking(),
    ),
)
_OF_MARKED = Derived(
    rule=MARKED_EXPRESSIONS,
    from_layer=is_marked,
    imported=False,
    empty_reason=LABEL_FIRST,
    why_empty=why_no_expressions,
)
# Every sentence of a language, as a whole: a value on the layer's scale.
RATE = Kind(
    slug="rate",
    title=pgettext_lazy("stage", "Rate"),
    unit=SENTENCE.slug,
    layer=LayerSpec(
        slug="ratings",
        name=pgettext_lazy("layer", "ratings"),
        content_type=RATING.slug,
        scheme={"points": 5, "question": "", "high": "", "low": ""},
        shows=shown_to_raters,
        position=13,
        several=True,
    ),
    workspace=Workspace(template="kinds/rate.html", page=rate_page, routes=f"{_PACKAGE}.api.routes"),
)
# Every marked expression of a sentence, one by one. They are made from labels, or from imported units,
# with what is marked in them.
RATE_MARKED = Kind(
    slug="rate-marked",
    title=pgettext_lazy("stage", "Rate marked expressions"),
    unit=expressions.UNIT_KIND,
    layer=replace(
        RATE.layer,
        slug="expression-ratings",
        name=pgettext_lazy("layer", "ratings of marked expressions"),
        position=15,
    ),
    workspace=Workspace(
        template="kinds/rate.html",
        doubt=gettext_lazy("I'm not sure about this expression"),
        item=Part(_MARKED_PART, of_items(marked_fields)),
        adjudication=Part(_MARKED_PART, marked_fields),
        page=rate_page,
    ),
    intake=_OF_MARKED,
)
# Tuples of four sentences, made when somebody asks for one and none is free; and those that are there.
COMPARE = Kind(
    slug="best-worst",
    title=pgettext_lazy("stage", "Compare"),
    unit=TUPLE,
    layer=LayerSpec(
        slug="best-worst",
        name=pgettext_lazy("layer", "best–worst scaling"),
        content_type=BEST_WORST.slug,
        scheme={"question": "", "high": "", "low": ""},
        shows=shown_to_raters,
        position=14,
        several=True,
    ),
    workspace=Workspace(
        template="kinds/best_worst.html",
        doubt=gettext_lazy("I'm not sure about these four sentences"),
        page=compare_page,
    ),
    intake=AllUnits(why_empty=too_few),
    on_demand=OnDemand(
        create=lambda stage, _user, _count: make_more(stage), available=lambda stage, _user: to_come(stage)
    ),
)
# Tuples of four marked expressions, made the same way, from what is labelled or came marked.
COMPARE_MARKED = replace(
    COMPARE,
    slug="best-worst-marked",
    title=pgettext_lazy("stage", "Compare marked expressions"),
    unit=expressions.TUPLE_KIND,
    layer=replace(
        COMPARE.layer,
        slug="expression-best-worst",
        name=pgettext_lazy("layer", "best–worst scaling of marked expressions"),
        position=16,
    ),
    workspace=Workspace(
        template="kinds/best_worst.html",
        doubt=gettext_lazy("I'm not sure about these four expressions"),
        item=Part(_TUPLE_PART, of_items(tuple_fields)),
        adjudication=Part(_TUPLE_PART, tuple_fields),
        page=compare_marked_page,
    ),
    intake=replace(_OF_MARKED, why_empty=why_no_marked_tuples),
)
SPEC = PackageSpec(
    kinds=(RATE, RATE_MARKED, COMPARE, COMPARE_MARKED),
    unit_kinds=_UNIT_KINDS,
    reports=(BEST_WORST_MARKED_REPORT, BEST_WORST_REPORT, RATINGS_REPORT, EXPRESSIONS_REPORT),
    release_parts=(ReleasePart("ratings", part),),
    starts=STARTS,
)
