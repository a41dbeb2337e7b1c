"""What is known of a text that came in: its licence, whether it may be published, and its original language. All of it
can turn out otherwise later."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.domain.verbs import Verb
from annotator.models import Import, User

MAX_LICENCE: int = Import._meta.get_field("licence").max_length or 0


@transaction.atomic
def change_import_terms(
    *,
    imported: Import,
    by: User | None,
    licence: str | None = None,
    publishable: bool | None = None,
    original_language: str | None = None,
) -> Import:
    """Set the licence, whether releases may contain the text, or the language that it was written in ("": not known);
    None leaves it. Later releases follow, those that are there stay. `queries.imports.published_by` says which
    sentences that concerns.

    Raises ActionError for an import that is not finished, for a licence that is too long, and for a language that the
    project does not have.
    """
    row = Import.objects.select_for_update(of=("self",), no_key=True).select_related("project").get(pk=imported.pk)
    if row.published_at is None:
        raise ActionError(_("This import no longer exists, or has not finished yet."))
    before = _terms(row)
    if licence is not None:
        row.licence = licence.strip()
    if publishable is not None:
        row.publishable = publishable
    if original_language is not None:
        row.original_language = original_language
    if len(row.licence) > MAX_LICENCE:
        raise ActionError(_("The name of a licence can have at most %(most)d characters.") % {"most": MAX_LICENCE})
    if row.original_language and row.original_language not in row.project.languages:
        raise ActionError(
            _("The project does not have the language “%(language)s”. Available: %(languages)s.")
            % {"language": row.original_language, "languages": ", ".join(row.project.languages)}
        )
    after = _terms(row)
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


def _terms(row: Import) -> dict[str, Any]:
    return {
        "licence": row.licence,
        "publishable": row.publishable,
        "original_language": row.original_language,
    }
