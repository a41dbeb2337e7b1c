"""Inference labels of pairs that people gave here, by the log: those of files have no event."""

from __future__ import annotations

from django.db.models import F, OuterRef, Subquery

from annotator.domain.verbs import Verb
from annotator.models import Event, Pair


def labelled_by() -> Subquery:
    """Of a pair: who gave or removed its inference label last (id); None where that came with files. By index."""
    rows = Event.objects.filter(
        subject_type=Pair._meta.model_name or "", subject_id=OuterRef("pk"), verb=Verb.PAIR_LABELLED
    )
    # Not by the key alone: PostgreSQL would walk back through the whole log by it.
    return Subquery(rows.order_by((F("pk") + 0).desc()).values("actor")[:1])


def may_label(inference: str, given_by: int | None, user: int, *, anybodys: bool) -> bool:
    """Whether a person may give a pair an inference label, or change the one that it has. `given_by`: as `labelled_by`
    has it; `anybodys`: also one that somebody else gave."""
    return not inference or (given_by is not None and (anybodys or given_by == user))
