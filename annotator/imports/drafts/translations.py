"""Files that say that they are translations of texts which the project has: of which, and of how many.

Only a file by itself is taken for the translation of a dataset, and only where both have as many texts: text n is then
the translation of text n.
"""

from __future__ import annotations

from collections import Counter
from contextlib import suppress

from annotator.formats.common.errors import FormatError
from annotator.formats.common.protocol import Guess
from annotator.formats.common.records import Record
from annotator.formats.registry import formats
from annotator.imports.drafts.preview_shapes import TranslationShown
from annotator.imports.queries.imports import imports_of, units_by
from annotator.models import ImportDraft, Project

# Records of a file that are counted in a request.
MAX_COUNTED = 20_000


def tie(draft: ImportDraft, guess: Guess | None, *, was_tied: bool) -> None:
    """Take a file that says that it is a translation for that of a dataset, where there is one of as many texts and
    nobody chose otherwise."""
    if "options.originals" not in draft.chosen:
        draft.options["originals"] = originals_of(guess)
    # Anyone who chose one of the two continues choosing.
    if "options.match" in draft.chosen or "options.originals" in draft.chosen:
        return
    named = [draft.dataset] if "dataset" in draft.chosen else None
    datasets = _datasets_translated(draft.project, guess)
    if (dataset := next((name for name in datasets if named is None or name in named), None)) is not None:
        draft.dataset = dataset
        draft.options["match"] = "order"
    elif was_tied and named is None:
        # It was proposed for another file.
        draft.dataset = ""


def translation_shown(draft: ImportDraft, guess: Guess | None, *, kind: str, number: int) -> TranslationShown | None:
    """Of which texts the files say that they are translations; None where they say nothing of the sort.

    `kind` and `number` of what they hold.
    """
    if guess is None or not guess.translates:
        return None
    language = originals_of(guess)
    return {
        "file": next(iter(guess.translates)),
        "language": language or next(iter(guess.translates.values())),
        "alone": bool(language),
        "tied": draft.options.get("match") == "order",
        "number": number,
        "datasets": dict(originals_there(draft.project, language, kind)) if language else {},
    }


def originals_of(guess: Guess | None) -> str:
    """The language of the texts that the files say they translate; "" where they are not one such file."""
    if guess is None or len(guess.files) != 1:
        return ""
    return guess.translates.get(guess.files[0].name, "")


def _datasets_translated(project: Project, guess: Guess | None) -> list[str]:
    """The datasets that have as many texts in that language as the file, the newest first."""
    language = originals_of(guess)
    if guess is None or not language:
        return []
    kind, number = _counted(guess)
    return [name for name, texts in originals_there(project, language, kind).items() if texts == number]


def originals_there(project: Project, language: str, kind: str) -> Counter[str]:
    """By dataset, the newest first, how many units of a kind came in in a language: as the imports counted them."""
    found: Counter[str] = Counter()
    for imported in imports_of(project):
        found[imported.dataset] += units_by(imported).get(language, {}).get(kind, 0)
    return +found


def _counted(guess: Guess) -> tuple[str, int]:
    """The kind of the units in a file, and how many there are; 0 where it cannot be read, or is long."""
    kind, number = "", 0
    with suppress(FormatError):
        for record in formats()[guess.format].read(guess.files, guess.options):
            if not isinstance(record, Record):
                continue
            kind, number = record.kind, number + 1
            if number > MAX_COUNTED:
                return kind, 0
    return kind, number
