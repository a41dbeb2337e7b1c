"""Stanza's pipelines as parsers. Their models are downloaded once, into a folder."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from annotator.domain.text.parsed import Parse, Word
from mlworkers.engines.base import EngineError
from mlworkers.engines.parsers.packages import import_parser

# The parser needs the lemmas.
_PROCESSORS = "tokenize,pos,lemma,depparse"


class StanzaParser:
    """A pipeline that takes every text as one sentence."""

    def __init__(self, pipeline: Any, name: str) -> None:
        self._pipeline = pipeline
        self.name = name

    @classmethod
    def load(cls, folder: str, *, language: str) -> StanzaParser:
        """With the models in a folder, or in Stanza's own; nothing is downloaded.

        Raises EngineError that says what to install or to download.
        """
        stanza = import_parser("stanza")
        base = base_language(language)
        where = {"dir": folder} if folder else {}
        try:
            pipeline = stanza.Pipeline(
                base,
                **where,
                processors=_PROCESSORS,
                tokenize_no_ssplit=True,
                download_method=None,
                verbose=False,
            )
        # Stanza has an exception of its own for each thing that may be missing, and they changed with its versions.
        except Exception as error:  # whatever it is, the message goes on
            raise EngineError(
                _(
                    "Stanza's models of the language “%(language)s” cannot be loaded (%(why)s). Run this where "
                    "the web process runs: python -c \"import stanza; stanza.download('%(language)s')\". Or "
                    "set PARSER to stanza:FOLDER for models in another folder, or to small for none."
                ),
                language=base,
                why=str(error).strip().split("\n")[0] or type(error).__name__,
            ) from error
        return cls(pipeline, f"stanza:{base}")

    def parse(self, texts: Sequence[str]) -> list[Parse]:
        return [tuple(_words(document)) for document in self._pipeline.bulk_process(list(texts))]


def _words(document: Any) -> Iterator[Word]:
    """The words of all sentences. What is written as one ("del") has the place of the whole in the text."""
    before = 0
    for sentence in document.sentences:
        for number, word in enumerate(sentence.words):
            # Heads are counted from 1 within the sentence; 0 is the root.
            head = number if word.head == 0 else word.head - 1
            place = word.parent
            yield Word(place.start_char, place.end_char, word.upos or "", before + head, word.deprel or "")
        before += len(sentence.words)
