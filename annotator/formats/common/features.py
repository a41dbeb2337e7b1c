"""What can survive a file format: columns of docs/reference/formats.md, and what each format promises in `keeps`."""

from __future__ import annotations

from enum import StrEnum


class Feature(StrEnum):
    """Something that is the same after it was written and read again. A format that lists it is tested for it."""

    TEXT = "text"
    TOKENS = "tokens"
    LANGUAGES = "languages"
    IDS = "ids"
    ROLES = "roles"
    DOCUMENTS = "documents"
    SOURCES = "sources"
    LABELS = "labels"
    UNDECIDED = "undecided"
    DISCONTINUOUS = "discontinuous"
    OVERLAPS = "overlaps"
    ATTRIBUTES = "attributes"
    WHOLE_TEXT = "whole_text"
    ORIGIN = "origin"
    SCORES = "scores"
    WORDS = "words"
    VALUES = "values"
    PAIRS = "pairs"
