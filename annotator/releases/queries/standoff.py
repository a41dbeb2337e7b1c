"""A stand-off release: labels by ids and places, without a word of the texts, for corpora that may not be passed on.

It has the files of a release that lose nothing, with what stands for each text (`domain/text/identity.py`), also of
texts that may not be published. Texts that people wrote beside or as answers may quote them, so they are left out:
reasons, comments, values that no scheme lists, and layers whose answers are texts. Its script gives the files of an
ordinary release back to anyone who has the texts.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any

from django.conf import settings

from annotator.core.kind import layer_title
from annotator.domain.labels.spans import ORPHAN
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.projection.carry import LabelSource, NotCarried, Outcome
from annotator.formats.json_lines.release import FORMAT
from annotator.models import Layer, Project
from annotator.releases.folder import ReleaseFolder
from annotator.releases.queries.answer_records import answer_records, answered_layers
from annotator.releases.queries.dataset import CITATION, KAPPA, LICENCE, README, agreement_rows
from annotator.releases.queries.dataset_card import citation_file, header, licence_file, sections
from annotator.releases.queries.exports import (
    STATISTICS,
    ReleaseFiles,
    as_json,
    contents_of,
    described,
    guidelines,
    json_lines,
    sources_of,
    with_manifest,
)
from annotator.releases.queries.gold_gaps import gold_gaps
from annotator.releases.queries.gold_records import further_layers, layer_records, pair_records, sentence_records
from annotator.releases.queries.individual import (
    ALIGNMENTS,
    ANNOTATIONS,
    SUGGESTIONS,
    Individual,
    aligned_languages,
    alignment_records,
)
from annotator.releases.queries.pseudonyms import people_named
from annotator.releases.queries.release_readme import ANSWERS, LAYER, PAIRS, SENTENCES, ReleaseFacts
from annotator.reports.queries.tables import REPORTS, further_reports
from annotator.splits.queries.files import split_files
from annotator.work.derivation.queries.source_changes import released
from annotator.work.gold.queries.left_out import MissingGoldError

SCRIPT = "merge_standoff.py"
# Keys of records whose values are answers, or what answers began from.
_ANSWERED = frozenset({"spans", "translations", "content", "suggested", "detail", "value"})
# Codes in the details of suggestions and in spans that came with files.
_CODES = frozenset({"", "person", "between", "elp", ORPHAN, *LabelSource, *NotCarried, *Outcome})
_LEFT_OUT = object()
Row = dict[str, Any]


def standoff_files(
    project: Project, *, partial: bool, splits: Sequence[int] = (), about: Mapping[str, Any] | None = None
) -> ReleaseFiles:
    """Everything that a stand-off release holds. Call it in a snapshot, as `release_files`.

    Raises MissingGoldError when gold is incomplete, unless `partial`, or where there is none.
    """
    if not project.golds.exists():
        raise MissingGoldError(message(_("This project has no gold yet, so there is nothing to export.")))
    if not partial and gold_gaps(project):
        raise MissingGoldError(message(_("Gold is not complete. Complete it, or create a partial release.")))
    files = ReleaseFolder()
    without = _add_records(project, files)
    agreement = agreement_rows(project, files)
    files.update(guidelines(project) | split_files(project, splits, ()) | _statistics(project))
    if agreement:
        files[KAPPA] = as_json(agreement)
    files[SCRIPT] = (settings.EXAMPLES_DIR / SCRIPT).read_bytes()
    facts = ReleaseFacts(
        files, _counts(project, files), sources_of(project), (), released(project), further_layers(project), {}
    )
    text = _readme(project, facts, without, partial=partial)
    files[README] = f"{header(project, ())}{text}\n{sections(project, (), agreement, ())}".encode()
    files[LICENCE] = licence_file(project, facts.sources).encode()
    files[CITATION] = citation_file(project, str((about or {}).get("date", ""))).encode()
    manifest = {
        "format": FORMAT,
        **(about or {}),
        "standoff": True,
        "project": described(project, facts.layers),
        "partial": partial,
        **contents_of(project, facts, files),
    }
    return with_manifest(files, manifest, [])


def closed(value: Any, known: Collection[str]) -> Any:
    """An answer without the texts in it that are not `known`: those are values of no scheme."""
    found = _closed(value, known)
    return None if found is _LEFT_OUT else found


def _closed(value: Any, known: Collection[str]) -> Any:
    if isinstance(value, str):
        return value if value in known else _LEFT_OUT
    if isinstance(value, list):
        return [one for one in (_closed(one, known) for one in value) if one is not _LEFT_OUT]
    if isinstance(value, dict):
        inner = {key: _closed(one, known) for key, one in value.items()}
        return {key: one for key, one in inner.items() if one is not _LEFT_OUT}
    return value


class _HasTextsError(Exception):
    """An answer of a layer has texts of no scheme."""


def _add_records(project: Project, files: ReleaseFolder) -> list[Layer]:
    """Add the files that lose nothing. Returns the layers that have none, since their answers are texts."""
    people, standing = people_named(project), answered_layers(project)
    without = []
    units: set[tuple[str, str]] = set()
    for layer in project.layers.all():
        individual = Individual(layer, people, answers_stand=layer in standing, words=False)
        before = set(files)
        try:
            for path, rows in _layer_files(project, layer, individual, people).items():
                files.write(path, json_lines(_without_texts(project, layer, rows)))
        except _HasTextsError:
            without.append(layer)
            for path in set(files) - before:
                del files[path]
            continue
        units = units.union(*(some.released for some in individual.read()))
    for source, target in aligned_languages(project):
        path = ALIGNMENTS.format(source=source, target=target)
        files.write(path, json_lines(alignment_records(project, source, target, units, words=False)))
    return without


def _layer_files(
    project: Project, layer: Layer, individual: Individual, people: Mapping[int, str]
) -> dict[str, Iterable[Row]]:
    found: dict[str, Iterable[Row]] = {
        ANNOTATIONS.format(slug=layer.slug): chain.from_iterable(
            some.annotations(comments=False) for some in individual.read()
        ),
        SUGGESTIONS.format(slug=layer.slug): chain.from_iterable(some.suggestions() for some in individual.read()),
    }
    if layer == project.label_layer:
        found[SENTENCES] = sentence_records(project, people, words=False)
    elif layer == project.tag_layer:
        found[PAIRS] = pair_records(project, people)
    else:
        found[LAYER.format(slug=layer.slug)] = layer_records(project, layer, people, words=False)
    if individual.answers_stand:
        found[ANSWERS.format(slug=layer.slug)] = answer_records(layer, people, words=False)
    return found


def _without_texts(project: Project, layer: Layer, rows: Iterable[Row]) -> Iterator[Row]:
    """The rows without what people wrote freely. Raises _HasTextsError where that is what they answered."""
    known = _known(project, layer)
    has_texts = _has_texts(known)
    for row in rows:
        if layer.content_type != Layer.SPANS and has_texts(row):
            raise _HasTextsError
        yield _cleaned(row, known)


def _known(project: Project, layer: Layer) -> frozenset[str]:
    """The texts that an answer can have in a layer without telling a word: those of its scheme, languages, and codes of
    the program."""
    return frozenset({*_texts(layer.scheme_data), *project.languages, *_CODES})


def _texts(value: Any) -> Iterator[str]:
    """Every text of a JSON value, names of its fields among them."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for key, one in value.items():
            yield key
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)


def _has_texts(known: Collection[str]) -> Any:
    """A test of records: whether an answer in it has texts of no scheme."""

    def has(row: Row) -> bool:
        answers = [row.get("content"), *(one.get("content") for one in row.get("annotations", ()))]
        return any(closed(one, known) != one for one in answers)

    return has


def _cleaned(row: Any, known: Collection[str]) -> Any:
    """A record without what people wrote freely."""
    if isinstance(row, list):
        return [_cleaned(one, known) for one in row]
    if not isinstance(row, dict):
        return row
    return {
        name: "" if name == "reason" else closed(value, known) if name in _ANSWERED else _cleaned(value, known)
        for name, value in row.items()
    }


def _statistics(project: Project) -> dict[str, bytes]:
    """The tables that have no texts but names: of languages, datasets, roles and labels."""
    names = project.segments.order_by().values_list("dataset", "role", "genre").distinct()
    known = {"all", "name", *project.inferences, *(name for some in names for name in some)}
    known = known.union(*(_known(project, layer) for layer in project.layers.all()))
    tables = chain(((kind, report.compute(project)) for kind, report in REPORTS.items()), further_reports(project))
    return {
        STATISTICS.format(kind=kind): as_json(report.rows)
        for kind, report in tables
        if report.rows and closed(list(report.rows), known) == list(report.rows)
    }


def _counts(project: Project, files: ReleaseFolder) -> dict[str, Any]:
    gold = project.golds.filter(unit__is_current=True).order_by()

    def by_language(layer: Layer | None) -> dict[str, int]:
        found = Counter(gold.filter(layer=layer).values_list("unit__language", flat=True)) if layer else Counter()
        return {language: found[language] for language in project.languages if found[language]}

    return {
        "datasets": sorted(set(gold.values_list("unit__segment__dataset", flat=True))),
        "sentences": by_language(project.label_layer),
        "pairs": by_language(project.tag_layer),
        "gold_sentences": files.line_count(SENTENCES),
        "gold_pairs": files.line_count(PAIRS),
    }


def _readme(project: Project, facts: ReleaseFacts, without: Sequence[Layer], *, partial: bool) -> str:
    """In English, as the files are."""
    lines = [f"# {project.name}", ""]
    if project.description:
        lines += [project.description, ""]
    lines += [
        "This is a stand-off release: it has no word of the texts. Each text has its ID, the SHA-256 of the text",
        "(`sha256`) and of its characters without white space (`characters_sha256`), and for each token where it",
        "begins and ends in the text, in code points (`positions`). Labels count tokens from 0.",
        "",
        "With the texts, the script gives the files of a release with tokens:",
        "",
        "```",
        f"python {SCRIPT} . TEXTS.jsonl --out FOLDER",
        "```",
        "",
        "It has no reasons, comments and values that no scheme lists: people wrote them freely.",
        *(["", "This release is partial: gold was not decided for everything when it was made."] if partial else []),
        *(f"There is no file for {layer_title(one.slug)}: its answers are texts." for one in without),
        "",
        "| path | lines |",
        "|---|---|",
        *(f"| `{path}` | {facts.lines(path)} |" for path in sorted(facts.files) if path.endswith(".jsonl")),
        "",
    ]
    return "\n".join(lines)
