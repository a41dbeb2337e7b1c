"""The sides of a comparison: gold now or at a time, a release, a person's answers; each as texts with their labels."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from annotator.core.errors import ActionError
from annotator.core.files.storage import site_files
from annotator.domain.batches import batches
from annotator.domain.comparing.versions import Labelled, labels_of
from annotator.domain.content import Content
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.text.identity import key_of_tokens, text_key
from annotator.domain.verbs import Verb
from annotator.formats.corpus.corpus import pair_uid
from annotator.models import Annotation, AnnotationState, Event, Gold, Layer
from annotator.models.corpus_import import PUBLISHED
from annotator.releases.queries.release_readme import LAYER, PAIRS, SENTENCES

GOLD, TIME, RELEASE, PERSON = SOURCES = ("gold", "time", "release", "person")
CHUNK = 1000
_COLUMNS = ("unit__segment__uid", "unit__language", "unit__segment__dataset", "unit__tokens")
_RENAMED = (Verb.GOLD_RELABELLED, Verb.GOLD_TERMS_MERGED)


@dataclass(frozen=True, slots=True)
class LabelledText:
    """A text in a version. `key`: the same for texts with the same tokens. `tokens`: none of a stand-off release."""

    uid: str
    language: str
    dataset: str
    key: str
    tokens: Sequence[str]
    labels: Sequence[Labelled]


def read_source(layer: Layer, given: Mapping[str, Any]) -> Iterator[LabelledText]:
    """The texts of a source that have an answer in the layer. Raises ActionError where it is gone."""
    match given["source"]:
        case "gold":
            return _decided(layer)
        case "time":
            return _decided_at(layer, datetime.fromisoformat(given["at"]))
        case "release":
            return _released(layer, given["number"])
        case _:
            return _answered(layer, given["person"])


def _decided(layer: Layer) -> Iterator[LabelledText]:
    rows = Gold.objects.filter(project=layer.project_id, layer=layer, unit__is_current=True)
    return _texts(layer, rows.order_by("unit__segment__position", "unit").values_list(*_COLUMNS, "content"))


def _answered(layer: Layer, person: int) -> Iterator[LabelledText]:
    rows = Annotation.objects.filter(
        PUBLISHED, project=layer.project_id, layer=layer, user=person, state=AnnotationState.DONE,
        unit__is_current=True,
    )  # fmt: skip
    return _texts(layer, rows.order_by("unit__segment__position", "unit").values_list(*_COLUMNS, "content"))


def _decided_at(layer: Layer, at: datetime) -> Iterator[LabelledText]:
    """Gold as it stood, by the log: what the first event since then says was there before, and without one, what is
    there now unless it came later."""
    rows = Gold.all_rows.filter(PUBLISHED, project=layer.project_id, layer=layer).order_by(
        "unit__segment__position", "unit"
    )
    columns = (*_COLUMNS, "unit_id", "content", "reopened", "created_at")
    for some in batches(rows.values_list(*columns).iterator(CHUNK), CHUNK):
        events = _events_since(layer, [row[4] for row in some], at)
        for uid, language, dataset, tokens, unit, content, reopened, created in some:
            stood = before(events[unit], reopened) if unit in events else (not reopened and created <= at)
            if stood:
                then = events[unit][0][1] if unit in events else None
                found = then["content"] if then else content
                yield _text(layer, uid, language, dataset, tokens, found)


def _events_since(
    layer: Layer, units: Sequence[int], at: datetime
) -> dict[int, list[tuple[str, Mapping[str, Any] | None]]]:
    """By unit, verb and `before` of the events of its gold in the layer, in their order."""
    rows = Event.objects.filter(
        subject_type__in=["unit", "sentence"], subject_id__in=units, at__gt=at, verb__startswith="gold."
    )
    found: dict[int, list[tuple[str, Mapping[str, Any] | None]]] = {}
    for unit, verb, one, other in rows.order_by("pk").values_list("subject_id", "verb", "before", "after"):
        if layer.pk in [told.get("layer") for told in (one, other) if told]:
            found.setdefault(unit, []).append((verb, one))
    return found


def before(events: Sequence[tuple[str, Mapping[str, Any] | None]], reopened: bool) -> bool:
    """Whether gold stood before these events. Renaming labels changes reopened gold, too, and does not tell."""
    told = next(((verb, was) for verb, was in events if verb not in _RENAMED), None)
    if told is None:
        return not reopened
    verb, was = told
    return verb == Verb.GOLD_REOPENED or was is not None


def _texts(layer: Layer, rows: Any) -> Iterator[LabelledText]:
    return (_text(layer, *row) for row in rows.iterator(CHUNK))


def _text(layer: Layer, uid: str, language: str, dataset: str, tokens: Sequence[str], content: Content) -> LabelledText:
    labels = labels_of(layer.content_type, content, length=len(tokens))
    return LabelledText(uid, language, dataset, key_of_tokens(tokens), tokens, labels)


def _released(layer: Layer, number: int) -> Iterator[LabelledText]:
    release = layer.project.releases.filter(number=number).first()
    if release is None:
        raise ActionError(message(_("This release no longer exists. Choose another one.")))
    layer_path = LAYER.format(slug=layer.slug)
    path = {layer.project.label_layer: SENTENCES, layer.project.tag_layer: PAIRS}.get(layer, layer_path)
    with site_files().open(release.stored) as file, zipfile.ZipFile(file) as packed:
        if path in packed.namelist():
            with packed.open(path) as lines:
                for line in lines:
                    yield from _of_row(layer, json.loads(line))


def _of_row(layer: Layer, row: Mapping[str, Any]) -> Iterable[LabelledText]:
    """The texts of a line: of a pair, one for each language in which it has gold."""
    if "pair_id" in row:
        uid, dataset = pair_uid(row["dataset"], row["pair_id"]), row["dataset"]
        return [
            _text(layer, uid, language, dataset, (), {"value": one["tag"]}) for language, one in row["gold"].items()
        ]
    content = row["content"] if "content" in row else {"spans": row["spans"]}
    about = row["uid"], row["language"], row["dataset"]
    if "tokens" in row:
        return [_text(layer, *about, row["tokens"], content)]
    # A stand-off release tells where tokens are, and not what they are.
    lengths = [end - begin for begin, end in row["positions"]]
    labels = labels_of(layer.content_type, content, length=len(lengths))
    return [LabelledText(*about, text_key(row["characters_sha256"], lengths), (), labels)]
