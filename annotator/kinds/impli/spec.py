"""The kinds of work *rewrite* and *define*, and their units."""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import Derived, SharedUnits
from annotator.core.kind import Kind
from annotator.core.kind_parts import Json, LayerSpec, ManagerTask, Outcome, Part, Workspace, of_items
from annotator.core.unit_kinds import Marking, UnitKind
from annotator.domain.content import DEFINITIONS as DEFINITIONS_TYPE
from annotator.domain.content import REWRITE, SPANS
from annotator.domain.pairs.inference_pairs import UNIT_KIND as PAIR
from annotator.kinds.impli.derivation import FOCUSES
from annotator.kinds.impli.expressions import examples_of, replace_twins
from annotator.kinds.impli.rules import (
    derive_expressions,
    fit_definitions,
    pairs_due,
)
from annotator.kinds.impli.texts import PARTS
from annotator.kinds.impli.units import DEFINITIONS, EXPRESSION, FOCUS, REWRITES, focus_wording
from annotator.kinds.impli.up_to_date import note_definitions
from annotator.kinds.impli.workspace import (
    define_page,
    rewrite_adjudication,
    rewrite_fields,
    rewrite_page,
)
from annotator.kinds.impli.writers import wrote
from annotator.models import Stage, SuggestionKind, Unit, User

_REWRITE_PART = "annotator.kinds.impli.serializers.RewritePart"
_DEFINE_PART = "annotator.kinds.impli.serializers.DefinePart"


def _examples(_stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    return examples_of(units, user)


_UNIT_KINDS = (
    UnitKind(
        slug=PAIR,
        names=ngettext_lazy("%(shown)s pair", "%(shown)s pairs", "number"),
        parts=PARTS,
        writers=wrote,
        # Files hold a class each, and rules and people write one class after the other.
        shuffled=True,
    ),
    UnitKind(slug=EXPRESSION, names=ngettext_lazy("%(shown)s expression", "%(shown)s expressions", "number")),
    UnitKind(
        slug=FOCUS,
        names=ngettext_lazy("%(shown)s marked sentence", "%(shown)s marked sentences", "number"),
        wording=focus_wording,
        marking=Marking(),
    ),
)
# Sentences whose labels mark a figurative expression, in other words; what is written becomes pairs.
REWRITE_KIND = Kind(
    slug="rewrite",
    title=pgettext_lazy("stage", "Rewrite"),
    unit=FOCUS,
    layer=LayerSpec(slug=REWRITES, name=pgettext_lazy("layer", "rewritings"), content_type=REWRITE.slug, position=8),
    workspace=Workspace(
        template="kinds/rewrite.html",
        item=Part(_REWRITE_PART, rewrite_fields),
        adjudication=Part(_REWRITE_PART, rewrite_adjudication),
        page=rewrite_page,
    ),
    intake=Derived(
        rule=FOCUSES,
        from_layer=lambda layer: layer.content_type == SPANS.slug,
        empty_reason=gettext_lazy("Mark figurative expressions first: each becomes a sentence to rewrite."),
    ),
)
# Expressions, whatever sentences they stand in: what they mean, fit to stand in their place.
DEFINE = Kind(
    slug="define",
    title=pgettext_lazy("stage", "Define expressions"),
    unit=EXPRESSION,
    layer=LayerSpec(
        slug=DEFINITIONS,
        name=pgettext_lazy("layer", "definitions"),
        content_type=DEFINITIONS_TYPE.slug,
        position=9,
        check=fit_definitions,
    ),
    workspace=Workspace(
        template="kinds/define.html",
        doubt=gettext_lazy("I'm not sure about this expression"),
        item=Part(_DEFINE_PART, of_items(_examples)),
        adjudication=Part(_DEFINE_PART, _examples),
        page=define_page,
        routes="annotator.kinds.impli.api.routes",
    ),
    intake=Derived(
        rule=SharedUnits(derive_expressions, replace_twins),
        source=lambda stage: stage.project.label_layer,
        standalone=True,
        empty_reason=gettext_lazy("Mark expressions in sentences first, or import a dictionary."),
    ),
    outcome=Outcome(on_change=lambda stage, unit, _by: note_definitions(stage, unit), closes_on_answer=False),
    manager_task=ManagerTask(due=pairs_due, action=gettext_lazy("Make pairs from definitions"), creates=PAIR),
    # A dictionary that was imported as a machine's is what somebody begins with.
    suggestions=(SuggestionKind.PREDICTION.value,),
)
SPEC = PackageSpec(
    kinds=(REWRITE_KIND, DEFINE),
    layer_names={"validity-inference-pair": pgettext_lazy("layer", "verdicts on inference pairs")},
    unit_kinds=_UNIT_KINDS,
)
