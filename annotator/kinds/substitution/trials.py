"""The trial items of substitutes: a metaphor that most people put into another word at once. A project may have its own
in each language; those that ship stand in for it."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, translate
from annotator.core.events import log
from annotator.domain.messages import InvalidError
from annotator.domain.text.languages import base_language
from annotator.domain.text.marked import MarkError, read_marked
from annotator.domain.text.one_word import one_word, word_key
from annotator.domain.trials import Trial
from annotator.domain.verbs import Verb
from annotator.models import Layer, Stage, User

# Sentence, and the words that solve it.
_TRIALS = {
    "en": (
        "The critics <b>attacked</b> her first novel.",
        "criticised criticized slated panned slammed condemned censured denounced faulted rebuked disparaged blasted "
        "lambasted savaged berated",
    ),
    "es": (
        "La crítica <b>atacó</b> su primera novela.",
        "criticó censuró vapuleó condenó reprobó desaprobó cuestionó fustigó denostó rechazó despreció menospreció",
    ),
}
# Where a layer's scheme has those of the project, by language.
KEY = "trials"
MAX_TEXT, MAX_WORDS = 500, 50
_BETWEEN = re.compile(r"[\s,;]+")


def trial_of(stage: Stage) -> Trial | None:
    """The trial item of a stage: the project's own in its language, or the one that ships; None where neither is."""
    own = own_trial(stage)
    if own is not None:
        word, hint = own["words"][0], own["hint"]
        usual = _("Write one word in the same form that has the same meaning here.")
        explanation = hint.replace("{word}", word) if "{word}" in hint else f"{hint} {_one_is(word)}".strip()
        return _trial(own["sentence"], own["words"], usual if "{word}" in hint or not hint else hint, explanation)
    found = _TRIALS.get(base_language(stage.language))
    if found is None:
        return None
    words = found[1].split()
    hint = _("Nobody was hit here. Write one word in the same form that says what the critics did to the novel.")
    return _trial(found[0], words, hint, f"{hint} {_one_is(words[0])}")


def own_trial(stage: Stage) -> dict[str, Any] | None:
    """What managers wrote: `sentence` with its mark, `words`, `hint`; None where they did not."""
    found: dict[str, Any] | None = stage.layer.scheme_data.get(KEY, {}).get(stage.language)
    return found


def trial_as_written(stage: Stage) -> dict[str, str]:
    """The fields of the page on which managers write one: the project's own, or to begin from, the one that ships."""
    own = own_trial(stage)
    if own is not None:
        return {"sentence": own["sentence"], "words": " ".join(own["words"]), "hint": own["hint"]}
    sentence, words = _TRIALS.get(base_language(stage.language), ("", ""))
    return {"sentence": sentence, "words": words, "hint": ""}


@transaction.atomic
def set_trial(stage: Stage, sent: Mapping[str, str], by: User | None) -> None:
    """Make this the trial item of the stage's language: `sentence`, `words` and `hint` as the page sends them.

    Without a sentence and words, the one that ships is back. People who have solved a trial item continue working.
    Raises ActionError for a sentence without one marked word, and for words that are none.
    """
    layer = Layer.objects.select_for_update(no_key=True).get(pk=stage.layer_id)
    before = layer.scheme_data
    own = {language: one for language, one in before.get(KEY, {}).items() if language != stage.language}
    if sent.get("sentence", "").strip() or sent.get("words", "").strip():
        own[stage.language] = _checked(sent)
    layer.scheme_data = {**{key: value for key, value in before.items() if key != KEY}, **({KEY: own} if own else {})}
    if layer.scheme_data == before:
        return
    layer.save(update_fields=["scheme_data"])
    stage.layer.scheme_data = layer.scheme_data
    log(
        project=stage.project,
        actor=by,
        verb=Verb.SCHEME_CHANGE,
        subject=layer,
        before={"scheme": before},
        after={"scheme": layer.scheme_data},
    )


def _checked(sent: Mapping[str, str]) -> dict[str, Any]:
    sentence, hint = (" ".join(sent.get(name, "").split()) for name in ("sentence", "hint"))
    if max(len(sentence), len(hint)) > MAX_TEXT:
        raise ActionError(
            _("The sentence and the hint can have at most %(most)d characters each.") % {"most": MAX_TEXT}
        )
    try:
        marked = read_marked(sentence)
        marked.check_one_word()
    except MarkError as error:
        raise ActionError(_("Sentence: %(problem)s.") % {"problem": translate(error)}) from error
    try:
        words = [one_word(word) for word in _BETWEEN.split(sent.get("words", "")) if word]
    except InvalidError as error:
        raise ActionError(translate(error)) from error
    by_key: dict[str, str] = {}
    for word in words:
        by_key.setdefault(word_key(word), word)
    accepted = list(by_key.values())
    if not 0 < len(accepted) <= MAX_WORDS:
        raise ActionError(_("Write between 1 and %(most)d words that solve the item.") % {"most": MAX_WORDS})
    if word_key(marked.word) in by_key:
        raise ActionError(
            _("“%(word)s” is the marked word itself. It does not solve the item.") % {"word": marked.word}
        )
    return {"sentence": sentence, "words": accepted, "hint": hint}


def _one_is(word: str) -> str:
    return _("For example: “%(word)s”.") % {"word": word}


def _trial(sentence: str, words: list[str], hint: str, explanation: str) -> Trial:
    marked = read_marked(sentence)
    return Trial(
        accepted=tuple({"word": word, "reason": ""} for word in words),
        hint=hint,
        told=explanation,
        shown={"before": marked.before, "word": marked.word, "after": marked.after},
    )
