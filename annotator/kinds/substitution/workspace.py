"""What the workspaces of marked words, and of the words for them, are given."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict

from django.templatetags.static import static
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.kind_parts import Json
from annotator.domain.content import Content
from annotator.domain.content.best import most_proposed
from annotator.kinds.substitution.fitting import known_words, marked_lemmas
from annotator.kinds.substitution.proposals import proposals_for
from annotator.kinds.substitution.texts import messages, reasons, why_votes_differ
from annotator.kinds.substitution.trials import set_trial
from annotator.kinds.substitution.units import marked_sentences
from annotator.models import Stage, Unit, User
from annotator.work.answering.queries.workspace import WorkspaceItem


def names_of(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, how lists name marked sentences, and the words for them by their sentence."""
    found = marked_sentences(units)
    # Words whose sentence is gone are called by themselves.
    return {unit.pk: found[unit.pk].text if unit.pk in found else " / ".join(unit.tokens) for unit in units}


def marked_fields(shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """By assignment id, the sentence with its marked word."""
    found = marked_sentences([row.unit for row in shown])
    return {row.assignment.pk: {"marked": found.get(row.unit.pk)} for row in shown}


def marked_adjudication(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the same."""
    found = marked_sentences(units)
    return {unit.pk: {"marked": found.get(unit.pk)} for unit in units}


def lemma_fields(shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """The fields of *substitute*: the lemma of the marked word, too."""
    lemmas = marked_lemmas([row.unit for row in shown])
    found = marked_fields(shown, user)
    return {row.assignment.pk: {**found[row.assignment.pk], "lemma": lemmas[row.unit.pk]} for row in shown}


def proposal_fields(shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """The fields of *verify-best*: how often each word was written, too, and the one that most wrote."""
    counted, found = proposals_for([row.unit for row in shown]), marked_fields(shown, user)
    return {
        row.assignment.pk: {
            **found[row.assignment.pk],
            "proposals": [{"word": word, "count": count} for word, count in counted[row.unit.pk]],
            "proposed": most_proposed(counted[row.unit.pk]),
        }
        for row in shown
    }


def known_word_fields(shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
    """The fields of *inapt*: the words that are known to fit, too."""
    known, found = known_words([row.unit for row in shown]), marked_fields(shown, user)
    return {row.assignment.pk: found[row.assignment.pk] | asdict(known[row.unit.pk]) for row in shown}


def known_word_adjudication(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the same."""
    known, found = known_words(units), marked_adjudication(stage, units, user)
    return {unit.pk: found[unit.pk] | asdict(known[unit.pk]) for unit in units}


def page(stage: Stage) -> Json:
    """What the scripts of all these workspaces are configured with."""
    given: Json = {"messages": messages()}
    return {**given, "around": static("work/components/marked.js")} if stage.adjudicates else given


def substitute_page(stage: Stage) -> Json:
    """The same for *substitute*."""
    return {**page(stage), "reasons": reasons()}


def best_page(stage: Stage) -> Json:
    """The same for both ways to choose the best word."""
    return {**page(stage), "why": why_votes_differ()}


def trial_content(sent: Mapping[str, str]) -> Content:
    """What the form of a trial item sent. Raises ActionError without a word."""
    word = sent.get("word", "")
    if not word.strip():
        # Of an item whose answer is known, nobody says why no word fits.
        raise ActionError(_("Write one word."))
    return {"word": word, "reason": ""}


def save_trial(stage: Stage, sent: Mapping[str, str], by: User) -> None:
    """Make what the settings sent the stage's trial item. Raises ActionError."""
    set_trial(stage=stage, sent=sent, by=by)
