"""The files of MUNCH in a release: a folder for each language and dataset, under `munch/`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Any

from annotator.domain.formats.csv_layout import CsvLayout
from annotator.domain.formats.munch import (
    GENERATION,
    GENERATION_FILE,
    JUDGEMENT,
    JUDGEMENT_FILE,
    WORDS_COLUMN,
    Generation,
    Judged,
    Judgement,
    write_rows,
)
from annotator.domain.formats.munch_evaluation import EVALUATION_FILE, write_evaluation
from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.marked import Marked, read_marked
from annotator.domain.triples import Option, Pair
from annotator.kinds.substitution.corpus import Sentence, layouts_of, sentences_of
from annotator.kinds.substitution.units import MARKED
from annotator.models import Project
from annotator.queries.corpus import LeftOut, repeats_withheld, withheld
from annotator.queries.release_parts import Part

# Shuffles the options of the evaluation: the same in every release, so that figures can be compared.
SEED = 1
_ABOUT = {
    f"munch/…/{GENERATION_FILE}": "sentences with a marked word, and the words that people wrote for it",
    f"munch/…/{JUDGEMENT_FILE}": "triples: the sentence, and two with another word, each apt or inapt",
    f"munch/…/{EVALUATION_FILE}": "the triples as questions in six conditions, their options shuffled",
}
Json = dict[str, Any]


def munch_part(project: Project) -> Part:
    """Part of a release, for projects with marked sentences.

    Left out are sentences whose text may not be published, and those for which not all have answered yet. Words that
    are gold as the best and as inapt are listed with them: in triples they are apt.
    """
    kept_back = withheld(project)
    kept: dict[tuple[str, str], list[Sentence]] = defaultdict(list)
    left_out = []
    for row in sentences_of(project):
        unit = row.unit
        code = None
        if repeats_withheld(unit, kept_back):
            code = NotReleased.WITHHELD
        elif row.words is None:
            code = NotReleased.NO_GOLD
        if code is None:
            kept[unit.language, unit.segment.dataset].append(row)
            reasons = [WhyNotReleased(NotReleased.BOTH, note=word) for word in row.both]
        else:
            reasons = [WhyNotReleased(code, language=unit.language)]
        left_out += [
            LeftOut(MARKED, unit.segment.dataset, unit.segment.uid, unit.language, reason) for reason in reasons
        ]
    layouts = layouts_of(project) if kept else {}
    files: dict[str, bytes] = {}
    for (language, dataset), rows in kept.items():
        folder = f"munch/{language}/{dataset}"
        beside = _Beside(rows, layouts)
        files[f"{folder}/{GENERATION_FILE}"] = write_rows(beside.generations(rows), beside.generation)
        judgements = beside.judgements(rows)
        if judgements:
            files[f"{folder}/{JUDGEMENT_FILE}"] = write_rows(judgements, beside.judgement)
            files[f"{folder}/{EVALUATION_FILE}"] = write_evaluation(judgements, seed=SEED)
    return Part(
        files, _ABOUT if files else {}, tuple(left_out), tuple(dict.fromkeys(dataset for _language, dataset in kept))
    )


class _Beside:
    """What imports kept of their files, for the sentences of one dataset: how rows stood, and what is in no unit."""

    def __init__(self, rows: Sequence[Sentence], layouts: Mapping[int, Sequence[Json]]) -> None:
        self.generation, self.judgement = CsvLayout(GENERATION), CsvLayout(JUDGEMENT)
        self.sentences: dict[str, Json] = {}
        self.triples: dict[str, dict[tuple[str, str], Json]] = defaultdict(dict)
        self.order: list[tuple[str, str, str]] = []
        for imported in dict.fromkeys(row.imported for row in rows if row.imported is not None):
            for file in layouts.get(imported, ()):
                self._add(file.get("layout", {}))

    def _add(self, layout: Json) -> None:
        if "sentences" in layout:
            self.generation = CsvLayout.from_json(layout["csv"])
            self.sentences |= {one["id"]: one for one in layout["sentences"]}
        elif "judgements" in layout:
            self.judgement = CsvLayout.from_json(layout["csv"])
            for one in layout["judgements"]:
                words = one["s1_word"], one["s2_word"]
                self.triples[one["id"]][words] = one
                self.order.append((one["id"], *words))

    def generations(self, rows: Sequence[Sentence]) -> list[Generation]:
        """Rows that were imported keep their numbers, novelty and the words as the file had them."""
        numbers = _Numbers(one["i0"] for one in self.sentences.values())
        found = []
        for row in rows:
            was = self.sentences.get(row.id, {})
            as_it_was = bool(was) and row.words_imported
            # Words that people wrote since are not those that the file spells in its way.
            more = {name: cell for name, cell in was.get("more", {}).items() if as_it_was or name != WORDS_COLUMN}
            found.append(
                Generation(
                    id=row.id,
                    sentence=row.marked,
                    words=tuple(was["words"] if as_it_was else row.words or ()),
                    genre=row.unit.segment.genre,
                    novelty=was.get("novelty", ""),
                    # Of sentences that came without one, the group is their own uid.
                    group="" if row.unit.segment.group == row.unit.segment.uid else row.unit.segment.group,
                    number=was["i0"] if was else numbers.next(),
                    more=tuple(more.items()),
                )
            )
        return found

    def judgements(self, rows: Sequence[Sentence]) -> list[Judgement]:
        """The triples that follow from gold: those of the imported file in its order, then the others."""
        numbers = _Numbers(one["i0"] for triples in self.triples.values() for one in triples.values())
        place = {key: number for number, key in enumerate(self.order)}
        found = []
        for row in rows:
            for found_pair in row.pairs:
                pair, was = self._as_it_stood(row.id, found_pair)
                words = pair.first.word, pair.second.word
                judgement = Judgement(
                    id=row.id,
                    sentence=row.marked,
                    first=_judged(row.marked, pair.first, was.get("s1")),
                    second=_judged(row.marked, pair.second, was.get("s2")),
                    number=was.get("i0", ""),
                    more=tuple(was.get("more", {}).items()),
                )
                found.append((place.get((row.id, *words), len(place)), judgement))
        found.sort(key=lambda one: one[0])
        return [row if row.number else _numbered(row, numbers.next()) for _place, row in found]

    def _as_it_stood(self, identity: str, pair: Pair) -> tuple[Pair, Json]:
        """A pair in the order of the imported file, and what is kept of its row; as it is where no file had it."""
        known = self.triples.get(identity, {})
        for one in (pair, Pair(pair.second, pair.first)):
            if was := known.get((one.first.word, one.second.word)):
                return one, was
        return pair, {}


class _Numbers:
    """Numbers of new rows, after those that are there."""

    def __init__(self, known: Any) -> None:
        self._last = max((int(number) for number in known if number.isdecimal()), default=-1)

    def next(self) -> str:
        self._last += 1
        return str(self._last)


def _judged(sentence: Marked, option: Option, written: str | None) -> Judged:
    return Judged(read_marked(written) if written else sentence.with_word(option.word), option.label)


def _numbered(row: Judgement, number: str) -> Judgement:
    return Judgement(row.id, row.sentence, row.first, row.second, number, row.more)
