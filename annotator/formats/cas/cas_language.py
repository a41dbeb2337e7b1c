"""The language of UIMA's documents: what their names say, else what they say of themselves, else their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import BinaryIO

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.beginnings import language_by_words
from annotator.formats.common.errors import FormatError
from annotator.formats.common.names import file_language
from annotator.formats.common.protocol import SourceFile
from annotator.formats.corpus.regions import project_language
from annotator.formats.webanno.documents import in_one_language

_LANGUAGE = re.compile(r'\blanguage"?\s*[=:]\s*"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)"')
_TEXT = re.compile(r'\bsofaString"?\s*[=:]\s*"((?:[^"\\]|\\.){1,20000})')


def placed_by_text(
    files: Sequence[SourceFile], document: Callable[[], BinaryIO] | None, languages: Sequence[str]
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files with their languages, and what was only guessed.

    A type system and the bytes of a zip file are not text: `document` opens the first file that has some,
    which speaks for all files whose names do not say.
    """
    known = [file.language or file_language(file.name, languages) for file in files]
    notes: list[Sentence] = []
    own = ""
    if not all(known):
        name = next(file.name for file, language in zip(files, known, strict=True) if not language)
        tag, text = _beginning(document) if document else ("", "")
        own = project_language(tag, languages)
        if own not in languages and (own := language_by_words(text, languages)):
            notes.append(message(_("%(name)s seems to be in %(guess)s, judging by its words"), name=name, guess=own))
    placed, guessed = in_one_language(files, known, languages, own)
    return placed, (*notes, *guessed)


def _beginning(document: Callable[[], BinaryIO]) -> tuple[str, str]:
    """What a document says its language is, and the beginning of its text."""
    try:
        with document() as stream:
            content = stream.read().decode("utf-8", errors="replace")
    except FormatError:
        return "", ""
    tag, text = _LANGUAGE.search(content), _TEXT.search(content)
    return (tag[1] if tag else ""), (text[1] if text else "")
