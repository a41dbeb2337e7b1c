"""Exports: a layer's labels written in a format that another tool reads, by a command or a job, and kept for a week.

An export is no release: nothing in it is final, and it is no part of the project.
"""

from __future__ import annotations

import shutil
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath
from typing import IO, Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from annotator.core.database.snapshot import beside, snapshot
from annotator.core.errors import ActionError
from annotator.core.files.part_file import PartFile, written
from annotator.core.files.storage import site_files
from annotator.models import Job, Layer, Project
from annotator.models.job import exports_of
from annotator.releases.queries.export_room import is_written, why_not_written
from annotator.releases.queries.label_export import (
    MAX_KEPT,
    ExportChoice,
    ExportCounts,
    Whose,
    answers_in,
    export_records,
    predictions_in,
    writers,
)

KEPT_FOR = timedelta(days=7)


def checked_choice(project: Project, choice: ExportChoice) -> ExportChoice:
    """The choice with all languages of the project where it names none. Raises ActionError for what is not there, and
    for what the format has no room for."""
    one = writers().get(choice.format)
    if one is None:
        raise ActionError(
            _("Unknown format %(name)s. Available: %(names)s.")
            % {"name": choice.format or "–", "names": ", ".join(writers())}
        )
    languages = tuple(dict.fromkeys(choice.languages)) or tuple(project.languages)
    if unknown := [code for code in languages if code not in project.languages]:
        raise ActionError(
            _("The project has no language %(name)s. Available: %(names)s.")
            % {"name": unknown[0], "names": ", ".join(project.languages)}
        )
    layer = _layer(project, choice.layer) if choice.layer else None
    if reason := why_not_written(one, layer, languages, undecided=choice.undecided):
        raise ActionError(reason)
    if layer is not None and choice.whose != Whose.GOLD:
        _check_name(project, layer, choice)
    return ExportChoice(one.slug, choice.layer, languages, choice.whose, choice.name, choice.undecided)


def _layer(project: Project, slug: str) -> Layer:
    layer = project.layers.filter(slug=slug).first()
    if layer is None:
        raise ActionError(
            _("The project has no layer %(name)s. Available: %(names)s.")
            % {"name": slug, "names": ", ".join(project.layers.values_list("slug", flat=True))}
        )
    if not is_written(layer):
        raise ActionError(
            _("Layer %(name)s has no labels, categories or pair tags. Create a release to export it.") % {"name": slug}
        )
    return layer


def _check_name(project: Project, layer: Layer, choice: ExportChoice) -> None:
    if choice.whose == Whose.PERSON and not choice.name:
        raise ActionError(_("Say whose answers: give the person’s username as name."))
    if choice.whose == Whose.PERSON:
        rows = answers_in(layer).filter(user__username=choice.name)
        if not rows.exists():
            raise ActionError(
                _("Nobody called %(name)s has finished answers in this layer. Check the username.")
                % {"name": choice.name}
            )
    elif not predictions_in(layer, choice.name).exists():
        raise ActionError(
            _("There are no predictions of %(name)s in this layer. Pre-label the sentences first.")
            % {"name": choice.name}
            if choice.name
            else _("There are no predictions in this layer. Pre-label the sentences first.")
        )


def choice_of(params: Mapping[str, Any]) -> ExportChoice:
    """The choice that a job was started with. Raises ActionError where it says nobody's labels."""
    whose = params["whose"]
    if whose not in list(Whose):
        raise ActionError(
            _("Unknown value of “whose”: %(name)s. Available: %(names)s.") % {"name": whose, "names": ", ".join(Whose)}
        )
    languages = tuple(str(code) for code in params["languages"])
    return ExportChoice(
        params["format"], params["layer"], languages, Whose(whose), params["name"], bool(params["undecided"])
    )


def write_export(
    *, project: Project, choice: ExportChoice, folder: Path, report: Callable[[int], None] = lambda _done: None
) -> tuple[list[Path], ExportCounts]:
    """Write the files of an export into `folder`; which, and what they have. `choice` is a checked one.

    They show one state of the project, sentence after sentence: memory does not grow with it. Call it outside of a
    transaction. `report` is called on a connection of its own. Raises ActionError for what the format cannot hold.
    """
    counts = ExportCounts()
    one = writers()[choice.format]
    with beside(report) as reported, snapshot():
        try:
            paths = one.write(export_records(project, choice, counts, reported), folder)
        except ValueError as error:
            # Writers say what they have no room for.
            raise ActionError(
                _("%(format)s cannot hold this project's labels: %(why)s Choose another format, such as jsonl.")
                % {"format": choice.format, "why": error}
            ) from error
    return paths, counts


@dataclass(frozen=True)
class PreparedExport:
    """An export that is not stored yet. `name`: the name of the downloaded file."""

    file: PartFile
    counts: ExportCounts
    name: str


def prepare_export(*, job: Job, report: Callable[[int], None]) -> PreparedExport:
    """Write the export of a job: its file as it is, several as a zip. Nothing is left where it fails. Older ones are
    deleted."""
    choice = checked_choice(job.project, choice_of(job.params))
    _sweep(job.project_id, now=timezone.now())
    with tempfile.TemporaryDirectory() as place:
        paths, counts = write_export(project=job.project, choice=choice, folder=Path(place), report=report)
        names = {path.relative_to(place).as_posix(): path for path in paths}
        only = next(iter(names)) if len(names) == 1 else ""
        # A folder says something of its file.
        if only and "/" not in only:
            file = written(lambda out: _copy(names[only], out))
            return PreparedExport(file, counts, f"{job.project.slug}-{job.pk}-{only}")
        file = written(lambda out: _pack(names, out))
        return PreparedExport(file, counts, f"{job.project.slug}-{choice.format}-{job.pk}.zip")


def _copy(path: Path, out: IO[bytes]) -> None:
    with path.open("rb") as file:
        shutil.copyfileobj(file, out)


def _pack(names: Mapping[str, Path], out: IO[bytes]) -> None:
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, path in names.items():
            packed.write(path, name)


@transaction.atomic
def store_export(*, job: Job, prepared: PreparedExport) -> dict[str, Any]:
    """Give a prepared export its name; what the job's result says of it."""
    size, sha256 = prepared.file.size, prepared.file.sha256
    job.result = {"file": prepared.name, "size": size, "sha256": sha256, **prepared.counts.to_json()}
    prepared.file.name(job.exported)
    return job.result


def _sweep(project: int, *, now: datetime) -> None:
    """Delete exports that are too old, and the oldest ones, so that one more is not too many."""
    files = site_files()
    # Named by their jobs, whose numbers go up.
    newest = sorted(files.files(exports_of(project)), key=lambda file: int(PurePosixPath(file.name).stem), reverse=True)
    for place, file in enumerate(newest, start=1):
        if place >= MAX_KEPT or file.modified < now - KEPT_FOR:
            files.delete(file.name)
