"""The job of an import draft: what was previewed, read again to the end, and imported as a whole or not at all."""

from __future__ import annotations

from functools import partial
from typing import Any

from annotator.core.errors import ActionError
from annotator.domain.said import gettext_noop as _
from annotator.domain.said import say
from annotator.formats.common.errors import FormatError
from annotator.imports.drafts.files import sha256_of
from annotator.imports.drafts.preview import (
    MOST_COMPARED,
    fingerprint,
    problems_path,
    reads_of,
    shown,
    terms_of,
    with_layouts,
)
from annotator.imports.drafts.preview_shapes import Preview
from annotator.imports.reading.check import Check
from annotator.imports.reading.parallel import compare, compared, comparing
from annotator.imports.reading.problems import Problems, problem_of
from annotator.imports.reading.staging import Scratch, scratch
from annotator.imports.writing.imports import Progress, import_records
from annotator.models import ImportDraft, Project, User


def draft_to_import(project: Project, key: str, previewed: str) -> ImportDraft:
    """The draft that a job was started for. Raises ActionError when it, its files or its choices are not as they were
    previewed."""
    draft = ImportDraft.objects.select_related("project").filter(project=project, key=key).first()
    if draft is None:
        raise ActionError(say(_("The uploaded files are not there any more. Upload them again.")))
    if draft.imported_id is None:
        _check_same(draft, previewed)
    return draft


def run_check(*, draft: ImportDraft, report: Progress = lambda _done: None) -> Preview:
    """Read all of a draft's files, whatever their size; its preview is whole then."""
    problems = Problems(problems_path(draft))
    try:
        with scratch() as seen:
            check = Check(draft.project, terms_of(draft), seen, problems)
            try:
                check.run(reads_of(draft)(), report)
            except FormatError as error:
                problems.add(problem_of(error))
            seen.finish()
            with _Comparison(draft, check, seen) as comparison:
                return comparison.end(report)
    finally:
        problems.close()


def run_import(
    *, draft: ImportDraft, by: User | None, job: int | None = None, report: Progress = lambda _done: None
) -> dict[str, Any]:
    """Import a draft's files; returns what was done, in numbers. Raises ActionError, with nothing imported, when
    something is wrong with them: the draft's preview then names all of it."""
    expected = draft.preview.get("expected", 0) if isinstance(draft.preview, dict) else 0
    problems = Problems(problems_path(draft))
    try:
        summary = import_records(
            project=draft.project,
            reads=reads_of(draft),
            terms=with_layouts(terms_of(draft), draft),
            by=by,
            job=job,
            report=report,
            expected=expected,
            problems=problems,
            judge=partial(_Comparison, draft),
        )
    finally:
        problems.close()
    return summary.to_json()


class _Comparison:
    """Compares the languages with each other while what was checked is written, and keeps the draft's preview."""

    def __init__(self, draft: ImportDraft, check: Check, seen: Scratch) -> None:
        self._draft = draft
        self._check = check
        self._seen = seen
        self._child = comparing(check, seen) if check.number > MOST_COMPARED else None

    def __enter__(self) -> _Comparison:
        return self

    def __exit__(self, *error: object) -> None:
        if self._child is not None:
            self._child.__exit__(*error)

    def end(self, report: Progress) -> Preview:
        """Wait for the end, and store what was found, which is whole now."""
        check = self._check
        if self._child is None:
            parallel = compare(check, self._seen, most=MOST_COMPARED)
        else:
            done = self._child.wait(lambda _done, _all: report(check.counts.records))
            parallel = compared(check, self._seen, done)
        found = shown(self._draft, check, parallel)
        mine = ImportDraft.objects.filter(pk=self._draft.pk)
        mine.update(preview=found, preview_of=fingerprint(self._draft))
        return found


def _check_same(draft: ImportDraft, previewed: str) -> None:
    if fingerprint(draft) != previewed:
        raise ActionError(
            say(_("The import was changed after it was started. Look at the preview, and start it again."))
        )
    for one in draft.files:
        path = draft.folder / one["stored"]
        if not path.is_file():
            raise ActionError(say(_("The uploaded files are not there any more. Upload them again.")))
        if sha256_of(path) != one["sha256"]:
            raise ActionError(say(_("%(name)s is not the file that was previewed. Upload it again."), name=one["name"]))
