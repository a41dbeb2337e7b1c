"""What one person did in a project: for managers, and for the person."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from annotator.core.access import project_for
from annotator.core.permissions import Permission
from annotator.dashboard.queries import people
from annotator.dashboard.queries.pace import agreements, recent_pace
from annotator.domain.text.storable import whole_number
from annotator.search.queries.filters import reader_of
from annotator.web.pages import project_page


@require_safe
def person(request: HttpRequest, slug: str, person: int) -> HttpResponse:
    """`?before=` and `?remarks-before=` go back in the two lists."""
    access = project_for(request.user, slug, needs=Permission.VIEW)
    who = people.person_in(access, person)
    context = {
        "person": who,
        "own": who == access.user,
        "member": access.project.memberships.filter(user=who).first(),
        "stages": people.stage_numbers(access.project, who),
        "deeds": people.deeds(access, who, _place(request, "before")),
        "remarks": people.remarks(access, who, _place(request, "remarks-before")),
        "pace": recent_pace(access.project, [who.pk], now=timezone.now())[who.pk],
        # The page of agreement is not for annotators.
        "agreements": agreements(access.project, access.user).get(who.pk, [])
        if access.may(Permission.ADJUDICATE)
        else [],
        "reader": reader_of(access),
        "later": "before" in request.GET or "remarks-before" in request.GET,
    }
    return project_page(request, access, "dashboard/person.html", context, section="members")


@require_safe
def answer(request: HttpRequest, slug: str, person: int, annotation: int) -> HttpResponse:
    access = project_for(request.user, slug, needs=Permission.VIEW)
    who = people.person_in(access, person)
    context = {"person": who, "own": who == access.user, "answer": people.answer_of(access, who, annotation)}
    return project_page(request, access, "dashboard/person_answer.html", context, section="members")


def _place(request: HttpRequest, name: str) -> int | None:
    return whole_number(request.GET.get(name, ""))
