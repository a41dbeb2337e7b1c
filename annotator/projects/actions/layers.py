"""Layers of labels: adding one beside the project's main one, and changing a scheme."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError, ConflictError
from annotator.core.events import log
from annotator.domain.labels.schemes import Scheme, narrowing
from annotator.domain.verbs import Verb
from annotator.models import Layer, User


@transaction.atomic
def change_scheme(*, layer: Layer, scheme: Scheme, version: int, by: User | None) -> Layer:
    """Give a layer of labels another scheme that allows all that the one before did: the next version.

    Answers keep the version that they were made under. Raises ActionError, naming what, for a scheme that would make
    labels invalid that people may have given; ConflictError when `version` is no longer the newest.
    """
    lock_project(layer.project)
    current = Layer.objects.get(pk=layer.pk)
    if version != current.scheme_version:
        raise ConflictError(
            _("The scheme was changed in another window after you opened it; nothing was overwritten."),
            theirs={"scheme": current.scheme_data, "version": current.scheme_version},
            mine={"scheme": scheme.to_json(), "version": version},
        )
    if reason := narrowing(current.scheme, scheme):
        raise ActionError(
            _("Labels that exist might not fit the new scheme: %(reason)s Rename or merge them first.")
            % {"reason": reason.translated(_)}
        )
    if scheme.to_json() == current.scheme_data:
        return current
    before = {"scheme": current.scheme_data, "version": current.scheme_version}
    current.scheme_data = scheme.to_json()
    current.scheme_version += 1
    current.save(update_fields=["scheme_data", "scheme_version"])
    log(
        project=current.project_id,
        actor=by,
        verb=Verb.SCHEME_CHANGE,
        subject=current,
        before=before,
        after={"scheme": current.scheme_data, "version": current.scheme_version},
    )
    return current
