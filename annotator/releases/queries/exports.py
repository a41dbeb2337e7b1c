"""The files of a release. Same gold, same bytes."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from itertools import chain
from typing import Any

from annotator.core.files.pictures import picture_file, pictures_in
from annotator.core.files.storage import site_files
from annotator.domain.labels.bio import write_bio
from annotator.domain.labels.label_uses import LabelUse, checked_uses
from annotator.domain.mapping import mapping_named
from annotator.formats.corpora.meta4xnli import roles_written
from annotator.formats.corpus.corpus import Corpus
from annotator.formats.json_lines.hub import HubRow, hub_lines
from annotator.formats.json_lines.release import FORMAT, MANIFEST, PAIRS, SENTENCES
from annotator.imports.queries.imports import with_texts
from annotator.models import Alignment, Layer, Project, Suggestion, SuggestionKind
from annotator.models.corpus_import import PUBLISHED
from annotator.releases.folder import ReleaseFolder
from annotator.releases.queries.answer_records import answer_records, answered_layers
from annotator.releases.queries.dataset import ARTIFACTS, add_dataset_files
from annotator.releases.queries.gold_records import (
    further_layers,
    in_order,
    layer_records,
    pair_records,
    sentence_records,
)
from annotator.releases.queries.individual import (
    ALIGNMENTS,
    ANNOTATIONS,
    SUGGESTIONS,
    Individual,
    aligned_languages,
    alignment_records,
)
from annotator.releases.queries.pseudonyms import people_named
from annotator.releases.queries.published_layout import LEFT_OUT, Export, file_name, left_out_table, published_layout
from annotator.releases.queries.release_parts import PARTS, Part
from annotator.releases.queries.release_readme import ANSWERS, LAYER, ReleaseFacts, readme
from annotator.reports.queries.core_tables import artifacts
from annotator.reports.queries.figures import counted
from annotator.reports.queries.tables import REPORTS, further_reports
from annotator.splits.queries.files import split_files
from annotator.work.derivation.queries.source_changes import released
from annotator.work.gold.queries.left_out import LeftOut, check_complete, check_not_from_prompts_alone, left_out_aside
from annotator.work.gold.queries.withheld import withheld

HUB = "hub/{language}/{name}.jsonl"
SAMPLE = "samples/{language}.jsonl"
STATISTICS = "statistics/{kind}.json"


@dataclass(frozen=True)
class ReleaseFiles:
    """The files of a release by path (`manifest.json` among them), the manifest as an object, and what
    stayed out of the published layout."""

    files: ReleaseFolder
    manifest: dict[str, Any]
    left_out: list[dict[str, str]]


def release_files(
    project: Project,
    *,
    partial: bool,
    mapping: str = "",
    sample_seed: int | None = None,
    sample_uses: Mapping[str, str] | None = None,
    comments: bool = False,
    splits: Sequence[int] = (),
    about: Mapping[str, Any] | None = None,
) -> ReleaseFiles:
    """Everything that a release of the project's gold holds. Call it in a snapshot: the files have to agree.

    `about` is what only the caller knows (number, date); it goes into the manifest as it is. `mapping` names one of the
    scheme: the published layout and `hub/` have labels under it, and the manifest says so. With a `sample_seed`,
    `samples/` has literal uses beside the metaphors, drawn with it; `sample_uses` says of each label what it is there.
    With `comments`, people's answers have what they wrote beside them. `splits`: ids of those that it has files of.

    The published layout; `hub/`, JSON lines with `tokens` and `tags`; `sentences.jsonl` and `pairs.jsonl`,
    which lose nothing: ids, revisions, spans, who decided; `layers/`, the same for each further layer; `answers/`, what
    people answered where nobody decides; `statistics/`, `guidelines/`, `README.md`. The texts and labels of the
    published layout and of samples are in memory; everything else is read and written some at a time.
    Raises MissingGoldError when gold is incomplete, unless `partial`, ExportError, and LabelUseError.
    """
    parts = [part for part in (one.compute(project) for one in PARTS.values()) if part.files or part.left_out]
    left_out_of_parts = tuple(one for part in parts for one in part.left_out)
    files = ReleaseFolder()
    export = _layout(project, files, parts, left_out_of_parts, partial=partial, mapping=mapping)
    _add_hub(project, export, files)
    for part in parts:
        files.update(part.files)
    layers = further_layers(project)
    _add_records(project, files, layers, parts, comments=comments)
    files.update(split_files(project, splits, export.corpora))
    samples = {}
    if sample_seed is not None:
        taken_for = mapping_named(project.scheme, mapping) if mapping else None
        samples = _samples(project, files, sample_seed, checked_uses(project.scheme, sample_uses or {}, taken_for))
    files.update(_statistics(project) | _artifacts(project) | guidelines(project))
    beside = (*left_out_of_parts, *left_out_aside(project, export.left_out))
    left_out = [one.to_json() for one in (*export.left_out, *beside)]
    if beside:
        files[LEFT_OUT] = left_out_table([*export.left_out, *beside])
    counts = _counts(export, files, parts) | {"left_out": len(left_out)}
    words = _words(parts, splits=bool(splits), samples=bool(samples))
    facts = ReleaseFacts(files, counts, sources_of(project), left_out, released(project), layers, words)
    files["README.md"] = readme(project, facts, partial=partial, comments=comments).encode()
    add_dataset_files(project, files, sources=facts.sources, date=str((about or {}).get("date", "")))
    manifest = {
        "format": FORMAT,
        **(about or {}),
        "project": described(project, layers),
        **({"mapping": {"name": mapping, "labels": dict(project.scheme.mappings[mapping])}} if mapping else {}),
        "partial": partial,
        **({"comments": True} if comments else {}),
        **({"samples": samples} if samples else {}),
        **contents_of(project, facts, files),
    }
    return with_manifest(files, manifest, left_out)


def _words(parts: Sequence[Part], *, splits: bool, samples: bool) -> dict[str, str]:
    """What the README says of the files that not every release has, by path."""
    words = {path: text for part in parts for path, text in part.about.items()}
    if splits:
        words["splits/"] = "which item is in which part; `detection/splits/` has the labels of each part"
    if samples:
        words["samples/"] = "metaphors and literal uses of the same expressions, to tell one from the other"
    return words


def _layout(
    project: Project,
    files: ReleaseFolder,
    parts: Sequence[Part],
    beside: Collection[LeftOut],
    *,
    partial: bool,
    mapping: str,
) -> Export:
    """Add the published layout; nothing where nothing is labelled and kinds of work have files. Raises as
    `release_files`."""
    has_parts = any(part.files for part in parts)
    has_labels = labels_something(project)
    if not partial and not (has_parts and has_labels):
        check_complete(beside)
    if not has_parts and not has_labels:
        check_not_from_prompts_alone(beside)
    if has_parts and not has_labels:
        return Export(files, (), (), {})
    return published_layout(project, files, partial=partial, mapping=mapping, alone=not has_parts, beside=beside)


def _add_records(
    project: Project, files: ReleaseFolder, layers: Sequence[Layer], parts: Sequence[Part], *, comments: bool
) -> None:
    """Add the files that lose nothing, and those of answers."""
    people = people_named(project)
    files.write(SENTENCES, json_lines(sentence_records(project, people, comments=comments)))
    files.write(PAIRS, json_lines(pair_records(project, people, comments=comments)))
    for layer in layers:
        rows = layer_records(project, layer, people, comments=comments, without=_outdated(parts))
        files.write(LAYER.format(slug=layer.slug), json_lines(rows))
    for layer in answered_layers(project):
        files.write(ANSWERS.format(slug=layer.slug), json_lines(answer_records(layer, people, comments=comments)))
    _add_individual(project, files, parts, people, comments=comments)


def _outdated(parts: Sequence[Part]) -> frozenset[int]:
    return frozenset[int]().union(*(part.outdated for part in parts))


def guidelines(project: Project) -> dict[str, bytes]:
    """Their texts, and the pictures that these show, where they look for them."""
    found = {f"guidelines/{language}.md": text.encode() for language, text in sorted(project.guidelines.items())}
    for name in pictures_in(project.guidelines.values()):
        with suppress(FileNotFoundError), site_files().open(picture_file(project.pk, name)) as file:
            found[f"guidelines/pictures/{name}"] = file.read()
    return found


def _statistics(project: Project) -> dict[str, bytes]:
    """The reports that have rows."""
    files: dict[str, bytes] = {}
    computed = ((kind, report.compute(project)) for kind, report in REPORTS.items())
    for kind, report in chain(computed, further_reports(project)):
        if report.rows:
            files[STATISTICS.format(kind=kind)] = as_json(report.rows)
    return files


def _artifacts(project: Project) -> dict[str, bytes]:
    """The artifact audit of what is released; scores that a job counted of the same instances are taken over."""
    if not artifacts.is_there(project):
        return {}
    # Loaded here: it needs NumPy, and web processes have no use for it.
    from annotator.reports.queries.core_tables.artifact_instances import count_released

    stored = counted(project, [artifacts.NAME]).figures.get(artifacts.NAME)
    rows = artifacts.released_rows(count_released(project, stored, withheld(project)))
    return {ARTIFACTS: as_json(rows)} if rows else {}


def described(project: Project, layers: Sequence[Layer]) -> dict[str, Any]:
    """The project as the manifest describes it."""
    return {
        "slug": project.slug,
        "name": project.name,
        **({"dataset_card": in_order(project.dataset_card)} if project.dataset_card else {}),
        "languages": project.languages,
        "targets": project.target_languages,
        "label_layer": project.label_layer.slug,
        "scheme": in_order(project.label_layer.scheme_data),
        "projection_rules": in_order(project.rules_data),
        **({"layers": {layer.slug: in_order(layer.scheme_data) for layer in layers}} if layers else {}),
    }


def contents_of(project: Project, facts: ReleaseFacts, files: ReleaseFolder) -> dict[str, Any]:
    """What the manifest says of the files and of how they came about."""
    return {
        "sources": facts.sources,
        "counts": facts.counts,
        "detectors": _detectors(project),
        "aligners": _aligners(project),
        "left_out": facts.left_out,
        **({"source_changed": facts.source_changed} if facts.source_changed else {}),
        "files": {path: {"sha256": files.sha256(path), "bytes": files.size(path)} for path in files},
    }


def renumbered(release: ReleaseFiles, number: int) -> ReleaseFiles:
    """The same release under another number."""
    return with_manifest(release.files, release.manifest | {"number": number}, release.left_out)


def with_manifest(files: ReleaseFolder, manifest: dict[str, Any], left_out: list[dict[str, str]]) -> ReleaseFiles:
    """The files with their manifest; it has the checksums of the others, and so none of itself."""
    files[MANIFEST] = as_json(manifest)
    return ReleaseFiles(files, manifest, left_out)


def _add_hub(project: Project, export: Export, files: ReleaseFolder) -> None:
    edited = project.sentences.filter(is_current=True, revision__gt=1)
    named = edited.values_list("language", "segment__uid", "revision")
    revisions = {(language, uid): revision for language, uid, revision in named}
    for corpus in export.corpora:
        for language in corpus.languages:
            for role in roles_written(corpus):
                spans = corpus.spans[language]
                uids = [one.uid for one in corpus.segments if one.role == role and one.uid in spans]
                any_labels = any((language, uid) in export.on_sentence for uid in uids)
                rows = _hub_rows(corpus, language, uids, export.on_sentence, revisions)
                path = HUB.format(language=language, name=file_name(corpus, role))
                files.write(path, map(str.encode, hub_lines(rows, any_labels=any_labels)))


def _hub_rows(
    corpus: Corpus,
    language: str,
    uids: Iterable[str],
    on_sentence: Mapping[tuple[str, str], tuple[str, ...]],
    revisions: Mapping[tuple[str, str], int],
) -> Iterator[HubRow]:
    for uid in uids:
        key, tokens = (language, uid), corpus.sentences[language][uid]
        tags = write_bio(corpus.spans[language][uid], len(tokens))
        yield HubRow(uid, tokens, tuple(tags), revisions.get(key, 1), on_sentence.get(key, ()))


def _add_individual(
    project: Project, files: ReleaseFolder, parts: Sequence[Part], people: Mapping[int, str], *, comments: bool
) -> None:
    """Add every answer with what it began from, and the links between words."""
    standing, without, aligned = set(answered_layers(project)), _outdated(parts), aligned_languages(project)
    released: set[tuple[str, str]] = set()
    for layer in project.layers.all():
        paths = ANNOTATIONS.format(slug=layer.slug), SUGGESTIONS.format(slug=layer.slug)
        with files.create(paths[0]) as answers, files.create(paths[1]) as suggestions:
            for some in Individual(layer, people, answers_stand=layer in standing, without=without).read():
                answers.writelines(json_lines(some.annotations(comments=comments)))
                suggestions.writelines(json_lines(some.suggestions()))
                if aligned:
                    released |= some.released
        files.drop_empty(paths)
    for source, target in aligned:
        rows = alignment_records(project, source, target, released)
        files.write(ALIGNMENTS.format(source=source, target=target), json_lines(rows))


def _samples(project: Project, files: ReleaseFolder, seed: int, uses: Mapping[str, LabelUse]) -> dict[str, Any]:
    """Add the samples of the languages that have labels; what the manifest says of them, nothing where none has."""
    # Loaded here: it needs NumPy, and web processes have no use for it.
    from annotator.releases.queries.literal_samples import literal_sample

    counts = {}
    for language in project.languages:
        found = literal_sample(project, language, seed=seed, uses=uses)
        if found.sample.instances:
            files.write(SAMPLE.format(language=language), json_lines(found.records()))
            counts[language] = found.counts()
    labels = {label: use.value for label, use in uses.items()}
    return {"seed": seed, "labels": labels, "languages": counts} if counts else {}


def labels_something(project: Project) -> bool:
    """Whether the project's sentences are labelled at all: there are some and a stage for it, or gold."""
    layer = project.label_layer
    if project.golds.filter(layer=layer).exists():
        return True
    return project.stages.filter(layer=layer).exists() and project.sentences.filter(PUBLISHED).exists()


def _counts(export: Export, files: ReleaseFolder, parts: Sequence[Part]) -> dict[str, Any]:
    languages = list(dict.fromkeys(language for corpus in export.corpora for language in corpus.languages))

    def of(language: str, part: str) -> int:
        return sum(len(getattr(corpus, part).get(language, ())) for corpus in export.corpora)

    return {
        "datasets": list(
            dict.fromkeys(
                [corpus.dataset for corpus in export.corpora] + [name for part in parts for name in part.datasets]
            )
        ),
        "sentences": {language: of(language, "spans") for language in languages},
        "pairs": {language: of(language, "tags") for language in languages},
        "gold_sentences": files.line_count(SENTENCES),
        "gold_pairs": files.line_count(PAIRS),
    }


def sources_of(project: Project) -> list[dict[str, Any]]:
    """Where the text comes from, under which licence, and whether it may be published; one of each. Files that brought
    only labels are beside the texts that these stand on."""
    found: dict[tuple[str, str, bool, str], dict[str, Any]] = {}
    of_texts = set(with_texts(project.imports.all()).values_list("pk", flat=True))
    newest: dict[str, tuple[str, str, bool, str]] = {}
    for imported in project.imports.filter(published_at__isnull=False).order_by("pk"):
        key = (imported.dataset, imported.licence, imported.publishable, imported.original_language)
        if imported.pk not in of_texts:
            key = newest.get(imported.dataset, key)
        newest[imported.dataset] = key
        about = dict(zip(("dataset", "licence", "publishable"), key[:3], strict=True))
        original = {"original_language": key[3]} if key[3] else {}
        row = found.setdefault(key, {**about, **original, "files": []})
        row["files"] += [one["name"] for one in imported.files if one["name"] not in row["files"]]
    return list(found.values())


def _detectors(project: Project) -> list[dict[str, Any]]:
    found = Suggestion.objects.filter(PUBLISHED, project=project, kind=SuggestionKind.PREDICTION).values_list(
        "name", "revision", "threshold", "unit__language"
    )
    return [
        {"name": name, "revision": revision, "threshold": threshold, "language": language}
        for name, revision, threshold, language in sorted(set(found.order_by().distinct()))
    ]


def _aligners(project: Project) -> list[dict[str, Any]]:
    found = Alignment.objects.filter(project=project).values_list(
        "aligner", "revision", "source__language", "target__language"
    )
    return [
        {"name": name, "revision": revision, "source": source, "target": target}
        for name, revision, source, target in sorted(set(found.order_by().distinct()))
    ]


def as_json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def json_lines(rows: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Each row as a line of JSON."""
    return (json.dumps(row, ensure_ascii=False).encode() + b"\n" for row in rows)
