"""The gold in the published layout, and what stays out of it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, MutableMapping, Sequence
from dataclasses import dataclass

from annotator.domain.messages import UserError, message, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.formats.corpora.meta4xnli import roles_written, write_corpus
from annotator.formats.corpus.corpus import Corpus
from annotator.models import Project
from annotator.work.gold.queries.corpus import GoldCorpora, gold_corpora
from annotator.work.gold.queries.left_out import LABEL, LeftOut

LEFT_OUT = "left_out.tsv"
IDS = "detection/ids/{name}.txt"


class ExportError(UserError):
    """The gold cannot be written in the published layout; the message names the sentence or pair."""


@dataclass(frozen=True)
class Export:
    """Files by path, and what had to stay out of them."""

    files: MutableMapping[str, bytes]
    corpora: tuple[Corpus, ...]
    left_out: tuple[LeftOut, ...]
    on_sentence: Mapping[tuple[str, str], tuple[str, ...]]


def published_layout(
    project: Project,
    files: MutableMapping[str, bytes],
    *,
    partial: bool,
    mapping: str = "",
    alone: bool = True,
    beside: Collection[LeftOut] = (),
) -> Export:
    """Add the gold in the published layout to `files`.

    Where something stays out, `left_out.tsv` lists it. Where sentences do, `detection/ids/` says line by line which
    segment those of a detection file are, since their place no longer tells.
    `mapping` names one of the scheme, under which labels are written. `alone`: without labels, nothing is written.
    `beside`: what is left out of what is written beside it, which makes the release incomplete, too.
    Raises MissingGoldError (see `queries.corpus.gold_corpora`) and ExportError.
    """
    try:
        gold = gold_corpora(project, partial=partial, mapping=mapping, alone=alone, beside=beside)
    except LookupError as error:
        raise ExportError(message_of(error)) from error
    for corpus in gold.corpora:
        try:
            files.update(_with_rows(write_corpus(corpus)))
        except ValueError as error:
            raise ExportError(
                message(
                    _("%(dataset)s cannot be written in this layout: %(problem)s"),
                    dataset=corpus.dataset,
                    problem=message_of(error),
                )
            ) from error
    if any(one.kind != LABEL for one in gold.left_out):
        files.update(_ids(gold))
    if gold.left_out:
        files[LEFT_OUT] = left_out_table(gold.left_out)
    return Export(files, gold.corpora, gold.left_out, gold.on_sentence)


def _with_rows(files: Mapping[str, bytes]) -> dict[str, bytes]:
    """The files of a dataset that hold something. Its three interpretation files go together: readers need all of them,
    or none where no pair has gold."""
    pairs = {path: content for path, content in files.items() if path.startswith("interpretation/")}
    has_pairs = any(content.count(b"\n") > 1 for content in pairs.values())
    return {path: content for path, content in files.items() if (has_pairs if path in pairs else content)}


def partial_files(corpora: Iterable[Corpus]) -> list[str]:
    """The paths that an export has only where something stays out."""
    ids = [IDS.format(name=file_name(corpus, role)) for corpus in corpora for role in roles_written(corpus)]
    return [LEFT_OUT, *ids]


def _ids(gold: GoldCorpora) -> dict[str, bytes]:
    files = {}
    for corpus in gold.corpora:
        written = set().union(*corpus.spans.values())
        for role in roles_written(corpus):
            lines = [one.uid + "\n" for one in corpus.segments if one.role == role and one.uid in written]
            if lines:
                files[IDS.format(name=file_name(corpus, role))] = "".join(lines).encode()
    return files


def file_name(corpus: Corpus, role: str) -> str:
    """What the files of a dataset are called, those of each role apart; without their ending."""
    return f"{corpus.dataset}_{role}" if role else corpus.dataset


def left_out_table(left_out: Sequence[LeftOut]) -> bytes:
    """The file that lists what stays out, a row each."""
    rows = [("kind", "dataset", "id", "language", "reason")]
    rows += [(one.kind, one.dataset, one.id, one.language, str(one.reason)) for one in left_out]
    return "".join("\t".join(row) + "\n" for row in rows).encode()
