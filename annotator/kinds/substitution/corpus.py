"""What a project has of marked sentences, their words, and what was decided on both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Count, Exists, F, OuterRef, QuerySet, Subquery, Value
from django.db.models.functions import Concat

from annotator.domain.content import BEST, INAPT, SUBSTITUTE
from annotator.domain.marked import Marked
from annotator.domain.one_word import most_frequent_first, word_key
from annotator.domain.states import AnnotationState
from annotator.domain.triples import Pair, given_as_both, pairs_of
from annotator.kinds.substitution.units import (
    MARKED,
    RULE,
    WORDS,
    WORDS_END,
    as_marked,
    marked_uid_of,
)
from annotator.models import Annotation, Gold, Import, Item, Project, Segment, Stage, Unit
from annotator.models.corpus_import import PUBLISHED


@dataclass(frozen=True, slots=True)
class Sentence:
    """A marked sentence. `id`: the file's, or, where it was made here, its uid. `words`: those that people wrote, the
    most frequent first, or those that came with files as they stand there; none where everybody says that no word
    fits, None while answers are missing. `best` and `inapt` are gold; None while it is not decided.

    `imported`: the import that it came with; `words_imported`: so did its words.
    """

    unit: Unit
    id: str
    marked: Marked
    words: tuple[str, ...] | None
    best: tuple[str, ...] | None
    inapt: tuple[str, ...] | None
    imported: int | None
    words_imported: bool

    @property
    def pairs(self) -> list[Pair]:
        """Its triples; none before both are decided, and none with the marked word itself."""
        if self.best is None or self.inapt is None:
            return []
        own = word_key(self.marked.word)
        best, inapt = ([word for word in words if word_key(word) != own] for words in (self.best, self.inapt))
        return pairs_of(best, inapt)

    @property
    def both(self) -> list[str]:
        """The words that are gold as the best and as inapt: somebody has to decide anew."""
        return given_as_both(self.best or (), self.inapt or ())


def sentences_of(project: Project) -> list[Sentence]:
    """All marked sentences of a project, in reading order. Five queries; one where there are none."""
    units = Unit.objects.published().filter(project=project, kind__in=(MARKED, WORDS), is_current=True)
    rows = list(units.select_related("segment").order_by("segment__position", "segment__pk", "language"))
    if not rows:
        return []
    gold = {
        (unit, layer): content
        for unit, layer, content in Gold.objects.filter(
            project=project, layer__content_type__in=(BEST.slug, INAPT.slug), unit__is_current=True
        ).values_list("unit_id", "layer__content_type", "content")
    }
    words = {(marked_uid_of(row.segment.uid), row.language): row for row in rows if row.kind == WORDS}
    waiting = set(unanswered(project).values_list("pk", flat=True))
    written = defaultdict(list)
    for unit, word in finished_answers(project).values_list("unit_id", "content__word"):
        written[unit].append(word)
    return [
        _sentence(row, words.get((row.segment.uid, row.language)), gold, row.pk not in waiting, written[row.pk])
        for row in rows
        if row.kind == MARKED
    ]


def finished_answers(project: Project) -> QuerySet[Annotation]:
    """What people have finished writing for the marked sentences."""
    return Annotation.objects.filter(
        PUBLISHED,
        project=project,
        layer__content_type=SUBSTITUTE.slug,
        state=AnnotationState.DONE,
        unit__is_current=True,
    )


def layouts_of(project: Project) -> dict[int, list[dict[str, Any]]]:
    """By import, what is kept of each of its files."""
    return dict(Import.objects.filter(project=project, published_at__isnull=False).values_list("pk", "files"))


def unanswered(project: Project) -> QuerySet[Unit]:
    """The marked sentences that have no words and for which not all have answered: no release has them."""
    stages = Stage.objects.filter(project=project, layer__content_type=SUBSTITUTE.slug).exclude(kind=Stage.ADJUDICATE)
    answered = Item.objects.filter(
        unit=OuterRef("pk"),
        stage__in=list(stages.values_list("pk", flat=True)),
        answers_wanted__gt=0,
        answers_wanted__lte=F("answers_done") + F("extra_done"),
    )
    current = Unit.objects.published().filter(project=project, is_current=True)
    # By the segment, which its uid tells: a database that begins with all words compares each sentence with each.
    uid = Concat(OuterRef(OuterRef("segment__uid")), Value(WORDS_END), output_field=CharField())
    segment = Segment.objects.filter(project=project, uid=uid).values("pk")[:1]
    words = current.filter(segment=Subquery(segment), language=OuterRef("language"), kind=WORDS)
    return current.filter(~Exists(words), ~Exists(answered), kind=MARKED)


def undecided(project: Project) -> Mapping[tuple[str, str], int]:
    """How many marked sentences a release leaves out until all have answered."""
    rows = unanswered(project).exclude(imported__publishable=False).order_by()
    counted = rows.values_list("language").annotate(number=Count("pk"))
    return {(language, MARKED): number for language, number in counted}


def _sentence(
    unit: Unit, words: Unit | None, gold: Mapping[tuple[int, str], Any], answered: bool, written: Sequence[str]
) -> Sentence:
    best = gold.get((words.pk, BEST.slug)) if words is not None else None
    inapt = gold.get((unit.pk, INAPT.slug))
    listed = words.tokens if words is not None else []
    if words is not None and words.imported_id is None:
        # Whoever votes has them by the alphabet (`gathering.gather`).
        listed = most_frequent_first(listed, written)
    own, _colon, _position = unit.segment.uid.rpartition(":")
    return Sentence(
        unit=unit,
        id=own.removeprefix(f"{unit.segment.dataset}:") if unit.imported_id is not None else unit.segment.uid,
        marked=as_marked(unit),
        words=tuple(listed) if answered else None,
        best=tuple(best["words"]) if best is not None else None,
        inapt=tuple(one["word"] for one in inapt["words"]) if inapt is not None else None,
        imported=unit.imported_id,
        words_imported=words is not None and words.imported_id is not None and words.rule != RULE,
    )
