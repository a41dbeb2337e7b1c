"""What every call is asked, whoever makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext as _
from rest_framework.permissions import SAFE_METHODS, BasePermission
from rest_framework.request import Request

from annotator.core.access import beyond_scope
from annotator.core.permissions import WRITES, Permission
from annotator.core.policies import MADE_FOR_HEADER, check_made_for
from annotator.models import ApiToken, User

# The views load their permissions.
if TYPE_CHECKING:
    from rest_framework.views import APIView


class MadeForThem(BasePermission):
    """A call that says for whom it was made comes from that person; the scripts of pages say it."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.user, User):
            check_made_for(request.headers.get(MADE_FOR_HEADER, ""), request.user)
        return True


class WithinScope(BasePermission):
    """A call with an API token stays inside its project, and changes what its scope permits.

    What a call inside a project needs is asked of `Access`, which has the same limit. One outside of projects needs
    `manage` to change something.
    """

    def has_permission(self, request: Request, view: APIView) -> bool:
        token = request.auth
        if not isinstance(token, ApiToken):
            return True
        slug = view.kwargs.get("slug")
        if token.project is not None and token.project.slug != slug:
            raise PermissionDenied(_("This API token is for the project “%(name)s” only.") % {"name": token.project})
        limit = permitted(request)
        if not limit or (slug is None and Permission.MANAGE not in limit):
            raise PermissionDenied(beyond_scope())
        return True


def permitted(request: Request) -> frozenset[Permission]:
    """What a call can do at most, whatever the role."""
    if request.method in SAFE_METHODS or not isinstance(request.auth, ApiToken):
        return frozenset(Permission)
    return WRITES[request.auth.scope]
