"""A sentence of a project by its ID, with its translations, and its page. By index alone, however large the project is.

Texts of several parts, such as figurative pairs, are found, too. What is found are texts, and where the reader's own
work on them is: nothing that anybody answered, so it holds for whoever is blind. Where people write texts, others'
texts are such answers to whoever is blind on what they are written from. Which sentences belong together is told as far
as `contexts.py` lets it.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db.models import F, Q
from django.http import Http404
from django.utils.translation import gettext as _

from annotator.core.access import Access
from annotator.core.permissions import Permission
from annotator.core.unit_kinds import imported_markings, kinds_with_parts
from annotator.domain.states import AssignmentState, ItemState
from annotator.formats.corpus.corpus import pair_uid
from annotator.formats.corpus.incoming import record_uid
from annotator.models import Assignment, Item, Pair, Project, Segment, Stage, Unit, User
from annotator.work.answering.queries.contexts import Level, is_grouped_apart, untold_pairs
from annotator.work.answering.queries.inference_labels import labelled_by, may_label
from annotator.work.blind.queries.blind import blind_segments, shown_uids
from annotator.work.gold.queries.adjudication import open_to, openable_gold
from annotator.work.queue.queries.set_aside import can_be_set_aside

SHOWN = 50
LONGEST = 500
MAX_DATASETS = 50


@dataclass(frozen=True, slots=True)
class Place:
    """A sentence in a stage: the state of its item, and what the reader may open there, for `?item=` of its page.

    That is their own assignment, or in adjudication the item. Gold that never waited there has none yet: then it is the
    id of its unit that is opened. `pair`: the id of the pair with the sentence that is decided on there. `made`: the
    text of what was made of the sentence, where that is decided on.
    """

    stage: Stage
    state: str
    opens: int | None
    unit: int | None = None
    pair: str = ""
    made: str = ""

    @property
    def waits(self) -> bool:
        """Whether it is an adjudicator's turn."""
        return self.stage.adjudicates and self.state == ItemState.FREE


@dataclass(frozen=True, slots=True)
class ShownPair:
    """A pair as the reader may see it. `is_told`: whether they may see its inference label, which a pair can lack, too.
    `may_label`: whether they may give it one, or change one that somebody gave here."""

    pair: Pair
    is_told: bool
    may_label: bool = False

    @property
    def inference(self) -> str:
        return self.pair.inference if self.is_told else ""


@dataclass(frozen=True, slots=True)
class Whole:
    """All texts of a segment: the current ones in the project's order of languages, and those that were replaced.

    `uid`: how it is called before the reader. `group`: the document or group that it is in. It and the pairs are told
    as far as the reader may see them. Where it is set aside, what stands are the texts that it had.
    """

    segment: Segment
    uid: str
    group: str
    units: Sequence[Unit]
    earlier: Sequence[Unit]
    pairs: Sequence[ShownPair]
    may_set_aside: bool
    may_restore: bool
    places: Sequence[Place]


def whole(access: Access, segment: int) -> Whole:
    """Everything that is known of a segment's texts, and where it is worked on. Http404 where there is none."""
    project = access.project
    rows_of = Segment.objects.published().select_related("set_aside_by")
    found = rows_of.filter(project=project, kind__in=_kinds_with_a_page(), pk=segment).first()
    if found is None:
        raise Http404(_("There is no such sentence in the project."))
    rows = Unit.objects.published().filter(segment=found).order_by("revision").defer("lemmas", "content_words")
    units = seen_by(access.user, project, rows.select_related("segment"))
    if not units:
        raise Http404(_("There is no such sentence in the project."))
    uids = shown_uids(access.user, project, units, decides=access.may(Permission.ADJUDICATE))
    standing = [unit for unit in units if unit.is_current or unit.set_aside_with_id == found.pk]
    current = _in_order(project, standing)
    sides = Q(premise=found) | Q(hypothesis=found)
    pairs = Pair.objects.published().filter(sides, project=project).select_related("premise", "hypothesis")
    pairs = pairs.annotate(given_by=labelled_by())
    listed = _seen_pairs(access.user, project, list(pairs.order_by("position", "pk")[:SHOWN]))
    if access.can_change(Permission.MANAGE):
        listed = [replace(one, may_label=one.is_told and _may_label(one.pair, access.user)) for one in listed]
    return Whole(
        segment=found,
        uid=next((uid for uid in uids.values() if uid != found.uid), found.uid),
        group="" if is_grouped_apart(access.user, project, found) else found.group,
        units=current,
        earlier=[unit for unit in reversed(units) if unit not in standing],
        pairs=listed,
        may_set_aside=not found.set_aside_reason and _may_set_aside(access, found, current),
        may_restore=access.may(Permission.ADJUDICATE) or found.set_aside_by == access.user,
        places=[*_places(access, current), *_adjudication(access, current, [one.pair for one in listed])],
    )


def _may_label(pair: Pair, manager: User) -> bool:
    given_by: int | None = pair.given_by  # type: ignore[attr-defined]  # annotated
    return may_label(pair.inference, given_by, manager.pk, anybodys=True)


def segment_of(access: Access, unit: int) -> int:
    """The segment (id) of a text of the project. Http404 where there is none."""
    row = Unit.objects.published().filter(project=access.project, pk=unit).first()
    if row is None:
        raise Http404(_("There is no such sentence in the project."))
    return row.segment_id


def _may_set_aside(access: Access, segment: Segment, units: Sequence[Unit]) -> bool:
    """As `revisions/set_aside.py` asks: adjudicators anywhere, annotators where they have an answer of their own."""
    if not can_be_set_aside(segment) or not access.may(Permission.ANNOTATE):
        return False
    own = Assignment.objects.filter(unit__in=units, user=access.user).exclude(state=AssignmentState.RETURNED)
    return access.may(Permission.ADJUDICATE) or own.exists()


def by_id(project: Project, given: str, reader: User) -> list[Unit]:
    """The sentences of this uid, or of this id in the files of any dataset; of a pair, both."""
    datasets = list(project.imports.order_by().values_list("dataset", flat=True).distinct()[:MAX_DATASETS])
    roles = ["", *project.roles]
    uids = {given, *(record_uid(dataset, role, given) for dataset in datasets for role in roles)}
    uids |= {pair_uid(dataset, given) for dataset in datasets}
    rows = list(Segment.objects.published().filter(project=project, uid__in=uids).order_by("position", "pk"))
    ids = [row.pk for row in rows]
    named = list(Pair.objects.filter(segment__in=[row.pk for row in rows if row.kind == Segment.PAIR]))
    for pair in _seen_pairs(reader, project, named):
        ids += [pair.pair.premise_id, pair.pair.hypothesis_id]
    return texts(project, reader, segment__in=ids)


def _seen_pairs(reader: User, project: Project, pairs: Sequence[Pair]) -> list[ShownPair]:
    """Without those of which the reader must not be told that their sides belong together."""
    levels = untold_pairs(reader, project, pairs)
    return [
        ShownPair(pair, is_told=pair.pk not in levels)
        for pair in pairs
        if levels.get(pair.pk, Level.INFERENCE).shows(Level.OTHER_SIDE)
    ]


def texts(project: Project, reader: User, **which: Any) -> list[Unit]:
    """Current texts that the reader may see, with their segments, in reading order and that of the languages."""
    stands = Q(is_current=True) | Q(set_aside_with=F("segment"))
    rows = Unit.objects.published().filter(is_text(), stands, project=project, **which)
    units = rows.select_related("segment").defer("lemmas", "content_words")
    found = [unit for unit in seen_by(reader, project, units) if unit.language in project.languages]
    order = project.languages.index
    return sorted(found, key=lambda unit: (unit.segment.position, unit.segment_id, order(unit.language)))


def text_kinds() -> list[str]:
    """The kinds of units that are texts to read: sentences, and texts of several parts."""
    return [Segment.SENTENCE, *kinds_with_parts()]


def _kinds_with_a_page() -> list[str]:
    """Texts to read, and sentences with something marked, also those that were marked here: tables lead to them."""
    return [*text_kinds(), *imported_markings()]


def is_text() -> Q:
    """Units that are found: texts to read, and sentences that came in with something marked. What was marked here is on
    the page of its sentence."""
    return Q(kind__in=text_kinds()) | Q(kind__in=imported_markings(), imported__isnull=False)


def seen_by(reader: User, project: Project, units: Iterable[Unit]) -> list[Unit]:
    """Without what others wrote from a text on which the reader is blind: those are the others' answers."""
    rows = list(units)
    sources = {
        unit.pk: set(unit.touches) - {unit.segment_id}
        for unit in rows
        if unit.imported_id is None and unit.kind != Segment.SENTENCE and unit.author_id != reader.pk
    }
    hidden = blind_segments(reader, project, set().union(*sources.values())) if sources else frozenset()
    return [unit for unit in rows if hidden.isdisjoint(sources.get(unit.pk, ()))]


def _in_order(project: Project, units: Iterable[Unit]) -> list[Unit]:
    known = {unit.language: unit for unit in units}
    return [known[language] for language in project.languages if language in known]


def _places(access: Access, units: Sequence[Unit]) -> list[Place]:
    items = Item.objects.filter(unit__in=units).exclude(state=ItemState.VOID).exclude(stage__kind=Stage.ADJUDICATE)
    own = {
        row.item_id: row
        for row in Assignment.objects.filter(unit__in=units, user=access.user).exclude(state=AssignmentState.RETURNED)
    }
    rows = items.select_related("stage__layer").order_by("stage__position", "stage")
    found = []
    for row in rows:
        row.stage.project = access.project
        mine = own.get(row.pk) if access.works_in(row.stage.language) else None
        found.append(Place(row.stage, row.state, mine.pk if mine is not None else None))
    return found


def made_of(units: Sequence[Unit]) -> list[Unit]:
    """What was made of these texts and is none to read by itself: a word marked in one, the words written for it.

    In two steps, since words are made of a sentence with a mark, which is made of a sentence.
    """
    found: list[Unit] = []
    parents: Sequence[Unit] = units
    for _step in range(2):
        made = Unit.parents.through.objects.filter(to_unit__in=parents).values("from_unit")
        rows = Unit.objects.published().filter(pk__in=made, is_current=True).exclude(kind__in=text_kinds())
        parents = list(rows.select_related("segment").order_by("segment__position", "pk")[:SHOWN])
        found += parents
    return found


def _adjudication(access: Access, units: Sequence[Unit], pairs: Sequence[Pair]) -> list[Place]:
    """What adjudicators may open of the texts, and of pairs with them: what waits or waited, and other gold."""
    if not access.may(Permission.ADJUDICATE):
        return []
    names = {pair.segment_id: pair.pair_id for pair in pairs}
    tagged = Unit.objects.published().filter(segment__in=names, kind=Segment.PAIR, is_current=True) if names else ()
    made = {unit.pk: unit for unit in made_of(units)}
    texts = {unit.pk: unit for unit in (*units, *tagged)} | made
    places = [(Place(row.stage, row.state, row.pk), row.unit_id) for row in open_to(access, list(texts.values()))] + [
        (Place(stage, ItemState.DECIDED, None, unit.pk), unit.pk)
        for stage, unit in openable_gold(access, list(texts.values()))
    ]
    found = [
        replace(place, pair=names.get(texts[unit].segment_id, ""), made=made[unit].text if unit in made else "")
        for place, unit in places
    ]
    for place in found:
        place.stage.project = access.project
    return found
