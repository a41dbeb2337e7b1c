"""The files of splits in a release: labels by part as published corpora have them, tables of ids, and what is known."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from annotator.core.errors import ActionError
from annotator.domain.labels.bio import write_bio
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.formats.corpora.interpretation import HEADER, pair_line
from annotator.formats.corpus.corpus import Corpus
from annotator.formats.text.tagged import TaggedSentence, write_tagged
from annotator.models import Project, Split
from annotator.splits.queries.stored import rows_in_order, splits_in, table_lines

TABLE, ABOUT = "splits/{name}.tsv", "splits/{name}.json"
DETECTION = "detection/splits/{language}/{name}_{part}.tsv"
INTERPRETATION = "interpretation/splits/{name}_{part}.tsv"


def split_files(project: Project, chosen: Sequence[int], corpora: Sequence[Corpus]) -> dict[str, bytes]:
    """The files of the splits with these ids, by path. `corpora`: what the release has in the published layout; what it
    leaves out is in no file of a part, and is counted. Raises ActionError where a split is gone."""
    splits = splits_in(project).defer(None).in_bulk(chosen)
    if len(splits) < len(set(chosen)):
        raise ActionError(message(_("A split that this release should have was deleted. Choose again.")))
    files: dict[str, bytes] = {}
    for pk in dict.fromkeys(chosen):
        split = splits[pk]
        by_part, missing = _labels(split, corpora)
        files |= by_part
        files[TABLE.format(name=split.name)] = "".join(table_lines(split)).encode()
        files[ABOUT.format(name=split.name)] = _json(about(split) | ({"not_in_files": missing} if missing else {}))
    return files


def about(split: Split) -> dict[str, Any]:
    """How a split was made and what came of it, without its items."""
    leakage: list[dict[str, Any]] = split.results["leakage"]
    return {
        "name": split.name,
        "layer": split.layer.slug,
        "method": split.method,
        "params": split.params,
        "parts": split.parts,
        "sizes": split.results["sizes"],
        "left_out": split.left_out,
        "created_at": split.created_at.isoformat(),
        "last_event": split.last_event,
        "scheme_version": split.scheme_version,
        "sha256": split.sha256,
        "strata": split.results["strata"],
        "table": split.results["table"],
        "leakage": [
            {**one, "leaks": [{name: leak[name] for name in ("parts", "shared", "items")} for leak in one["leaks"]]}
            for one in leakage
        ],
        **({"unmatched": split.results["unmatched"]} if "unmatched" in split.results else {}),
    }


def _labels(split: Split, corpora: Sequence[Corpus]) -> tuple[dict[str, bytes], dict[str, int]]:
    """The labels of the sentences or the pairs of each part, and by part how many items the release does not have."""
    languages = list(dict.fromkeys(language for corpus in corpora for language in corpus.languages))
    of_uid = {uid: corpus for corpus in corpora for spans in corpus.spans.values() for uid in spans}
    pairs = _Pairs(corpora, languages)
    files: dict[str, bytes] = {}
    missing: dict[str, int] = {}
    for number, part in enumerate(split.parts):
        uids = [uid for uid, _pair, _dataset in rows_in_order(split, number)]
        there = [uid for uid in uids if uid in of_uid]
        tagged = [uid for uid in uids if uid in pairs.of_uid]
        if not there and not tagged:
            continue
        if len(there) + len(tagged) < len(uids):
            missing[part] = len(uids) - len(there) - len(tagged)
        for language in languages if there else ():
            path = DETECTION.format(language=language, name=split.name, part=part)
            files[path] = write_tagged(_tagged(language, there, of_uid)).encode()
        if tagged:
            path = INTERPRETATION.format(name=split.name, part=part)
            files[path] = "".join(pairs.lines(tagged)).encode()
    return files, missing


class _Pairs:
    """The pairs with a tag, in the layout of the interpretation files: one language after the other."""

    def __init__(self, corpora: Sequence[Corpus], languages: Sequence[str]) -> None:
        self._languages = languages
        self._segments = {segment.uid: segment for corpus in corpora for segment in corpus.segments}
        self.of_uid = {
            pair.uid: (corpus, pair)
            for corpus in corpora
            for pair in corpus.pairs
            if any(pair.uid in tags for tags in corpus.tags.values())
        }

    def lines(self, uids: Sequence[str]) -> Iterator[str]:
        yield HEADER
        for language in self._languages:
            for corpus, pair in (self.of_uid[uid] for uid in uids):
                if pair.uid in corpus.tags.get(language, {}):
                    yield pair_line(corpus, self._segments, language, pair)


def _tagged(language: str, uids: Sequence[str], of_uid: Mapping[str, Corpus]) -> Iterator[TaggedSentence]:
    for uid in uids:
        corpus = of_uid[uid]
        if uid in corpus.spans.get(language, {}):
            tokens = corpus.sentences[language][uid]
            yield TaggedSentence(tokens, tuple(write_bio(corpus.spans[language][uid], len(tokens))))


def _json(value: Any) -> bytes:
    return (json.dumps(value, ensure_ascii=False, indent=1) + "\n").encode()
