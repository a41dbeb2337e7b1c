"""Plain text, one sentence a line; line k of two files is a sentence pair."""

from __future__ import annotations

from pathlib import Path

from annotator.domain.formats.lines import Lines, read_bytes, split_lines


def read_plain(path: Path | str) -> Lines:
    """The lines of a file together with its warnings. Raises FormatError."""
    return split_lines(read_bytes(Path(path), str(path)), str(path))
