"""What each row of a project backup must look like: types, lengths, known values, references to rows that are there.

A backup is a stranger's file. What is not said here does not come in; `fits.py` says what rows must be to each other.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django.db.models import Field, JSONField, Model

from annotator.backup.actions import shapes
from annotator.backup.actions.shapes import (
    Misfit,
    Shape,
    anything,
    either,
    expected,
    keyed,
    line,
    listed,
    mapped,
    number,
    one_of,
    optional,
    text,
    truth,
    whole,
)
from annotator.backup.actions.split_shapes import SPLIT_COLUMNS
from annotator.backup.actions.tables import Table
from annotator.backup.actions.texts import code, file_name, folder, identity, sha256, slug, spelt, time
from annotator.domain import content
from annotator.domain.context import Context
from annotator.domain.labels.schemes import MAX_LABELS, Scheme, SpanError
from annotator.domain.labels.spans import spans_from_json
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.states import AnnotationState, AssignmentState, ItemState, Mode
from annotator.domain.text.tokens import MAX_TOKENS
from annotator.domain.verbs import Verb
from annotator.formats.common.line_edits import KINDS, MAX_EDITS
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    Event,
    Gold,
    Import,
    Item,
    Layer,
    Pair,
    Project,
    Pseudonym,
    Release,
    Repeat,
    Segment,
    Split,
    Stage,
    Suggestion,
    Unit,
)

Values = dict[str, Any]
References = Mapping[type[Model], int]
"""How many rows an archive has of each table."""

# Of whole-number columns by their kind, the least and the most. Both databases take twice as much: numbers go on from
# there, and are added up.
_RANGES = {
    "PositiveSmallIntegerField": (0, 2**14),
    "SmallIntegerField": (-(2**14), 2**14),
    "PositiveIntegerField": (0, 2**30),
    "IntegerField": (-(2**30), 2**30),
    "PositiveBigIntegerField": (0, 2**40),
    "BigIntegerField": (-(2**40), 2**40),
}
_MAX_INTEGER = 2**30
# Of a release; real ones have some dozens.
MAX_FILES = 2000


def span_list(value: Any) -> Any:
    """Labelled spans of any sentence."""
    listed(keyed({"tokens": listed(whole(0, 2**31)), "label": text()}, rest=anything))(value)
    try:
        return [span.to_json() for span in spans_from_json(value)]
    except SpanError as error:
        raise Misfit(message("%(problem)s", problem=error.message)) from None


def _label_scheme(value: Any) -> Any:
    anything(value)
    try:
        if Scheme.from_json(value).to_json() != value:
            raise expected(_("a label scheme"), value)
    except SpanError as error:
        raise Misfit(message("%(problem)s", problem=error.message)) from None
    except (AttributeError, TypeError, ValueError):
        raise expected(_("a label scheme"), value) from None
    return value


_said = text(2000)
_values = listed(text(200, 1), MAX_LABELS, once=True)
_scale = {"question": _said, "high": _said, "low": _said}
_trials = {"trials": mapped(keyed({"sentence": text(2000, 1), "words": listed(line(200, 1), 100), "hint": _said}))}


def _choices(value: Any) -> Any:
    found = keyed({"values": _values}, {"nothing": _values})(value)
    if not set(found.get("nothing", ())) <= set(found["values"]):
        raise Misfit(message(_("refers to something that does not exist")), "nothing")
    return found


# By content type, the scheme of a layer. A type that is not listed may have anything that can be stored.
_SCHEMES: Mapping[str, Shape] = {
    content.SPANS.slug: _label_scheme,
    content.CHOICE.slug: _choices,
    content.RATING.slug: keyed({"points": whole(2, 9), **_scale}),
    content.BEST_WORST.slug: keyed(_scale),
    content.CATEGORIES.slug: keyed({"values": _values}, {"parts": whole(1, 20)}),
    content.VERDICT.slug: keyed({"reasons": _values}, {"parts": whole(0, 20), "question": _said, "second": _values}),
    content.FIGURATIVE_PAIR.slug: keyed({}, {"target": whole(0, 10_000)}),
    content.SUBSTITUTE.slug: keyed({}, {"reasons": _values, **_trials}),
    content.BEST.slug: keyed({}, _trials),
    content.INAPT.slug: keyed({}, _trials),
    content.REWRITE.slug: keyed({}),
    content.DEFINITIONS.slug: keyed({}),
}

_many = whole(0, _MAX_INTEGER)
_tally = keyed({"new": _many, "known": _many})
_scalar = either(None, shape=anything)
_outcome = keyed(
    {"source": anything, "outcome": one_of(("projected", "unaligned", "dropped"))},
    {
        "reason": text(200),
        "target": anything,
        "left_out": listed(keyed({"token": whole(0, 2**31), "reason": text(100)})),
    },
)
_opinion = keyed({"of": text(1000), "score": optional(number)})
_detail = keyed(
    {},
    {
        "mapping": text(200),
        "labels": text(50),
        "rules": mapped(anything),
        "source_spans": span_list,
        "outcomes": listed(_outcome),
        "lost": listed(text()),
        "second_opinion": _opinion,
        "relabelled_from": whole(),
    },
)
_texts = listed(text())
_summary = keyed(
    {},
    {
        "dataset": text(),
        "labels": text(),
        "changed": truth,
        "counts": mapped(_tally),
        "tokens": _many,
        "units": mapped(mapped(_many)),
        "differing": _texts,
        "outdated": _texts,
        "missing_languages": _texts,
        "label_map": mapped(mapped(anything)),
        "warnings": _texts,
    },
    rest=anything,
)
_edit = keyed({"what": one_of(KINDS), "line": whole(1), "by": text(), "at": text(50)})
_file = keyed({"name": file_name}, {"layout": mapped(anything), "edits": listed(_edit, MAX_EDITS)}, rest=_scalar)
_manifest = keyed(
    {},
    {
        "files": mapped(keyed({"bytes": whole(0), "sha256": sha256}), file_name, MAX_FILES),
        "left_out": listed(keyed({"reason": text()}, rest=text())),
        "counts": mapped(anything),
        "partial": truth,
        "comments": truth,
        "last_event": whole(0),
        "sources": listed(mapped(anything)),
    },
    rest=anything,
)

_whose = keyed({"user": optional(whole(1))}, rest=_scalar)
_answers = {"answers": listed(_whose)}
_chosen = shapes.first_of(
    keyed(_answers, {"rule": keyed({"name": text(50), "user": whole(1)}, rest=_scalar)}),
    keyed({**_answers, "all": optional(_whose), "differences": listed(_whose), "edited": truth}),
)

_kept = keyed(
    {
        "content": mapped(anything),
        **dict.fromkeys(("doubt", "done"), truth),
        "comment": text(),
        "version": whole(1, _MAX_INTEGER),
        "before": lambda value: value,
    }
)


def _kept_answer(value: Any) -> Any:
    """An answer that is kept beside the annotations, and what it replaced."""
    found = _kept(value)
    if found["before"] is not None:
        shapes.inside("before", _kept_answer, found["before"])
    return found


# Columns of JSON without references by id. What the project's settings narrow down is in `_of_project`.
_JSON: Mapping[tuple[type[Model], str], Shape] = {
    (Layer, "scheme_data"): mapped(anything),
    (Layer, "shows"): listed(slug, 100),
    (Stage, "training"): keyed(
        {}, {"count": whole(1, 200), "labelled": whole(0, 100), "seed": whole(0, 2**31), "threshold": optional(number)}
    ),
    (Import, "summary"): _summary,
    (Import, "files"): listed(_file),
    (Unit, "tokens"): listed(text(None, 1)),
    (Unit, "spaces"): listed(text()),
    (Unit, "lemmas"): listed(text()),
    (Unit, "content_words"): listed(truth),
    (Unit, "parts_of_speech"): listed(text()),
    (Alignment, "links"): listed(shapes.several(whole(0, 2**31), whole(0, 2**31), number)),
    (Suggestion, "content"): mapped(anything),
    (Suggestion, "probabilities"): listed(number),
    (Suggestion, "detail"): _detail,
    (Suggestion, "span_sources"): listed(listed(text(20))),
    (Suggestion, "reviewed_from"): optional(
        keyed(
            {
                "content": optional(mapped(anything)),
                "tokens": listed(text(None, 1), MAX_TOKENS),
                "version": whole(0, 2**31 - 2),
            }
        )
    ),
    (Repeat, "first"): mapped(anything),
    (Repeat, "answer"): optional(_kept_answer),
    (Annotation, "content"): mapped(anything),
    (Annotation, "suggested"): optional(mapped(anything)),
    (Gold, "content"): mapped(anything),
    (Gold, "chosen"): optional(_chosen),
    (Event, "before"): optional(mapped(anything)),
    (Event, "after"): optional(mapped(anything)),
    (Release, "manifest"): _manifest,
    **{(Split, column): SPLIT_COLUMNS[column] for column in ("parts", "params", "results")},
}


def _seconds(value: Any) -> float:
    found = number(value)
    if not 0 <= found <= _MAX_INTEGER:
        raise Misfit(message(_("expected a number from %(least)d to %(most)d"), least=0, most=_MAX_INTEGER))
    return found


# Columns whose few values the model does not list.
_CODES: Mapping[tuple[type[Model], str], Shape] = {
    (Layer, "slug"): slug,
    (Layer, "content_type"): code,
    (Layer, "unit_kind"): code,
    (Stage, "mode"): one_of(list(Mode)),
    (Stage, "context"): one_of(list(Context)),
    (Stage, "answers_wanted"): whole(1, 100),
    (Import, "dataset"): folder,
    # Nothing of an import that is under way is in a backup.
    (Import, "published_at"): time,
    (Segment, "kind"): code,
    (Segment, "dataset"): folder,
    (Segment, "uid"): identity,
    (Unit, "kind"): code,
    (Unit, "revision"): whole(1, _MAX_INTEGER),
    (Pair, "dataset"): folder,
    (Pair, "pair_id"): identity,
    (Item, "state"): one_of(list(ItemState)),
    (Assignment, "mode"): one_of(list(Mode)),
    (Assignment, "context"): one_of(["", *Context]),
    (Assignment, "state"): one_of(list(AssignmentState)),
    (Annotation, "mode"): one_of(list(Mode)),
    (Annotation, "context"): one_of(["", *Context]),
    (Annotation, "state"): one_of(list(AnnotationState)),
    (Annotation, "version"): whole(1, _MAX_INTEGER),
    (Annotation, "seconds"): _seconds,
    (Gold, "version"): whole(1, _MAX_INTEGER),
    (Event, "verb"): one_of(list(Verb)),
    (Event, "subject_type"): code,
    (Event, "subject_id"): whole(0),
    (Pseudonym, "number"): whole(1, _MAX_INTEGER),
    (Release, "number"): whole(1, _MAX_INTEGER),
    (Release, "sha256"): sha256,
    **{(Split, column): SPLIT_COLUMNS[column] for column in ("name", "sha256", "published_at")},
}


def row_shape(table: Table, project: Project, counts: References, people: int) -> Shape:
    """The shape of a table's rows in an archive with so many rows and people."""
    references, persons, lists = table.references(), table.people(), table.lists()
    columns: dict[str, Shape] = {}
    for field in table.fields():
        column = field.attname
        if column in lists:
            columns[column] = listed(_named(references[column], counts))
        elif column in references:
            columns[column] = _null(field, _named(references[column], counts))
        elif column in persons:
            columns[column] = _null(field, whole(1, people))
        else:
            given = _of_project(table.model, column, project) or _CODES.get((table.model, column))
            columns[column] = given or _null(field, _of_field(table.model, field))
    if table.model is Unit:
        columns["parents"] = listed(_named(Unit, counts), once=True)
    return keyed(columns)


def scheme_shape(content_type: str) -> Shape:
    """The shape of the scheme of a layer with such contents."""
    return _SCHEMES.get(content_type, mapped(anything))


def _named(model: type[Model], counts: References) -> Shape:
    most = counts[model]

    def check(value: Any) -> int:
        if type(value) is not int or not 1 <= value <= most:
            raise Misfit(
                message(_("refers to row %(value)s, which is not in the backup"), value=shapes.shortened(value))
            )
        return value

    return check


def _null(field: Field[Any, Any], shape: Shape) -> Shape:
    return optional(shape) if field.null else shape


def _of_field(model: type[Model], field: Field[Any, Any]) -> Shape:
    kind = field.get_internal_type()
    if isinstance(field, JSONField):
        return _JSON[model, field.attname]
    if field.choices:
        return one_of([value for value, _words in field.choices])
    if kind in _RANGES:
        return whole(*_RANGES[kind])
    shape = _BY_KIND.get(kind)
    return shape if shape is not None else text(field.max_length)


_BY_KIND: Mapping[str, Shape] = {
    "BooleanField": truth,
    "FloatField": number,
    "DateTimeField": time,
    "UUIDField": spelt(re.compile(r"[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}"), 36, _("a UUID")),
}


def _of_project(model: type[Model], column: str, project: Project) -> Shape | None:
    """The shape of a column whose values the project's settings narrow down."""
    language = one_of(project.languages)
    match model._meta.object_name, column:
        case ("Stage" | "Unit" | "LemmaPlace", "language"):
            return language
        case ("Suggestion", "source_language") | ("Import", "original_language"):
            return one_of(["", *project.languages])
        case "Segment", "role":
            return one_of(["", *project.roles])
        case "Pair", "inference":
            return one_of(["", *project.inferences])
        case "Membership", "languages":
            return listed(language, once=True)
        case _:
            return None
