"""What a draft would bring into its project: counts, the first records as they will appear, and all that is wrong.

Files of at most WHOLE_BYTES are read whole. Of larger ones a request reads the first SAMPLE records, and a job reads
all of them (`imports/drafts/drafts.py: start_check`).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Iterator, Sequence
from contextlib import nullcontext, suppress
from dataclasses import replace
from functools import partial
from typing import Any

from django.utils.translation import get_language

from annotator.core.errors import translate
from annotator.core.unit_kinds import parts_of
from annotator.domain.labels.spans import Span
from annotator.domain.text.tokens import text_of
from annotator.formats.common.errors import FormatError, quote
from annotator.formats.common.escapes import noting_escapes
from annotator.formats.common.protocol import Explains, Remembers, Repeats, up_to_its_end
from annotator.formats.common.records import Read, Record, Text
from annotator.formats.corpus.records import grouped
from annotator.formats.corpus.regions import in_languages
from annotator.formats.registry import brings_units, is_parallel
from annotator.formats.text.characters import tokenised
from annotator.formats.text.positions import in_characters
from annotator.formats.text.token_splits import with_breaks
from annotator.formats.unknown import why_unknown
from annotator.imports.drafts.choices import corrections_of
from annotator.imports.drafts.preview_shapes import (
    ColumnShown,
    CountsShown,
    FileShown,
    PartShown,
    Preview,
    RowShown,
    TokensShown,
)
from annotator.imports.drafts.recognition import TERMS, doubts_of, format_of, guesses, punctuation_of
from annotator.imports.drafts.sources import (
    Group,
    all_files,
    edits_made,
    file_format,
    groups_of,
    options_of,
    source_files,
)
from annotator.imports.drafts.translations import translation_shown
from annotator.imports.reading.check import Check
from annotator.imports.reading.findings import Findings, FirstRecord
from annotator.imports.reading.parallel import MAX_COMPARED, ParallelShown, compare
from annotator.imports.reading.problems import Problems, kept_problems
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import IncomingAnswer, staging_store
from annotator.models import ImportDraft

WHOLE_BYTES = 8 * 1024 * 1024
SAMPLE = 2000
MAX_READ = 100_000  # records, warnings and errors together: a small file may have as many blank lines as bytes
# The format that has a file for each role.
LAYOUT = "meta4xnli"
# Of a table: rows and columns that are shown as they are.
SAMPLE_ROWS = 5
MAX_COLUMNS = 50
# Of a long sentence.
MAX_TOKENS = 300
MAX_CHARACTERS = 2000
# Raised when previews come to say more, so that stored ones are made again.
VERSION = 6


def fingerprint(draft: ImportDraft) -> str:
    """Stands for the files of a draft, all choices and the project's languages: what was previewed has this one."""
    choices = [
        VERSION,
        [
            [
                *(one[name] for name in ("sha256", "name", "encoding", "language", "role")),
                file_format(draft, one),
                edits_made(draft, one),
            ]
            for one in draft.files
        ],
        draft.format,
        draft.options,
        # A preview says what was chosen by a person, and what was not; the licence is not read.
        sorted(set(draft.chosen) - {TERMS}),
        draft.dataset,
        [draft.labels_as, draft.labels_name, draft.labels_revision, draft.people],
        # A language that was missing may have been added meanwhile.
        draft.project.languages,
    ]
    return hashlib.sha256(json.dumps(choices, sort_keys=True).encode()).hexdigest()


def is_large(draft: ImportDraft) -> bool:
    """Whether the files are too large to be read whole in a request."""
    return sum(one["size"] for one in draft.files if one["used"]) > WHOLE_BYTES


def make_preview(draft: ImportDraft) -> Preview:
    """Read the files, or the beginning of large ones, and say what they would bring."""
    is_whole = not is_large(draft)
    terms = terms_of(draft)
    listed = kept_problems(draft) if is_whole else nullcontext(Problems())
    with listed as problems, staging_store() as store:
        check = Check(draft.project, terms, store, problems, max_compared=MAX_COMPARED)
        findings = check.run(reads_of(draft), limit=0 if is_whole else SAMPLE, most=MAX_READ)
        return shown(draft, findings, compare(findings, store, terms))


def shown(draft: ImportDraft, findings: Findings, parallel: Sequence[ParallelShown]) -> Preview:
    """What a check found, as it is shown and stored."""
    found = guesses(draft)
    mine = next((guess for guess in found if guess.format == draft.format), None)
    problems = findings.problems
    sure: dict[str, float] = {}
    for guess in found:
        sure.setdefault(guess.format, round(guess.sure, 2))
    size = sum(one["size"] for one in draft.files if one["used"])
    read = sum(findings.counts.bytes.values())
    records = findings.counts.records
    return {
        "language": get_language() or "",
        "format": draft.format,
        "formats": [{"slug": slug, "sure": number} for slug, number in sure.items()],
        "notes": [translate(note) for note in mine.notes] if mine else [],
        "doubts": doubts_of(draft, found),
        "files": _files(draft, findings),
        "options": draft.options,
        "tokens": _tokens(draft),
        "columns": _columns(draft),
        "rows": [_row(draft, one) for one in findings.first],
        "pairs": [
            {"id": pair.id, "premise": pair.premise, "hypothesis": pair.hypothesis, "inference": pair.inference}
            for pair in findings.first_pairs
        ],
        "counts": _counts(findings, draft.project.languages),
        "problems": [
            {
                "severity": problem.severity,
                "file": problem.file,
                "line": problem.line,
                "expected": translate(problem.expected),
                "got": translate(problem.got),
            }
            for problem in problems.first()
        ],
        "errors": problems.error_count,
        "warnings": problems.warning_count,
        "parallel": list(parallel),
        "translation": translation_shown(
            draft, mine, kind=next((kind for _language, kind in findings.counts.kinds), ""), number=records
        ),
        "whole": findings.is_whole,
        "expected": records if findings.is_whole or not read else max(records, records * size // read),
        "ready": bool(draft.format and records and not problems.error_count),
    }


def _files(draft: ImportDraft, findings: Findings) -> list[FileShown]:
    return [
        {
            "id": one["id"],
            "name": one["name"],
            "size": one["size"],
            "encoding": one["encoding"],
            "language": one["language"],
            "role": one["role"],
            "used": one["used"],
            "format": file_format(draft, one),
            "edits": len(edits_made(draft, one)),
            "lines": one.get("lines"),
            "sentences": {code: n for (name, code), n in findings.counts.files.items() if name == one["name"]},
        }
        for one in draft.files
    ]


def reads_of(draft: ImportDraft) -> Iterator[Read]:
    """What the draft's files hold, their texts as tokens. Raises FormatError.

    While no format was recognised, each file is an error.
    """
    groups = groups_of(draft)
    if not groups or format_of(draft) is None:
        asked = next((guess.questions for guess in guesses(draft)), ())
        unread = [why_unknown(one) for one in all_files(draft)]
        # Where one is damaged, that is why the others are not known either.
        yield from asked or [error for error in unread if error.line] or unread
        return
    for group in groups:
        read = partial(_reads_of, draft, group)
        yield from up_to_its_end(read) if len(groups) > 1 else read()


def _reads_of(draft: ImportDraft, group: Group) -> Iterator[Read]:
    found, options = group.format, group.options
    if isinstance(found, Remembers) or brings_units(found.slug):
        # Units that go out as they came in are not split otherwise.
        options = replace(options, sentences=False, tokens="given")
    there = noting_escapes(in_languages(found.read(group.files, options), draft.project.languages))
    marked = with_breaks(there, options, corrections_of(draft, "token_splits"))
    given = tokenised(in_characters(marked, options), options, corrections_of(draft, "splits"))
    yield from grouped(given) if found.slug == LAYOUT else given


def with_layouts(terms: Terms, draft: ImportDraft) -> Terms:
    """The terms with what each file needs to be written again as it was, for formats that remember it."""
    layouts: dict[str, Any] = {}
    remembered = {}
    for group in groups_of(draft):
        found = group.format
        if not isinstance(found, Remembers):
            continue
        for one in group.files:
            remembered[one.name] = group.format.slug
            # What cannot be read is refused, and named, by the import itself.
            with suppress(FormatError):
                layouts[one.name] = dict(found.layout(one, group.options))
        if isinstance(found, Repeats):
            with suppress(FormatError):
                for name, more in found.repeats(group.files, group.options).items():
                    layouts[name] = {**layouts.get(name, {}), **more}
    files = [
        {**one, "format": remembered[one["name"]], "layout": layouts.get(one["name"], {})}
        if one["name"] in remembered
        else one
        for one in terms.files
    ]
    return replace(terms, files=files)


def terms_of(draft: ImportDraft) -> Terms:
    """What the draft says of its records."""
    return Terms(
        dataset=draft.dataset or "import",
        labels_as=draft.labels_as,
        labels_name=draft.labels_name,
        labels_revision=draft.labels_revision,
        people=draft.people,
        label_map=draft.options.get("label_map") or {},
        by_order=draft.options.get("match") == "order",
        originals=draft.options.get("originals", ""),
        apart=not is_parallel(draft.format),
        accept_shifts=draft.options.get("parallel") == "accepted",
        files=[
            {
                **{name: one[name] for name in ("name", "size", "sha256", "encoding", "language")},
                **({"edits": edits} if (edits := edits_made(draft, one)) else {}),
            }
            for one in draft.files
            if one["used"]
        ],
        licence=draft.licence,
        publishable=draft.publishable,
    )


def _tokens(draft: ImportDraft) -> TokensShown:
    found = punctuation_of(draft)
    return {
        "chosen": "options.tokens" in draft.chosen,
        "attached": found.attached,
        "apart": found.apart,
        "example": found.example[:MAX_CHARACTERS],
    }


def _columns(draft: ImportDraft) -> list[ColumnShown]:
    cells = getattr(format_of(draft), "cells", None)
    files = source_files(draft)
    if cells is None or not files:
        return []
    try:
        rows = cells(files, options_of(draft), SAMPLE_ROWS)
    except FormatError:
        return []
    meanings = draft.options.get("columns", {})
    return [
        {
            "number": number,
            "meaning": meanings.get(str(number), ""),
            "samples": [_sample(row[number]) if number < len(row) else "" for row in rows],
        }
        for number in range(min(max(map(len, rows), default=0), MAX_COLUMNS))
    ]


def _sample(cell: str) -> str:
    """The beginning of a cell on one line; what cannot be seen is spelt out, but for white space."""
    return quote(" ".join(cell.split()), 80)[1:-1]


def _row(draft: ImportDraft, first: FirstRecord) -> RowShown:
    record = first.entry.record
    return {
        "uid": first.entry.uid,
        "id": record.id,
        "file": record.file,
        "line": record.line,
        "role": record.role if draft.project.roles else "",
        "group": record.group,
        "known": first.is_known,
        "texts": [
            {
                "language": language,
                "text": text_of(text.tokens, text.spaces)[:MAX_CHARACTERS],
                "tokens": list(text.tokens[:MAX_TOKENS]),
                "spaces": list(text.spaces[: MAX_TOKENS + 1]),
                "spans": _spans(text, first.answers.get(language)),
                "lemmas": list(text.lemmas[:MAX_TOKENS]),
                "parts_of_speech": list(text.parts_of_speech[:MAX_TOKENS]),
                "values": _values(text, first.answers.get(language)),
                "parts": _parts(draft, record, text),
            }
            for language, text in record.texts.items()
        ],
    }


def _spans(text: Text, answers: Sequence[IncomingAnswer] | None) -> list[dict[str, Any]]:
    """The spans as they come in; while nobody said what becomes of them, as the file has them."""
    if answers:
        return next((one.content["spans"] for one in answers if not one.layer), [])
    spans = next((labels.spans for labels in text.labels), ())
    return [span.to_json() for span in spans if isinstance(span, Span)]


def _values(text: Text, answers: Sequence[IncomingAnswer] | None) -> list[str]:
    """The categories as they come in, or as the file has them; those that become labels are among the spans."""
    if answers:
        return list(dict.fromkeys(one.content["value"] for one in answers if one.layer and one.content.get("value")))
    return [value for values in text.values.values() for value in values]


def _parts(draft: ImportDraft, record: Record, text: Text) -> list[PartShown]:
    """What a unit of another kind says, by its parts; of a sentence nothing."""
    found = format_of(draft)
    if isinstance(found, Explains):
        parts: Iterable[tuple[object, str]] = found.parts(record, text)
    else:
        names = parts_of(record.kind)
        parts = zip(names, text_of(text.tokens, text.spaces).split("\n"), strict=False)
    return [{"name": str(name), "text": part[:MAX_CHARACTERS]} for name, part in parts if part.strip()]


def _counts(findings: Findings, languages: Sequence[str]) -> CountsShown:
    counts = findings.counts
    first = next((language for language in languages if counts.tokens[language]), "")
    return {
        "records": counts.records,
        "known": findings.summary.segments.known,
        "with_ids": counts.with_ids,
        "pairs": counts.pairs,
        "sentences": dict(counts.sentences),
        "new": {language: tally.new for language, tally in findings.summary.sentences.items()},
        "kinds": {
            language: {kind: number for (of, kind), number in counts.kinds.items() if of == language}
            for language in counts.sentences
        },
        "tokens": dict(counts.tokens),
        "labels": dict(counts.labels),
        "categories": dict(counts.categories),
        "ratio": {
            language: round(number / counts.tokens[first], 3)
            for language, number in counts.tokens.items()
            if language != first and counts.tokens[first]
        },
        "says": [
            {"says": says, "name": name, "sentences": sentences, "spans": spans}
            for (says, name), (sentences, spans) in counts.answers.items()
        ],
    }
