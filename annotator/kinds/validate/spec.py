"""The kind of work *validate*: what people wrote in the stage before, or what was imported, is judged by
others."""

from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import Derived
from annotator.core.kind import Kind
from annotator.core.kind_parts import LayerSpec, Part, Verdicts, Workspace
from annotator.domain.content import VERDICT
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.kinds.validate.corrections import fit_correction
from annotator.kinds.validate.derivation import WRITTEN_TEXTS
from annotator.kinds.validate.layers import VALIDITY, verdict_layer
from annotator.kinds.validate.outcome import apply_verdicts
from annotator.kinds.validate.reports import REPORT
from annotator.kinds.validate.texts import value_words
from annotator.kinds.validate.workspace import adjudication_fields, is_written, item_fields, page

_PART = "annotator.kinds.validate.serializers.ValidatePart"

_KINDS = (
    Kind(
        slug="validate",
        title=pgettext_lazy("stage", "Validate"),
        unit=UNIT_KIND,
        layer=LayerSpec(
            slug=VALIDITY,
            name=pgettext_lazy("layer", "verdicts"),
            content_type=VERDICT.slug,
            find=verdict_layer,
            check=fit_correction,
            value_words=value_words,
        ),
        workspace=Workspace(
            template="kinds/validate.html",
            doubt=gettext_lazy("I'm not sure about this verdict"),
            item=Part(_PART, item_fields),
            adjudication=Part(_PART, adjudication_fields),
            page=page,
            routes="annotator.kinds.validate.api.routes",
        ),
        intake=Derived(
            rule=WRITTEN_TEXTS,
            from_layer=is_written,
            empty_reason=gettext_lazy("Texts from the previous stage and imported texts are judged here."),
        ),
        outcome=Verdicts(on_change=apply_verdicts),
    ),
)
SPEC = PackageSpec(
    kinds=_KINDS,
    reports=(REPORT,),
)
