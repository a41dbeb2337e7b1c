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
from annotator.domain.verbs import Verb
from annotator.models import InvitationState, Layer, Role, Stage, SuggestionKind

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
    ItemState.FREE: pgettext_lazy("item", "Free"),
    ItemState.TAKEN: pgettext_lazy("item", "In progress"),
    ItemState.DONE: pgettext_lazy("item", "Answered"),
    ItemState.DECIDED: pgettext_lazy("item", "Has gold"),
}
# How a sentence stands for the reader (`search/queries/standing.py`).
STANDINGS: Words = {
    "own": gettext_lazy("Assigned to me"),
    "free": pgettext_lazy("item", "Free"),
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
    "closed": gettext_lazy("Its text was replaced, or no stage has it."),
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
# What the event log says.
VERBS: Words = {
    Verb.ANNOTATION_SAVED: gettext_lazy("saved an annotation"),
    Verb.TRIAL_SOLVED: gettext_lazy("solved the trial item of a stage"),
    Verb.ANNOTATION_UNDONE: gettext_lazy("undid a save"),
    Verb.ANNOTATION_KEPT: gettext_lazy("sent an answer too late; it is kept on record"),
    Verb.ANNOTATION_RETURNED: gettext_lazy("sent an answer back to its author"),
    Verb.ANNOTATION_RETURN_UNDONE: gettext_lazy("undid sending an answer back to its author"),
    Verb.ANNOTATION_HANDED_OVER: gettext_lazy("took over a text that someone else had left"),
    Verb.ANNOTATION_GIVEN_UP: gettext_lazy("discarded a text that its writer had left"),
    Verb.ANNOTATION_CARRIED: gettext_lazy("annotation carried over to the edited text"),
    Verb.ANNOTATION_TERMS_MERGED: gettext_lazy("term replaced in an annotation"),
    Verb.GOLD_TERMS_MERGED: gettext_lazy("term replaced in gold"),
    Verb.TERMS_MERGED: gettext_lazy("merged terms"),
    Verb.PROJECT_SETTINGS: gettext_lazy("changed the settings"),
    Verb.PROJECT_LANGUAGE_ADD: gettext_lazy("added a language"),
    Verb.PROJECT_LANGUAGE_REMOVE: gettext_lazy("removed a language"),
    Verb.PROJECT_ARCHIVE: gettext_lazy("archived the project"),
    Verb.PROJECT_RESTORE: gettext_lazy("restored the archived project"),
    Verb.PROJECT_RESTORED: gettext_lazy("restored the project from a file"),
    Verb.PROJECT_COPY: gettext_lazy("copied the project"),
    Verb.PROJECT_DELETE: gettext_lazy("deleted a project"),
    Verb.ARCHIVE_WRITTEN: gettext_lazy("created a project backup"),
    Verb.ARCHIVE_DELETED: gettext_lazy("deleted a project backup"),
    Verb.STAGE_ADD: gettext_lazy("added a stage"),
    Verb.SENTENCE_SET_ASIDE: gettext_lazy("set a sentence aside"),
    Verb.SENTENCE_RESTORED: gettext_lazy("restored a sentence that was set aside"),
    Verb.STAGE_CONTEXT: gettext_lazy("changed the context that a stage shows"),
    Verb.STAGE_ORDER: gettext_lazy("changed the order of the stages"),
    Verb.STAGE_REMOVE: gettext_lazy("removed a stage"),
    Verb.ANNOTATION_RELABELLED: gettext_lazy("annotation moved to other labels"),
    Verb.GOLD_RELABELLED: gettext_lazy("gold moved to other labels"),
    Verb.LAYER_ADD: gettext_lazy("added a layer"),
    Verb.SCHEME_CHANGE: gettext_lazy("changed the labels"),
    Verb.TEXT_REVISED: gettext_lazy("edited a text"),
    Verb.UNIT_REWORDED: gettext_lazy("updated items derived from a text"),
    Verb.UNIT_CLOSED: gettext_lazy("closed items derived from a text"),
    Verb.ASSIGNMENT_CLAIMED: gettext_lazy("claimed an item"),
    Verb.ASSIGNMENT_GIVEN: gettext_lazy("assigned an item to someone"),
    Verb.ASSIGNMENT_BLIND: gettext_lazy("assigned an item to someone for blind work"),
    Verb.ASSIGNMENT_SAMPLE: gettext_lazy("drew a blind sample"),
    Verb.ASSIGNMENT_EXPIRED: gettext_lazy("an item that nobody had worked on was returned"),
    Verb.ASSIGNMENT_HANDED_BACK: gettext_lazy("returned an item"),
    Verb.ASSIGNMENT_FREED: gettext_lazy("unassigned an item from someone"),
    Verb.GOLD_DECIDED: gettext_lazy("decided gold"),
    Verb.GOLD_ACCEPTED: gettext_lazy("accepted agreed answers as gold"),
    Verb.GOLD_REOPENED: gettext_lazy("reopened gold"),
    Verb.PAIRS_MADE: gettext_lazy("generated pairs from definitions"),
    Verb.PAIRS_OUTDATED: gettext_lazy("changed something that pairs are based on"),
    Verb.ALIGNMENT_EDITED: gettext_lazy("edited a word link"),
    Verb.SUGGESTION_TRANSFERRED: gettext_lazy("transferred a tag to another language"),
    Verb.SUGGESTION_PROPOSED: gettext_lazy("suggested a label on someone else's item"),
    Verb.SUGGESTION_WITHDRAWN: gettext_lazy("withdrew a suggestion"),
    Verb.SENTENCES_LABELLED: gettext_lazy("labelled words in several sentences"),
    Verb.SENTENCES_UNLABELLED: gettext_lazy("removed a label from words in several sentences"),
    Verb.SENTENCES_ASSIGNED: gettext_lazy("assigned several sentences"),
    Verb.SENTENCES_UNDONE: gettext_lazy("undid an action on several sentences"),
    Verb.IMPORT: gettext_lazy("imported data"),
    Verb.IMPORT_TAKEN_BACK: gettext_lazy("undid an import"),
    Verb.IMPORT_TERMS: gettext_lazy("changed the licence of an import, or whether its text can be published"),
    Verb.AGREEMENT_STORED: gettext_lazy("stored an agreement"),
    Verb.RELEASE_CREATE: gettext_lazy("created a release"),
    Verb.STORAGE_MARKED: gettext_lazy("set the location of the site's files"),
    Verb.JOB_START: gettext_lazy("started a job"),
    Verb.JOB_CANCEL: gettext_lazy("cancelled a job"),
    Verb.JOB_RETRY: gettext_lazy("retried a job"),
    Verb.DETECTOR_TRAIN: gettext_lazy("trained a detector"),
    Verb.PROJECT_CREATE: gettext_lazy("created the project"),
    Verb.PROJECT_TRAIN_EVERY: gettext_lazy("changed when a detector is trained automatically"),
    Verb.PROJECT_ADJUDICATE_OWN: gettext_lazy("changed whether adjudicators can decide on their own items"),
    Verb.GUIDELINES_EDIT: gettext_lazy("edited the guidelines"),
    Verb.GUIDELINES_PICTURE: gettext_lazy("uploaded a picture for the guidelines"),
    Verb.MEMBER_ADD: gettext_lazy("added a member"),
    Verb.MEMBER_ROLE: gettext_lazy("changed the role of a member"),
    Verb.MEMBER_REMOVE: gettext_lazy("removed a member"),
    Verb.MEMBER_MAPPED: gettext_lazy("mapped someone from the backup to an account"),
    Verb.MEMBER_LANGUAGES: gettext_lazy("changed the languages of a member"),
    Verb.INVITATION_CREATE: gettext_lazy("invited someone"),
    Verb.INVITATION_RENEW: gettext_lazy("created a new link for an invitation"),
    Verb.INVITATION_SENT: gettext_lazy("sent an invitation by email"),
    Verb.INVITATION_REVOKE: gettext_lazy("revoked an invitation"),
    Verb.INVITATION_ACCEPT: gettext_lazy("accepted an invitation"),
    Verb.USER_CREATE: gettext_lazy("created an account for a member"),
    Verb.USER_RESET: gettext_lazy("set a new password for a member"),
    Verb.USER_CREATED: gettext_lazy("created an account with the demo"),
    Verb.USER_REGISTER: gettext_lazy("created their own account"),
    Verb.USER_CHANGE: gettext_lazy("changed the name or email of their account"),
    Verb.SAMPLE_LOADED: gettext_lazy("loaded the sample"),
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
    Undefined.NOTHING: gettext_lazy("They have no finished items in common."),
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
