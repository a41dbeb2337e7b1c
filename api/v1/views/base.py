"""What every view inside a project starts with: the project for the user, then things of that project only."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, TypeVar

from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from rest_framework import status
from rest_framework.exceptions import ParseError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from annotator.core.access import Access, project_for
from annotator.core.kind import kind_of
from annotator.core.permissions import Permission, may_create_projects, may_restore_projects
from annotator.core.prepared import Prepared
from annotator.domain.text.storable import is_storable
from annotator.models import Layer, Stage, User
from api.conditions import if_unchanged, with_tag
from api.permissions import permitted
from api.repeats import once
from api.v1.sending import made
from api.v1.strict import check_keys, checked

_M = TypeVar("_M", bound=Model)

_STAGE: Prepared[Stage] = Prepared(
    lambda project, pk: Stage.objects.filter(project=project, pk=pk).select_related("layer"), project=int, pk=int
)


class ApiView(APIView):
    """What all calls have in common: ETags of reads, `If-Match` of writes, `Idempotency-Key` of POSTs."""

    # Of what a read shows, where it has one: the ETag begins with it.
    revision: int | None = None

    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        for name in {"post", "put", "patch", "delete"} & cls.__dict__.keys():
            handler = if_unchanged(cls.__dict__[name])
            setattr(cls, name, once(handler) if name == "post" else handler)

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        answer = super().finalize_response(request, response, *args, **kwargs)
        if (
            request.method in ("GET", "HEAD")
            and isinstance(answer, Response)
            and answer.status_code == status.HTTP_200_OK
        ):
            with_tag(request._request, answer, self.revision)
        return answer

    def kept(self, data: Any) -> Any:
        """The answer to a call with an `Idempotency-Key` as it is stored, to be given again."""
        return data

    def guarded(self, **kwargs: Any) -> QuerySet[Any] | None:
        """The row that a write with `If-Match` locks; None: the view takes no such header."""
        return None

    def read(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The answer to GET at this address, whose ETag `If-Match` names."""
        answer = self.get(request, *args, **kwargs)  # type: ignore[attr-defined]  # where a view is guarded
        return super().finalize_response(request, answer, *args, **kwargs)


class ProjectView(ApiView):
    """Sets `self.access` before the method runs: 404 for outsiders, 403 for members whose role does not suffice."""

    needs = Permission.VIEW
    access: Access

    # Methods whose requests have no body; those that delete have none anywhere.
    bodyless: Collection[str] = ("DELETE",)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        if not is_storable(kwargs):
            raise _nothing()
        self.access = project_for(request.user, kwargs["slug"], needs=self.needs, within=permitted(request))
        if not is_storable(dict(request.query_params.lists())):
            raise ParseError(_("The address contains invalid characters."))
        if request.method in self.bodyless:
            check_empty(request)

    @property
    def user(self) -> User:
        return self.access.user

    def stage(self, pk: int) -> Stage:
        """A stage of the project, with its layer."""
        stage = _STAGE.first(project=self.access.project.pk, pk=pk)
        if stage is None:
            raise Http404(_("There is no such stage in this project."))
        # Spares every later look at the stage's project a query.
        stage.project = self.access.project
        return stage

    def worked_in(self, pk: int) -> Stage:
        """A stage of the project in which people answer."""
        stage = self.stage(pk)
        if stage.adjudicates:
            raise Http404(_("This stage has another kind of work."))
        return stage

    def layer(self, slug: str) -> Layer:
        """A layer of the project."""
        layer = self.access.project.layers.filter(slug=slug).first()
        if layer is None:
            raise Http404(_("There is no such layer in this project."))
        return layer

    def checked(self, serializer: type[Serializer[Any]], data: Any) -> dict[str, Any]:
        """The valid data, or the answer 400 that names the fields."""
        return checked(serializer, data)

    def asked(self, serializer: type[Serializer[Any]]) -> dict[str, Any]:
        """The valid data of the address's query, or the answer 400 that names the fields."""
        values: dict[str, Any] = made(serializer).run_validation(self.request.query_params)
        return values


# For views whose POST says all in its address.
NO_BODY = ("POST", "DELETE")


def _nothing() -> Http404:
    return Http404(_("There is no such thing in this project."))


def check_empty(request: Request) -> None:
    """Raise ValidationError for a body where none is expected."""
    check_keys(Serializer(), request.data)


def creator(request: Request) -> User:
    """Whoever asks, where they may create projects; PermissionDenied where not."""
    user = request.user
    if not isinstance(user, User) or not may_create_projects(user):
        raise PermissionDenied(
            _(
                "Only selected people can create projects on this site. Ask a site administrator, or the manager "
                "of a project."
            )
        )
    return user


def restorer(request: Request) -> User:
    """Whoever asks, where they may restore project backups; PermissionDenied where not."""
    user = request.user
    if not isinstance(user, User) or not may_restore_projects(user):
        raise PermissionDenied(_("You don't have permission to restore project backups. Ask a site administrator."))
    return user


class StageView(ProjectView):
    """Work in a stage; its kind says what one must be permitted. `kind`: whose stages alone have the address."""

    kind = ""

    def work_stage(self, pk: int) -> Stage:
        """A stage in which the user may work; Http404 where it has another kind of work."""
        stage = self.stage(pk)
        if self.kind and stage.kind != self.kind:
            raise Http404(_("This stage has another kind of work."))
        self.access.require(Permission.ADJUDICATE if stage.adjudicates else kind_of(stage).needs)
        self.access.require_language(stage.language)
        return stage


def found(rows: QuerySet[_M], pk: int, message: str) -> _M:
    """The row with this id, or Http404 with a sentence."""
    row = rows.filter(pk=pk).first()
    if row is None:
        raise Http404(message)
    return row
