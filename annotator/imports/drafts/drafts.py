"""What an import is started from: files that somebody brought, how they are read, and what they would bring.

Nothing comes into the project before `start_import`, and then what was previewed, all of it or none.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from copy import deepcopy
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.files.room import check_drafts
from annotator.core.files.storage import site_files
from annotator.imports.drafts.choices import changed, choose_split
from annotator.imports.drafts.files import Stored, Upload, store_files, weigh
from annotator.imports.drafts.preview import fingerprint, is_large, make_preview
from annotator.imports.drafts.preview_shapes import Preview
from annotator.imports.drafts.recognition import is_chosen, recognised
from annotator.jobs.actions import ACTIVE, start_job
from annotator.models import ImportDraft, Job, JobKind, Project, User
from annotator.models.import_draft import DRAFTS

__all__ = [
    "Upload",
    "add_files",
    "add_text",
    "change_draft",
    "correct_split",
    "drop_draft",
    "preview_draft",
    "remove_file",
    "replace_files",
    "start_check",
    "start_draft",
    "start_import",
    "sweep_drafts",
]

logger = logging.getLogger(__name__)

KEPT_FOR = timedelta(days=7)
# A folder without a draft may belong to one whose transaction has not ended yet.
STRAY_AFTER = timedelta(hours=1)
# As often is a change worked out again that another one came before.
MAX_TRIES = 5
# What jobs and previews write.
_ELSEWHERE = ("id", "preview", "preview_of", "job", "expires_at", "imported")


@transaction.atomic
def start_draft(*, project: Project, by: User | None, dataset: str = "", now: datetime | None = None) -> ImportDraft:
    """Begin an import: a place for files. `dataset`: what they are called in the project; can be changed later.

    It and its files are kept for a week. Raises ActionError where an account can begin no more.
    """
    check_drafts(by=by)
    draft = ImportDraft.objects.create(
        project=project, created_by=by, expires_at=(now or timezone.now()) + KEPT_FOR, dataset=""
    )
    if dataset:
        changed(draft, {"dataset": dataset})
        draft.save()
    return draft


def add_files(*, draft: ImportDraft, uploads: Iterable[Upload], by: User | None) -> ImportDraft:
    """Add files, all of them or none; zips and gzip are unpacked. What they are is recognised again.

    Raises UploadError, a sentence about the file at fault.
    """
    stored = store_files(draft.folder, uploads, before=[one["size"] for one in draft.files], by=draft.created_by)

    def add(row: ImportDraft) -> None:
        taken = [int(one["id"]) for one in row.files]
        row.files += [_as_file(number, one) for number, one in enumerate(stored, start=max(taken, default=0) + 1)]
        recognised(row)

    with _removed_on_error(draft, stored):
        return in_line(draft, _worked_out(draft, add))


def replace_files(*, draft: ImportDraft, uploads: Sequence[tuple[str, Upload]], by: User | None) -> ImportDraft:
    """Take files anew, all of them or none, each in the place of the one whose id stands beside it: what a person chose
    for that one holds for it, too.

    Raises UploadError or ActionError, and the earlier files stay.
    """
    ids = {file for file, _upload in uploads}
    other_sizes = [one["size"] for one in draft.files if one["id"] not in ids]
    old_size = sum(one["size"] for one in draft.files if one["id"] in ids)
    stored: dict[str, list[Stored]] = {}
    with ExitStack() as undo:
        for file, upload in uploads:
            new_sizes = [one.size for found in stored.values() for one in found]
            stored[file] = store_files(
                draft.folder, [upload], before=[*other_sizes, *new_sizes], by=draft.created_by, instead_of=old_size
            )
            undo.enter_context(_removed_on_error(draft, stored[file]))
        gone: list[dict[str, Any]] = []

        def replace(row: ImportDraft) -> None:
            gone[:] = [one for one in row.files if one["id"] in stored]
            if len(gone) < len(stored):
                raise ActionError(_("This file is not part of the import."))
            number = max(int(one["id"]) for one in row.files)
            files: list[dict[str, Any]] = []
            for old in row.files:
                if old["id"] not in stored:
                    files.append(old)
                    continue
                new = [_as_file(number + place, one) for place, one in enumerate(stored[old["id"]], start=1)]
                number += len(new)
                if new:
                    names = ("encoding", "language", "role", "format")
                    chosen = {name: old[name] for name in names if is_chosen(row, old, name)}
                    new[0] |= {**chosen, "id": old["id"]}
                    if new[0]["sha256"] == old["sha256"]:
                        # What was done to the lines of another file means nothing in this one.
                        new[0]["edits"] = old.get("edits", [])
                files += new
            row.files = files
            recognised(row)

        row = _worked_out(draft, replace)
    _forget(draft, gone)
    return in_line(draft, row)


def add_text(*, draft: ImportDraft, name: str, text: str, by: User | None) -> ImportDraft:
    """Add text that somebody pasted, as a file of this name."""
    if not text.strip():
        raise ActionError(_("There is no text to add."))
    # What a browser sends of a text field has CR LF.
    data = text.replace("\r\n", "\n").encode("utf-8")
    return add_files(draft=draft, uploads=[Upload(name, [data])], by=by)


def remove_file(*, draft: ImportDraft, file: str, by: User | None) -> ImportDraft:
    """Take a file away again. Raises ActionError when there is none with this id."""
    gone: list[dict[str, Any]] = []

    def remove(row: ImportDraft) -> None:
        gone[:] = [one for one in row.files if one["id"] == file]
        if not gone:
            raise ActionError(_("This file is not part of the import."))
        row.files = [one for one in row.files if one["id"] != file]
        recognised(row)

    row = _worked_out(draft, remove)
    _forget(draft, gone)
    return in_line(draft, row)


def change_draft(*, draft: ImportDraft, changes: Mapping[str, Any], by: User | None) -> ImportDraft:
    """Correct what was recognised, and say what becomes of it. What is left out stays.

    `changes`: `format` (a slug), `dataset`, `labels_as`, `labels_name` (a member's username, or a model's),
    `labels_revision`, `people` (by the name in the file, a member's username), `licence`, `publishable`, `options`
    (each by its name) and `files` (by id, `language`, `role`, `encoding`). Raises ActionError, with nothing changed.
    """
    return in_line(draft, _worked_out(draft, lambda row: changed(row, changes)))


@transaction.atomic
def correct_split(*, draft: ImportDraft, of: str, key: str, place: int, what: str, by: User | None) -> ImportDraft:
    """Begin a sentence of running text ("splits"), or a token of a text ("token_splits"), at a place ("split"), or let
    the one before continue there ("join"). It holds wherever the same text stands. One undoes the other.

    `key` of the paragraph or text, and `place`, as `sentence_page` shows them. Raises ActionError.
    """
    row = editable(draft)
    choose_split(row, of, key, place, what)
    weigh(row)
    row.save()
    return in_line(draft, row)


def preview_draft(*, draft: ImportDraft) -> Preview:
    """What the draft would bring, and all that is wrong with it; see `Preview`.

    Worked out once for the same files and choices. Of files that are too large for a request it reads the beginning:
    `start_check` reads all of them.
    """
    now = fingerprint(draft)
    # What a request read whole is said again to somebody of another language.
    is_ours = draft.preview.get("language") in (get_language() or "", None)
    if draft.preview_of != now or not (is_ours or is_large(draft)):
        draft.preview, draft.preview_of = dict(make_preview(draft)), now
        # Another choice may have been made meanwhile, and looked at.
        stands = ImportDraft.objects.select_related("project").filter(pk=draft.pk).first()
        if stands is not None and fingerprint(stands) == now:
            ImportDraft.objects.filter(pk=draft.pk).update(preview=draft.preview, preview_of=now)
    found: Preview = draft.preview
    return found


def start_check(*, draft: ImportDraft, by: User | None) -> Job:
    """Read all of the files as a job, which writes nothing; the preview is whole then."""
    return _start(draft, by, check=True)


def start_import(*, draft: ImportDraft, by: User | None) -> Job:
    """Import what was previewed, as a job: all of it or none.

    Raises ActionError when the preview names errors, or is of other files or choices. The job reads all of it,
    and imports nothing when a file is not the one that was previewed or something is wrong with it after all.
    """
    preview = preview_draft(draft=draft)
    if not preview["ready"]:
        if preview["errors"]:
            raise ActionError(_("There are errors in the files. Correct them and check the preview again."))
        raise ActionError(_("Nothing to import was found in the files."))
    return _start(draft, by, check=False)


def drop_draft(*, draft: ImportDraft, by: User | None) -> None:
    """Give a draft up: it and its files are deleted. Raises ActionError while its job is under way."""
    with transaction.atomic():
        row = editable(draft)
        row.delete()
    try:
        site_files().delete_folder(draft.folder)
    except OSError:
        logger.exception("The files of a draft that was discarded stay until they are swept.")


def finish_draft(*, draft: ImportDraft, imported: int | None) -> None:
    """The import is done: the draft is kept as a record of it, its files are not. Call it inside a transaction."""
    ImportDraft.objects.filter(pk=draft.pk).update(imported=imported, size=0)
    transaction.on_commit(lambda: site_files().delete_folder(draft.folder), robust=True)


def sweep_drafts(*, now: datetime) -> int:
    """Delete drafts whose time is over, and folders that belong to none. Returns how many drafts were deleted."""
    over = [row for row in ImportDraft.objects.filter(expires_at__lt=now, imported=None) if not _active(row)]
    for row in over:
        row.delete()
        site_files().delete_folder(row.folder)
    known = {row.folder for row in ImportDraft.objects.filter(imported=None)}
    modified: dict[str, datetime] = {}
    for file in site_files().files(DRAFTS):
        folder = "/".join(file.name.split("/")[:3])
        modified[folder] = max(file.modified, modified.get(folder, file.modified))
    for folder, last in modified.items():
        if folder not in known and last < now - STRAY_AFTER:
            site_files().delete_folder(folder)
    return len(over)


def _forget(draft: ImportDraft, files: Iterable[Mapping[str, Any]]) -> None:
    """Delete files that the draft had. What cannot be deleted now goes with the draft."""
    try:
        for one in files:
            site_files().delete(draft.file(one["stored"]))
    except OSError:
        logger.exception("Files that were taken out of a draft stay until it goes.")


def _as_file(number: int, one: Stored) -> dict[str, Any]:
    return {"id": str(number), **asdict(one), "used": True, "encoding": "", "language": "", "role": "", "format": ""}


@contextmanager
def _removed_on_error(draft: ImportDraft, stored: Sequence[Stored]) -> Iterator[None]:
    """Delete files that were stored if what follows fails."""
    try:
        yield
    except BaseException:
        for one in stored:
            site_files().delete(draft.file(one.stored))
        raise


def _start(draft: ImportDraft, by: User | None, *, check: bool) -> Job:
    with transaction.atomic():
        row = editable(draft)
        if fingerprint(row) != fingerprint(draft):
            raise ActionError(_("The import was changed in another window. Check the preview again."))
        params = {
            "draft": row.key.hex,
            "check": check,
            "fingerprint": fingerprint(row),
            "interface": get_language() or "",
        }
        job = start_job(project=row.project, kind=JobKind.IMPORT, params=params, by=by)
        row.job = draft.job = job
        # Its files are needed until the job is done, and for trying it again.
        row.expires_at = draft.expires_at = max(row.expires_at, timezone.now() + KEPT_FOR)
        row.save(update_fields=["job", "expires_at"])
    return job


def _worked_out(draft: ImportDraft, change: Callable[[ImportDraft], None]) -> ImportDraft:
    """Change a draft by what its files are recognised as, and store it, if it is still what it was by then.

    Files are read outside of the transaction, which others who save wait for on SQLite. Raises what `change` raises,
    NoRoomError, and ActionError when it cannot be changed now; nothing is changed then.
    """
    for _time in range(MAX_TRIES):
        row = editable(draft, held=False)
        before = _choices(row)
        change(row)
        with transaction.atomic():
            if _choices(editable(draft)) == before:
                weigh(row)
                row.save(update_fields=before.keys())
                return row
    raise ActionError(_("The import was changed in another window. Check the preview again."))


def _choices(row: ImportDraft) -> dict[str, Any]:
    """Its files, and all that was chosen or recognised, as they are now."""
    names = [field.attname for field in ImportDraft._meta.concrete_fields if field.name not in _ELSEWHERE]
    return {name: deepcopy(getattr(row, name)) for name in names}


def editable(draft: ImportDraft, *, held: bool = True) -> ImportDraft:
    """The draft as it stands, `held` until the transaction ends. Raises ActionError when it cannot be changed now."""
    rows = ImportDraft.objects.select_for_update(of=("self",)) if held else ImportDraft.objects.all()
    row = rows.select_related("project").filter(pk=draft.pk).first()
    if row is None:
        raise ActionError(_("This import no longer exists. Start a new one."))
    if row.imported_id is not None:
        raise ActionError(_("These files have already been imported. Start a new import."))
    if _active(row):
        raise ActionError(_("The import is under way. Wait for it to finish, or cancel it."))
    return row


def _active(draft: ImportDraft) -> bool:
    return draft.job_id is not None and Job.objects.filter(pk=draft.job_id, state__in=ACTIVE).exists()


def in_line(draft: ImportDraft, row: ImportDraft) -> ImportDraft:
    """The caller's draft brought in line with the row that was written."""
    names: Sequence[str] = [field.attname for field in ImportDraft._meta.concrete_fields]
    for name in names:
        setattr(draft, name, getattr(row, name))
    return draft
