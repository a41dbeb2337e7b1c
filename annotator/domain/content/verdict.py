"""What somebody says of a text that another person wrote: `{"verdict", "reason", "texts", "second"}`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from annotator.domain.content.base import Content, ContentError, Scheme
from annotator.domain.content.whole import Whole
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.figurative_pairs import spelt

ACCEPT, REJECT, CORRECT = "accept", "reject", "correct"
VERDICTS = (ACCEPT, REJECT, CORRECT)
# With these as gold a text goes out: as it stands, or as it was corrected, where nobody here wrote it.
GOES_OUT = (ACCEPT, CORRECT)
OTHER = "other"
REASONS = ("incoherent", "offensive", "format", "label", "unknown", OTHER)
LONGEST = 500


class Verdict(Whole):
    """Accepted; rejected, with one of the scheme's `reasons`; or corrected, with other `texts`, as many as its `parts`.

    `second` is the answer to a second question, where the scheme has values for one.
    """

    slug = "verdict"
    dimensions = ("verdicts", "second")
    together = (("verdict", "reason", "texts"),)

    def empty(self) -> Content:
        return {"verdict": None, "reason": "", "texts": [], "second": None}

    def check(self, content: Any, *, scheme: Scheme, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or not {"verdict"} <= content.keys() <= self.empty().keys():
            raise ContentError(_("A verdict must be an object with a verdict, and a reason or texts where needed."))
        given = {**self.empty(), **content}
        verdict, second = given["verdict"], given["second"]
        if verdict not in (None, *VERDICTS):
            raise ContentError(
                _("“%(value)s” cannot be chosen here. Choose one of %(values)s."),
                value=str(verdict),
                values=", ".join(VERDICTS),
            )
        answers = scheme.get("second") or ()
        if second is not None and second not in answers:
            raise ContentError(_("“%(value)s” is not a valid answer to the second question."), value=str(second))
        if done and verdict is None:
            raise ContentError(_("Accept it, reject it, or correct it."))
        if done and answers and second is None:
            raise ContentError(_("Answer the second question, too."))
        reason = _reason(given["reason"], scheme, done=done) if verdict == REJECT else ""
        texts = _texts(given["texts"], scheme, tokens, done=done) if verdict == CORRECT else []
        return {"verdict": verdict, "reason": reason, "texts": texts, "second": second}

    def check_comment(self, content: Content, comment: str) -> None:
        if content["reason"] == OTHER and not comment.strip():
            raise ContentError(_("Say in the comment which other reason there is."))

    def key(self, content: Content) -> Any:
        return content["verdict"], content["reason"], tuple(content["texts"]), content["second"]

    def is_labelled(self, content: Content) -> bool:
        return content["verdict"] is not None

    def values(self, scheme: Scheme, dimension: str) -> tuple[str, ...]:
        return VERDICTS if dimension == "verdicts" else tuple(scheme.get("second") or ())

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        value = content["verdict"] if dimension == "verdicts" else content["second"]
        return [value or "–"]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        """The share of what is the same: the verdict, how it is explained where either is, and the second answer where
        either has one."""
        same = [one["verdict"] == other["verdict"]]
        explained = [(content["reason"], content["texts"]) for content in (one, other)]
        if any(reason or texts for reason, texts in explained):
            same.append(explained[0] == explained[1])
        if one["second"] is not None or other["second"] is not None:
            same.append(one["second"] == other["second"])
        return same.count(True) / len(same)

    def origins(self, suggested: Content | None, content: Content) -> dict[str, Any]:
        return {"kept": [], "added": [content["verdict"]] if content["verdict"] else [], "removed": []}

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        return content if list(before) == list(after) else self.empty()

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        verdict = content["verdict"]
        return [] if verdict is None or list(before) == list(after) else [verdict]


def _reason(reason: Any, scheme: Scheme, *, done: bool) -> str:
    known = scheme.get("reasons") or REASONS
    if reason in known or (reason == "" and not done):
        return str(reason)
    raise ContentError(_("Say why it is rejected: one of %(values)s."), values=", ".join(known))


def _texts(texts: Any, scheme: Scheme, tokens: Sequence[str], *, done: bool) -> list[str]:
    if not isinstance(texts, list) or not all(isinstance(text, str) and len(text) <= LONGEST for text in texts):
        raise ContentError(_("A correction must be a list of texts of at most %(most)d characters."), most=LONGEST)
    written = [spelt(text) for text in texts]
    if not done:
        return written
    parts = scheme.get("parts")
    if not written or not all(written) or (parts and len(written) != parts):
        raise ContentError(_("Write all parts of the correction."))
    if " ".join(written) == spelt(" ".join(tokens)):
        raise ContentError(_("The correction is identical to the current text. Change something, or accept it."))
    return written


VERDICT = Verdict()
