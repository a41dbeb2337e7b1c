"""The files of a release. Same gold, same bytes."""

from __future__ import annotations

import hashlib
import io
import json
from collections.abc import Collection, Iterable, Mapping, Sequence
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
from annotator.formats.json_lines.hub import HubRow, write_hub
from annotator.formats.json_lines.release import FORMAT, MANIFEST, PAIRS, SENTENCES
from annotator.imports.queries.imports import with_texts
from annotator.models import Alignment, Layer, Project, Suggestion, SuggestionKind
from annotator.models.corpus_import import PUBLISHED
from annotator.releases.queries.answer_records import answer_records, answered_layers
from annotator.releases.queries.dataset import ARTIFACTS, dataset_files
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

    files: dict[str, bytes]
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
    people answered where nobody decides; `statistics/`, `guidelines/`, `README.md`. All of it is held in memory, some
    kilobytes a sentence.
    Raises MissingGoldError when gold is incomplete, unless `partial`, ExportError, and LabelUseError.
    """
    parts = [part for part in (one.compute(project) for one in PARTS.values()) if part.files or part.left_out]
    left_out_of_parts = tuple(one for part in parts for one in part.left_out)
    export = _layout(project, parts, left_out_of_parts, partial=partial, mapping=mapping)
    files = {**export.files, **_hub(project, export)}
    for part in parts:
        files |= part.files
    layers = further_layers(project)
    people = people_named(project)
    files |= _records(project, layers, parts, people, comments=comments)
    files |= _answers(project, people, comments=comments) | _individual(project, parts, people, comments=comments)
    files |= split_files(project, splits, export.corpora)
    samples = {}
    if sample_seed is not None:
        taken_for = mapping_named(project.scheme, mapping) if mapping else None
        samples = _samples(project, files, sample_seed, checked_uses(project.scheme, sample_uses or {}, taken_for))
    files |= {**_statistics(project), **_artifacts(project), **guidelines(project)}
    beside = (*left_out_of_parts, *left_out_aside(project, export.left_out))
    left_out = [one.to_json() for one in (*export.left_out, *beside)]
    if beside:
        files[LEFT_OUT] = left_out_table([*export.left_out, *beside])
    counts = _counts(export, files, parts) | {"left_out": len(left_out)}
    words = _words(parts, splits=bool(splits), samples=bool(samples))
    facts = ReleaseFacts(files, counts, sources_of(project), left_out, released(project), layers, words)
    files["README.md"] = readme(project, facts, partial=partial, comments=comments).encode()
    files |= dataset_files(project, files, sources=facts.sources, date=str((about or {}).get("date", "")))
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
    project: Project, parts: Sequence[Part], beside: Collection[LeftOut], *, partial: bool, mapping: str
) -> Export:
    """The published layout; empty where nothing is labelled and kinds of work have files. Raises as `release_files`."""
    has_parts = any(part.files for part in parts)
    has_labels = labels_something(project)
    if not partial and not (has_parts and has_labels):
        check_complete(beside)
    if not has_parts and not has_labels:
        check_not_from_prompts_alone(beside)
    if has_parts and not has_labels:
        return Export({}, (), (), {})
    return published_layout(project, partial=partial, mapping=mapping, alone=not has_parts, beside=beside)


def _records(
    project: Project, layers: Sequence[Layer], parts: Sequence[Part], people: Mapping[int, str], *, comments: bool
) -> dict[str, bytes]:
    """The files that lose nothing, but for those without a line, which would look as if something were missing."""
    outdated = _outdated(parts)
    records = {
        SENTENCES: json_lines(sentence_records(project, people, comments=comments)),
        PAIRS: json_lines(pair_records(project, people, comments=comments)),
        **{
            LAYER.format(slug=one.slug): json_lines(
                layer_records(project, one, people, comments=comments, without=outdated)
            )
            for one in layers
        },
    }
    return {path: lines for path, lines in records.items() if lines}


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


def contents_of(project: Project, facts: ReleaseFacts, files: Mapping[str, bytes]) -> dict[str, Any]:
    """What the manifest says of the files and of how they came about."""
    return {
        "sources": facts.sources,
        "counts": facts.counts,
        "detectors": _detectors(project),
        "aligners": _aligners(project),
        "left_out": facts.left_out,
        **({"source_changed": facts.source_changed} if facts.source_changed else {}),
        "files": {
            path: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for path, content in sorted(files.items())
        },
    }


def renumbered(release: ReleaseFiles, number: int) -> ReleaseFiles:
    """The same release under another number."""
    return with_manifest(release.files, release.manifest | {"number": number}, release.left_out)


def with_manifest(files: Mapping[str, bytes], manifest: dict[str, Any], left_out: list[dict[str, str]]) -> ReleaseFiles:
    # The manifest has the checksums of the other files, and so none of itself.
    return ReleaseFiles(dict(sorted({**files, MANIFEST: as_json(manifest)}.items())), manifest, left_out)


def _hub(project: Project, export: Export) -> dict[str, bytes]:
    revisions = {
        (language, uid): revision
        for language, uid, revision in project.sentences.filter(is_current=True).values_list(
            "language", "segment__uid", "revision"
        )
    }
    files = {}
    for corpus in export.corpora:
        for language in corpus.languages:
            for role in roles_written(corpus):
                rows = []
                for segment in corpus.segments:
                    if segment.role != role or segment.uid not in corpus.spans[language]:
                        continue
                    tokens = corpus.sentences[language][segment.uid]
                    tags = write_bio(corpus.spans[language][segment.uid], len(tokens))
                    labels = export.on_sentence.get((language, segment.uid), ())
                    rows.append(HubRow(segment.uid, tokens, tuple(tags), revisions[language, segment.uid], labels))
                if rows:
                    files[HUB.format(language=language, name=file_name(corpus, role))] = write_hub(rows).encode()
    return files


def _answers(project: Project, people: Mapping[int, str], *, comments: bool) -> dict[str, bytes]:
    """The files of layers whose answers stand; none where nobody has answered."""
    written = {
        ANSWERS.format(slug=layer.slug): json_lines(answer_records(layer, people, comments=comments))
        for layer in answered_layers(project)
    }
    return {path: content for path, content in written.items() if content}


def _individual(
    project: Project, parts: Sequence[Part], people: Mapping[int, str], *, comments: bool
) -> dict[str, bytes]:
    """Every answer with what it began from, and the links between words."""
    standing, without = set(answered_layers(project)), _outdated(parts)
    written: dict[str, bytes] = {}
    released: set[tuple[str, str]] = set()
    for layer in project.layers.all():
        answers, suggestions = io.BytesIO(), io.BytesIO()
        for some in Individual(layer, people, answers_stand=layer in standing, without=without).read():
            answers.write(json_lines(some.annotations(comments=comments)))
            suggestions.write(json_lines(some.suggestions()))
            released |= some.released
        written[ANNOTATIONS.format(slug=layer.slug)] = answers.getvalue()
        written[SUGGESTIONS.format(slug=layer.slug)] = suggestions.getvalue()
    for source, target in aligned_languages(project):
        rows = alignment_records(project, source, target, released)
        written[ALIGNMENTS.format(source=source, target=target)] = json_lines(rows)
    return {path: content for path, content in written.items() if content}


def _samples(project: Project, files: dict[str, bytes], seed: int, uses: Mapping[str, LabelUse]) -> dict[str, Any]:
    """Add the samples of the languages that have labels; what the manifest says of them, nothing where none has."""
    # Loaded here: it needs NumPy, and web processes have no use for it.
    from annotator.releases.queries.literal_samples import literal_sample

    counts = {}
    for language in project.languages:
        found = literal_sample(project, language, seed=seed, uses=uses)
        if found.sample.instances:
            files[SAMPLE.format(language=language)] = json_lines(found.records())
            counts[language] = found.counts()
    labels = {label: use.value for label, use in uses.items()}
    return {"seed": seed, "labels": labels, "languages": counts} if counts else {}


def labels_something(project: Project) -> bool:
    """Whether the project's sentences are labelled at all: there are some and a stage for it, or gold."""
    layer = project.label_layer
    if project.golds.filter(layer=layer).exists():
        return True
    return project.stages.filter(layer=layer).exists() and project.sentences.filter(PUBLISHED).exists()


def _counts(export: Export, files: dict[str, bytes], parts: Sequence[Part]) -> dict[str, Any]:
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
        "gold_sentences": files.get(SENTENCES, b"").count(b"\n"),
        "gold_pairs": files.get(PAIRS, b"").count(b"\n"),
    }


def sources_of(project: Project) -> list[dict[str, Any]]:
    """Where the text comes from, under which licence, and whether it may be published; one of each. Files that brought
    only labels are beside the texts that these stand on."""
    found: dict[tuple[str, str, bool], dict[str, Any]] = {}
    of_texts = set(with_texts(project.imports.all()).values_list("pk", flat=True))
    newest: dict[str, tuple[str, str, bool]] = {}
    for imported in project.imports.filter(published_at__isnull=False).order_by("pk"):
        key = (imported.dataset, imported.licence, imported.publishable)
        if imported.pk not in of_texts:
            key = newest.get(imported.dataset, key)
        newest[imported.dataset] = key
        row = found.setdefault(key, dict(zip(("dataset", "licence", "publishable"), key, strict=True)) | {"files": []})
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


def json_lines(rows: Iterable[dict[str, Any]]) -> bytes:
    lines = io.BytesIO()
    for row in rows:
        lines.write(json.dumps(row, ensure_ascii=False).encode() + b"\n")
    return lines.getvalue()
