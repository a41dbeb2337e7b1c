"""Giving people the numbers by which releases name them."""

from __future__ import annotations

from django.db import transaction

from annotator.core.database.locks import lock_project
from annotator.models import Project, Pseudonym
from annotator.releases.queries.pseudonyms import pseudonym_numbers


@transaction.atomic
def give_pseudonyms(project: Project) -> None:
    """Give everybody who has worked in the project, and has none yet, the next number."""
    lock_project(project)
    given = set(Pseudonym.objects.filter(project=project).values_list("user", flat=True))
    Pseudonym.objects.bulk_create(
        Pseudonym(project=project, user_id=user, number=number)
        for user, number in pseudonym_numbers(project).items()
        if user not in given
    )
