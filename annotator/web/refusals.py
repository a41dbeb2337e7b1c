"""What actions refuse, said on the next page."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from django import forms
from django.contrib import messages
from django.http import HttpRequest

from annotator.core.errors import ActionError


@contextmanager
def refusal_as_message(request: HttpRequest) -> Iterator[None]:
    """An ActionError inside becomes an error message."""
    try:
        yield
    except ActionError as error:
        messages.error(request, str(error))


def form_errors_as_messages(request: HttpRequest, form: forms.Form) -> None:
    """For small forms whose page is not rendered again: each error with the name of its field."""
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        for error in errors:
            messages.error(request, f"{label}: {error}" if label else str(error))
