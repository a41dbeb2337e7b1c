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
from annotator.kinds.substitution.units import marked_sentences
from annotator.models import Stage, Unit, User


def names_of(units: Sequence[Unit]) -> Mapping[int, str]:
    """By unit id, how lists name marked sentences, and the words for them by their sentence."""
    found = marked_sentences(units)
    # Words whose sentence is gone are called by themselves.
    return {unit.pk: found[unit.pk].text if unit.pk in found else " / ".join(unit.tokens) for unit in units}


def marked_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """By unit id, the sentence with its marked word."""
    found = marked_sentences(units)
    return {unit.pk: {"marked": found.get(unit.pk)} for unit in units}


def lemma_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """The fields of *substitute*: the lemma of the marked word, too."""
    lemmas = marked_lemmas(units)
    return {pk: {**found, "lemma": lemmas[pk]} for pk, found in marked_fields(stage, units, user).items()}


def proposal_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """The fields of *verify-best*: how often each word was written, too, and the one that most wrote."""
    counted = proposals_for(units)
    return {
        pk: {
            **found,
            "proposals": [{"word": word, "count": count} for word, count in counted[pk]],
            "proposed": most_proposed(counted[pk]),
        }
        for pk, found in marked_fields(stage, units, user).items()
    }


def known_word_fields(stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, Json]:
    """The fields of *inapt*: the words that are known to fit, too."""
    known = known_words(units)
    return {pk: found | asdict(known[pk]) for pk, found in marked_fields(stage, units, user).items()}


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
