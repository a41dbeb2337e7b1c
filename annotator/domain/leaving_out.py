"""Why something is left out: by a machine that labels, by a projection, of training, of a release. The codes are
stored; their words are in `templatetags/words.py`, those of a release here."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from annotator.domain.messages import Message
from annotator.domain.messages import gettext_noop as _


class Skipped(StrEnum):
    """A sentence that a job skipped; results of jobs count them."""

    PERSON = "with a person's labels"
    PROJECTED = "reached by a projection"
    NEWER_JOB = "labelled by a newer job meanwhile"
    REPLACED = "text replaced meanwhile"
    NOT_COVERED = "not covered to the last token by the detector"
    WITHOUT_GOLD = "without gold"
    WITHOUT_ANNOTATION = "without a finished annotation"
    WITHOUT_PARALLEL = "without a parallel sentence"
    WITHOUT_LABELS = "without labels"
    CHANGED = "labels or text changed meanwhile"
    WITHOUT_DECISION = "without a decision"
    WITHHELD = "text that may not be published"
    OTHER_LANGUAGE = "in a language that the model does not know"


class NotReleased(StrEnum):
    """A sentence or pair that is not in the published layout, or what is not there of one that is."""

    NO_SENTENCE = "no sentence"
    NO_GOLD = "no gold"
    NO_INFERENCE = "no inference label"
    DISCARDED = "discarded"
    REJECTED = "rejected"
    SET_ASIDE = "set aside"
    WRONG_LABEL = "label found wrong"
    WITHHELD = "text that may not be published"
    RETURNED = "with its writer"
    GIVEN_UP = "given up"
    BOTH = "best and inapt"
    OUTDATED = "no longer made by rule"
    UNMADE = "not all made into pairs"
    NO_ANSWERS = "not all answers"
    NO_BEST = "no best word"
    NO_INAPT = "no inapt words"
    NEITHER = "neither best nor inapt words"


class Of(StrEnum):
    """Whose lack keeps a pair out, where it is not the pair's own."""

    PREMISE = "premise"
    HYPOTHESIS = "hypothesis"
    PROMPT = "prompt"


_SAID: Mapping[tuple[NotReleased, Of | None], str] = {
    (NotReleased.NO_SENTENCE, None): _("no sentence in %(language)s"),
    (NotReleased.NO_GOLD, None): _("no gold in %(language)s"),
    (NotReleased.NO_INFERENCE, None): _("no inference label"),
    (NotReleased.DISCARDED, None): _("discarded pair"),
    (NotReleased.SET_ASIDE, None): _("set aside: %(note)s"),
    (NotReleased.SET_ASIDE, Of.PREMISE): _("its premise is set aside: %(note)s"),
    (NotReleased.SET_ASIDE, Of.HYPOTHESIS): _("its hypothesis is set aside: %(note)s"),
    (NotReleased.REJECTED, None): _("rejected in validation"),
    (NotReleased.WRONG_LABEL, None): _("its label was found wrong"),
    (NotReleased.RETURNED, None): _("sent back to its writer and not yet revised"),
    (NotReleased.GIVEN_UP, None): _("sent back to its writer, who left, and discarded: %(note)s"),
    (NotReleased.BOTH, None): _("decided both as the best word and as inapt, so not inapt in any triple: %(note)s"),
    (NotReleased.OUTDATED, None): _("the rules no longer produce it from the current labels, texts and definitions"),
    (NotReleased.UNMADE, None): _("not all of its definitions have their pairs yet"),
    (NotReleased.NO_ANSWERS, None): _("not everyone has written a word for it in %(language)s"),
    (NotReleased.NO_BEST, None): _("its best word is not decided in %(language)s"),
    (NotReleased.NO_INAPT, None): _("its inapt words are not decided in %(language)s"),
    (NotReleased.NEITHER, None): _("neither its best word nor its inapt words are decided in %(language)s"),
    (NotReleased.WITHHELD, None): _("text that cannot be published in %(language)s"),
    (NotReleased.WITHHELD, Of.PREMISE): _("its premise has text that cannot be published in %(language)s"),
    (NotReleased.WITHHELD, Of.HYPOTHESIS): _("its hypothesis has text that cannot be published in %(language)s"),
    (NotReleased.WITHHELD, Of.PROMPT): _("written from a prompt that cannot be published in %(language)s"),
    (NotReleased.NO_SENTENCE, Of.PREMISE): _("its premise has no sentence in %(language)s"),
    (NotReleased.NO_GOLD, Of.PREMISE): _("its premise has no gold in %(language)s"),
    (NotReleased.NO_SENTENCE, Of.HYPOTHESIS): _("its hypothesis has no sentence in %(language)s"),
    (NotReleased.NO_GOLD, Of.HYPOTHESIS): _("its hypothesis has no gold in %(language)s"),
}
_WRITTEN = re.compile(
    rf"(?:its (?P<of>{'|'.join(Of)}) (?:has|is) )?(?P<code>{'|'.join(NotReleased)})(?: in (?P<language>\S+))?"
    r"(?:: (?P<note>.+))?"
)


@dataclass(frozen=True, slots=True)
class WhyNotReleased:
    """A reason with what belongs to it: the language in which something is missing, and of what, for a pair; why
    somebody gave it up, rejected it or set it aside, or which word it is.

    As text it is what files and manifests keep:

    >>> str(WhyNotReleased(NotReleased.NO_GOLD, "en", Of.PREMISE))
    'its premise has no gold in en'
    """

    code: NotReleased
    language: str = ""
    of: Of | None = None
    note: str = ""

    @property
    def message(self) -> Message:
        """The reason for a person, to be translated."""
        return Message(_SAID[self.code, self.of], {"language": self.language, "note": self.note})

    def __str__(self) -> str:
        whose = f"its {self.of} {'is' if self.code == NotReleased.SET_ASIDE else 'has'} " if self.of else ""
        where = f" in {self.language}" if self.language else ""
        return f"{whose}{self.code}{where}{f': {self.note}' if self.note else ''}"

    @classmethod
    def read(cls, written: str) -> WhyNotReleased | None:
        """The reason that a manifest keeps; None for what none of ours is written like."""
        found = _WRITTEN.fullmatch(written)
        if found is None:
            return None
        of = found["of"]
        return cls(NotReleased(found["code"]), found["language"] or "", Of(of) if of else None, found["note"] or "")
