"""The inference label of a pair that came without one, given by a person.

It is a fact of the pair and no answer: whoever tags the pair takes it as given, and tables, agreement and files are
grouped by it. So a pair has one, in all its languages, and the first person who gives it gives it for all: it is
written only over what the person saw. With an answer for each person, two taggers could judge the same pair under
different labels, and their tags could not be compared. Whoever disagrees says so in a comment; the person who gave the
label or a manager changes it. A label that came with files is never changed here.
"""

from __future__ import annotations

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.deadlocks import again_on_deadlock
from annotator.core.errors import ActionError, ConflictError, NotYoursError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.states import AssignmentState
from annotator.domain.verbs import Verb
from annotator.models import Assignment, Pair, Project, User
from annotator.work.answering.queries.inference_labels import labelled_by, may_label


@again_on_deadlock
@transaction.atomic
def label_pair(*, project: Project, pair: int, inference: str, seen: str, by: User, anybodys: bool = False) -> Pair:
    """Give a pair an inference label over the one that the person saw ("" for none); with "", remove it again.

    `anybodys`: not only where the person has the pair to tag, and not only what they gave themselves. Giving what
    stands changes nothing. Raises ActionError for a label that the project does not have, or over one that came with
    files; ConflictError where the label is no longer what the person saw; NotYoursError.
    """
    check_open(project)
    if inference and inference not in project.inferences:
        raise ActionError(_("“%(label)s” is not an inference label of this project.") % {"label": inference})
    row = _held(project, pair, by, anybodys=anybodys)
    before: str = row.inference
    if before == inference:
        return row
    if before != seen:
        raise ConflictError(
            _("Someone else has given this pair an inference label in the meantime. Look at it before you change it."),
            theirs={"inference": before},
            mine={"inference": inference},
        )
    given_by: int | None = row.given_by  # type: ignore[attr-defined]  # annotated
    if not may_label(before, given_by, by.pk, anybodys=anybodys):
        if given_by is None:
            raise ActionError(_("The inference label of this pair came with its file, so it can't be changed here."))
        raise NotYoursError(_("Someone else gave this inference label. Ask a manager to change it."))
    row.inference = inference
    row.save(update_fields=["inference"])
    log(
        project=project,
        actor=by,
        verb=Verb.PAIR_LABELLED,
        subject=row,
        before={"inference": before},
        after={"inference": inference},
    )
    return row


def _held(project: Project, pair: int, by: User, *, anybodys: bool) -> Pair:
    """The pair, with who gave its label, where the person may give one. Locked, so that its log follows its label."""
    rows = Pair.objects.published().filter(project=project, pk=pair)
    held = rows.select_for_update(no_key=True, of=("self",)).first()
    own = Assignment.objects.filter(unit__segment__pair=pair, unit__is_current=True, user=by)
    if held is None or not (anybodys or own.exclude(state=AssignmentState.RETURNED).exists()):
        raise NotYoursError(_("This pair is not assigned to you."))
    return rows.annotate(given_by=labelled_by()).get()
