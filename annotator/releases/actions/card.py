"""Changing what a project's releases say of it as a dataset."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.verbs import Verb
from annotator.models import Project, User
from annotator.releases.card import QUESTIONS, authors_of

_DOI = re.compile(r"10\.\d{4,9}/\S+")
_DOI_ADDRESS = re.compile(r"(https?://(dx\.)?doi\.org/|doi:\s*)", re.IGNORECASE)
_ORCID = re.compile(r"(\d{4}-){3}\d{3}[\dX]")
_ORCID_ADDRESS = "https://orcid.org/"


@transaction.atomic
def change_card(*, project: Project, answers: Mapping[str, str], names: bool, by: User | None) -> Project:
    """Set the answers of the card, and whether releases name people. Unknown and empty answers are not kept.

    Raises ActionError for a DOI or an ORCID that cannot be one.
    """
    row = Project.objects.select_for_update(no_key=True).get(pk=project.pk)
    check_open(row)
    card: dict[str, Any] = {}
    for question in QUESTIONS:
        text = str(answers.get(question.name, "")).replace("\r\n", "\n").strip()[: question.most]
        if text:
            card[question.name] = text
    if "doi" in card:
        card["doi"] = _doi(card["doi"])
    if "authors" in card:
        card["authors"] = card["authors"].replace(_ORCID_ADDRESS, "")
        _check_authors(card)
    if names:
        card["names"] = True
    if card != row.dataset_card:
        before = {"dataset_card": row.dataset_card}
        row.dataset_card = card
        row.save(update_fields=["dataset_card"])
        after = {"dataset_card": card}
        log(project=row, actor=by, verb=Verb.PROJECT_SETTINGS, subject=row, before=before, after=after)
    return row


def _doi(text: str) -> str:
    found = _DOI_ADDRESS.sub("", text)
    if not _DOI.fullmatch(found):
        raise ActionError(_("“%(doi)s” is not a valid DOI. Enter one like 10.5281/zenodo.1234567.") % {"doi": text})
    return found


def _check_authors(card: Mapping[str, Any]) -> None:
    for author in authors_of(card):
        if not author.family:
            raise ActionError(_("An author has no name. Begin each line with the family name."))
        if author.orcid and not _ORCID.fullmatch(author.orcid):
            raise ActionError(
                _("“%(orcid)s” is not a valid ORCID. Enter one like 0000-0002-1825-0097.") % {"orcid": author.orcid}
            )
