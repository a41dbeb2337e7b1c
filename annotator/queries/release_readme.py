"""The README of a release: what its files hold."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from annotator.domain.content import Written, content_type
from annotator.models import Layer, Project
from annotator.queries.published_layout import LEFT_OUT

# The file of a further layer.
LAYER = "layers/{slug}.jsonl"
# Of one in which nobody decides.
ANSWERS = "answers/{slug}.jsonl"


def readme(
    project: Project,
    counts: dict[str, Any],
    further: Sequence[Layer],
    sources: Sequence[Mapping[str, Any]],
    *,
    partial: bool,
    comments: bool,
    with_labels: bool,
    with_pairs: bool,
    with_rows: Collection[str],
    with_answers: Sequence[str],
    parts: Mapping[str, str],
) -> str:
    """In English, as the files are.

    `counts` and `sources` are those of the manifest; `further`: the layers beside labels and tags, of which `with_rows`
    have a file of gold, and `with_answers` one of answers; `parts`: what kinds say of their files, by path.
    """
    lines = [f"# {project.name}", ""]
    if project.description:
        lines += [project.description, ""]
    if counts["datasets"]:
        lines.append(f"- Datasets: {', '.join(counts['datasets'])}")
    if with_labels:
        lines.append(f"- Labels: {', '.join(project.scheme.labels)}")
    for language, number in counts["sentences"].items():
        pairs = f", {counts['pairs'][language]} pairs" if with_pairs else ""
        lines.append(f"- {language}: {number} sentences{pairs}")
    for one in sources:
        if one["licence"] or not one["publishable"]:
            kept_back = "" if one["publishable"] else "; its text may not be published and is not here"
            lines.append(f"- Licence of the texts of {one['dataset']}: {one['licence'] or 'not stated'}{kept_back}")
    if partial:
        lines += ["", "This release is partial: gold was not decided for everything when it was made."]
    if counts["left_out"]:
        lines += ["", *_left_out(counts["left_out"], with_labels=with_labels)]
    lines += [
        "",
        "| path | holds |",
        "|---|---|",
        *(
            ["| `detection/` | token labels: `token<TAB>tag` a line, a blank line after every sentence |"]
            if with_labels
            else []
        ),
        *(
            ["| `interpretation/` | pairs by tag: relevant (`met`), non-relevant, no metaphor (`no_met`) |"]
            if with_pairs
            else []
        ),
        *(["| `hub/` | the same token labels as JSON lines, with ids |"] if with_labels else []),
        *(f"| `{path}` | {words} |" for path, words in parts.items()),
        "| `sentences.jsonl`, `pairs.jsonl` | all of the gold: ids, revisions, spans, who decided and when |",
        *(
            f"| `{LAYER.format(slug=layer.slug)}` | the same for a further layer |"
            for layer in further
            if layer.slug in with_rows
        ),
        *(
            f"| `{ANSWERS.format(slug=slug)}` | every finished answer to each unit; no gold is decided there |"
            for slug in with_answers
        ),
        "| `statistics/` | the tables of the corpus |",
        "| `guidelines/` | what annotators were asked to do |",
        "| `manifest.json` | what made this release, and a checksum of every file |",
        "",
    ]
    told = "what they wrote is in `comment`" if comments else "what they wrote is not here"
    lines += [
        "In `sentences.jsonl`, `pairs.jsonl` and `layers/`, every answer beside the gold says whether its annotator",
        f"was in doubt (`doubt`) and left a comment (`commented`); {told}.",
    ]
    if with_answers:
        lines += [
            "So it is in `answers/`, where people are called person-1, person-2 and so on, the same in each file."
        ]
    lines += ["", *_without_file([one for one in further if one.slug not in {*with_rows, *with_answers}])]
    return "\n".join(lines)


def _left_out(number: int, *, with_labels: bool) -> list[str]:
    rows = "1 row" if number == 1 else f"{number} rows"
    lines = [
        f"`{LEFT_OUT}` has {rows}: what is left out, or lacks something, with the reason. What is missing in several",
        "languages has a row for each.",
    ]
    if with_labels:
        lines += [
            "Where sentences are left out, `detection/ids/` says which segment each sentence of a detection file is."
        ]
    return lines


def _without_file(layers: Sequence[Layer]) -> list[str]:
    """Why layers have no file of their own."""
    written = [layer.slug for layer in layers if isinstance(content_type(layer.content_type), Written)]
    empty = [layer.slug for layer in layers if layer.slug not in written]
    lines = []
    if written:
        names = ", ".join(written)
        lines += [f"What was written in {names} is not here by itself: what was accepted of it is a unit.", ""]
    if empty:
        lines += [f"No gold is decided in {', '.join(empty)}, so there is no file of it.", ""]
    return lines
