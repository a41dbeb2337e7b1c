"""The README of a release: what its files hold, of those that are there."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils import translation

from annotator.core.kind import layer_title
from annotator.core.unit_kinds import counted_units
from annotator.domain.content import Written, content_type
from annotator.formats.json_lines.release import PAIRS, SENTENCES
from annotator.models import Layer, Project
from annotator.releases.folder import ReleaseFolder
from annotator.releases.queries.published_layout import LEFT_OUT
from annotator.work.gold.queries.left_out import LABEL

# The file of another layer.
LAYER = "layers/{slug}.jsonl"
# Of one in which nobody decides.
ANSWERS = "answers/{slug}.jsonl"


@dataclass(frozen=True)
class ReleaseFacts:
    """What a README is made of: the files so far; `counts`, `sources`, `left_out` and `source_changed` as in the
    manifest; `layers` beside labels and tags; `parts`, what kinds say of their files, by path."""

    files: ReleaseFolder
    counts: Mapping[str, Any]
    sources: Sequence[Mapping[str, Any]]
    left_out: Sequence[Mapping[str, str]]
    source_changed: Sequence[Mapping[str, str]]
    layers: Sequence[Layer]
    parts: Mapping[str, str]

    def has(self, path: str) -> bool:
        """Whether there is such a file, or one in such a folder."""
        return any(one.startswith(path) for one in self.files)

    @property
    def has_pairs(self) -> bool:
        """Whether tagged pairs are in the published layout; their files may be there without rows."""
        return any(self.counts["pairs"].values())

    def lines(self, path: str) -> int:
        return self.files.line_count(path)


def readme(project: Project, facts: ReleaseFacts, *, partial: bool, comments: bool) -> str:
    """In English, as the files are."""
    with translation.override("en"):
        lines = [f"# {project.name}", ""]
        if project.description:
            lines += [project.description, ""]
        lines += _facts(project, facts)
        if partial:
            lines += ["", "This release is partial: gold was not decided for everything when it was made."]
        lines += _left_out(facts)
        lines += _source_changed(facts)
        lines += ["", "| path | contents |", "|---|---|"]
        lines += [f"| {path} | {words} |" for path, words in _files(facts)]
        lines += ["", *_answers(facts, comments=comments), *_without_file(facts)]
    return "\n".join(lines)


def _facts(project: Project, facts: ReleaseFacts) -> list[str]:
    lines = []
    if facts.counts["datasets"]:
        lines.append(f"- Datasets: {', '.join(facts.counts['datasets'])}")
    if facts.has("detection/"):
        lines.append(f"- Labels: {', '.join(project.scheme.labels)}")
    for language, number in facts.counts["sentences"].items():
        pairs = ""
        if facts.has_pairs:
            pairs = f" and {counted_units('pair', facts.counts['pairs'][language])} in `interpretation/`"
        lines.append(f"- {language}: {counted_units('sentence', number)} in `detection/`{pairs}")
    for one in facts.sources:
        if one["licence"] or not one["publishable"]:
            kept_back = "" if one["publishable"] else "; its text cannot be published and is not included"
            lines.append(f"- Licence of the texts of {one['dataset']}: {one['licence'] or 'not stated'}{kept_back}")
    return lines


def left_out_counts(left_out: Iterable[Mapping[str, str]]) -> dict[str, int]:
    """How many are left out of each kind, once for all of their languages; labels one by one."""
    found: dict[tuple[str, ...], str] = {}
    for number, one in enumerate(left_out):
        kind = one.get("kind", "")
        found[kind, one.get("dataset", ""), one["id"], str(number) if kind == LABEL else ""] = kind
    return dict(Counter(found.values()))


def _left_out(facts: ReleaseFacts) -> list[str]:
    """How much is left out or lacks something, by what it is."""
    kinds = left_out_counts(facts.left_out)
    if not kinds:
        return []
    named = [
        f"{number} label{'s' * (number > 1)}" if kind == "label" else counted_units(kind, number)
        for kind, number in kinds.items()
    ]
    lines = [
        "",
        f"`{LEFT_OUT}` lists what is left out or lacks something, with the reason: {', '.join(named)}. It has",
        f"a row for each of their languages, {len(facts.left_out)} in all.",
    ]
    if facts.has("detection/ids/"):
        lines.append("`detection/ids/` names the segment of each sentence in the files of `detection/`, line by line.")
    return lines


# How many items the README names; the manifest has all of them.
_NAMED = 20


def _source_changed(facts: ReleaseFacts) -> list[str]:
    """What was decided on labels or tags of another language that are others now."""
    number = len(facts.source_changed)
    if not number:
        return []
    items = "item whose source" if number == 1 else "items whose source"
    return [
        "",
        f"This release contains {number} {items} changed after review: the labels or tags of the other language",
        "are different now. `manifest.json` lists all of them under `source_changed`.",
        "",
        *(f"- {one['id']} [{one['language']}], from {one['source']}" for one in facts.source_changed[:_NAMED]),
        *(["- …"] if number > _NAMED else []),
    ]


def _files(facts: ReleaseFacts) -> list[tuple[str, str]]:
    """Each path with what it holds."""
    rows = [
        ("detection/", "token labels: one `token<TAB>tag` per line, a blank line after every sentence"),
        (
            "interpretation/",
            "pairs by tag: relevant (`met`), non-relevant, no metaphor (`no_met`)",
        ),
        ("hub/", "the same token labels as JSON lines, with ids"),
        *facts.parts.items(),
        (
            SENTENCES,
            f"every sentence with gold, {facts.lines(SENTENCES)} (each language counts), also where another language "
            "has none: text, revision, labels, who decided and when",
        ),
        (PAIRS, f"every pair with gold, {facts.lines(PAIRS)} (in one language or more): tag, who decided and when"),
        *(
            (
                LAYER.format(slug=one.slug),
                f"{layer_title(one.slug)} on {_counted(facts, one)}: what was decided, by whom and when",
            )
            for one in facts.layers
        ),
        *(
            (path, "every finished answer to each unit; no gold is decided there")
            for path in (ANSWERS.format(slug=one.slug) for one in facts.layers)
        ),
        (
            "annotations/",
            "every person's answer to each of these units: what was suggested and shown, how each span came about, "
            "when, under which version of the scheme",
        ),
        ("suggestions/", "what machines, other languages and people suggested"),
        ("alignments/", "which words of a sentence and its translation belong together"),
        ("data/", "flat tables of all of it, one for each configuration"),
        ("statistics/", "the tables of the corpus"),
        ("guidelines/", "what annotators were asked to do"),
    ]
    named = [(f"`{path}`", words) for path, words in rows if facts.has(path)]
    return [*named, ("`manifest.json`", "how this release was made, and a checksum of every file")]


def _counted(facts: ReleaseFacts, layer: Layer) -> str:
    return counted_units(layer.unit_kind, facts.lines(LAYER.format(slug=layer.slug)))


def _answers(facts: ReleaseFacts, *, comments: bool) -> list[str]:
    """What stands beside the gold in the files that have all of it, and in those of answers."""
    paths = [f"`{path}`" for path in (SENTENCES, PAIRS, "layers/") if facts.has(path)]
    comment = "the text is in `comment`" if comments else "the text is not included"
    lines = []
    if paths:
        lines += [
            f"In {', '.join(paths)}, every answer beside the gold says whether its annotator was in doubt (`doubt`)",
            f"and left a comment (`commented`); {comment}.",
            "",
        ]
    if facts.has("answers/"):
        lines += [
            "In `answers/`, every answer says whether its annotator was in doubt (`doubt`) and left a comment",
            f"(`commented`); {comment}.",
            "",
        ]
    return lines


def _without_file(facts: ReleaseFacts) -> list[str]:
    """Why layers have no file of their own."""
    lines = []
    for layer in facts.layers:
        if facts.has(LAYER.format(slug=layer.slug)) or facts.has(ANSWERS.format(slug=layer.slug)):
            continue
        name = layer_title(layer.slug)
        if isinstance(content_type(layer.content_type), Written):
            lines += [f"There is no file for {name}: a text is in the files above once it is accepted.", ""]
        else:
            lines += [f"There is no file for {name}: nothing is decided there.", ""]
    return lines
