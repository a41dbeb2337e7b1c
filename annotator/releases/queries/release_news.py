"""Whether there is something new to release. The dashboard asks: counters and a few rows by index are read."""

from __future__ import annotations

from annotator.domain.verbs import CHANGES_A_RELEASE, CHANGES_ANSWERS, Verb
from annotator.models import Event, Project
from annotator.releases.queries.gold_gaps import gold_gaps
from annotator.work.queue.queries.returned import returned_units

# What an import counts as new (`imports/reading/summary.py`), by its first word.
_GOLD, _ANSWERS = "gold", "annotations"


def all_gold(project: Project) -> bool:
    """Whether there is gold, and nothing lacks it or is with its writer."""
    return project.golds.exists() and not gold_gaps(project) and not returned_units(project)


def has_new(project: Project, *, answers: bool = False) -> bool:
    """Whether something happened after the last release was read that would change it; `answers`: where finished
    answers are released as they are."""
    last = project.releases.order_by("-number").first()
    if last is None:
        return True
    events = Event.objects.filter(project=project, pk__gt=last.manifest.get("last_event", 0))
    verbs = (*CHANGES_A_RELEASE, *CHANGES_ANSWERS) if answers else CHANGES_A_RELEASE
    if events.filter(verb__in=verbs).exists():
        return True
    wanted = (_GOLD, _ANSWERS) if answers else (_GOLD,)
    return any(
        tally["new"]
        for counts in events.filter(verb=Verb.IMPORT).values_list("after__counts", flat=True)
        for name, tally in (counts or {}).items()
        if name.split(" ")[0] in wanted
    )
