"""The words of the codes that are stored, in the language of the page. Domain and models know the codes alone."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.conf import settings
from django.utils.text import capfirst
from django.utils.translation import get_language, get_language_info, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext as _

from annotator.core.kind import dataset_title, kind_of, layer_title
from annotator.core.presets import Texts
from annotator.domain.agreement.kappa import Undefined
from annotator.domain.context import Context
from annotator.domain.labels.label_uses import LabelUse
from annotator.domain.labels.tags import Inference, Tag
from annotator.domain.leaving_out import Skipped, WhyNotReleased
from annotator.domain.states import AssignmentState, ItemState, Mode
from annotator.domain.text import languages
from annotator.domain.text.language_tags import language_name
from annotator.models import InvitationState, Layer, Role, Stage, SuggestionKind
from annotator.templatetags.verb_words import VERBS

register = template.Library()

Words = Mapping[str, Any]

# What a label marks, in a sample of literal uses.
LABEL_USES: Words = {
    LabelUse.METAPHOR: gettext_lazy("a metaphor"),
    LabelUse.LITERAL: gettext_lazy("a literal use"),
    LabelUse.NEITHER: gettext_lazy("neither"),
}
MODES: Words = {Mode.REVIEW: gettext_lazy("Review"), Mode.BLIND: gettext_lazy("Blind")}
# What a stage shows around a sentence.
CONTEXTS: Words = {
    Context.NOTHING: pgettext_lazy("context", "Nothing"),
    Context.NEIGHBOURS: pgettext_lazy("context", "Neighbouring sentences"),
    Context.OTHER_SIDE: pgettext_lazy("context", "Neighbours and the other side of the pair"),
    Context.INFERENCE: pgettext_lazy("context", "Neighbours, the other side and the inference label"),
}
# Of labels: `domain.schemes.PALETTE`.
COLOURS: Words = {
    "blue": pgettext_lazy("colour", "blue"),
    "amber": pgettext_lazy("colour", "amber"),
    "teal": pgettext_lazy("colour", "teal"),
    "rose": pgettext_lazy("colour", "rose"),
    "violet": pgettext_lazy("colour", "violet"),
    "green": pgettext_lazy("colour", "green"),
    "orange": pgettext_lazy("colour", "orange"),
    "slate": pgettext_lazy("colour", "slate"),
    "cyan": pgettext_lazy("colour", "cyan"),
    "olive": pgettext_lazy("colour", "olive"),
    "magenta": pgettext_lazy("colour", "magenta"),
    "brown": pgettext_lazy("colour", "brown"),
}
# Of an assignment and of an annotation.
STATES: Words = {
    AssignmentState.OPEN: gettext_lazy("Open"),
    AssignmentState.DONE: gettext_lazy("Done"),
    AssignmentState.RETURNED: gettext_lazy("Returned"),
}
INFERENCES: Words = {
    Inference.ENTAILMENT: gettext_lazy("Entailment"),
    Inference.NEUTRAL: gettext_lazy("Neutral"),
    Inference.CONTRADICTION: gettext_lazy("Contradiction"),
}
TAGS: Words = {
    Tag.RELEVANT: gettext_lazy("Relevant"),
    Tag.NON_RELEVANT: gettext_lazy("Non-relevant"),
    Tag.NO_METAPHOR: gettext_lazy("No metaphor"),
    Tag.DISCARDED: gettext_lazy("Discarded"),
}
ITEM_STATES: Words = {
    ItemState.FREE: pgettext_lazy("item", "Available"),
    ItemState.TAKEN: pgettext_lazy("item", "In progress"),
    ItemState.DONE: pgettext_lazy("item", "Answered"),
    ItemState.DECIDED: pgettext_lazy("item", "Has gold"),
}
# How a sentence stands for the reader (`search/queries/standing.py`).
STANDINGS: Words = {
    "own": gettext_lazy("Assigned to me"),
    "done": gettext_lazy("Done by me"),
    "ahead": gettext_lazy("Next in my work"),
    "free": pgettext_lazy("item", "Available"),
    "others": gettext_lazy("With other people"),
    "gold": pgettext_lazy("item", "Has gold"),
    "closed": gettext_lazy("In no stage"),
}
# Whose a suggestion is.
SUGGESTIONS: Words = {
    SuggestionKind.PREDICTION: gettext_lazy("By a detector"),
    SuggestionKind.PROJECTION: gettext_lazy("Projected from another language"),
    SuggestionKind.TRANSFER: gettext_lazy("Transferred from another language"),
    SuggestionKind.EARLIER_GOLD: gettext_lazy("Gold from before the text was edited"),
    SuggestionKind.PROPOSAL: gettext_lazy("By a person"),
}
# Why an act on many sentences left one alone (`search/actions/many.py`).
REFUSALS: Words = {
    "changed": gettext_lazy("Someone changed or claimed it after you opened the list."),
    "gold": gettext_lazy("Gold has been decided."),
    "closed": gettext_lazy("Its text was replaced, or it is not in a stage."),
    "language": gettext_lazy("You don't work in this language."),
    "hidden": gettext_lazy(
        "You can't answer it here: you annotate it without seeing other answers, or in another stage."
    ),
    "not-free": gettext_lazy("It is not free in this stage."),
}
INVITATION_STATES: Words = {
    InvitationState.OPEN: pgettext_lazy("invitation", "Open"),
    InvitationState.ACCEPTED: pgettext_lazy("invitation", "Accepted"),
    InvitationState.REVOKED: pgettext_lazy("invitation", "Revoked"),
    InvitationState.EXPIRED: pgettext_lazy("invitation", "Expired"),
}
# Why a job passed over a sentence.
SKIPPED: Words = {
    Skipped.PERSON: gettext_lazy("with a person's labels"),
    Skipped.PROJECTED: gettext_lazy("reached by a projection"),
    Skipped.NEWER_JOB: gettext_lazy("labelled since by a newer job"),
    Skipped.REPLACED: gettext_lazy("text changed in the meantime"),
    Skipped.NOT_COVERED: gettext_lazy("not fully covered by the detector"),
    Skipped.WITHOUT_GOLD: gettext_lazy("without gold"),
    Skipped.WITHOUT_ANNOTATION: gettext_lazy("without a finished annotation"),
    Skipped.WITHOUT_PARALLEL: gettext_lazy("without a parallel sentence"),
    Skipped.WITHOUT_LABELS: gettext_lazy("without labels"),
    Skipped.CHANGED: gettext_lazy("labels or text changed in the meantime"),
    Skipped.WITHOUT_DECISION: gettext_lazy("without a decision"),
    Skipped.WITHHELD: gettext_lazy("text that cannot be published"),
    Skipped.OTHER_LANGUAGE: gettext_lazy("in a language that the model does not know"),
}
# Why there is no kappa.
UNDEFINED: Words = {
    Undefined.NOTHING: gettext_lazy("They have no done items in common."),
    Undefined.ONE_LABEL: gettext_lazy(
        "Both gave every item the same label, so agreement by chance is 1 and kappa would divide by zero."
    ),
}
# What two people are compared on, as `reports/queries/agreement.py` names it.
COMPARED: Words = {"tokens": gettext_lazy("Labels on tokens"), "pairs": gettext_lazy("Pair tags")}
# What is adjudicated, by the slug of the layer.
_ADJUDICATE: Words = {
    "labels": pgettext_lazy("stage", "Adjudicate: labels"),
    "interpretation": pgettext_lazy("stage", "Adjudicate: tags"),
}

# What is decided in a layer, by its slug.
_DECIDED: Words = {"labels": pgettext_lazy("layer", "labels"), "interpretation": pgettext_lazy("layer", "tags")}

# What the sentences of a new project can be: title and description.
TEXTS: Mapping[str, tuple[Any, Any]] = {
    Texts.SENTENCES: (gettext_lazy("Sentences"), gettext_lazy("Sentences that don't depend on each other.")),
    Texts.PARALLEL: (
        gettext_lazy("Parallel sentences"),
        gettext_lazy("The same sentence in several languages, line by line."),
    ),
    Texts.PAIRS: (
        gettext_lazy("Premise–hypothesis pairs"),
        gettext_lazy("Two sentences, and what the first one implies about the second."),
    ),
    Texts.DOCUMENTS: (
        gettext_lazy("Running text in documents"),
        gettext_lazy("Split into sentences during the import. People see the surrounding sentences."),
    ),
}


@register.filter
def stage_title(stage: Stage) -> str:
    """What is done in a stage, without its language. Raises LookupError for a kind that is not installed."""
    if stage.title:
        return stage.title
    if not stage.adjudicates:
        kind = kind_of(stage)
        title = str(kind.title)
        further = stage.layer.content_type == Layer.SPANS and stage.layer.slug != "labels"
        further |= kind.layer.several and stage.layer.slug != kind.layer.slug
        return _("%(kind)s: %(layer)s") % {"kind": title, "layer": stage.layer.slug} if further else title
    known = _ADJUDICATE.get(stage.layer.slug)
    return str(known) if known else _("Adjudicate: %(layer)s") % {"layer": layer_title(stage.layer.slug)}


@register.filter
def dataset_name(name: str) -> str:
    """What a dataset is called: its own name, or in words where no file brought it."""
    return dataset_title(name)


@register.filter
def stage_name(stage: Stage) -> str:
    """What is done in a stage, and in which language."""
    return f"{stage_title(stage)} ({stage.language})"


@register.filter
def mode_name(mode: str) -> str:
    """Whether one answers with suggestions in sight."""
    return _known(MODES, mode)


@register.filter
def context_name(level: str) -> str:
    """What a stage shows around a sentence."""
    return _known(CONTEXTS, level)


@register.filter
def state_name(state: str) -> str:
    """The state of an assignment or annotation."""
    return _known(STATES, state)


@register.filter
def item_state_name(state: str) -> str:
    """How far a unit is in a stage."""
    return _known(ITEM_STATES, state)


@register.filter
def standing_name(state: str) -> str:
    """How a sentence stands for the reader."""
    return _known(STANDINGS, state)


@register.filter
def suggestion_name(kind: str) -> str:
    """Whose a suggestion is."""
    return _known(SUGGESTIONS, kind)


@register.filter
def refusal_name(reason: str) -> str:
    """Why an act on many sentences left one alone."""
    return _known(REFUSALS, reason)


@register.filter
def invitation_state_name(state: str) -> str:
    """What became of an invitation."""
    return _known(INVITATION_STATES, state)


@register.filter
def inference_name(inference: str) -> str:
    """The inference label of a pair."""
    return _known(INFERENCES, inference)


@register.filter
def label_name(label: str) -> str:
    """A label of tokens as it is; a tag of pairs in the language of the page."""
    return _known(TAGS, label)


@register.filter
def verb_name(verb: str) -> str:
    """What somebody did, as the event log says it."""
    return _known(VERBS, verb)


@register.filter
def not_released_name(written: str) -> str:
    """Why something is not in a release, as its manifest keeps it."""
    why = WhyNotReleased.read(written)
    return why.message.translated(_) if why else written


@register.filter
def undefined_name(why: str) -> str:
    """Why there is no kappa; empty where there is one."""
    return _known(UNDEFINED, why)


@register.filter
def compared_name(layer: str) -> str:
    """What two people are compared on; of another layer what it holds."""
    return _known(COMPARED, layer) if layer in COMPARED else capfirst(layer_title(layer))


def decided_name(layer: str) -> str:
    """What is decided in a layer."""
    return _known(_DECIDED, layer) if layer in _DECIDED else layer_title(layer)


@register.filter
def role_name(role: str) -> str:
    """The role of a member."""
    return str(Role(role).label)


@register.filter
def language(code: str) -> str:
    """The name of a language on this page with its code; the code alone where no name is known."""
    try:
        # Of most languages Django knows the name; the data on all of them takes 19 MB.
        name = str(get_language_info(code)["name_translated"])
    except KeyError:
        name = language_name(code, get_language() or settings.LANGUAGE_CODE)
    return code if name == code else capfirst(f"{name} ({code})")


@register.filter
def direction(code: str) -> str:
    """How a language is written, for the attribute `dir`: "ltr" or "rtl"."""
    return languages.direction(code)


def _known(words: Words, code: str) -> str:
    """The word of a code; a project may have codes of its own, which are shown as they are."""
    return str(words.get(code, code))


@register.filter
def colour_name(code: str) -> str:
    return _known(COLOURS, code)
