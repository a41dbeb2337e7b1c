"""Which parser the rules ask about words, and its process where it is none that is embedded; what any could say."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from django.conf import settings
from django.utils.module_loading import import_string

from annotator.core.errors import ActionError
from annotator.core.processes.child_process import Helper
from annotator.domain.messages import UserError
from annotator.domain.silver import Parser, SmallParser
from annotator.domain.text.parsed import Parse, ParsedParser
from annotator.environment import SMALL_PARSER


@contextmanager
def parser_of(language: str) -> Iterator[Parser]:
    """The parser that the setting PARSER names.

    One that needs a model runs in a process of its own, which is started when the first text has to be parsed and ends
    with the `with` block. It raises ActionError when it is not installed, or has no model of the language.
    """
    if settings.PARSER == SMALL_PARSER:
        yield SmallParser(language)
        return
    with ExitStack() as stack:
        started: list[Helper[tuple[str, str, Sequence[str]], list[Parse]]] = []

        def parse(texts: Sequence[str]) -> list[Parse]:
            if not started:
                # The web process must not load what runs models: it knows the function by its name alone.
                started.append(stack.enter_context(Helper(import_string(settings.PARSES))))
            try:
                started[0].ask((settings.PARSER, language, tuple(texts)))
                return started[0].answer()
            except UserError as error:
                raise ActionError(error.message) from error

        yield ParsedParser(settings.PARSER, parse)


@dataclass(frozen=True, slots=True)
class _Says:
    """A parser that says one part of speech of everything: where the one that was asked is not asked again."""

    name: str

    def begins_with(self, tokens: Sequence[str], at: int, lemma: str) -> str:
        return self.name

    def ends_inside(self, tokens: Sequence[str], end: int) -> bool:
        return False


# Whichever parser a pair was made with, its definition stands there as a verb, in the form of the one it replaces, or
# as it was written.
READINGS = (_Says("VERB"), _Says(""))
