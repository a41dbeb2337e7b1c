"""How many of the pairs that rules make are well-formed, and whether what follows is what the class says.

    python bench/silver_readers.py draw ../shared/data/impli FOLDER [--each 100] [--seed 1]
    python bench/silver_readers.py report FOLDER/key.tsv FOLDER/reader-1.tsv FOLDER/reader-2.tsv

`draw` takes expressions and their definitions out of IMPLI's files: what differs between both sentences of a published
pair, widened to the whole of an expression that is known. The rules put every definition into every other sentence
with its expression. Of each class so many pairs are drawn, evenly over expressions, and shuffled. `pairs.tsv` has what
readers see, `key.tsv` the rest; none of it belongs into the repository.

Readers answer two questions on each pair, in a file with the columns number, well_formed and follows (yes or no). Is
the second sentence as well-formed as the first one? Does it follow from the first one?

`report` brings the pairs into a project, answers the stage in which they are validated for both readers, and prints
what the project's own reports and agreement say.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import sys
import tempfile
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.domain.pairs.inference_pairs import BY_RULE
from annotator.domain.silver import Definitions, Refusal, Rule, Sense, Use, put_in_place, silver_pairs
from annotator.domain.text.lemmas import lemma_of, lemmas_of
from annotator.domain.text.tokens import tokenise, word_of
from bench.silver_pairs import LANGUAGE, PARSER, changed

# The files by the rule that takes their definitions; in those of people, a definition is fit for its own sentence.
DICTIONARY = {
    "fig_context_semeval_e.tsv": Rule.FIGURATIVE_DEFINITION,
    "adversarial_definition_ne_semeval.tsv": Rule.FIGURATIVE_ADVERSARIAL,
}
PEOPLE = {
    "manual_e.tsv": Rule.FIGURATIVE_DEFINITION,
    "manual_ne.tsv": Rule.FIGURATIVE_ADVERSARIAL,
    "manual_antonyms_ne.tsv": Rule.FIGURATIVE_ANTONYM,
}
LITERAL = "lit_context_semeval_ne.tsv"
# So many pairs of an expression in a dictionary come before a second one of others.
AT_ONCE = 4

EDGES = " .,;:!?\"'()’‘”“"

Key = tuple[str, ...]


class Place(NamedTuple):
    """Where an expression stands in a sentence: its tokens from `begin` to before `end`."""

    begin: int
    end: int
    key: Key

    def holds(self, begin: int, end: int) -> bool:
        return self.begin <= begin <= end <= self.end


@dataclass(frozen=True, slots=True)
class Sentence:
    """A published first sentence; `words` are its lemmas as they are compared, "" for punctuation."""

    tokens: tuple[str, ...]
    lemmas: tuple[str, ...]
    words: Key
    sense: Sense


@dataclass(frozen=True, slots=True)
class Definition:
    """What stands for an expression. `own`: the sentence that it was written for, unless it is from a dictionary."""

    key: Key
    rule: Rule
    text: str
    own: Sentence | None


@dataclass(frozen=True, slots=True)
class Drawn:
    """A pair with what readers do not see."""

    made: str
    premise: str
    hypothesis: str
    expression: str
    definition: str
    source: str


def published(path: Path) -> Iterator[tuple[Sentence, tuple[str, ...]]]:
    """The first sentence of each pair with the tokens of the second."""
    sense = Sense.LITERAL if path.name == LITERAL else Sense.FIGURATIVE
    for row in path.read_text(encoding="utf-8").split("\n"):
        if row:
            one, other = (tokenise(text) for text in row.split("\t")[:2])
            lemmas = tuple(lemmas_of(one, LANGUAGE))
            yield Sentence(one, lemmas, tuple(map(word_of, lemmas)), sense), other


class Published:
    """All sentences, and the expressions of several words that a definition or a paraphrase stands for."""

    def __init__(self, folder: Path) -> None:
        self.pairs = {name: list(published(folder / name)) for name in (*DICTIONARY, *PEOPLE, LITERAL)}
        self.sentences = list(dict.fromkeys(one for pairs in self.pairs.values() for one, _other in pairs))
        keys: set[Key] = set()
        for name, rule in {**DICTIONARY, **PEOPLE}.items():
            if rule is Rule.FIGURATIVE_DEFINITION:
                for one, other in self.pairs[name]:
                    begin, end = changed(list(one.tokens), list(other))
                    keys.add(tuple(filter(None, one.words[begin : len(one.tokens) - end])))
        self.keys = {key for key in keys if len(key) > 1 and not any("..." in word for word in key)}
        self.places = {one: self._places(one) for one in self.sentences}
        self.verbs = {
            key
            for one, places in self.places.items()
            for begin, _end, key in places
            if PARSER.begins_with(one.tokens, begin, one.lemmas[begin]) == "VERB"
        }

    def _known(self, one: Sentence) -> list[Place]:
        """Where expressions stand, the shortest first."""
        found = [
            Place(begin, begin + len(key), key)
            for key in self.keys
            for begin in range(len(one.words) - len(key) + 1)
            if one.words[begin : begin + len(key)] == key
        ]
        return sorted(found, key=lambda place: (len(place.key), place))

    def _places(self, one: Sentence) -> list[Place]:
        """Where expressions stand, without those inside a longer one."""
        found = self._known(one)
        return [place for place in found if not any(o != place and o.holds(place.begin, place.end) for o in found)]

    def _defined(self, one: Sentence, begin: int, end: int) -> Place | None:
        """The expression that these words are, or are part of; None also where it is part of another one."""
        place = next((place for place in self._known(one) if place.holds(begin, end)), None)
        return place if place in self.places[one] else None

    def definitions(self) -> Iterator[Definition]:
        """Those from which the rules make the published sentence again: of others, the base form is not known."""
        for name, rule in {**DICTIONARY, **PEOPLE}.items():
            for one, other in self.pairs[name]:
                begin, end = changed(list(one.tokens), list(other))
                after = len(one.tokens) - end
                place = self._defined(one, begin, after)
                if place is None:
                    continue
                words = [
                    *one.tokens[place.begin : begin],
                    *other[begin : len(other) - end],
                    *one.tokens[after : place.end],
                ]
                text = self._base(place.key, " ".join(words).strip(EDGES))
                if text and self._again(one, range(place.begin, place.end), text, other):
                    yield Definition(place.key, rule, text, None if name in DICTIONARY else one)

    def _base(self, key: Key, text: str) -> str:
        """As somebody would write it into a dictionary."""
        words = text.split()
        return " ".join(["to", lemma_of(words[0], LANGUAGE), *words[1:]]) if words and key in self.verbs else text

    def _again(self, one: Sentence, marked: Iterable[int], text: str, other: Sequence[str]) -> bool:
        made = put_in_place(_use(one, marked), text, PARSER, language=LANGUAGE)
        if isinstance(made, Refusal):
            return False
        return [word_of(token) for token in made.split()] == [word_of(token) for token in other]


def _use(one: Sentence, marked: Iterable[int]) -> Use:
    return Use(one.sense, one.tokens, tuple(marked), (), one.lemmas)


def made_of(texts: Published) -> tuple[list[Drawn], dict[str, Counter[str]]]:
    """Every pair that the rules make, once; and by class how many, and how many are refused by reason."""
    uses: defaultdict[Key, list[tuple[Sentence, Use]]] = defaultdict(list)
    for one, places in texts.places.items():
        for begin, end, key in places:
            uses[key].append((one, _use(one, range(begin, end))))
    found: dict[tuple[str, str], Drawn] = {}
    counts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for definition in dict.fromkeys(texts.definitions()):
        given = {
            Rule.FIGURATIVE_DEFINITION: Definitions(definition.text),
            Rule.FIGURATIVE_ADVERSARIAL: Definitions("", adversarial=definition.text),
            Rule.FIGURATIVE_ANTONYM: Definitions("", antonym=definition.text),
        }[definition.rule]
        for one, use in uses[definition.key]:
            rules = [rule for rule, _text in given.by_rule(use.sense)]
            if one == definition.own or not rules:
                continue
            (rule,), result = rules, silver_pairs([use], given, PARSER, language=LANGUAGE)
            source = "people" if definition.own else "dictionary"
            for pair in result.pairs:
                if (pair.premise, pair.hypothesis) not in found:
                    counts[str(BY_RULE[rule])]["made"] += 1
                row = Drawn(
                    str(BY_RULE[rule]), pair.premise, pair.hypothesis, " ".join(definition.key), definition.text, source
                )
                found.setdefault((pair.premise, pair.hypothesis), row)
            counts[str(BY_RULE[rule])].update({reason.value: number for reason, number in result.refused.items()})
    return list(found.values()), counts


def drawn(rows: Sequence[Drawn], each: int, seed: int) -> list[Drawn]:
    """At most `each` of every class, evenly over expressions, all shuffled."""
    draw = random.Random(seed)
    taken: list[Drawn] = []
    for made in sorted({row.made for row in rows}):
        of_class = [row for row in rows if row.made == made]
        draw.shuffle(of_class)
        before: Counter[str] = Counter()
        turns: list[tuple[int, Drawn]] = []
        for row in of_class:
            turns.append((before[row.expression] // (AT_ONCE if row.source == "dictionary" else 1), row))
            before[row.expression] += 1
        turns.sort(key=lambda turn: turn[0])
        taken += [row for _turn, row in turns[:each]]
    draw.shuffle(taken)
    return taken


def write_table(path: Path, heading: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    with path.open("w", encoding="utf-8", newline="") as stream:
        writer = csv.writer(stream, delimiter="\t", lineterminator="\n", quoting=csv.QUOTE_NONE, quotechar=None)
        writer.writerows([heading, *rows])


def read_table(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8", newline="") as stream:
        return list(csv.DictReader(stream, delimiter="\t", quoting=csv.QUOTE_NONE))


def draw(given: argparse.Namespace) -> None:
    rows, counts = made_of(Published(given.folder / "idioms"))
    taken = drawn(rows, given.each, given.seed)
    given.out.mkdir(parents=True, exist_ok=True)
    names = [field.name for field in fields(Drawn)]
    numbered = list(enumerate(taken, start=1))
    write_table(
        given.out / "pairs.tsv",
        ("number", "premise", "hypothesis"),
        [(number, row.premise, row.hypothesis) for number, row in numbered],
    )
    write_table(
        given.out / "key.tsv",
        ("number", *names),
        [(number, *(getattr(row, name) for name in names)) for number, row in numbered],
    )
    for made, found in sorted(counts.items()):
        of_class = [row for row in taken if row.made == made]
        said = ", ".join(f"{name} {number}" for name, number in found.most_common())
        print(
            f"{made}: {said}; drawn {len(of_class)} of {len({row.expression for row in of_class})} expressions, "
            f"{sum(row.source == 'dictionary' for row in of_class)} by dictionary"
        )


def report(given: argparse.Namespace) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        os.environ.pop("DATABASE_URL", None)
        os.environ["DATA_DIR"] = scratch
        from bench.silver_report import figures  # sets Django up, for the folder that was just made

        print(figures(read_table(given.key), [read_table(path) for path in given.verdicts]))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    drawing = commands.add_parser("draw", help="make pairs, and draw some of each class for readers")
    drawing.add_argument("folder", type=Path, help="the published data, with the folder idioms")
    drawing.add_argument("out", type=Path, help="where the files go; not into the repository")
    drawing.add_argument("--each", type=int, default=100, help="how many of each class")
    drawing.add_argument("--seed", type=int, default=1)
    drawing.set_defaults(run=draw)
    reporting = commands.add_parser("report", help="what two readers say of the pairs")
    reporting.add_argument("key", type=Path)
    reporting.add_argument("verdicts", type=Path, nargs=2)
    reporting.set_defaults(run=report)
    given = parser.parse_args()
    given.run(given)


if __name__ == "__main__":
    main()
