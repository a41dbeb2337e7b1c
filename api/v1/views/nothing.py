from __future__ import annotations

from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.exceptions import NotFound
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView


@extend_schema(exclude=True)
class NothingView(APIView):
    """Every other address below the API: a 404 in the API's error shape."""

    permission_classes = (AllowAny,)

    def initial(self, request: Request, *args: object, **kwargs: object) -> None:
        raise NotFound(_("This address does not exist. API addresses end with a slash (see /api/v1/docs/)."))
