"""Files as somebody brings them: what they are taken for, and what is read of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from annotator.formats.common.errors import FormatWarning
from annotator.formats.common.protocol import Guess, Read, SourceFile
from annotator.formats.recognise import recognise


def guesses(folder: Path, files: Mapping[str, str | bytes], *languages: str) -> list[Guess]:
    """What files with these contents may be, for a project in these languages, or in English."""
    found = []
    for number, (name, content) in enumerate(files.items()):
        path = folder / f"{number}{Path(name).suffix}"
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        found.append(SourceFile(name, path, encoding=""))
    return recognise(found, languages=languages or ("en",))


def guessed(folder: Path, files: Mapping[str, str | bytes], *languages: str) -> Guess:
    """The first of the guesses."""
    return guesses(folder, files, *languages)[0]


def warnings(reads: Iterable[Read]) -> list[str]:
    """What is warned of, without its place."""
    return [str(read.what) for read in reads if isinstance(read, FormatWarning)]
