"""What every write asks: whether the project is open, and whether the page is that of the signed-in person.

Each rule raises ActionError with a sentence that says what to do next. What items allow:
`work/answering/actions/policies.py`.
"""

from __future__ import annotations

from django.utils.translation import gettext as _

from annotator.core.errors import ActionError, ArchivedError, OtherUserError
from annotator.domain.text.storable import is_one_line
from annotator.models import Project, User

# Where forms and the scripts of pages say for whom the page was made.
MADE_FOR_FIELD = "made_for"
MADE_FOR_HEADER = "X-Made-For"


def check_one_line(name: str) -> None:
    """Raise ActionError for the name of something that has line breaks."""
    if not is_one_line(name):
        raise ActionError(_("A name cannot have line breaks or tabs. Write it on one line."))


def check_made_for(made_for: str, by: User) -> None:
    """Whether a page or call is that of the person who is signed in: in another tab somebody else may have signed in
    since. `made_for` is the person's id; nothing is checked where it is empty."""
    if made_for and made_for != str(by.pk):
        raise OtherUserError(
            _(
                "Nothing was saved, because you are signed in as %(name)s and someone else opened this "
                "page. Open the page again, or sign in as that person."
            )
            % {"name": by}
        )


def check_open(project: Project) -> None:
    """Whether anything in the project may change. Asked by every write that is logged (`core/events.py`)."""
    if project.is_archived:
        raise ArchivedError(
            _("This project is archived: it can be read, but not changed. A manager can restore it in its settings.")
        )
