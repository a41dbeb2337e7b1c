"""The files of MUNCH in a release: a folder for each language and dataset, under `munch/`."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from annotator.domain.leaving_out import NotReleased, WhyNotReleased
from annotator.domain.pairs.triples import Option
from annotator.domain.text.marked import Marked, read_marked
from annotator.domain.text.storable import whole_number
from annotator.formats.tables.csv_layout import CsvLayout
from annotator.kinds.substitution.units import MARKED
from annotator.models import Project
from annotator.protocols.munch.corpus import Sentence, layouts_of, sentences_of
from annotator.protocols.munch.evaluation import EVALUATION_FILE, write_evaluation
from annotator.protocols.munch.files import (
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
from annotator.releases.queries.release_parts import Part
from annotator.work.gold.queries.left_out import LeftOut
from annotator.work.gold.queries.withheld import repeats_withheld, withheld

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

    Left out are sentences whose text may not be published, and those for which not all have answered yet, unless
    triples of them came with files. Listed with them are sentences whose best word or inapt words are not decided, so
    that triples are missing, and words that are gold as both: in triples they are apt.
    """
    kept_back = withheld(project)
    by_dataset: dict[tuple[str, str], list[Sentence]] = defaultdict(list)
    left_out = []
    for row in sentences_of(project):
        unit = row.unit
        reasons = [WhyNotReleased(row.lacks, language=unit.language)] if row.lacks is not None else []
        if repeats_withheld(unit, kept_back):
            reasons = [WhyNotReleased(NotReleased.WITHHELD, language=unit.language)]
        elif row.words is not None or row.pairs:
            by_dataset[unit.language, unit.segment.dataset].append(row)
            reasons += [WhyNotReleased(NotReleased.BOTH, note=word) for word in row.both]
        left_out += [
            LeftOut(MARKED, unit.segment.dataset, unit.segment.uid, unit.language, reason) for reason in reasons
        ]
    layouts = layouts_of(project)
    files: dict[str, bytes] = {}
    for (language, dataset), rows in by_dataset.items():
        folder = f"munch/{language}/{dataset}"
        beside = _Beside(layouts.get((dataset, language), ()))
        if generations := beside.generations(rows):
            files[f"{folder}/{GENERATION_FILE}"] = write_rows(generations, beside.generation)
        if judgements := beside.judgements(rows):
            files[f"{folder}/{JUDGEMENT_FILE}"] = write_rows(judgements, beside.judgement)
            files[f"{folder}/{EVALUATION_FILE}"] = write_evaluation(judgements, seed=SEED)
    there = {path.rpartition("/")[2] for path in files}
    about = {path: words for path, words in _ABOUT.items() if path.rpartition("/")[2] in there}
    return Part(files, about, tuple(left_out), tuple(dict.fromkeys(dataset for _language, dataset in by_dataset)))


class _Beside:
    """What imports kept of the files of one dataset in a language: how rows stood, and what is in no unit."""

    def __init__(self, layouts: Sequence[Json]) -> None:
        self.generation, self.judgement = CsvLayout(GENERATION), CsvLayout(JUDGEMENT)
        self.sentences: dict[str, Json] = {}
        # By id and the two words. What stands first is the row; the same triple again was left out.
        self.triples: dict[tuple[str, str, str], Json] = {}
        for layout in layouts:
            if "sentences" in layout:
                self.generation = CsvLayout.from_json(layout["csv"])
                self.sentences |= {one["id"]: one for one in layout["sentences"]}
            elif "judgements" in layout:
                self.judgement = CsvLayout.from_json(layout["csv"])
                for one in layout["judgements"]:
                    self.triples.setdefault((one["id"], one["s1_word"], one["s2_word"]), one)

    def generations(self, rows: Sequence[Sentence]) -> list[Generation]:
        """Rows that were imported keep their numbers, novelty and the words as the file had them."""
        numbers = _Numbers(one["i0"] for one in self.sentences.values())
        found = []
        for row in rows:
            if row.words is None:
                continue
            was = self.sentences.get(row.id, {})
            as_it_was = bool(was) and row.words_imported
            # Words that people wrote since are not those that the file spells in its way.
            more = {name: cell for name, cell in was.get("more", {}).items() if as_it_was or name != WORDS_COLUMN}
            found.append(
                Generation(
                    id=row.id,
                    sentence=row.marked,
                    words=tuple(was["words"] if as_it_was else row.words),
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
        """The triples: those of the imported file in its order, then the others."""
        numbers = _Numbers(one["i0"] for one in self.triples.values())
        place = {key: number for number, key in enumerate(self.triples)}
        found = []
        for row in rows:
            for pair in row.pairs:
                key = (row.id, pair.first.word, pair.second.word)
                was = self.triples.get(key, {})
                judgement = Judgement(
                    id=row.id,
                    sentence=row.marked,
                    first=_judged(row.marked, pair.first, was.get("s1")),
                    second=_judged(row.marked, pair.second, was.get("s2")),
                    number=was.get("i0", ""),
                    more=tuple(was.get("more", {}).items()),
                )
                found.append((place.get(key, len(place)), judgement))
        found.sort(key=lambda one: one[0])
        return [row if row.number else _numbered(row, numbers.next()) for _place, row in found]


class _Numbers:
    """Numbers of new rows, after those that are there."""

    def __init__(self, known: Any) -> None:
        self._last = max((number for one in known if (number := whole_number(one)) is not None), default=-1)

    def next(self) -> str:
        self._last += 1
        return str(self._last)


def _judged(sentence: Marked, option: Option, written: str | None) -> Judged:
    return Judged(read_marked(written) if written else sentence.with_word(option.word), option.label)


def _numbered(row: Judgement, number: str) -> Judgement:
    return Judgement(row.id, row.sentence, row.first, row.second, number, row.more)
