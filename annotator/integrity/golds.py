"""Gold against the log: no decision without an event, and each as its newest event says."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from annotator.domain.batches import batches
from annotator.domain.verbs import Verb
from annotator.integrity.findings import WHOLE, Finding
from annotator.models import Event, Gold, GoldSource

CHUNK = 1000
_DECIDES = (Verb.GOLD_DECIDED, Verb.GOLD_ACCEPTED, Verb.GOLD_RELABELLED, Verb.GOLD_TERMS_MERGED)
# For a unit in a layer: whether it has gold, with version and content where the event has them.
Logged = tuple[bool, dict[str, Any]]


def check_golds() -> Iterator[Finding]:
    """Each decision that people or agreement made here is in the log, with the same version and content."""
    pks = Gold.all_rows.filter(WHOLE).order_by("pk").values_list("pk", flat=True).iterator(chunk_size=CHUNK)
    for chunk in batches(pks, CHUNK):
        golds = Gold.all_rows.filter(pk__in=chunk).select_related("project").order_by("pk")
        logged = _logged([gold.unit_id for gold in golds])
        for gold in golds:
            problem = _problem(gold, logged.get((gold.unit_id, gold.layer_id)))
            if problem:
                yield Finding(f"gold {gold.pk} in {gold.project.slug}", problem)


def _logged(units: list[int]) -> Mapping[tuple[int, int], Logged]:
    """By unit and layer, what the log says last."""
    about = Event.objects.filter(subject_type__in=["unit", "sentence"], subject_id__in=units, verb__startswith="gold.")
    found: dict[tuple[int, int], Logged] = {}
    for unit, verb, before, after in about.order_by("pk").values_list("subject_id", "verb", "before", "after"):
        says = after if verb in _DECIDES else before
        if not isinstance(says, dict) or "layer" not in says:
            continue
        key = unit, says["layer"]
        stood = found[key][0] if key in found else False
        if verb == Verb.GOLD_REOPENED:
            found[key] = False, {}
        elif verb in (Verb.GOLD_RELABELLED, Verb.GOLD_TERMS_MERGED):
            # Reopened gold has its labels renamed, too.
            found[key] = stood, says
        elif verb in _DECIDES:
            found[key] = True, says
    return found


def _problem(gold: Gold, logged: Logged | None) -> str:
    if gold.source == GoldSource.IMPORTED:
        # The import has one event for all; only what was changed later has its own.
        is_logged = logged is not None and not gold.reopened and logged[1].get("version") == gold.version
        return _differs(gold, logged[1]) if logged is not None and is_logged else ""
    if logged is None:
        return "the log has no event for it."
    stands, says = logged
    if stands and gold.reopened:
        return "it is open again, but the log says that it is decided."
    if gold.reopened:
        return ""
    if not stands:
        return "it is decided, but the log says that it is open again."
    if says["version"] != gold.version:
        return f"it has version {gold.version}, but the newest in the log is {says['version']}."
    return _differs(gold, says)


def _differs(gold: Gold, says: dict[str, Any]) -> str:
    return "" if says["content"] == gold.content else "its content differs from the newest event in the log."
