"""Two small texts, each a translation of the same sentences into six languages: written for these tests."""

from __future__ import annotations

from pathlib import Path

Lines = list[list[str]]
TEXTS = ("market", "letters")


def lines_of(text: str) -> dict[str, Lines]:
    """By language, the lines of a text."""
    rows = (Path(__file__).parent / f"{text}.tsv").read_text(encoding="utf-8").splitlines()
    languages, *lines = (row.split("\t") for row in rows)
    return {language: [line[place].split() for line in lines] for place, language in enumerate(languages)}
