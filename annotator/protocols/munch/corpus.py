"""What a project has of marked sentences, their words, and what was decided on both."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import CharField, Count, Exists, F, OuterRef, Q, QuerySet, Subquery, Value
from django.db.models.functions import Concat

from annotator.domain.content import BEST, INAPT, SUBSTITUTE
from annotator.domain.leaving_out import NotReleased
from annotator.domain.pairs.triples import Pair, given_as_both, pairs_with
from annotator.domain.states import AnnotationState
from annotator.domain.text.marked import Marked
from annotator.domain.text.one_word import most_frequent_first, word_key
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

# What a sentence with words lacks, by the layers without gold.
_LACKS = {
    (BEST.slug,): NotReleased.NO_BEST,
    (INAPT.slug,): NotReleased.NO_INAPT,
    (BEST.slug, INAPT.slug): NotReleased.NEITHER,
}


@dataclass(frozen=True, slots=True)
class Came:
    """What files have of a sentence, as they spell it. `words`: those that people wrote, None where no
    file lists the sentence; `rows`: the two words of each of its triples."""

    words: tuple[str, ...] | None = None
    rows: tuple[tuple[str, str], ...] = ()

    @property
    def only_judged(self) -> bool:
        """Whether files have triples of it, but not what people wrote."""
        return self.words is None and bool(self.rows)


@dataclass(frozen=True, slots=True)
class Sentence:
    """A marked sentence. `id`: the file's, or, where it was made here, its uid. `words`: those that people wrote, the
    most frequent first, or those that were imported; none where everybody says that no word fits, None while answers
    are missing, and where triples came without them. `best` and `inapt` are gold; None while it is not decided.

    `came`: what the files of its dataset have of it; `words_imported`: its words came with them.
    `lacks`: what is still to be answered or decided, None where nothing is.
    """

    unit: Unit
    id: str
    marked: Marked
    words: tuple[str, ...] | None
    best: tuple[str, ...] | None
    inapt: tuple[str, ...] | None
    words_imported: bool
    came: Came = Came()
    lacks: NotReleased | None = None

    @property
    def pairs(self) -> list[Pair]:
        """Its triples."""
        return pairs_with(self.best, self.inapt, self.came.rows, own=self.marked.word)

    @property
    def both(self) -> list[str]:
        """The words that are gold as the best and as inapt: somebody has to decide again."""
        return given_as_both(self.best or (), self.inapt or ())


def sentences_of(project: Project) -> list[Sentence]:
    """All marked sentences of a project, in reading order. Some ten queries; one where there are none."""
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
    asked = _asked(project)
    came = _came(project)
    written = defaultdict(list)
    for unit, word in finished_answers(project).values_list("unit_id", "content__word"):
        written[unit].append(word)
    return [
        _sentence(
            row, words.get((row.segment.uid, row.language)), gold, written[row.pk], came, asked, row.pk in waiting
        )
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


def layouts_of(project: Project) -> dict[tuple[str, str], list[dict[str, Any]]]:
    """By dataset and language, what is kept of each file, in the order in which they came."""
    found: dict[tuple[str, str], list[dict[str, Any]]] = defaultdict(list)
    imports = Import.objects.filter(project=project, published_at__isnull=False).order_by("pk")
    for dataset, files in imports.values_list("dataset", "files"):
        for file in files:
            if layout := file.get("layout"):
                found[dataset, file["language"]].append(layout)
    return found


def unanswered(project: Project) -> QuerySet[Unit]:
    """The marked sentences that have no words and for which not all have answered. Those that were imported lack
    nothing where nobody is asked."""
    stages = Stage.objects.filter(project=project, layer__content_type=SUBSTITUTE.slug).exclude(kind=Stage.ADJUDICATE)
    answered = Item.objects.filter(
        unit=OuterRef("pk"),
        stage__in=list(stages.values_list("pk", flat=True)),
        answers_wanted__gt=0,
        answers_wanted__lte=F("answers_done") + F("extra_done"),
    )
    rows = _marked(project).filter(~Exists(_words(project)), ~Exists(answered))
    return rows.filter(Q(imported=None) | Q(language__in=_languages(project, SUBSTITUTE.slug)))


def undecided(project: Project) -> Mapping[tuple[str, str], int]:
    """How many marked sentences lack answers, the best word or inapt words, by language."""
    lacking = Q(pk__in=unanswered(project))
    with_words = _marked(project).annotate(
        words=Subquery(_words(project).values("pk")[:1]),
        has_inapt=Exists(Gold.objects.filter(unit=OuterRef("pk"), layer__content_type=INAPT.slug)),
    )
    asked = _asked(project)
    best = Gold.objects.filter(unit=OuterRef("words"), layer__content_type=BEST.slug)
    lacking |= Q(words__isnull=False) & (
        Q(language__in=asked[BEST.slug]) & ~Exists(best) | Q(language__in=asked[INAPT.slug], has_inapt=False)
    )
    rows = with_words.filter(lacking).exclude(imported__publishable=False).order_by()
    counted = rows.values_list("language").annotate(number=Count("pk"))
    return {(language, MARKED): number for language, number in counted}


def _marked(project: Project) -> QuerySet[Unit]:
    return Unit.objects.published().filter(project=project, is_current=True, kind=MARKED)


def _words(project: Project) -> QuerySet[Unit]:
    """The words of the marked sentence of an outer query."""
    # By the segment, which its uid tells: a database that begins with all words compares each sentence with each.
    uid = Concat(OuterRef(OuterRef("segment__uid")), Value(WORDS_END), output_field=CharField())
    segment = Segment.objects.filter(project=project, uid=uid).values("pk")[:1]
    current = Unit.objects.published().filter(project=project, is_current=True)
    return current.filter(segment=Subquery(segment), language=OuterRef("language"), kind=WORDS)


def _asked(project: Project) -> dict[str, frozenset[str]]:
    """The languages in which the best words and inapt words have to be decided."""
    return {content: _languages(project, content) for content in (BEST.slug, INAPT.slug)}


def _languages(project: Project, content: str) -> frozenset[str]:
    """The languages in which a project has stages for such contents, or answers or gold."""
    stages = Stage.objects.filter(project=project, layer__content_type=content)
    found = set(stages.values_list("language", flat=True))
    for rows in (Gold.objects, Annotation.objects):
        of_layer = rows.filter(project=project, layer__content_type=content)
        found.update(
            one for one in project.languages if one not in found and of_layer.filter(unit__language=one).exists()
        )
    return frozenset(found)


def _came(project: Project) -> dict[tuple[str, str, str], Came]:
    """By dataset, language and id, what files have of sentences."""
    words: dict[tuple[str, str, str], tuple[str, ...]] = {}
    rows: dict[tuple[str, str, str], list[tuple[str, str]]] = defaultdict(list)
    for place, layouts in layouts_of(project).items():
        for layout in layouts:
            for one in layout.get("sentences", ()):
                words[*place, one["id"]] = tuple(one["words"])
            for one in layout.get("judgements", ()):
                rows[*place, one["id"]].append((one["s1_word"], one["s2_word"]))
    return {key: Came(words.get(key), tuple(rows.get(key, ()))) for key in {*words, *rows}}


def _sentence(
    unit: Unit,
    words: Unit | None,
    gold: Mapping[tuple[int, str], Any],
    answers: Sequence[str],
    came: Mapping[tuple[str, str, str], Came],
    asked: Mapping[str, Collection[str]],
    waits: bool,
) -> Sentence:
    best = gold.get((words.pk, BEST.slug)) if words is not None else None
    inapt = gold.get((unit.pk, INAPT.slug))
    own, _colon, _position = unit.segment.uid.rpartition(":")
    identity = own.removeprefix(f"{unit.segment.dataset}:") if unit.imported_id is not None else unit.segment.uid
    in_files = came.get((unit.segment.dataset, unit.language, identity), Came())
    lacking = [content for content, row in ((BEST.slug, best), (INAPT.slug, inapt)) if row is None]
    lacking = [content for content in lacking if words is not None and unit.language in asked[content]]
    return Sentence(
        unit=unit,
        id=identity,
        marked=as_marked(unit),
        words=None if waits else _written(words, answers, in_files),
        best=tuple(best["words"]) if best is not None else None,
        inapt=tuple(one["word"] for one in inapt["words"]) if inapt is not None else None,
        words_imported=words is not None and words.imported_id is not None and words.rule != RULE,
        came=in_files,
        lacks=NotReleased.NO_ANSWERS if waits else _LACKS.get(tuple(lacking)),
    )


def _written(words: Unit | None, answers: Sequence[str], came: Came) -> tuple[str, ...] | None:
    """The words that people wrote, here or as files say: not those that only their judges know of."""
    if words is None:
        return None if came.only_judged and not answers else ()
    if words.imported_id is None:
        # Voters have them by the alphabet (`gathering.gather`).
        return tuple(most_frequent_first(words.tokens, answers))
    if came == Came():
        return tuple(words.tokens)
    known = {word_key(word) for word in (*(came.words or ()), *answers)}
    found = tuple(word for word in words.tokens if word_key(word) in known)
    return None if came.only_judged and not found else found
