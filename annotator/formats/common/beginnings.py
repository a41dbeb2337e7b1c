"""What the beginnings of files look like: what all formats go by when they recognise their own."""

from __future__ import annotations

import codecs
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import replace

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.function_words import function_words
from annotator.domain.text.tokens import word_of
from annotator.formats.common.errors import FormatError
from annotator.formats.common.lines import open_bytes
from annotator.formats.common.names import file_language, file_role, is_firm
from annotator.formats.common.protocol import SourceFile

_BYTES = 1 << 16
# XML, HTML, JSON, what fastText has before its sentences, and spreadsheets in SYLK.
_MARKUP = (
    "<?xml", "{", "[{", "<!doctype", "<html", "<head", "<meta", "<table", "<tei", "<tmx", "<xmi:", "__label__",
    '"__label__', "id;p",
)  # fmt: skip
# Zip files, PDF, Parquet, Arrow (a file, a stream), what Java serialised.
_NO_TEXT = (b"PK\x03\x04", b"%PDF", b"PAR1", b"ARROW1", b"\xff\xff\xff\xff", b"\xac\xed\x00\x05")


def beginning(file: SourceFile, lines: int = 200) -> list[str]:
    """The first lines of a file, without their ends and the byte order mark; what cannot be decoded is "�"."""
    text, is_cut = _head(file)
    if text is None:
        return []
    # Every format looks at every file: no more is split than is looked at.
    found = text.split("\n", lines)
    if len(found) > lines or (is_cut and len(found) > 1):
        # The last one goes on, or is cut somewhere.
        found.pop()
    return [line.removesuffix("\r") for line in found]


def _head(file: SourceFile) -> tuple[str | None, bool]:
    """The text, None where it cannot be read, and whether the file goes on."""
    try:
        with open_bytes(file.path, file.name) as stream:
            data = stream.read(_BYTES)
        decoder = codecs.getincrementaldecoder(file.encoding)(errors="replace")
        return decoder.decode(data).removeprefix("\ufeff"), len(data) == _BYTES
    except (FormatError, LookupError, UnicodeError):
        # UTF-16 without its mark is an error to Python, whatever is asked for.
        return None, False


def is_list(file: SourceFile) -> bool:
    """Whether a file begins like one JSON list of objects, or of texts with what is said of each, however it is laid
    out."""
    begun = (_head(file)[0] or "").lstrip()
    inner = begun[1:].lstrip()
    return begun.startswith("[") and (
        inner.startswith(("{", "]")) or (inner.startswith("[") and inner[1:].lstrip().startswith('"'))
    )


def starts_with(file: SourceFile, mark: bytes) -> bool:
    """Whether the bytes of a file begin with `mark`, such as that of a zip file."""
    try:
        with open_bytes(file.path, file.name) as stream:
            return stream.read(len(mark)) == mark
    except FormatError:
        return False


def has_suffix(files: Sequence[SourceFile], *suffixes: str) -> bool:
    """Whether all files have one of the suffixes (".csv")."""
    return all(file.name.lower().endswith(suffixes) for file in files)


def looks_like_text(files: Sequence[SourceFile]) -> bool:
    """Whether all files are text, and not markup or JSON."""
    for file in files:
        lines = beginning(file, 20)
        first = next((line.lstrip() for line in lines if line.strip()), "")
        if (
            first.startswith(("<?xml", "{"))
            or is_list(file)
            or first.lower().startswith(_MARKUP)
            or any("\0" in line for line in lines)
        ):
            return False
        if any(starts_with(file, mark) for mark in _NO_TEXT):
            return False
    return bool(files)


def looks_like_prose(files: Sequence[SourceFile]) -> bool:
    """Whether lines are paragraphs, or parts of them, rather than sentences."""
    lines = [line for file in files for line in beginning(file) if line.strip()]
    if not lines:
        return False
    blank = any(not line.strip() for file in files for line in beginning(file)[:-1])
    unfinished = sum(not line.rstrip().endswith(tuple(".!?…»”\"':;)。！？")) for line in lines)
    several = sum(sum(line.count(mark) for mark in (". ", "? ", "! ")) > 1 for line in lines)
    return several * 3 > len(lines) or (blank and unfinished * 2 > len(lines))


def words_at_the_beginning(file: SourceFile) -> str:
    """The beginning of a file of text, for telling its language."""
    return " ".join(beginning(file))


def placed(
    files: Sequence[SourceFile],
    languages: Sequence[str],
    words: Callable[[SourceFile], str] = words_at_the_beginning,
) -> tuple[tuple[SourceFile, ...], tuple[Sentence, ...]]:
    """The files with the language and role that their names say, or their `words`; and what was only guessed.

    What is said of a file already stays.
    """
    notes: list[Sentence] = []
    known = [
        replace(
            file,
            language=file.language or file_language(file.name, languages),
            role=file.role or file_role(file.name),
        )
        for file in files
    ]
    for index, (file, given) in enumerate(zip(known, files, strict=True)):
        if given.language or (file.language and is_firm(file.name, file.language)):
            continue
        # A code in the middle of a name may be a word there, or a numeral: the words in the file know better.
        among = dict.fromkeys([*languages, *([file.language] if file.language else [])])
        guess = language_by_words(words(file), list(among))
        if guess and guess != file.language:
            known[index] = replace(file, language=guess)
            notes.append(
                message(_("%(name)s seems to be in %(guess)s, judging by its words"), name=file.name, guess=guess)
            )
    missing = [index for index, file in enumerate(known) if not file.language]
    taken = {file.language for file in known}
    free = [language for language in languages if language not in taken]
    if missing and len(languages) == 1:
        free = [languages[0]] * len(missing)
    for index, language in zip(missing, free, strict=False):
        known[index] = replace(known[index], language=language)
        if len(languages) > 1:
            notes.append(
                message(
                    _("%(name)s is assumed to be in %(language)s, which no other file is in"),
                    name=known[index].name,
                    language=language,
                )
            )
    return tuple(known), tuple(notes)


def language_by_words(text: str, languages: Sequence[str]) -> str:
    """The language whose function words a text has, as far as no other one of `languages` has them, too.

    "" when no list tells: the text has few words of any, or as many that are one language's alone as another's.
    """
    counts = Counter(word_of(word) for word in text.split())
    total = sum(counts.values())
    lists = {language: words for language in languages if (words := function_words(language))}
    scores: list[tuple[int, str]] = []
    for language, words in lists.items():
        others = frozenset().union(*(one for other, one in lists.items() if other != language))
        if sum(counts[word] for word in words) >= 0.25 * total:
            scores.append((sum(counts[word] for word in words - others), language))
    scores.sort(reverse=True)
    if not scores or not scores[0][0]:
        return ""
    second = scores[1][0] if len(scores) > 1 else 0
    return scores[0][1] if scores[0][0] > 1.3 * second else ""
