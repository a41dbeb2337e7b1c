"""The people of a restored project: placeholders, named as the backup names them, until a site admin says who they are.

A backup is a stranger's file, so it neither makes accounts nor acts for those that are here.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import count
from typing import Any

from django.contrib.auth.hashers import UNUSABLE_PASSWORD_PREFIX
from django.db import transaction

from annotator.backup.actions.looking import Person
from annotator.backup.actions.references import PEOPLE_BY_KEY
from annotator.backup.queries.placeholders import belongings
from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log
from annotator.core.policies import check_open
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.verbs import Verb
from annotator.models import Annotation, Assignment, BlindMark, Counter, Gold, Membership, Project, Pseudonym, User
from annotator.models.user import OF_BACKUP

# Of a name in a backup: what tells placeholders of one name apart comes after it.
_LONGEST = 120
# Anyone who has rows of these has worked in a project, and one person answers an item once.
_WORK = (Annotation, Assignment, BlindMark, Counter)


@transaction.atomic
def make_placeholders(*, project: Project, people: Sequence[Person]) -> list[int]:
    """Make placeholders for the people of a backup. Returns their ids, in their order."""
    taken: set[str] = set()
    made = []
    for number, person in enumerate(people, start=1):
        name = base = person["username"][:_LONGEST]
        ends = count(number)
        while name in taken:
            name = f"{base}.{next(ends)}"
        taken.add(name)
        made.append(
            User(
                username=f"{name}{OF_BACKUP}{project.pk}",
                first_name=person["first_name"],
                last_name=person["last_name"],
                password=UNUSABLE_PASSWORD_PREFIX,
                is_active=False,
                placeholder_of=project.pk,
            )
        )
    return [user.pk for user in User.objects.bulk_create(made, batch_size=500)]


@transaction.atomic
def map_person(*, project: Project, placeholder: User, account: User, by: User | None) -> None:
    """Say who somebody in the project's backup is: from here on all that was theirs is the account's, with their role.

    Events stay under the name in the backup. Raises ActionError for somebody who was mapped before, and for an account
    that has worked in the project itself or is switched off.
    """
    check_open(project)
    lock_project(project)
    named = User.objects.select_for_update(no_key=True).filter(pk=placeholder.pk, placeholder_of=project.pk).first()
    if named is None or not account.is_active or account.placeholder_of is not None:
        raise ActionError(message(_("Choose a person from this project's backup and an active account.")))
    if any(model._base_manager.filter(project=project, user=account).exists() for model in _WORK):
        raise ActionError(
            message(_("%(user)s has already worked in this project. Choose another account."), user=account.username)
        )
    joined = Membership.objects.filter(project=project, user=account).exists()
    if joined:
        Membership.objects.filter(project=project, user=named).delete()
    # Their numbers in releases come with them.
    Pseudonym.objects.filter(project=project, user=account).delete()
    moved = sum(model._base_manager.filter(**{name: named}).update(**{name: account}) for model, name in belongings())
    if not moved and not joined:
        raise ActionError(message(_("%(user)s is already mapped to an account."), user=str(named)))
    _rename_in_choices(project, named.pk, account.pk)
    log(
        project=project,
        actor=by,
        verb=Verb.MEMBER_MAPPED,
        subject=account,
        before={"user": named.pk},
        after={"user": account.pk},
    )


def _rename_in_choices(project: Project, before: int, after: int) -> None:
    """Name the account where gold says whose answers it was chosen from."""
    changed = []
    for gold in Gold.all_rows.filter(project=project, chosen__isnull=False).iterator():
        chosen = _renamed(gold.chosen, before, after)
        if chosen != gold.chosen:
            gold.chosen = chosen
            changed.append(gold)
    Gold.all_rows.bulk_update(changed, ["chosen"], batch_size=500)


def _renamed(value: Any, before: int, after: int) -> Any:
    if isinstance(value, list):
        return [_renamed(one, before, after) for one in value]
    if not isinstance(value, dict):
        return value
    return {
        key: after if key in PEOPLE_BY_KEY and one == before else _renamed(one, before, after)
        for key, one in value.items()
    }
