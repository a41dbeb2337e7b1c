"""What every call is asked, whoever makes it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rest_framework.permissions import BasePermission
from rest_framework.request import Request

from annotator.core.policies import MADE_FOR_HEADER, check_made_for
from annotator.models import User

# The views load their permissions.
if TYPE_CHECKING:
    from rest_framework.views import APIView


class MadeForThem(BasePermission):
    """A call that says for whom it was made comes from that person; the scripts of pages say it."""

    def has_permission(self, request: Request, view: APIView) -> bool:
        if isinstance(request.user, User):
            check_made_for(request.headers.get(MADE_FOR_HEADER, ""), request.user)
        return True
