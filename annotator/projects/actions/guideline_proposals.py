"""Sentences that adjudicators propose for the guidelines, and what managers do with them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime

from django.conf import settings
from django.db import transaction
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.verbs import Verb
from annotator.models import GuidelineProposal, Layer, Project, User

# Characters.
MAX_PROPOSAL = 2000


@transaction.atomic
def propose_guideline(*, project: Project, unit: int, layer: Layer, text: str, by: User) -> GuidelineProposal:
    """Propose a sentence, in the language of the interface. Raises ActionError for one that is empty or too long."""
    check_open(project)
    text = " ".join(text.split())
    if not text:
        raise ActionError(_("Write the sentence first."))
    if len(text) > MAX_PROPOSAL:
        raise ActionError(_("The sentence can have at most %(most)d characters.") % {"most": MAX_PROPOSAL})
    language = get_language() or settings.LANGUAGE_CODE
    made = GuidelineProposal.objects.create(
        project=project, unit_id=unit, layer=layer, language=language, text=text, created_by=by
    )
    log(
        project=project,
        actor=by,
        verb=Verb.GUIDELINES_PROPOSED,
        subject=project,
        after={"proposal": made.pk, "unit": unit, "layer": layer.slug, "language": language, "text": text},
    )
    return made


@transaction.atomic
def close_proposals(*, project: Project, proposals: Collection[int], taken: bool, now: datetime, by: User) -> int:
    """End proposals (ids) that are still open: `taken` into the guidelines, or dismissed. Returns how many it was."""
    check_open(project)
    closed = []
    for pk in sorted(set(proposals)):
        open_ = GuidelineProposal.objects.filter(project=project, pk=pk, closed_at=None)
        if open_.update(closed_at=now):
            closed.append(pk)
    verb = Verb.GUIDELINES_PROPOSAL_TAKEN if taken else Verb.GUIDELINES_PROPOSAL_DISMISSED
    if closed:
        log(project=project, actor=by, verb=verb, subject=project, after={"proposals": closed})
    return len(closed)


@transaction.atomic
def reopen_proposal(*, project: Project, proposal: int, by: User) -> bool:
    """Bring back a proposal that was dismissed. Returns whether there was one."""
    check_open(project)
    found = GuidelineProposal.objects.filter(project=project, pk=proposal, closed_at__isnull=False)
    if not found.update(closed_at=None):
        return False
    after = {"proposals": [proposal]}
    log(project=project, actor=by, verb=Verb.GUIDELINES_PROPOSAL_REOPENED, subject=project, after=after)
    return True
