"""The page of a sentence: its texts with their readings, word links, earlier texts, pairs, history and neighbours, as
far as the reader may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import kinds_with_parts
from annotator.models import Alignment, Segment, Unit
from annotator.search.queries.answers_on import LayerOn, answers_on, visible
from annotator.search.queries.find import Place, ShownPair, Whole, made_of, seen_by, whole
from annotator.search.queries.history import Happening, history
from annotator.search.queries.similar import Similar, similar
from annotator.work.answering.queries.contexts import is_grouped_apart, kept_apart

# How far the next sentence of the same document is looked for: those of several may be mixed in reading order.
_LOOKED_AT = 50
_MAX_REVISIONS = 50


@dataclass(frozen=True, slots=True)
class Link:
    """Two words that are linked, and how surely: 0 to 1; None where the aligner gives no score."""

    source: str
    target: str
    score: float | None


@dataclass(frozen=True, slots=True)
class Linked:
    """The links of the words of one text to those of another one."""

    alignment: Alignment
    source: Unit
    target: Unit
    links: Sequence[Link]


@dataclass(frozen=True, slots=True)
class TextOn:
    """A text, and its readings by layer."""

    unit: Unit
    layers: Sequence[LayerOn]

    @property
    def has_labels(self) -> bool:
        """Whether its readings repeat the text, with labels."""
        return any(reading.content.pieces for one in self.layers for reading in one.readings)


@dataclass(frozen=True, slots=True)
class PairOn:
    """A pair with the sentence, and its readings in each language."""

    shown: ShownPair
    texts: Sequence[TextOn]


@dataclass(frozen=True, slots=True)
class SentencePage:
    """`texts`: the current ones; `made`: texts with readings made from them; `units`: all texts, including earlier
    ones."""

    whole: Whole
    texts: Sequence[TextOn]
    pairs: Sequence[PairOn]
    made: Sequence[TextOn]
    links: Sequence[Linked]
    units: Sequence[Unit]
    history: Sequence[Happening]
    more_history: bool
    similar: Sequence[Similar]
    previous: Segment | None
    next: Segment | None

    @property
    def versions(self) -> Sequence[Unit]:
        """All texts, where any was edited."""
        return self.units if self.whole.earlier else ()

    @property
    def origins(self) -> list[Unit]:
        """Its texts that came with files. Names of files tell of what its id tells: none where that is hidden."""
        if self.whole.uid != self.whole.segment.uid:
            return []
        return [unit for unit in self.units if unit.imported is not None and unit.origin_file is not None]

    @property
    def open_place(self) -> Place | None:
        """Where the reader opens it first: their own work, or else what they may decide on."""
        return next((place for place in self.whole.places if place.opens), None)


def sentence_page(access: Access, segment: int) -> SentencePage:
    """All data of a sentence for a reader. About thirty statements for any size of the project. Raises Http404 if
    there is no such sentence."""
    found = whole(access, segment)
    project = access.project
    versions = _versions(access, found)
    tagged = _tagged(found)
    made = seen_by(access.user, project, made_of(found.units)) if access.may(Permission.ADJUDICATE) else []
    # Pairs are made of their sentences, too.
    units = list({unit.pk: unit for unit in (*found.units, *versions, *tagged, *made)}.values())
    layers = list(project.layers.all())
    sight = visible(access, units, layers)
    said = answers_on(units, sight, layers)
    happened, more = history(found.segment, units, sight, layers, [one.pair.pk for one in found.pairs if one.is_told])
    before, after = _neighbours(access, found.segment)
    return SentencePage(
        whole=found,
        texts=[TextOn(unit, said.get(unit.pk, ())) for unit in found.units],
        pairs=[
            PairOn(one, [TextOn(unit, said[unit.pk]) for unit in tagged if _is_of(unit, one) and unit.pk in said])
            for one in found.pairs
        ],
        made=[TextOn(unit, said[unit.pk]) for unit in made if unit.kind != Segment.PAIR and unit.pk in said],
        links=_links(found.units),
        units=versions,
        history=happened,
        more_history=more,
        similar=() if found.segment.set_aside_reason else similar(project, found.units, access.user),
        previous=before,
        next=after,
    )


def _versions(access: Access, found: Whole) -> list[Unit]:
    """All texts of the sentence, with who wrote or imported them; newest first within a language."""
    rows = Unit.objects.published().filter(pk__in=[unit.pk for unit in (*found.units, *found.earlier)])
    rows = rows.select_related("segment", "author", "imported__created_by").order_by("-revision", "pk")
    order = {language: number for number, language in enumerate(access.project.languages)}
    units = sorted(
        rows.defer("lemmas", "content_words")[:_MAX_REVISIONS],
        key=lambda unit: (order.get(unit.language, len(order)), -unit.revision),
    )
    return units


def _tagged(found: Whole) -> list[Unit]:
    """The pairs with the sentence, in each language, as far as the reader is told of them."""
    told = [one.pair.segment_id for one in found.pairs if one.is_told]
    rows = Unit.objects.published().filter(segment__in=told, kind=Segment.PAIR, is_current=True)
    return list(rows.select_related("segment").order_by("segment__position", "pk")) if told else []


def _is_of(unit: Unit, shown: ShownPair) -> bool:
    return unit.segment_id == shown.pair.segment_id


def _links(units: Sequence[Unit]) -> list[Linked]:
    texts = {unit.pk: unit for unit in units}
    rows = Alignment.objects.filter(source__in=texts, target__in=texts, is_current=True).order_by("pk")
    found = []
    for row in rows:
        source, target = texts[row.source_id], texts[row.target_id]
        links = [
            Link(source.tokens[a], target.tokens[b], score[0] if score else None)
            for a, b, *score in sorted(row.links, key=lambda link: tuple(link[:2]))
            if a < len(source.tokens) and b < len(target.tokens)
        ]
        found.append(Linked(row, source, target, links))
    return found


def _neighbours(access: Access, segment: Segment) -> tuple[Segment | None, Segment | None]:
    """The sentences before and after it in its document, or where it has none in its dataset; None for one that must
    not be named beside it. Two statements, and a few more if the reader is blind there."""
    if is_grouped_apart(access.user, access.project, segment):
        return None, None
    kinds = [Segment.SENTENCE, *kinds_with_parts()]
    rows = Segment.objects.published().filter(project=access.project, kind__in=kinds)
    rows = rows.only("kind", "dataset", "role", "group", "position", "uid", "project")
    before = rows.filter(position__lt=segment.position).order_by("-position", "-pk")[:_LOOKED_AT]
    after = rows.filter(position__gt=segment.position).order_by("position", "pk")[:_LOOKED_AT]
    found = [next((one for one in some if _belongs(one, segment)), None) for some in (before, after)]
    apart = kept_apart(access.user, access.project, segment, [one for one in found if one is not None])
    first, second = (one if one is not None and one.pk not in apart else None for one in found)
    return first, second


def _belongs(one: Segment, segment: Segment) -> bool:
    """Whether two are sentences of one document. Premises and hypotheses, which stand in groups of their own, and
    sentences without a document follow each other in their dataset."""
    same = (one.kind, one.dataset, one.role) == (segment.kind, segment.dataset, segment.role)
    return same and (bool(segment.role) or one.group == segment.group)
