"""`Idempotency-Key`: a POST that is sent again with the same key gets the first answer again."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable
from functools import wraps
from typing import TYPE_CHECKING, Any

from django.core.files.uploadedfile import UploadedFile
from django.http import HttpResponse
from django.utils import timezone
from django.utils.datastructures import MultiValueDict
from rest_framework import status
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.models import User
from annotator.web.repeats import begin_call, end_call, forget_call

# The views load what is defined here.
if TYPE_CHECKING:
    from api.v1.views.base import ApiView

HEADER = "Idempotency-Key"
Handler = Callable[..., Any]


def once(handler: Handler) -> Handler:
    """A handler that runs once for each key of a person. Only answers that are no refusals are stored, as
    the view keeps them."""

    @wraps(handler)
    def answered(view: ApiView, request: Request, *args: Any, **kwargs: Any) -> Any:
        key = request.headers.get(HEADER)
        if key is None or not isinstance(request.user, User):
            return handler(view, request, *args, **kwargs)
        call, is_first = begin_call(user=request.user, key=key, request_hash=_hash(request), now=timezone.now())
        if not is_first:
            return HttpResponse(call.answer, status=call.status, content_type="application/json")
        try:
            response: Response = handler(view, request, *args, **kwargs)
        except BaseException:
            forget_call(call=call)
            raise
        if status.is_success(response.status_code):
            answer = bytes(JSONRenderer().render(view.kept(response.data))).decode()
            end_call(call=call, status=response.status_code, answer=answer)
        else:
            forget_call(call=call)
        return response

    return answered


def _hash(request: Request) -> str:
    """Of what a call asks for: method, address, body."""
    digest = hashlib.sha256(f"{request.method} {request.get_full_path()}\n".encode())
    if not isinstance(request.data, MultiValueDict):
        digest.update(json.dumps(request.data, sort_keys=True).encode())
        return digest.hexdigest()
    for name, values in sorted(request.data.lists()):
        for value in values:
            digest.update(json.dumps([name, value.name if isinstance(value, UploadedFile) else value]).encode())
            if isinstance(value, UploadedFile):
                for chunk in value.chunks():
                    digest.update(chunk)
                value.seek(0)
    return digest.hexdigest()
