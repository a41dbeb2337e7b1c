"""What a set of files is taken for: formats, encodings, languages and roles, the likeliest guess first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from pathlib import PurePosixPath

from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.encodings import examine
from annotator.formats.common.errors import FormatError
from annotator.formats.common.names import is_language
from annotator.formats.common.protocol import Guess, SourceFile
from annotator.formats.json_lines.questioned import is_asked, oddity, questions
from annotator.formats.json_lines.release import with_texts_of_release
from annotator.formats.registry import formats
from annotator.formats.webanno.documents import is_project

# What stands beside a corpus and is about it, by the first word of its name.
_ABOUT = {"readme", "license", "licence", "copying", "notice", "changelog", "citation", "authors"}
# The sort of files whose suffixes are languages, as Moses names them.
_NAMED_BY_LANGUAGE = "language"


def recognise(
    files: Sequence[SourceFile], *, languages: Sequence[str] = (), at_home: Collection[str] = ()
) -> list[Guess]:
    """The guesses, best first, those that ask something last; none when no format knows any of the files.

    `languages`: the project's, in order. `at_home`: slugs of the formats that are made for a kind of work of the
    project. Encodings are recognised for files whose `encoding` is empty. Where the files are of several sorts, such as
    a corpus with a README, each sort is tried by itself, and notes say what is left out. Raises FormatError for a file
    that cannot be opened.
    """
    seen = [file for file in files if not _is_hidden(file)]
    seen, beside = _annotations(seen)
    seen, more_beside = with_texts_of_release(seen)
    beside += more_beside
    if corpus := [file for file in seen if not _is_about(file)]:
        beside += [file.name for file in seen if file not in corpus]
        seen = corpus
    known = [_with_encoding(file, languages) for file in seen if not _is_empty(file)]
    empty = tuple(message(_("%(name)s is empty"), name=file.name) for file in seen if _is_empty(file))
    found = [_without_rest(guess, known) for guess in _guesses(known, languages, at_home)]
    best = max(found, key=lambda guess: guess.sure, default=None)
    # What nothing but any text would be made of is told apart by its looks, too.
    by_look = best is None or bool(best.questions)
    sorts = {file: (_suffix(file), _look(file) if by_look else "") for file in known}
    numbers = Counter(sort for file, sort in sorts.items() if not is_project(file))
    for sort, number in numbers.items() if len(numbers) > 1 else ():
        part = [file for file in known if sorts[file] == sort or is_project(file)]
        for guess in _guesses(part, languages, at_home):
            whole = replace(guess, sure=guess.sure * number / len(known))
            found.append(_without_rest(whole, known))
    more = (*_left_out(beside), *empty)
    found = [replace(guess, notes=(*guess.notes, *more)) for guess in found]
    order = {slug: number for number, slug in enumerate(formats())}
    found.sort(key=lambda guess: (-guess.sure, order[guess.format]))
    return sorted(_asked_alike(found), key=lambda guess: bool(guess.questions))


def _asked_alike(found: Sequence[Guess]) -> Iterator[Guess]:
    """The guesses, where what is asked of files as a table is asked as well before they are taken for lines."""
    asked: dict[tuple[str, ...], tuple[FormatError, ...]] = {}
    for guess in found:
        names = tuple(file.name for file in guess.files)
        open_questions = guess.questions or (asked.get(names, ()) if is_asked(guess) else ())
        asked.setdefault(names, open_questions)
        yield replace(guess, questions=open_questions)


def _look(file: SourceFile) -> str:
    odd = oddity(file)
    return odd.look if odd is not None else ""


def _without_rest(guess: Guess, known: Sequence[SourceFile]) -> Guess:
    """The guess with a note of the files that it does not take, and with what is to be asked of those that it does."""
    taken = {file.path for file in guess.files}
    noted = " ".join(map(str, guess.notes))
    rest = [file.name for file in known if file.path not in taken and file.name not in noted]
    return replace(guess, notes=(*guess.notes, *_left_out(rest)), questions=questions(guess))


def _annotations(files: Sequence[SourceFile]) -> tuple[list[SourceFile], list[str]]:
    """Of a project that INCEpTION or WebAnno exported, the annotated documents and what it says of them; and the names
    of the other files.

    Sources, settings, logs and serialised documents would be as many files of other sorts.
    """
    projects = [file for file in files if is_project(file)]
    roots = [PurePosixPath(file.name).parent for file in projects]
    if not roots:
        return list(files), []
    folders = [root / folder for root in roots for folder in ("annotation", "curation")]
    members = [file for file in files if any(PurePosixPath(file.name).is_relative_to(folder) for folder in folders)]
    if not members:
        return list(files), []
    # It says which documents are finished.
    members += projects
    return members, [file.name for file in files if file not in members]


def _left_out(names: Sequence[str]) -> tuple[Sentence, ...]:
    if not names:
        return ()
    return (message(_("%(names)s left out"), names=", ".join(names[:5]) + (" …" if len(names) > 5 else "")),)


def _guesses(files: Sequence[SourceFile], languages: Sequence[str], at_home: Collection[str]) -> list[Guess]:
    if not files:
        return []
    guesses = (one.recognise(files, languages=languages) for one in formats().values())
    return [guess for guess in guesses if guess is not None and (not guess.only_at_home or guess.format in at_home)]


def _with_encoding(file: SourceFile, languages: Sequence[str]) -> SourceFile:
    if file.encoding:
        return file
    return replace(file, encoding=examine(file.path, file.name, languages=[file.language, *languages][:4]).encoding)


def _is_hidden(file: SourceFile) -> bool:
    """What macOS and editors keep beside files."""
    parts = PurePosixPath(file.name.replace("\\", "/")).parts
    return any(part.startswith((".", "__MACOSX")) for part in parts) or parts[-1] in ("Thumbs.db", "desktop.ini")


def _is_empty(file: SourceFile) -> bool:
    """Whether nothing stands in a file, or but a line break, as pandas writes a table without rows."""
    return file.path.stat().st_size < 3 and not file.path.read_bytes().strip()


def _is_about(file: SourceFile) -> bool:
    """Whether a file tells of a corpus: a README, a licence. Tables and the like may be called so, too."""
    path = PurePosixPath(file.name)
    return path.suffix.lower() in ("", ".md", ".rst", ".txt") and re.split(r"[\W_]", path.stem.lower())[0] in _ABOUT


def _suffix(file: SourceFile) -> str:
    suffix = PurePosixPath(file.name).suffix
    return _NAMED_BY_LANGUAGE if is_language(suffix[1:]) else suffix.lower()
