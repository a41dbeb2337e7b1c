"""Languages as files name them, with a region or without, as those of a project: "es-MX" where it has "es"."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.records import PairRecord, Read, Record


def project_language(tag: str, languages: Sequence[str]) -> str:
    """The project's language that a tag names, more or less closely: "es" for "es-MX" and "pt-BR" for "pt".

    The tag itself where the project has it, none that fits, or several.
    """
    if tag in languages or not tag:
        return tag
    own = tag.replace("_", "-").lower()
    fits = [one for one in languages if _is_closer(own, one.lower()) or _is_closer(one.lower(), own)]
    return fits[0] if len(fits) == 1 else tag


def in_languages(reads: Iterable[Read], languages: Sequence[str]) -> Iterator[Read]:
    """What is read, in the project's languages; which of them are another's, and what had no place, is warned of.

    Of a sentence in two regions of one language, the first counts.
    """
    warned: set[tuple[str, str]] = set()
    for read in reads:
        if isinstance(read, PairRecord):
            yield replace(read, values={project_language(tag, languages): one for tag, one in read.values.items()})
        elif not isinstance(read, Record) or all(tag in languages for tag in read.texts):
            yield read
        else:
            named = _named(read.texts, languages)
            for tag, language in named.items():
                if tag != language and (read.file, tag) not in warned:
                    warned.add((read.file, tag))
                    yield FormatWarning(
                        read.file,
                        read.line,
                        message(_("sentences in %(tag)s, read as %(language)s"), tag=tag, language=language),
                    )
            for tag in read.texts:
                if tag not in named:
                    what = message(_("a second sentence in the same language (%(tag)s), which is left out"), tag=tag)
                    yield FormatWarning(read.file, read.line, what)
            yield replace(read, texts={language: read.texts[tag] for tag, language in named.items()})


def _named(tags: Iterable[str], languages: Sequence[str]) -> Mapping[str, str]:
    """The language of each tag; of those that would be one, the project's own first."""
    found: dict[str, str] = {}
    for tag in sorted(tags, key=lambda tag: tag not in languages):
        language = project_language(tag, languages)
        if language not in found.values():
            found[tag] = language
    return {tag: found[tag] for tag in tags if tag in found}


def _is_closer(one: str, other: str) -> bool:
    return one.startswith(f"{other}-")
