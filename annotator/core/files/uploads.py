"""Zips that people upload: kept until their import job, unpacked without trusting them."""

from __future__ import annotations

import shutil
import uuid
import zipfile
import zlib
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath

from django.conf import settings

from annotator.core.errors import ActionError
from annotator.domain.messages import Message, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.corpora.interpretation import INTERPRETATION
from annotator.formats.corpora.meta4xnli import list_datasets

MAX_FILES = 10_000


class UploadError(ActionError):
    """A file that cannot be imported. The message says what is wrong with it."""

    @classmethod
    def no_layout(cls) -> UploadError:
        return cls(
            message(
                _(
                    "The zip holds no corpus in the expected layout. It must have the folders "
                    "detection/source_datasets/<language>/ and interpretation/source_datasets/."
                )
            )
        )

    @classmethod
    def no_dataset(cls, wanted: str, found: Collection[str]) -> UploadError:
        return cls(
            message(
                _('The zip holds no dataset "%(wanted)s"; it holds: %(found)s.'),
                wanted=wanted,
                found=", ".join(found) or "–",
            )
        )


def keep_upload(*, chunks: Iterable[bytes], name: str) -> str:
    """Store an uploaded file for its import job and return the `path` to start the job with.

    Raises UploadError when it is larger than IMPORT_MAX_BYTES or no zip; nothing is kept then.
    """
    folder = Path(settings.UPLOADS_DIR)
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{uuid.uuid4().hex}.zip"
    try:
        with path.open("xb") as file:
            for chunk in chunks:
                file.write(chunk)
                if file.tell() > settings.IMPORT_MAX_BYTES:
                    raise UploadError(too_large(name))
        if not zipfile.is_zipfile(path):
            raise UploadError(message(_("%(name)s is not a zip file."), name=name))
    except BaseException:
        path.unlink(missing_ok=True)
        raise
    return path.name


def uploaded(path: str) -> Path:
    """The file that `keep_upload` stored. Raises UploadError when it is gone."""
    found = Path(settings.UPLOADS_DIR) / Path(path).name
    if Path(path).name != path or not found.is_file():
        raise UploadError(message(_("The uploaded file is not there any more. Upload it again.")))
    return found


def drop_upload(path: str) -> None:
    """Delete the file that `keep_upload` stored, if it is still there."""
    (Path(settings.UPLOADS_DIR) / Path(path).name).unlink(missing_ok=True)


def unpacked(path: Path, folder: Path) -> Path:
    """Unpack a zip into `folder` and return the folder in it that holds the corpus.

    Raises UploadError for a damaged zip, names that lead out of the folder, and more than IMPORT_MAX_BYTES or
    10,000 files unpacked; sizes are counted while unpacking, not believed.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            members = [member for member in archive.infolist() if not member.filename.endswith(("/", "\\"))]
            if len(members) > MAX_FILES:
                raise UploadError(message(_("The zip holds more than %(most)d files."), most=MAX_FILES))
            left = settings.IMPORT_MAX_BYTES
            for member in members:
                left -= _unpack(archive, member, folder, left)
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise UploadError(
            message(_("The zip cannot be read (%(reason)s). Pack it again, without a password."), reason=error)
        ) from error
    return _corpus_root(folder)


def _unpack(archive: zipfile.ZipFile, member: zipfile.ZipInfo, folder: Path, left: int) -> int:
    # Some packers on Windows write its separator.
    name = PurePosixPath(member.filename.replace("\\", "/"))
    if name.is_absolute() or ".." in name.parts or ":" in member.filename or not name.parts:
        raise UploadError(message(_("The zip holds a file whose name leads elsewhere: %(name)s"), name=member.filename))
    target = folder.joinpath(*name.parts)
    target.parent.mkdir(parents=True, exist_ok=True)
    size = 0
    with archive.open(member) as source, target.open("wb") as file:
        while chunk := source.read(1024 * 1024):
            size += len(chunk)
            if size > left:
                raise UploadError(too_large(member.filename))
            file.write(chunk)
    return size


def too_large(name: str) -> Message:
    """Why a file is refused that would be more than IMPORT_MAX_BYTES."""
    return message(
        _("%(name)s: more than %(most)d MB in all. Split the corpus, or raise IMPORT_MAX_BYTES in the settings."),
        name=name,
        most=settings.IMPORT_MAX_BYTES // (1024 * 1024),
    )


def _corpus_root(folder: Path) -> Path:
    """The folder that holds the corpus: the given one, or one inside it, as packers put around everything.

    Raises UploadError when several hold one.
    """
    shutil.rmtree(folder / "__MACOSX", ignore_errors=True)
    holders = {path.parent.parent for path in folder.rglob(INTERPRETATION) if list_datasets(path.parent.parent)}
    if len(holders) > 1:
        names = ", ".join(sorted(str(path.relative_to(folder)) for path in holders))
        raise UploadError(message(_("The zip holds several corpora: %(names)s. Import one at a time."), names=names))
    return next(iter(holders), folder)
