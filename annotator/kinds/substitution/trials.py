"""The trial items of substitutes, by language: a metaphor that most people put into another word at once."""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotator.domain.languages import base_language
from annotator.domain.marked import read_marked
from annotator.domain.trials import Trial

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


def trial_of(language: str) -> Trial | None:
    """The trial item of a language; None where there is none."""
    found = _TRIALS.get(base_language(language))
    if found is None:
        return None
    marked, words = read_marked(found[0]), found[1].split()
    hint = _(
        "Nobody was hit here. Write one word, in the same form, that says what was done to the novel, as “%(word)s”."
    )
    return Trial(
        accepted=tuple({"word": word, "reason": ""} for word in words),
        hint=hint % {"word": words[0]},
        shown={"before": marked.before, "word": marked.word, "after": marked.after},
    )
