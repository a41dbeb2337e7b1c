"""What an expression means: `{"correct": "…", "adversarial": "…", "antonym": "…"}`."""

from __future__ import annotations

from collections.abc import Sequence

from annotator.domain.content.base import Content, ContentError
from annotator.domain.content.several_texts import SeveralTexts, check_different
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.inference_pairs import compared
from annotator.domain.silver import Definitions
from annotator.domain.text.languages import base_language

# Words of definitions that define nothing where nothing else stands beside them.
_EMPTY = {"en": frozenset({"to", "be"}), "es": frozenset({"ser", "estar"})}


def check_says_something(content: Content, language: str) -> None:
    """Raise ContentError for a definition that is only a mark of the infinitive or a copula of its language."""
    empty = _EMPTY.get(base_language(language), frozenset())
    for name in DefinitionsContent.names:
        words = compared(content[name])
        if words and empty.issuperset(words):
            raise ContentError(
                _("“%(definition)s” has no meaning by itself. Write what the expression means."),
                definition=content[name].strip(),
            )


class DefinitionsContent(SeveralTexts):
    """Each text is fit to stand in the place of the expression. `adversarial`: what somebody might take it for who has
    never heard it. `antonym`: the correct one with antonyms. The last two may be empty.
    """

    slug = "definitions"
    names = ("correct", "adversarial", "antonym")

    def check_done(self, content: Content, tokens: Sequence[str]) -> None:
        if not compared(content["correct"]):
            raise ContentError(_("Write the literal definition."))
        expression = compared(" ".join(tokens))
        if any(compared(content[name]) == expression for name in self.names):
            raise ContentError(_("A definition repeats the expression itself. Use other words."))
        check_different([content[name] for name in self.names])

    def as_definitions(self, content: Content) -> Definitions:
        """The content as the rules for pairs take it."""
        return Definitions(content["correct"], content["adversarial"], content["antonym"])


DEFINITIONS = DefinitionsContent()
