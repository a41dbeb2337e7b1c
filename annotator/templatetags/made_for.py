"""The field by which a form says for whom its page was made. It comes with the token that every form has anyway."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.template.defaulttags import CsrfTokenNode
from django.utils.html import format_html

from annotator.core.policies import MADE_FOR_FIELD

register = template.Library()


class _FormNode(CsrfTokenNode):
    def render(self, context: template.Context) -> str:
        token = super().render(context)
        request = getattr(context, "request", None)
        user = getattr(request, "user", None)
        if not token or user is None or not user.is_authenticated:
            return token
        return format_html('{}<input type="hidden" name="{}" value="{}">', token, MADE_FOR_FIELD, user.pk)


@register.simple_tag
def csrf_cookie() -> str:
    """The name of the cookie that scripts read the token from."""
    return str(settings.CSRF_COOKIE_NAME)


@register.tag
def csrf_token(parser: template.base.Parser, token: template.base.Token) -> _FormNode:
    """Django's tag of the same name, and the field."""
    return _FormNode()
