"""What leaves a project: the published layout, and the files of a release. Same gold, same bytes."""

from __future__ import annotations

import hashlib
import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from annotator.domain.bio import write_bio
from annotator.domain.corpus import Corpus
from annotator.domain.formats.hub import HubRow, write_hub
from annotator.domain.formats.meta4xnli import write_corpus
from annotator.domain.spans import Span
from annotator.domain.statistics import ROLES
from annotator.models import (
    Alignment,
    Annotation,
    AnnotationState,
    Gold,
    PairTag,
    Prediction,
    Project,
    TagKind,
)
from annotator.queries.corpus import GoldCorpora, LeftOut, gold_corpora
from annotator.queries.reports import REPORTS

FORMAT = "translatio-release/1"
MANIFEST = "manifest.json"
LEFT_OUT = "left_out.tsv"
IDS = "detection/ids/{dataset}_{role}.txt"


class ExportError(Exception):
    """The gold cannot be written in the published layout; the message names the sentence or pair."""


@dataclass(frozen=True)
class Export:
    """Files by path, and what had to stay out of them."""

    files: dict[str, bytes]
    corpora: tuple[Corpus, ...]
    left_out: tuple[LeftOut, ...]


@dataclass(frozen=True)
class ReleaseFiles:
    """The files of a release by path (`manifest.json` among them), the manifest as an object, and what
    stayed out of the published layout."""

    files: dict[str, bytes]
    manifest: dict[str, Any]
    left_out: list[dict[str, str]]


def published_layout(project: Project, *, partial: bool) -> Export:
    """The gold in the published layout.

    Where something stays out, `left_out.tsv` lists it, and `detection/ids/` says line by line which
    segment the sentences of a detection file are, since their place no longer tells.
    Raises MissingGoldError (see `queries.corpus.gold_corpora`) and ExportError.
    """
    gold = gold_corpora(project, partial=partial)
    files: dict[str, bytes] = {}
    for corpus in gold.corpora:
        try:
            files |= write_corpus(corpus)
        except ValueError as error:
            raise ExportError(
                _("%(dataset)s cannot be written in this layout: %(problem)s")
                % {"dataset": corpus.dataset, "problem": error}
            ) from error
    if gold.left_out:
        files |= _ids(gold)
        files[LEFT_OUT] = _left_out_table(gold.left_out)
    return Export(files, gold.corpora, gold.left_out)


def partial_files(corpora: Iterable[Corpus]) -> list[str]:
    """The paths that an export has only where something stays out."""
    ids = [IDS.format(dataset=corpus.dataset, role=role) for corpus in corpora for role in ROLES]
    return [LEFT_OUT, *ids]


def release_files(project: Project, *, partial: bool, about: Mapping[str, Any] | None = None) -> ReleaseFiles:
    """Everything that a release of the project's gold holds, from the database as it is now.

    `about` is what only the caller knows (number, date); it goes into the manifest as it is.

    The published layout; `hub/`, JSON lines with `tokens` and `tags`; `sentences.jsonl` and `pairs.jsonl`,
    which lose nothing: ids, revisions, spans, who decided; `statistics/`, `guidelines/`, `README.md`.
    Raises MissingGoldError when gold is incomplete, unless `partial`, and ExportError.
    """
    export = published_layout(project, partial=partial)
    files = dict(export.files)
    files |= _hub(project, export.corpora)
    files["sentences.jsonl"] = _json_lines(_sentence_records(project))
    files["pairs.jsonl"] = _json_lines(_pair_records(project))
    for kind, report in REPORTS.items():
        files[f"statistics/{kind}.json"] = _json(report(project).rows)
    for language, text in sorted(project.guidelines.items()):
        files[f"guidelines/{language}.md"] = text.encode()
    left_out = [one.to_json() for one in export.left_out]
    counts = _counts(export, files)
    files["README.md"] = _readme(project, counts, partial=partial).encode()
    manifest = {
        "format": FORMAT,
        **(about or {}),
        "project": {
            "slug": project.slug,
            "name": project.name,
            "languages": project.languages,
            "scheme": project.scheme_data,
            "projection_rules": project.rules_data,
        },
        "partial": partial,
        "counts": counts,
        "detectors": _detectors(project),
        "aligners": _aligners(project),
        "left_out": left_out,
        "files": {
            path: {"sha256": hashlib.sha256(content).hexdigest(), "bytes": len(content)}
            for path, content in sorted(files.items())
        },
    }
    # The manifest has the checksums of the other files, and so none of itself.
    files[MANIFEST] = _json(manifest)
    return ReleaseFiles(dict(sorted(files.items())), manifest, left_out)


def _ids(gold: GoldCorpora) -> dict[str, bytes]:
    files = {}
    for corpus in gold.corpora:
        written = set().union(*corpus.spans.values())
        for role in ROLES:
            lines = [one.uid + "\n" for one in corpus.segments if one.role == role and one.uid in written]
            files[IDS.format(dataset=corpus.dataset, role=role)] = "".join(lines).encode()
    return files


def _left_out_table(left_out: Sequence[LeftOut]) -> bytes:
    rows = [("kind", "dataset", "id", "language", "reason")]
    rows += [(one.kind, one.dataset, one.id, one.language, one.reason) for one in left_out]
    return "".join("\t".join(row) + "\n" for row in rows).encode()


def _hub(project: Project, corpora: Iterable[Corpus]) -> dict[str, bytes]:
    revisions = {
        (language, uid): revision
        for language, uid, revision in project.sentences.filter(is_current=True).values_list(
            "language", "segment__uid", "revision"
        )
    }
    files = {}
    for corpus in corpora:
        for language in corpus.languages:
            for role in ROLES:
                rows = []
                for segment in corpus.segments:
                    if segment.role != role or segment.uid not in corpus.spans[language]:
                        continue
                    tokens = corpus.sentences[language][segment.uid]
                    tags = write_bio(corpus.spans[language][segment.uid], len(tokens))
                    rows.append(HubRow(segment.uid, tokens, tuple(tags), revisions[language, segment.uid]))
                files[f"hub/{language}/{corpus.dataset}_{role}.jsonl"] = write_hub(rows).encode()
    return files


def _sentence_records(project: Project) -> Iterator[dict[str, Any]]:
    """Every gold sentence, also one that stays out of the published layout because its translation has no gold."""
    people: defaultdict[int, list[dict[str, str]]] = defaultdict(list)
    for annotated, username, mode in (
        Annotation.objects.filter(project=project, state=AnnotationState.DONE)
        .order_by("sentence_id", "annotator__username")
        .values_list("sentence_id", "annotator__username", "mode")
    ):
        people[annotated].append({"annotator": username, "mode": mode})
    golds = Gold.objects.filter(project=project, sentence__is_current=True).select_related(
        "sentence__segment", "decided_by"
    )
    for gold in golds.order_by("sentence__segment__position", "sentence__language"):
        sentence, segment = gold.sentence, gold.sentence.segment
        yield {
            "uid": segment.uid,
            "language": sentence.language,
            "revision": sentence.revision,
            "dataset": segment.dataset,
            "role": segment.role,
            "group": segment.group,
            "genre": segment.genre,
            "tokens": sentence.tokens,
            "spans": [Span.from_json(span).to_json() for span in gold.spans],
            "gold": {
                "source": gold.source,
                "version": gold.version,
                "decided_by": gold.decided_by.username if gold.decided_by else None,
                "decided_at": gold.updated_at.isoformat(),
                "reason": gold.reason,
            },
            "annotations": people[sentence.pk],
        }


def _pair_records(project: Project) -> Iterator[dict[str, Any]]:
    """Every pair with its gold tags, and the tags that people gave where gold is decided: others may be blind still."""
    gold: defaultdict[int, dict[str, Any]] = defaultdict(dict)
    people: defaultdict[int, list[dict[str, str]]] = defaultdict(list)
    tags = PairTag.objects.filter(project=project).exclude(kind=TagKind.SILVER).select_related("user")
    for tag in tags.order_by("pair_id", "language", "user__username"):
        username = tag.user.username if tag.user else None
        if tag.kind == TagKind.GOLD:
            gold[tag.pair_id][tag.language] = {
                "tag": tag.tag,
                "source": tag.source,
                "version": tag.version,
                "decided_by": username,
                "decided_at": tag.updated_at.isoformat(),
                "reason": tag.comment,
            }
        else:
            people[tag.pair_id].append(
                {"annotator": str(username), "language": tag.language, "mode": tag.mode, "tag": tag.tag}
            )
    for pair in project.pairs.select_related("premise", "hypothesis"):
        yield {
            "pair_id": pair.pair_id,
            "dataset": pair.dataset,
            "source_dataset": pair.source_dataset,
            "genre": pair.genre,
            "premise": pair.premise.uid,
            "hypothesis": pair.hypothesis.uid,
            "inference": pair.inference,
            "gold": gold[pair.pk],
            "annotations": [tag for tag in people[pair.pk] if tag["language"] in gold[pair.pk]],
        }


def _counts(export: Export, files: dict[str, bytes]) -> dict[str, Any]:
    languages = list(dict.fromkeys(language for corpus in export.corpora for language in corpus.languages))

    def of(language: str, part: str) -> int:
        return sum(len(getattr(corpus, part).get(language, ())) for corpus in export.corpora)

    return {
        "datasets": [corpus.dataset for corpus in export.corpora],
        "sentences": {language: of(language, "spans") for language in languages},
        "pairs": {language: of(language, "tags") for language in languages},
        "gold_sentences": files["sentences.jsonl"].count(b"\n"),
        "left_out": len(export.left_out),
    }


def _detectors(project: Project) -> list[dict[str, Any]]:
    found = Prediction.objects.filter(project=project).values_list(
        "detector", "revision", "threshold", "sentence__language"
    )
    return [
        {"name": name, "revision": revision, "threshold": threshold, "language": language}
        for name, revision, threshold, language in sorted(set(found))
    ]


def _aligners(project: Project) -> list[dict[str, Any]]:
    found = Alignment.objects.filter(project=project).values_list(
        "aligner", "revision", "source__language", "target__language"
    )
    return [
        {"name": name, "revision": revision, "source": source, "target": target}
        for name, revision, source, target in sorted(set(found))
    ]


def _readme(project: Project, counts: dict[str, Any], *, partial: bool) -> str:
    lines = [f"# {project.name}", ""]
    if project.description:
        lines += [project.description, ""]
    lines += [f"- Datasets: {', '.join(counts['datasets'])}", f"- Labels: {', '.join(project.scheme.labels)}"]
    for language, number in counts["sentences"].items():
        lines.append(f"- {language}: {number} sentences, {counts['pairs'][language]} pairs")
    if partial:
        lines += ["", "This release is partial: gold was not decided for everything when it was made."]
    if counts["left_out"]:
        lines += [
            "",
            f"{counts['left_out']} sentences and pairs, each counted in each language, are not in the files of the",
            f"published layout; `{LEFT_OUT}` lists them with the reason, and `detection/ids/` says which segment",
            "each sentence of a detection file is.",
        ]
    lines += [
        "",
        "| path | holds |",
        "|---|---|",
        "| `detection/` | token labels: `token<TAB>tag` a line, a blank line after every sentence |",
        "| `interpretation/` | pairs by tag: relevant (`met`), non-relevant, no metaphor (`no_met`) |",
        "| `hub/` | the same token labels as JSON lines, with ids |",
        "| `sentences.jsonl`, `pairs.jsonl` | all of the gold: ids, revisions, spans, who decided and when |",
        "| `statistics/` | the tables of the corpus |",
        "| `guidelines/` | what annotators were asked to do |",
        "| `manifest.json` | what made this release, and a checksum of every file |",
        "",
    ]
    return "\n".join(lines)


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()


def _json_lines(rows: Iterable[dict[str, Any]]) -> bytes:
    return "".join(json.dumps(row, ensure_ascii=False) + "\n" for row in rows).encode()
