"""Email. Where no mail server is set nothing is sent, and the page says so (`settings.SENDS_MAIL`)."""

from __future__ import annotations

import logging
from smtplib import SMTPException

from django.core.mail import send_mail
from django.utils.translation import gettext as _

from annotator.core.errors import ActionError

logger = logging.getLogger(__name__)


def send(*, subject: str, text: str, to: str) -> None:
    """Send an email. Raises ActionError when the mail server does not take it; why is in the site's log.

    Call it outside of a transaction: a server may take seconds.
    """
    try:
        send_mail(subject, text, None, [to])
    except (SMTPException, OSError) as error:
        logger.exception("An e-mail could not be sent")
        raise ActionError(_("The mail server rejected the email, so nothing was sent. Try again later.")) from error
