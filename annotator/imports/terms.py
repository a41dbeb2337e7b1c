"""The licence of a text that came in, and whether it may be published: both can turn out otherwise later."""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Import, User

MAX_LICENCE: int = Import._meta.get_field("licence").max_length or 0


@transaction.atomic
def change_import_terms(
    *, imported: Import, by: User | None, licence: str | None = None, publishable: bool | None = None
) -> Import:
    """Set the licence, or whether releases may contain the text; None leaves it. Later releases follow, those that
    are there stay. `queries.imports.published_by` says which sentences that concerns.

    Raises ActionError for an import that is not finished and for a licence that is too long.
    """
    row = Import.objects.select_for_update(of=("self",), no_key=True).select_related("project").get(pk=imported.pk)
    if row.published_at is None:
        raise ActionError(_("This import no longer exists, or has not finished yet."))
    before = {"licence": row.licence, "publishable": row.publishable}
    if licence is not None:
        row.licence = licence.strip()
    if publishable is not None:
        row.publishable = publishable
    if len(row.licence) > MAX_LICENCE:
        raise ActionError(_("The name of a licence can have at most %(most)d characters.") % {"most": MAX_LICENCE})
    after = {"licence": row.licence, "publishable": row.publishable}
    if after != before:
        row.save(update_fields=list(after))
        log(
            project=row.project,
            actor=by,
            verb=Verb.IMPORT_TERMS,
            subject=row.project,
            before={"import": row.pk, **before},
            after={"import": row.pk, **after},
        )
    return row
