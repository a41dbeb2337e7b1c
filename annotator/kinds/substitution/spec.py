"""The kinds of work on marked words, and their units."""

from dataclasses import replace

from django.utils.translation import gettext_lazy, ngettext_lazy, pgettext_lazy

from annotator.core.installed import PackageSpec
from annotator.core.intake import Derived, Forwarded
from annotator.core.kind import Kind
from annotator.core.kind_parts import (
    LayerSpec,
    Outcome,
    Part,
    TrialSettings,
    TrialSpec,
    UnitFields,
    Votes,
    Workspace,
    of_items,
)
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import Marking, UnitKind
from annotator.domain.content import BEST as BEST_TYPE
from annotator.domain.content import INAPT as INAPT_TYPE
from annotator.domain.content import SPANS
from annotator.domain.content import SUBSTITUTE as SUBSTITUTE_TYPE
from annotator.kinds.substitution.derivation import MARKED_WORDS
from annotator.kinds.substitution.fitting import fit_inapt, fit_substitute
from annotator.kinds.substitution.gathering import (
    after_substitute,
    decide_by_expert,
    decide_by_votes,
    with_decided_words,
    with_imported_words,
)
from annotator.kinds.substitution.texts import best_value, inapt_value, substitute_value
from annotator.kinds.substitution.trials import set_trial, trial_as_written, trial_of
from annotator.kinds.substitution.units import (
    BEST,
    INAPT,
    MARKED,
    SUBSTITUTES,
    WORDS,
    marked_wording,
    position_of,
    words_wording,
)
from annotator.kinds.substitution.workspace import (
    best_page,
    known_word_fields,
    lemma_fields,
    marked_fields,
    names_of,
    page,
    proposal_fields,
    substitute_page,
    trial_content,
)
from annotator.models import Layer

_PACKAGE = "annotator.kinds.substitution"
_SERIALIZERS = f"{_PACKAGE}.serializers"
_SHOWN_MARKED: Part[UnitFields] = Part(f"{_SERIALIZERS}.MarkedPart", marked_fields)
_WORDS_FIRST = gettext_lazy("People write words first. A sentence appears here once everyone has written theirs.")


def _is_substitutes(layer: Layer) -> bool:
    return layer.content_type == SUBSTITUTE_TYPE.slug


_UNIT_KINDS = (
    UnitKind(
        slug=MARKED,
        names=ngettext_lazy("%(shown)s marked sentence", "%(shown)s marked sentences", "number"),
        title=pgettext_lazy("unit", "Marked sentence"),
        texts=names_of,
        wording=marked_wording,
        marking=Marking(imported=lambda unit: (position_of(unit.segment.uid),)),
    ),
    UnitKind(
        slug=WORDS,
        names=ngettext_lazy("%(shown)s list of answers", "%(shown)s lists of answers", "number"),
        title=pgettext_lazy("unit", "List of answers"),
        texts=names_of,
        wording=words_wording,
        bound=True,
    ),
)
# A word for the marked one, or why none fits; made from labels, each unit of one word is a sentence to answer.
SUBSTITUTE = Kind(
    slug="substitute",
    title=pgettext_lazy("stage", "Substitute a word"),
    unit=MARKED,
    layer=LayerSpec(
        slug=SUBSTITUTES,
        name=pgettext_lazy("layer", "substitutes"),
        content_type=SUBSTITUTE_TYPE.slug,
        scheme={"reasons": ["literal", "fixed", "unclear", "no_word"]},
        # People who wrote a word may vote, and find inapt ones, while others still write.
        shows=(BEST, INAPT),
        position=5,
        check=fit_substitute,
        value_words=substitute_value,
    ),
    workspace=Workspace(
        template="kinds/substitute.html",
        item=Part(f"{_SERIALIZERS}.LemmaPart", of_items(lemma_fields)),
        adjudication=_SHOWN_MARKED,
        page=substitute_page,
    ),
    intake=Derived(
        rule=MARKED_WORDS,
        from_layer=lambda layer: layer.content_type == SPANS.slug,
        standalone=True,
        already_answered=with_imported_words,
        empty_reason=gettext_lazy("Mark single words first, or import sentences with a marked word."),
    ),
    outcome=Outcome(on_change=after_substitute, is_locked=lambda _stage, units: with_decided_words(units)),
    trial=TrialSpec(
        template="kinds/substitute_trial.html",
        item=trial_of,
        content=trial_content,
        settings=TrialSettings(
            template="kinds/substitute_trial_settings.html", initial=trial_as_written, save=set_trial
        ),
    ),
)
# The words that were written for a sentence: the best, two that are equal, or none.
CHOOSE_BEST = Kind(
    slug="choose-best",
    title=pgettext_lazy("stage", "Choose the best word"),
    unit=WORDS,
    layer=LayerSpec(
        slug=BEST,
        name=pgettext_lazy("layer", "best substitutes"),
        content_type=BEST_TYPE.slug,
        shows=(INAPT,),
        position=6,
        value_words=best_value,
    ),
    workspace=Workspace(
        template="kinds/choose_best.html",
        item=Part(f"{_SERIALIZERS}.MarkedPart", of_items(marked_fields)),
        adjudication=_SHOWN_MARKED,
        page=best_page,
    ),
    intake=Forwarded(from_layer=_is_substitutes, empty_reason=_WORDS_FIRST),
    outcome=Votes(on_change=lambda stage, unit, _by: decide_by_votes(stage, unit)),
)
# The same by one expert, who sees how often each word was written: the one that most wrote is put forward.
VERIFY_BEST = replace(
    CHOOSE_BEST,
    slug="verify-best",
    title=pgettext_lazy("stage", "Verify the best word"),
    workspace=replace(CHOOSE_BEST.workspace, item=Part(f"{_SERIALIZERS}.ProposalsPart", of_items(proposal_fields))),
    outcome=Votes(on_change=lambda stage, unit, _by: decide_by_expert(stage, unit)),
    needs=Permission.ADJUDICATE,
)
# Words from the basic sense of the marked one: grammatical in the sentence, and meaning something else.
INAPT_WORDS = Kind(
    slug="inapt",
    title=pgettext_lazy("stage", "Find inapt words"),
    unit=MARKED,
    layer=LayerSpec(
        slug=INAPT,
        name=pgettext_lazy("layer", "inapt words"),
        content_type=INAPT_TYPE.slug,
        shows=(BEST,),
        position=7,
        check=fit_inapt,
        value_words=inapt_value,
    ),
    workspace=Workspace(
        template="kinds/inapt.html",
        item=Part(f"{_SERIALIZERS}.KnownWordsPart", of_items(known_word_fields)),
        adjudication=Part(f"{_SERIALIZERS}.KnownWordsPart", known_word_fields),
        page=page,
        routes=f"{_PACKAGE}.api.routes",
    ),
    intake=Forwarded(from_layer=_is_substitutes, standalone=True, wait=True, empty_reason=_WORDS_FIRST),
    needs=Permission.ADJUDICATE,
)
SPEC = PackageSpec(
    kinds=(SUBSTITUTE, CHOOSE_BEST, VERIFY_BEST, INAPT_WORDS),
    unit_kinds=_UNIT_KINDS,
)
