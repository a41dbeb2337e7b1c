"""What every view inside a project starts with: the project for the user, then things of that project only."""

from __future__ import annotations

from typing import Any, NoReturn, TypeVar

from django.db.models import Model, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework.request import Request
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from annotator.models import Assignment, Stage, User
from annotator.permissions import Permission
from annotator.queries.access import Access, project_for

_M = TypeVar("_M", bound=Model)


class ProjectView(APIView):
    """Sets `self.access` before the method runs: 404 for outsiders, 403 for members whose role does not suffice."""

    needs = Permission.VIEW
    writes_need: Permission | None = None
    access: Access

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        reading = request.method in ("GET", "HEAD", "OPTIONS")
        needs = self.needs if reading or self.writes_need is None else self.writes_need
        self.access = project_for(request.user, kwargs["slug"], needs=needs)

    @property
    def user(self) -> User:
        return self.access.user

    def stage(self, pk: int, *kinds: str) -> Stage:
        """A stage of the project, of one of the kinds where some are named."""
        stage = found(self.access.project.stages.all(), pk, _("There is no such stage in this project."))
        # Spares every later look at the stage's project a query.
        stage.project = self.access.project
        if kinds and stage.kind not in kinds:
            raise Http404(_("This stage has another kind of work."))
        return stage

    def own_assignment(self, pk: int) -> Assignment:
        """An assignment of the user; anybody else's is not there for them."""
        own = self.access.project.assignments.filter(user=self.user).select_related(
            "stage__project", "project", "sentence__segment", "pair"
        )
        return found(own, pk, _not_yours())

    def checked(self, serializer: type[Serializer], data: Any) -> Any:
        """The serializer with valid data, or the answer 400 that names the fields."""
        checked = serializer(data=data)
        checked.is_valid(raise_exception=True)
        return checked


def found(rows: QuerySet[_M], pk: int, message: str) -> _M:
    """The row with this id, or Http404 with a sentence."""
    row = rows.filter(pk=pk).first()
    if row is None:
        raise Http404(message)
    return row


def not_here() -> NoReturn:
    """Http404 for work of another kind than the address is for."""
    raise Http404(_not_yours())


def _not_yours() -> str:
    return _(
        "This item is not among your work. It may have been handed back or freed for others, or this browser may be "
        "signed in under another name by now."
    )
