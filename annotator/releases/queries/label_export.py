"""A layer's labels with their sentences, as the writers of formats take them: gold, one person's, or a model's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.files.storage import site_files
from annotator.domain.batches import batches
from annotator.domain.content import Content
from annotator.domain.labels.spans import Span
from annotator.formats.common.features import Feature
from annotator.formats.common.protocol import Format
from annotator.formats.common.records import Labels, PairRecord, Record, Says, Text
from annotator.formats.registry import brings_units, formats
from annotator.models import (
    Annotation,
    AnnotationState,
    Gold,
    Job,
    JobKind,
    JobState,
    Layer,
    Pair,
    Project,
    Segment,
    Suggestion,
    SuggestionKind,
    Unit,
)
from annotator.models.corpus_import import PUBLISHED
from annotator.models.segment import SegmentQuerySet
from annotator.releases.queries.releases import why_not_while_blind
from annotator.work.blind.queries.blind import has_blind_work
from annotator.work.gold.queries.withheld import withheld
from annotator.work.queue.queries.set_aside import standing_pairs

CHUNK = 500
# Exports whose files are kept, of a project: the newest.
MAX_KEPT = 10


class Whose(StrEnum):
    """Whose labels an export has."""

    GOLD = "gold"
    PERSON = "person"
    MODEL = "model"


@dataclass(frozen=True, slots=True)
class ExportChoice:
    """What is exported. `layer`: a slug; "" for the text alone. `name`: a person's username, or a model's name, ""
    for whichever predicted last. `undecided`: with the sentences that have no such answer."""

    format: str
    layer: str
    languages: tuple[str, ...]
    whose: Whose = Whose.GOLD
    name: str = ""
    undecided: bool = False


@dataclass
class ExportCounts:
    """What an export has, and what it leaves out: counted while it is written."""

    sentences: Counter[str] = field(default_factory=Counter)
    pairs: int = 0
    # Without such an answer, by language.
    undecided: Counter[str] = field(default_factory=Counter)
    # Sentences whose text may not be published.
    not_publishable: int = 0
    # What the format has no room for, by its feature.
    without: Counter[str] = field(default_factory=Counter)

    def to_json(self) -> dict[str, Any]:
        return {
            "sentences": dict(self.sentences),
            "pairs": self.pairs,
            "undecided": dict(self.undecided),
            "not_publishable": self.not_publishable,
            "without": dict(self.without),
        }


def writers() -> dict[str, Format]:
    """The formats in which sentences with labels can be written, by slug."""
    return {slug: one for slug, one in formats().items() if one.writes and not brings_units(slug)}


def export_records(
    project: Project, choice: ExportChoice, counts: ExportCounts, report: Callable[[int], None] = lambda _done: None
) -> Iterator[Record | PairRecord]:
    """The sentences in reading order, then the pairs; some at a time, however many there are.

    `choice` is a checked one. `counts` are added to on the way; `report` is told how many sentences are read. Units
    that are set aside are left out.
    """
    layer = project.layers.get(slug=choice.layer) if choice.layer else None
    keeps = writers()[choice.format].keeps
    slots = project.slots.published().order_by()
    datasets, roles = (list(slots.values_list(name, flat=True).distinct()[:2]) for name in ("dataset", "role"))
    ids = _Ids(several_datasets=len(datasets) > 1, several_roles=len(roles) > 1)
    kept_back = withheld(project)
    done = 0
    for some in batches(_segments(project).order_by("position", "pk").iterator(CHUNK), CHUNK):
        texts = _texts(project, some, layer, choice, counts, keeps)
        for segment in some:
            found = texts.get(segment.pk)
            if found:
                counts.sentences.update(found.keys())
                counts.not_publishable += sum((language, segment.pk) in kept_back for language in found)
                yield Record(
                    "",
                    0,
                    found,
                    id=ids.of(segment),
                    role=segment.role,
                    group=segment.group,
                    genre=segment.genre,
                    source=segment.dataset,
                )
        done += len(some)
        report(done)
    if layer is not None and layer.unit_kind == Segment.PAIR:
        yield from _pairs(project, layer, choice, counts, ids)


def sentences_to_export(project: Project) -> int:
    """How many sentences an export reads."""
    return _segments(project).count()


def _segments(project: Project) -> SegmentQuerySet:
    return Segment.objects.published().filter(project=project, kind=Segment.SENTENCE, set_aside_reason="")


@dataclass(frozen=True, slots=True)
class _Ids:
    """Ids as files have them: those of one dataset and role as they came in; of several, with the dataset or the role,
    so that none comes twice."""

    several_datasets: bool
    several_roles: bool

    def of(self, segment: Segment) -> str:
        if self.several_datasets:
            return segment.uid
        named = segment.uid.removeprefix(f"{segment.dataset}:")
        return named if self.several_roles else named.removeprefix(f"{segment.role}:")


def _texts(
    project: Project,
    segments: Sequence[Segment],
    layer: Layer | None,
    choice: ExportChoice,
    counts: ExportCounts,
    keeps: frozenset[Feature],
) -> dict[int, dict[str, Text]]:
    """By segment, its texts by language, with what the layer says of them. Two statements."""
    units = Unit.objects.published().filter(
        project=project, segment__in=segments, kind=Segment.SENTENCE, language__in=choice.languages, is_current=True
    )
    rows = sorted(units, key=lambda unit: choice.languages.index(unit.language))
    on_sentences = layer is not None and layer.unit_kind == Segment.SENTENCE
    labels = _given_answers(layer, choice, [unit.pk for unit in rows]) if layer is not None and on_sentences else {}
    found: dict[int, dict[str, Text]] = {}
    for unit in rows:
        one = labels.get(unit.pk)
        if layer is not None and on_sentences and one is None:
            counts.undecided[unit.language] += 1
            if not choice.undecided:
                continue
        found.setdefault(unit.segment_id, {})[unit.language] = _text(unit, layer, one, choice, counts, keeps)
    return found


def _text(
    unit: Unit,
    layer: Layer | None,
    said: tuple[str, Content] | None,
    choice: ExportChoice,
    counts: ExportCounts,
    keeps: frozenset[Feature],
) -> Text:
    labels: tuple[Labels, ...] = ()
    values: Mapping[str, tuple[str, ...]] = {}
    if layer is not None and said is not None:
        name, content = said
        if layer.content_type == Layer.SPANS:
            spans = tuple(Span.from_json(one) for one in content["spans"])
            if Feature.ATTRIBUTES not in keeps:
                counts.without[Feature.ATTRIBUTES.value] += sum(bool(span.attributes) for span in spans)
            labels = (Labels(Says(choice.whose.value), name, spans),)
        else:
            values = {layer.slug: (str(content["value"]),)}
    return Text(
        tokens=tuple(unit.tokens),
        spaces=tuple(unit.spaces),
        lemmas=tuple(unit.lemmas) if Feature.WORDS in keeps and unit.parts_of_speech else (),
        parts_of_speech=tuple(unit.parts_of_speech) if Feature.WORDS in keeps else (),
        labels=labels,
        values=values,
    )


def _pairs(
    project: Project, layer: Layer, choice: ExportChoice, counts: ExportCounts, ids: _Ids
) -> Iterator[PairRecord]:
    rows = standing_pairs(project).select_related("premise", "hypothesis").order_by("position", "pk")
    for some in batches(rows.iterator(CHUNK), CHUNK):
        tags = _tags(layer, choice, [pair.segment_id for pair in some])
        for pair in some:
            values = {code: tags[pair.segment_id, code] for code in choice.languages if (pair.segment_id, code) in tags}
            counts.undecided.update(code for code in choice.languages if code not in values)
            if values or choice.undecided:
                counts.pairs += 1
                yield PairRecord(
                    "", 0, _pair_id(pair, ids), ids.of(pair.premise), ids.of(pair.hypothesis), pair.inference, values
                )


def _pair_id(pair: Pair, ids: _Ids) -> str:
    return f"{pair.dataset}:{pair.pair_id}" if ids.several_datasets else pair.pair_id


def _tags(layer: Layer, choice: ExportChoice, segments: Sequence[int]) -> dict[tuple[int, str], str]:
    units = Unit.objects.published().filter(segment__in=segments, language__in=choice.languages, is_current=True)
    keys = {pk: (segment, language) for pk, segment, language in units.values_list("pk", "segment_id", "language")}
    values = _given_answers(layer, choice, list(keys))
    return {keys[unit]: str(content["value"]) for unit, (_name, content) in values.items()}


def _given_answers(layer: Layer, choice: ExportChoice, units: Iterable[int]) -> dict[int, tuple[str, Content]]:
    """By unit, the name of who said it, and what."""
    if choice.whose == Whose.GOLD:
        gold = Gold.objects.filter(layer=layer, unit__in=units).values_list("unit_id", "content")
        return {unit: ("", content) for unit, content in gold}
    if choice.whose == Whose.PERSON:
        answers = answers_in(layer).filter(unit__in=units, user__username=choice.name)
        return {unit: (choice.name, content) for unit, content in answers.values_list("unit_id", "content")}
    found = predictions_in(layer, choice.name).filter(unit__in=units).values_list("unit_id", "name", "content")
    return {unit: (name, content) for unit, name, content in found}


def answers_in(layer: Layer) -> QuerySet[Annotation]:
    """People's finished answers on current texts."""
    return Annotation.objects.filter(PUBLISHED, layer=layer, state=AnnotationState.DONE, unit__is_current=True)


def predictions_in(layer: Layer, name: str) -> QuerySet[Suggestion]:
    """The predictions that are current: all, or those of one model."""
    rows = Suggestion.objects.filter(PUBLISHED, layer=layer, kind=SuggestionKind.PREDICTION, is_current=True)
    return rows.filter(name=name) if name else rows


def export_to_download(access: Access, pk: int) -> Job:
    """The finished job of an export, for somebody who downloads its file. Http404 where there is none, or its file is
    gone; PermissionDenied for the person who works blind in the project: an export holds what others labelled."""
    job = access.project.jobs.filter(pk=pk, kind=JobKind.EXPORT, state=JobState.DONE).first()
    if job is None or not site_files().exists(job.exported):
        raise Http404(_("This export was deleted: the newest ten are kept for a week. Export again."))
    if has_blind_work(access.user, access.project):
        raise PermissionDenied(why_not_while_blind(access.project))
    return job


def export_name(job: Job) -> str:
    """The name of an export's file when it is downloaded."""
    name: str = job.result.get("file") or f"{job.project.slug}-{job.params['format']}-{job.pk}.zip"
    return name
