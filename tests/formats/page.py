"""docs/reference/formats.md: its tables are made from what formats say they keep; the survival tests hold them to it.

python -m tests.formats.page
"""

from __future__ import annotations

import re
from pathlib import Path

from annotator.formats.common.features import Feature
from annotator.formats.shipped import SHIPPED

PAGE = Path(__file__).parents[2] / "docs" / "reference" / "formats.md"
_MARK = "<!-- {} {} -->"
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


def matrix() -> str:
    """A row a format that ships with the core, a column a feature."""
    head = ["format", *(feature.value.replace("_", " ") for feature in Feature)]
    rows = [head, ["---", *[":-:"] * len(Feature)]]
    for one in SHIPPED:
        name = f"`{one.slug}`" + ("" if one.writes else " (in only)")
        rows.append([name, *("yes" if feature in one.keeps else "" for feature in Feature)])
    return "\n".join("| " + " | ".join(row) + " |" for row in rows)


def legend() -> str:
    """What each column means."""
    return "\n".join(f"- **{feature.value.replace('_', ' ')}**: {meaning}" for feature, meaning in MEANINGS.items())


def filled(page: str) -> str:
    """The page with its tables as they should be."""
    for name, content in (("matrix", matrix()), ("legend", legend())):
        begin, end = _MARK.format("begin", name), _MARK.format("end", name)
        pattern = re.compile(re.escape(begin) + ".*?" + re.escape(end), re.DOTALL)
        page = pattern.sub(lambda _, new=f"{begin}\n{content}\n{end}": new, page)
    return page


if __name__ == "__main__":
    PAGE.write_text(filled(PAGE.read_text("utf-8")), "utf-8")
