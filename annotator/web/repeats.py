"""Calls that are repeated with the same `Idempotency-Key` take effect once."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError
from annotator.models import StoredAnswer, User

KEPT_FOR = timedelta(days=1)
MAX_KEY = 200


class RunningError(ActionError):
    """The first call with the key has no answer yet (HTTP 409)."""

    code = "running"


class OtherCallError(ActionError):
    """The key was used for another call (HTTP 422)."""

    code = "key_used"


def begin_call(*, user: User, key: str, request_hash: str, now: datetime) -> tuple[StoredAnswer, bool]:
    """The row of a call, and whether this is the first one with the key.

    Raises RunningError while the first one runs, OtherCallError where it was another call, and ActionError for a key
    that cannot be one.
    """
    if not 0 < len(key) <= MAX_KEY or not (key.isascii() and key.isprintable()):
        raise ActionError(_("An Idempotency-Key must have 1 to %(most)d characters of ASCII.") % {"most": MAX_KEY})
    StoredAnswer.objects.filter(user=user, key=key, created_at__lte=now - KEPT_FOR).delete()
    try:
        with transaction.atomic():
            made = StoredAnswer.objects.create(user=user, key=key, request_hash=request_hash, created_at=now)
            return made, True
    except IntegrityError:
        row = StoredAnswer.objects.filter(user=user, key=key).first()
    if row is not None and row.request_hash != request_hash:
        raise OtherCallError(_("This Idempotency-Key was used for another call. Use a new one for each call."))
    # Without a row, the first call was refused in this moment.
    if row is None or row.status is None:
        raise RunningError(
            _(
                "The first call with this Idempotency-Key is still running, or was interrupted. Try again later. If "
                "this remains, look at what the call did, and use a new key."
            )
        )
    return row, False


def end_call(*, call: StoredAnswer, status: int, answer: str) -> None:
    """Store the answer of a call."""
    StoredAnswer.objects.filter(pk=call.pk).update(status=status, answer=answer)


def forget_call(*, call: StoredAnswer) -> None:
    """Let the key be used again: the call changed nothing."""
    StoredAnswer.objects.filter(pk=call.pk).delete()


def sweep_calls(*, now: datetime) -> int:
    """Delete the answers that are older than a day. Returns their number."""
    return StoredAnswer.objects.filter(created_at__lte=now - KEPT_FOR).delete()[0]
