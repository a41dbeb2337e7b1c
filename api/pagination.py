"""How lists are cut into pages."""

from __future__ import annotations

import re

from django.utils.translation import gettext as _
from rest_framework.exceptions import ParseError
from rest_framework.pagination import PageNumberPagination
from rest_framework.request import Request

from annotator.domain.text.storable import LARGEST


class Pages(PageNumberPagination):
    """`?page=2&page_size=100`: `{"count", "next", "previous", "results"}`."""

    page_size_query_param = "page_size"
    max_page_size = 200

    def get_page_size(self, request: Request) -> int | None:
        """How many are asked for, at most 200. Raises ParseError for what is no such number."""
        given = request.query_params.get(self.page_size_query_param, "1")
        if not re.fullmatch(r"[0-9]{1,19}", given) or not 1 <= int(given) <= LARGEST:
            raise ParseError(_("page_size must be a whole number from 1 to 200."))
        return super().get_page_size(request)
