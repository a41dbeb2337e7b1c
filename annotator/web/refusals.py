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


@contextmanager
def refusal_in(form: forms.Form, field: str | None) -> Iterator[None]:
    """An ActionError inside becomes an error of a field; None: of the form."""
    try:
        yield
    except ActionError as error:
        form.add_error(field, str(error))


def valid_or_messages(request: HttpRequest, form: forms.Form) -> bool:
    """Whether a form is valid whose page is not rendered again: each error is a message, with the field's name."""
    for name, errors in form.errors.items():
        label = form.fields[name].label if name in form.fields else ""
        for error in errors:
            messages.error(request, f"{label}: {error}" if label else str(error))
    return form.is_valid()
