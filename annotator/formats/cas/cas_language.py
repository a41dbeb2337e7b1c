"""The language of UIMA's documents: what their names say, else what they say of themselves, else their words."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import BinaryIO, Protocol

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.beginnings import language_by_words
from annotator.formats.common.errors import FormatError
from annotator.formats.common.names import file_language
from annotator.formats.common.protocol import SourceFile
from annotator.formats.corpus.regions import project_language

_LANGUAGE = re.compile(r'\blanguage"?\s*[=:]\s*"([A-Za-z]{2,3}(?:-[A-Za-z0-9]+)*)"')
_TEXT = re.compile(r'\bsofaString"?\s*[=:]\s*"((?:[^"\\]|\\.){1,20000})')


class Document(Protocol):
    """A file, or a member of a zip file."""

    @property
    def open(self) -> Callable[[], BinaryIO]:
        """Gives its bytes."""


def placed_by_text(
    files: Sequence[SourceFile], documents: Sequence[Document], languages: Sequence[str]
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files with their languages, and what was only guessed.

    The words of a type system, and the bytes of a zip file, are no text: `documents` are those that have some. The
    first one speaks for all files whose names do not say.
    """
    known = [file.language or file_language(file.name, languages) for file in files]
    notes: list[Sentence] = []
    if not all(known):
        name = next(file.name for file, language in zip(files, known, strict=True) if not language)
        said, text = _beginning(documents[0]) if documents else ("", "")
        own = project_language(said, languages)
        if own not in languages and (own := language_by_words(text, languages)):
            notes.append(message(_("%(name)s looks like %(guess)s by its words"), name=name, guess=own))
        if not own and languages:
            own = next((language for language in languages if language not in known), languages[0])
            if len(languages) > 1:
                what = _("%(name)s was taken for %(language)s, which no other file is in")
                notes.append(message(what, name=name, language=own))
        known = [language or own for language in known]
    return tuple(replace(file, language=one) for file, one in zip(files, known, strict=True)), tuple(notes)


def _beginning(document: Document) -> tuple[str, str]:
    """What a document says its language is, and the beginning of its text."""
    try:
        with document.open() as stream:
            content = stream.read().decode("utf-8", errors="replace")
    except FormatError:
        return "", ""
    said, text = _LANGUAGE.search(content), _TEXT.search(content)
    return (said[1] if said else ""), (text[1] if text else "")
