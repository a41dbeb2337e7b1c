"""The guidelines of a project."""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.template.defaultfilters import filesizeformat
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, ConflictError
from annotator.core.events import log
from annotator.core.files.pictures import name_of, picture_file, picture_part, picture_type
from annotator.core.files.room import grow
from annotator.core.files.storage import site_files
from annotator.domain.verbs import Verb
from annotator.models import Project, User

# Characters, in one language.
MAX_TEXT = 200_000
# Bytes, of one.
MAX_PICTURE = 2 * 1024 * 1024


def fingerprint(text: str) -> str:
    """What an editor hands back, to show which text was read before it was changed."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def edit_guidelines(*, project: Project, language: str, text: str, before: str, by: User | None) -> None:
    """Replace the guidelines in one language; every earlier text stays in the event log.

    Their version goes up by one; annotations say under which one they were made. `before` is the fingerprint of the
    text that was edited. Raises ConflictError when it is no longer what stands.
    """
    project = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    standing = project.guidelines.get(language, "")
    if fingerprint(standing) != before:
        raise ConflictError(
            _("Someone else changed the guidelines while you were writing. Combine the two texts below and save."),
            theirs={"text": standing},
            mine={"text": text},
        )
    if text == standing:
        return
    project.guidelines = {**project.guidelines, language: text}
    version = project.guidelines_version
    project.guidelines_version += 1
    project.save(update_fields=["guidelines", "guidelines_version"])
    log(
        project=project,
        actor=by,
        verb=Verb.GUIDELINES_EDIT,
        subject=project,
        before={"language": language, "text": standing, "version": version},
        after={"language": language, "text": text, "version": project.guidelines_version},
    )


def add_picture(*, project: Project, data: bytes, by: User | None) -> str:
    """Keep a picture for the guidelines. Returns its name; one that is there already is kept once.

    Raises ActionError unless it is a picture that browsers show safely, and if it is too large.
    """
    if len(data) > MAX_PICTURE:
        raise ActionError(_("A picture can have at most %(most)s.") % {"most": filesizeformat(MAX_PICTURE)})
    ending = picture_type(data)
    if ending is None:
        raise ActionError(_("This file is not a PNG, JPEG, GIF or WebP picture."))
    name = name_of(data, ending)
    stored = picture_file(project.pk, name)
    if site_files().exists(stored):
        return name
    file = picture_part(data)
    with transaction.atomic():
        row = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
        log(project=row, actor=by, verb=Verb.GUIDELINES_PICTURE, subject=row, after={"name": name, "size": len(data)})
        grow(project=row.pk, by=by, more=len(data), checked=True)
        file.name(stored)
    return name
