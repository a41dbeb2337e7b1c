"""The marker in the storage that identifies the site; the log has the same one."""

from __future__ import annotations

import uuid

from django.db import connection, transaction

from annotator.core.events import log
from annotator.core.files.storage import site_files
from annotator.core.processes.threads import within
from annotator.domain.verbs import Verb
from annotator.models import Event, User

# Its name in the storage.
MARK = "site-id"
# Seconds to wait for the marker: a request to /readyz/ waits for it.
ANSWER_SECONDS = 2.0
# Number of PostgreSQL's lock while a site gets its marker, used only for this.
_LOCK = 774_217_001


def storage_trouble() -> str | None:
    """The reason why this process must not use the storage: it belongs to another site. None if it does not, or if the
    site has no marker yet."""
    known = _logged()
    files = site_files()
    try:
        found = within(ANSWER_SECONDS, _found)
    except TimeoutError:
        return f"The storage of the site's files does not answer: {files.place}."
    except OSError as error:
        return str(error)
    if known in ("", found):
        return None
    return (
        f"This process does not see the site's files: {files.place} is another storage. Set DATA_DIR to the web "
        "server's folder, or STORAGE_URL to the same on all machines. If the files have moved there, run: "
        "translatio claim_storage"
    )


def mark_storage(*, by: User | None = None) -> None:
    """Mark the storage as the site's, unless the site has one. Raises OSError where the storage fails."""
    if not _logged():
        claim_storage(by=by, again=False)


@transaction.atomic
def claim_storage(*, by: User | None = None, again: bool = True) -> None:
    """Make the storage that the settings name the site's own, even if the site has another; not so without `again`.

    A mark that is there is taken over: the database may have been restored from a copy that does not know it, and
    another site that shares the storage keeps it. Raises OSError where the storage fails.
    """
    if connection.vendor == "postgresql":
        # Web server and workers may start at the same moment. SQLite has one writer at a time.
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_advisory_xact_lock(%s)", [_LOCK])
    before = _logged()
    if before and not again:
        return
    mark = _found()
    if not mark:
        mark = uuid.uuid4().hex
        site_files().here(MARK).write_text(mark)
        site_files().publish(MARK)
    if mark != before:
        log(
            project=None,
            actor=by,
            verb=Verb.STORAGE_MARKED,
            subject=None,
            before={"mark": before} if before else None,
            after={"mark": mark, "place": site_files().place},
        )


def _logged() -> str:
    """The mark that the log names for the site's storage; "" where the site has none."""
    events = Event.objects.filter(subject_type="site", subject_id=0, verb=Verb.STORAGE_MARKED).order_by("-pk")
    about = events.values_list("after", flat=True).first()
    return str(about["mark"]) if about else ""


def _found() -> str:
    """The mark of the storage that this process sees; "" where it has none."""
    try:
        with site_files().open(MARK) as file:
            return bytes(file.read()).decode().strip()
    except FileNotFoundError:
        return ""
