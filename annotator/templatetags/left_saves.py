"""The texts of `static/site/pages/left_saves.js`, which is on every page."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _

from annotator.models import User

register = template.Library()


@register.filter
def person_key(user: User) -> str:
    """An account, told from one of another database that has the same number."""
    return f"{user.pk} {int(user.date_joined.timestamp())}"


@register.simple_tag
def left_saves_messages() -> dict[str, str]:
    """Every message about saves that wait in a browser, by its name, in the language of the request."""
    return {
        "network": _("The server cannot be reached."),
        "server": _("The server could not answer."),
        "signedOut": _("You are signed out. Sign in again in another tab. Your work here is kept."),
        "retry": _("Try again"),
        "close": _("Close"),
        "waiting_one": _("1 save from {days} is waiting to be sent."),
        "waiting_several": _("{n} saves from {days} are waiting to be sent."),
        "waiting_failing": _("{reason} This browser keeps unsent saves, and sends them as soon as it can."),
        "waiting_details": _("Show pending saves"),
        "waiting_somebody": _(
            "This browser has unsent saves. They will be sent when the person who made them signs in."
        ),
        "sent_one": _("1 save from {days} was sent."),
        "sent_several": _("{n} saves from {days} were sent."),
        "waiting_refused": _("{name} ({when}) was not saved: {reason}"),
        "compare": _("Compare and choose"),
        "open_item": _("Show it"),
        "waiting_discard": _("Discard my answer"),
        "waiting_discard_ask": _("Discard this answer? This browser will delete it, and nobody else has it."),
        "sign_out_one": _(
            "1 save is waiting to be sent. It stays in this browser and will be sent when you sign "
            "in here again. Sign out?"
        ),
        "sign_out_several": _(
            "{n} saves are waiting to be sent. They stay in this browser and will be sent when you "
            "sign in here again. Sign out?"
        ),
    }
