"""What a change of a project's settings would bring, in numbers, before it is made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from django.db.models import QuerySet

from annotator.core.kind import kind_named, kind_of
from annotator.core.presets import ADJUDICATE, StageSpec, Texts
from annotator.core.starts import workflow
from annotator.domain.content import Written, content_type
from annotator.domain.labels.relabel import Relabelling, count_labels, places_in, relabelled
from annotator.domain.labels.schemes import Scheme
from annotator.domain.states import AnnotationState, AssignmentState, ItemState
from annotator.jobs.queries import active_jobs
from annotator.models import (
    Annotation,
    Assignment,
    Gold,
    Item,
    Job,
    Layer,
    Project,
    Segment,
    Stage,
    Suggestion,
    Unit,
    User,
)
from annotator.work.answering.queries.own import anybodys
from annotator.work.blind.queries.blind import segments_to_answer
from annotator.work.queue.queries.progress import held_ahead, held_in_advance, people_progress

# A preview reads so many contents of each sort at most, so that it answers in a project of any size.
MAX_READ = 20_000


@dataclass(frozen=True)
class StageConsequences:
    """What hangs on a stage: its items, open and finished answers, and gold that was decided in its layer and language
    where it decides."""

    items: int
    open: int
    answers: int
    decisions: int


def units_for_stage(project: Project, spec: StageSpec) -> tuple[str, int]:
    """What a stage to be is about, of which the project has some in its language: the kind of units, and how many.

    Units of its own sort come first, then those of the stage that it is made from, unless these are texts that people
    write there, then sentences, of which there may be none. A query for each.
    """
    if spec.kind == ADJUDICATE:
        kinds = list(project.layers.filter(slug=spec.layer).values_list("unit_kind", flat=True))
    else:
        before = project.stages.filter(kind=spec.made_from, language=spec.language).select_related("layer")
        kinds = [stage.layer.unit_kind for stage in before if stage.layer.unit_kind in anybodys()]
        kinds.insert(0, kind_named(spec.kind).unit)
    units = Unit.objects.published().filter(project=project, language=spec.language, is_current=True)
    for kind in kinds:
        if number := units.filter(kind=kind).count():
            return kind, number
    return Segment.SENTENCE, units.filter(kind=Segment.SENTENCE).count()


@dataclass(frozen=True)
class ArchiveConsequences:
    """How many people have work open in a project, beside what their pages hold in advance; a job that is under way,
    which keeps it from being archived."""

    people: int
    job: Job | None


def archive_consequences(project: Project) -> ArchiveConsequences:
    """What making it read-only would interrupt."""
    stages = list(project.stages.all())
    ahead = held_ahead(stages)
    people = {
        row.user.pk
        for stage, rows in people_progress(stages).items()
        for row in rows
        if row.open > ahead[stage].people.get(row.user.pk, 0)
    }
    return ArchiveConsequences(len(people), active_jobs(project).first())


def stage_consequences(stage: Stage) -> StageConsequences:
    """What would go, and what keeps a stage where it is."""
    decisions = 0
    if stage.adjudicates:
        decisions = Gold.objects.filter(layer=stage.layer_id, unit__language=stage.language).count()
    return StageConsequences(
        items=Item.objects.filter(stage=stage).exclude(state=ItemState.VOID).count(),
        open=Assignment.objects.filter(stage=stage, state=AssignmentState.OPEN).exclude(held_in_advance()).count(),
        answers=Annotation.objects.filter(stage=stage, state=AnnotationState.DONE).count(),
        decisions=decisions,
    )


def texts_of(project: Project) -> str:
    """What the project's sentences are; of older projects, what their stages say."""
    if project.texts:
        return project.texts
    if project.tag_layer is not None:
        return Texts.PAIRS
    return Texts.PARALLEL if len(project.languages) > 1 else Texts.SENTENCES


def steps_of(project: Project) -> set[str]:
    """The steps that the project's stages are of."""
    known, stages = workflow(), list(project.stages.all())
    steps = {stage.kind for stage in stages}
    if any(stage.kind == known.label and stage.answers_wanted > 1 for stage in stages):
        steps.add(known.twice)
    # A project in one language has no projections to review, and will have them with a second one.
    if len(project.languages) == 1:
        steps.add(known.review)
    return steps


def unjudged(stages: Sequence[Stage]) -> set[int]:
    """Those of a project's stages (ids) in which texts are written that no other of them takes up: nobody judges them,
    and they are in no release. Stages come with their layer."""
    taken_up = {stage.made_from_id for stage in stages}
    return {
        stage.pk
        for stage in stages
        if not stage.adjudicates
        and stage.pk not in taken_up
        and isinstance(content_type(stage.layer.content_type), Written)
    }


def stages_for_language(project: Project, language: str) -> list[StageSpec]:
    """The stages that another language would get: those that the other ones have.

    Of a project that labels nothing, those of its first language, whatever they are.
    """
    if not project.stages.filter(kind=workflow().label).exists():
        first = project.stages.filter(language=project.source_language).select_related("layer", "made_from")
        return [_like(stage, language) for stage in first]
    texts = Texts.PARALLEL if texts_of(project) == Texts.SENTENCES else texts_of(project)
    specs = workflow().stages(texts, [*project.languages, language], steps_of(project))
    layers = set(project.layers.values_list("slug", flat=True))
    # What they show is the project's decision, whatever its languages.
    shows = {(kind, layer if kind == ADJUDICATE else ""): context for kind, layer, context in _contexts(project)}
    return [
        replace(spec, context=shows.get((spec.kind, spec.layer), spec.context))
        for spec in specs
        if spec.language == language and (not spec.layer or spec.layer in layers)
    ]


def _contexts(project: Project) -> Iterable[tuple[str, str, str]]:
    """What the project's stages show around sentences, by kind and layer; the first ones of a kind last."""
    rows = project.stages.order_by("-position", "-pk").values_list("kind", "layer__slug", "context")
    return [(str(kind), str(layer), str(shown)) for kind, layer, shown in rows]


def _like(stage: Stage, language: str) -> StageSpec:
    return StageSpec(
        stage.kind,
        language,
        layer=stage.layer.slug if stage.adjudicates or kind_of(stage).layer.several else "",
        order=stage.order,
        mode=stage.mode,
        answers_wanted=stage.answers_wanted,
        made_from=stage.made_from.kind if stage.made_from else "",
        context=stage.context,
    )


@dataclass(frozen=True)
class LanguageRow:
    """A language of the project, and what it has in it."""

    tag: str
    sentences: int
    pairs: int
    stages: int

    @property
    def can_go(self) -> bool:
        return not (self.sentences or self.pairs)


def language_rows(project: Project) -> list[LanguageRow]:
    """The project's languages in order."""
    units = Unit.objects.filter(project=project, is_current=True)
    return [
        LanguageRow(
            tag,
            sentences=units.filter(kind=Segment.SENTENCE, language=tag).count(),
            pairs=units.filter(kind=Segment.PAIR, language=tag).count(),
            stages=project.stages.filter(language=tag).count(),
        )
        for tag in project.languages
    ]


@dataclass(frozen=True)
class ValueUses:
    """How many labels in annotations, gold and suggestions say a value of an attribute; texts count together as ""."""

    attribute: str
    value: str
    annotations: int
    gold: int
    suggestions: int


@dataclass
class LabelConsequences:
    """How many labels a change of the scheme touches, by label and by value, and how much gold it reopens.

    `units`: labels in annotations that are cut, or go, so that they fit. `lacking`: finished answers and gold that say
    nothing of an attribute that becomes required. `more`: the project has more contents than were read, so the
    numbers are at least these.
    """

    annotations: dict[str, int] = field(default_factory=dict)
    gold: dict[str, int] = field(default_factory=dict)
    suggestions: dict[str, int] = field(default_factory=dict)
    values: list[ValueUses] = field(default_factory=list)
    answers_changed: int = 0
    gold_changed: int = 0
    gold_reopened: int = 0
    units: int = 0
    lacking: int = 0
    more: bool = False
    without_blind: bool = False


def label_consequences(layer: Layer, change: Relabelling, reader: User) -> LabelConsequences:
    """What a change of a layer's scheme would do. Four queries; reads at most MAX_READ contents of each sort.

    What the reader is still to answer blind is left out (`without_blind`): the numbers would tell of it.
    """
    touched = sorted(change.touched)
    found = LabelConsequences()
    demanded = _demanded(change)
    if not change.touches_contents and not demanded:
        return found
    hidden = set(segments_to_answer(reader, layer.project))
    found.without_blind = bool(hidden)
    annotations = list(_read(Annotation.objects.filter(layer=layer), found, hidden))
    gold = list(_read(Gold.objects.filter(layer=layer), found, hidden))
    suggestions = list(_read(Suggestion.objects.filter(layer=layer, is_current=True), found, hidden))
    found.annotations = count_labels(annotations, touched)
    found.gold = count_labels(gold, touched)
    found.suggestions = count_labels(suggestions, touched)
    found.values = _values(change, annotations, gold, suggestions)
    found.answers_changed = sum(change.changed(content) != content for content in annotations)
    found.gold_changed = sum(change.changed(content) != content for content in gold)
    found.gold_reopened = sum(change.reopens(content) for content in gold)
    if change.fits:
        found.units = sum(_unfit(change, content) for content in annotations)
    found.lacking = sum(_lacks(content, demanded) for content in (*annotations, *gold))
    return found


def _values(change: Relabelling, *contents: Iterable[Any]) -> list[ValueUses]:
    counts: dict[tuple[str, str], list[int]] = {}
    listed = {name: set(one.values) for name, one in Scheme.from_json(change.before).attributes.items()}
    for place, rows in enumerate(contents):
        for content in rows:
            for span in (*content["spans"], *content.get("translations", ())):
                for name in change.attributes.keys() & span["attributes"].keys():
                    value = span["attributes"][name]
                    key = name, value if value in listed.get(name, ()) else ""
                    counts.setdefault(key, [0, 0, 0])[place] += 1
    return [ValueUses(*key, *numbers) for key, numbers in sorted(counts.items())]


def _demanded(change: Relabelling) -> dict[str, frozenset[str]]:
    """Attributes that become required, by what they are called now or will be, with the labels that have them."""
    before, after = Scheme.from_json(change.before), Scheme.from_json(change.after)
    names = {one.name: old for old, one in change.attributes.items() if one.name}
    found = {}
    for name, one in after.attributes.items():
        old = names.get(name, name)
        if one.obligatory and not (old in before.attributes and before.attributes[old].obligatory):
            found[old] = frozenset(one.labels or after.labels)
    return found


def _lacks(content: Any, demanded: dict[str, frozenset[str]]) -> bool:
    return any(
        span["label"] in labels and name not in span["attributes"]
        for span in content["spans"]
        for name, labels in demanded.items()
    )


def _unfit(change: Relabelling, content: Any) -> int:
    remaining = places_in(change.changed(content))
    return sum(place not in remaining for place in places_in(relabelled(content, change.mapping)))


def label_uses(layer: Layer, reader: User) -> dict[str, int]:
    """How many labels people have of each label of a layer of spans, as far as a page may read; without what the reader
    is still to answer blind."""
    hidden = set(segments_to_answer(reader, layer.project))
    contents = _read(Annotation.objects.filter(layer=layer), LabelConsequences(), hidden)
    return count_labels(contents, list(layer.scheme_data["labels"]))


def _read(rows: QuerySet[Any], found: LabelConsequences, hidden: set[int]) -> Iterator[Any]:
    read = rows.order_by("pk").values_list("content", "unit__touches")[: MAX_READ + 1]
    for number, (content, touches) in enumerate(read.iterator()):
        if number == MAX_READ:
            found.more = True
            return
        if hidden.isdisjoint(touches):
            yield content
