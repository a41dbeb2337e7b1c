"""The job of an import draft: what was previewed is read to the end, and imported as a whole or not at all."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import partial
from typing import Any

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.imports.drafts.preview import fingerprint, reads_of, shown, terms_of, with_layouts
from annotator.imports.drafts.preview_shapes import Preview
from annotator.imports.reading.check import Check
from annotator.imports.reading.findings import Findings
from annotator.imports.reading.parallel import Comparison, ParallelShown
from annotator.imports.reading.problems import kept_problems
from annotator.imports.reading.staging import staging_store
from annotator.imports.writing.imports import Progress, import_records
from annotator.models import ImportDraft, Project, User


def draft_to_import(project: Project, key: str, previewed: str) -> ImportDraft:
    """The draft that a job was started for. Raises ActionError when it, its files or its choices are not as they were
    previewed."""
    draft = ImportDraft.objects.select_related("project").filter(project=project, key=key).first()
    if draft is None:
        raise ActionError(message(_("The uploaded files no longer exist. Upload them again.")))
    if draft.imported_id is None:
        _check_same(draft, previewed)
    return draft


def run_check(*, draft: ImportDraft, report: Progress = lambda _done: None) -> Preview:
    """Read all of a draft's files, whatever their size; its preview is whole then."""
    terms = terms_of(draft)
    with kept_problems(draft) as problems, staging_store() as store:
        findings = Check(draft.project, terms, store, problems).run(reads_of(draft), report)
        with Comparison(findings, store, terms) as comparison:
            return _keep_preview(draft, findings, comparison.result(partial(report, findings.counts.records)))


def run_import(
    *, draft: ImportDraft, by: User | None, job: int | None = None, report: Progress = lambda _done: None
) -> dict[str, Any]:
    """Import a draft's files; returns what was done, in numbers. Raises ActionError, with nothing imported, when
    something is wrong with them: the draft's preview then names all of it."""
    expected = draft.preview.get("expected", 0) if isinstance(draft.preview, dict) else 0
    with kept_problems(draft) as problems:
        return import_records(
            project=draft.project,
            reads=reads_of(draft),
            terms=with_layouts(terms_of(draft), draft),
            by=by,
            job=job,
            report=report,
            expected=expected,
            problems=problems,
            keep=partial(_keep_preview, draft),
        ).to_json()


def _keep_preview(draft: ImportDraft, findings: Findings, parallel: Sequence[ParallelShown]) -> Preview:
    """Store what was found, which is whole now."""
    found = shown(draft, findings, parallel)
    ImportDraft.objects.filter(pk=draft.pk).update(preview=found, preview_of=fingerprint(draft))
    return found


def _check_same(draft: ImportDraft, previewed: str) -> None:
    if fingerprint(draft) != previewed:
        raise ActionError(
            message(_("The import was changed after it started. Check the preview, then start it again."))
        )
    try:
        paths = site_files().fetch(*(draft.file(one["stored"]) for one in draft.files))
    except FileNotFoundError as error:
        raise ActionError(message(_("The uploaded files no longer exist. Upload them again."))) from error
    for one, path in zip(draft.files, paths, strict=True):
        with path.open("rb") as file:
            is_same = hashlib.file_digest(file, "sha256").hexdigest() == one["sha256"]
        if not is_same:
            raise ActionError(
                message(_("%(name)s is not the file that was previewed. Upload it again."), name=one["name"])
            )
