"""Checks that the web server runs once, before it serves."""

from __future__ import annotations

import logging

from django.db import Error, connections

logger = logging.getLogger(__name__)


def mark_storage_at_start() -> None:
    """Mark the storage as the site's, or log that it belongs to another site.

    The web server starts in any case: `/readyz/` reports the error, and most pages work without files.
    """
    # Models can be imported once Django is set up, and the module that calls this sets it up.
    from annotator.core.files.site_mark import mark_storage, storage_trouble

    try:
        mark_storage()
        if trouble := storage_trouble():
            logger.error(trouble)
    except (Error, OSError) as error:
        logger.warning("The storage was not looked at: %s", str(error).strip().partition("\n")[0])
    finally:
        # Workers that are forked have connections of their own.
        connections.close_all()
