"""The vocabulary of a layer: terms counted with every save, and two of them made one."""

from __future__ import annotations

import uuid
from collections import Counter
from dataclasses import asdict, dataclass
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from annotator.core.database.locks import lock_project
from annotator.core.errors import ActionError
from annotator.core.events import log, log_many
from annotator.core.prepared import execute
from annotator.domain.content import Content
from annotator.domain.labels.relabel import Relabelling
from annotator.domain.terms import TermKey, replaced, terms_of, vocabularies
from annotator.domain.verbs import Verb
from annotator.models import Annotation, AnnotationState, Gold, Layer, Project, Term, User
from annotator.work.derivation.actions.sources import rewrite_sources
from annotator.work.gold.actions.adjudication import refresh_adjudication

CHUNK_SIZE = 500


@dataclass(frozen=True, slots=True)
class MergeSummary:
    """What a merging of terms changed."""

    annotations: int
    spans: int
    golds: int


def count_terms(layer: Layer, before: Content | None, after: Content | None) -> None:
    """Count the terms that a write of a content brought and took: one statement, none where they stayed the same."""
    attributes = vocabularies(layer.scheme_data)
    if not attributes:
        return
    change = terms_of(after, attributes)
    change.subtract(terms_of(before, attributes))
    rows = [(layer.pk, name, text, uses) for (name, text), uses in sorted(change.items()) if uses]
    if rows:
        _add(rows)


def know_terms(layer: Layer, content: Content) -> None:
    """Put the terms of a decided content into the vocabulary; only people's answers are counted as uses."""
    rows = [(layer.pk, name, text, 0) for name, text in sorted(terms_of(content, vocabularies(layer.scheme_data)))]
    if rows:
        _add(rows)


def recount_terms(layer: Layer, change: Relabelling) -> None:
    """After a change of the layer's scheme: count the terms of its vocabularies again, under the attributes' new names.

    Terms that nobody uses stay on offer. Reads the contents of the layer.
    """
    attributes = vocabularies(layer.scheme_data)
    if not attributes and not vocabularies(change.before):
        return
    names = {old: one.name for old, one in change.attributes.items()}
    known = Term.objects.filter(layer=layer).values_list("attribute", "text")
    uses: Counter[TermKey] = Counter()
    for old, text in known:
        if (name := names.get(old, old)) in attributes:
            uses[name, text] = 0
    for content in Gold.all_rows.filter(layer=layer).values_list("content", flat=True).iterator(chunk_size=CHUNK_SIZE):
        uses.update(dict.fromkeys(terms_of(content, attributes), 0))
    rows = Annotation.objects.filter(layer=layer).values_list("content", flat=True)
    for content in rows.iterator(chunk_size=CHUNK_SIZE):
        uses.update(terms_of(content, attributes))
    Term.objects.filter(layer=layer).delete()
    Term.objects.bulk_create(
        [Term(layer=layer, attribute=name, text=text, uses=number) for (name, text), number in sorted(uses.items())],
        batch_size=CHUNK_SIZE,
    )


def _add(rows: list[tuple[int, str, str, int]]) -> None:
    values = ", ".join(["(%s, %s, %s, %s)"] * len(rows))
    execute(
        f"""
        INSERT INTO annotator_term (layer_id, attribute, text, uses) VALUES {values}
        ON CONFLICT (layer_id, attribute, text) DO UPDATE SET uses = annotator_term.uses + excluded.uses""",  # noqa: S608 -- names of our own
        [value for row in rows for value in row],
    )


@transaction.atomic
def merge_terms(
    *, project: Project, layer: Layer, attribute: str, term: str, into: str, by: User | None
) -> MergeSummary:
    """Write `into` for `term` everywhere in the layer: every answer and gold that has it gets a new version.

    All events have one operation. Reads the contents of the layer: for managers, now and then. Raises ActionError when
    the vocabulary does not have both terms.
    """
    lock_project(project)
    known = {row.text: row for row in Term.objects.filter(layer=layer, attribute=attribute, text__in=(term, into))}
    for text in (term, into):
        if text not in known:
            raise ActionError(_("“%(term)s” is not in the vocabulary.") % {"term": text})
    if term == into:
        raise ActionError(_("A term can't be merged with itself. Choose another one."))
    operation = uuid.uuid4()
    annotations, spans = _rewrite_annotations(project, layer, attribute, term, into, by, operation)
    golds = _rewrite_gold(project, layer, attribute, term, into, by, operation)
    rewrite_sources(layer, lambda content: replaced(content, attribute, term, into))
    Term.objects.filter(pk=known[term].pk).delete()
    kept = known[into]
    kept.uses += known[term].uses
    kept.save(update_fields=["uses"])
    summary = MergeSummary(len(annotations), spans, golds)
    log(
        project=project,
        actor=by,
        verb=Verb.TERMS_MERGED,
        subject=kept,
        before={"layer": layer.pk, "attribute": attribute, "term": term},
        after={"term": into, **asdict(summary)},
        operation=operation,
    )
    for row in annotations:
        # Anyone who differed only by the two terms agrees now.
        if row.state == AnnotationState.DONE:
            refresh_adjudication(project=project, unit=row.unit, layer=layer)
    return summary


def _rewrite_annotations(
    project: Project, layer: Layer, attribute: str, term: str, into: str, by: User | None, operation: uuid.UUID
) -> tuple[list[Annotation], int]:
    rows = Annotation.objects.filter(project=project, layer=layer).select_for_update(no_key=True, of=("self",))
    changed: list[Annotation] = []
    events: list[tuple[Annotation, Any, Any]] = []
    spans = 0
    for row in rows.select_related("unit__segment").order_by("pk").iterator(chunk_size=CHUNK_SIZE):
        count = terms_of(row.content, [attribute])[attribute, term]
        if not count:
            continue
        before = {"version": row.version, "content": row.content}
        row.content = replaced(row.content, attribute, term, into)
        row.version += 1
        spans += count
        changed.append(row)
        events.append((row, before, {"version": row.version, "content": row.content}))
    Annotation.objects.bulk_update(changed, ["content", "version"], batch_size=CHUNK_SIZE)
    log_many(project=project, actor=by, verb=Verb.ANNOTATION_TERMS_MERGED, changes=events, operation=operation)
    return changed, spans


def _rewrite_gold(
    project: Project, layer: Layer, attribute: str, term: str, into: str, by: User | None, operation: uuid.UUID
) -> int:
    changed: list[Gold] = []
    events: list[tuple[Any, Any, Any]] = []
    for row in Gold.all_rows.filter(project=project, layer=layer).select_related("unit").order_by("pk"):
        if terms_of(row.content, [attribute])[attribute, term]:
            before = {"version": row.version, "content": row.content, "layer": layer.pk}
            row.content = replaced(row.content, attribute, term, into)
            row.version += 1
            changed.append(row)
            events.append((row.unit, before, {"version": row.version, "content": row.content, "layer": layer.pk}))
    Gold.all_rows.bulk_update(changed, ["content", "version"], batch_size=CHUNK_SIZE)
    log_many(project=project, actor=by, verb=Verb.GOLD_TERMS_MERGED, changes=events, operation=operation)
    return len(changed)
