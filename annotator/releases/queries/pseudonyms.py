"""What the files of a release call people: by a number that stays theirs, or by name where the project says so."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from annotator.domain.verbs import Verb
from annotator.models import Annotation, Event, Gold, Project, Pseudonym, Suggestion, SuggestionKind, Unit, User


def people_named(project: Project) -> dict[int, str]:
    """By user id, what releases call everybody whose work they may hold."""
    numbers = pseudonym_numbers(project)
    if project.dataset_card.get("names"):
        users = User.objects.in_bulk(numbers)
        often = Counter(map(str, users.values()))
        return {pk: str(user) if often[str(user)] == 1 else f"{user} ({user.username})" for pk, user in users.items()}
    return {user: f"A{number:02}" for user, number in numbers.items()}


def pseudonym_numbers(project: Project) -> dict[int, int]:
    """By user id, the numbers that were given, and those that the others get next: members in the order in which they
    joined, then people who left."""
    numbers = dict(Pseudonym.objects.filter(project=project).values_list("user", "number"))
    worked = _workers(project) - set(numbers)
    joined = project.memberships.filter(user__in=worked).order_by("pk").values_list("user", flat=True)
    order = dict.fromkeys([*joined, *sorted(worked)])
    return numbers | {user: number for number, user in enumerate(order, start=max(numbers.values(), default=0) + 1)}


def proposers(project: Project) -> Mapping[int, int]:
    """By suggestion (id), who proposed it."""
    rows = Event.objects.filter(project=project, verb=Verb.SUGGESTION_PROPOSED, actor__isnull=False)
    return dict(rows.values_list("subject_id", "actor"))


def _workers(project: Project) -> set[int]:
    found = set(Annotation.objects.filter(project=project).order_by().values_list("user", flat=True).distinct())
    golds = Gold.all_rows.filter(project=project, decided_by__isnull=False)
    found |= set(golds.order_by().values_list("decided_by", flat=True).distinct())
    found |= set(_authors(project))
    if Suggestion.objects.filter(project=project, kind=SuggestionKind.PROPOSAL).exists():
        found |= set(proposers(project).values())
    return found


def _authors(project: Project) -> list[int]:
    rows = Unit.objects.filter(project=project, author__isnull=False)
    return list(rows.order_by().values_list("author", flat=True).distinct())
