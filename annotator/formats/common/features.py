"""What can survive a file format: the columns of docs/formats.md, and what each format promises in `keeps`."""

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


# A sentence each, for the legend of the page.
MEANINGS: dict[Feature, str] = {
    Feature.TEXT: "the text, character by character, white space included",
    Feature.TOKENS: "the tokens, also where they were not split at spaces",
    Feature.LANGUAGES: "several languages side by side",
    Feature.IDS: "the ids of sentences",
    Feature.ROLES: "roles, such as premise and hypothesis",
    Feature.DOCUMENTS: "which document or group a sentence belongs to",
    Feature.SOURCES: "genre and source dataset",
    Feature.LABELS: "labels on one token or on neighbouring tokens; that a sentence has none",
    Feature.UNDECIDED: "that a sentence has not been labelled, which is not the same as one without labels",
    Feature.DISCONTINUOUS: "labels that leave tokens out (“take … off”)",
    Feature.OVERLAPS: "labels that share tokens",
    Feature.ATTRIBUTES: "attributes of labels",
    Feature.WHOLE_TEXT: "labels on the whole sentence",
    Feature.ORIGIN: "whose labels they are: gold, a person's, a model's; several of them on one sentence",
    Feature.SCORES: "a model's scores",
    Feature.WORDS: "lemmas and parts of speech",
    Feature.VALUES: "categories of the whole sentence",
    Feature.PAIRS: "pairs with their inference label, and their tags",
}
