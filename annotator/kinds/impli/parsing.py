"""Which parser the rules ask about words, and its process, where it is none that is embedded."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager

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

    One that needs a model runs in a process of its own, which is begun when the first text is to be parsed and ends
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
