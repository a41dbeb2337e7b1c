"""The guidelines of a project."""

from __future__ import annotations

import hashlib

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ConflictError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Project, User

# Characters, in one language.
MAX_TEXT = 200_000


def fingerprint(text: str) -> str:
    """What an editor hands back, to show which text was read before it was changed."""
    return hashlib.sha256(text.encode()).hexdigest()


@transaction.atomic
def edit_guidelines(*, project: Project, language: str, text: str, before: str, by: User | None) -> None:
    """Replace the guidelines in one language of the interface; every earlier text stays in the event log.

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
