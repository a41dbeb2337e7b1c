"""How often the rules for silver pairs make the sentence that IMPLI published, with the embedded parser.

    python bench/silver_pairs.py ../shared/data/impli [--show 20]

From each published pair made by rule, the expression and what stands in its place are recovered: what differs between
both sentences. Where the expression is a verb, the first word of the definition is taken back to its lemma. The rules
get the first sentence and this definition; counted is whether they make the second sentence, another one, or none, by
reason.
So it says what is refused that was published; what should have been refused and was not, only readers can say.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from annotator.domain.pairs.inference_pairs import LITERAL, class_of
from annotator.domain.silver import Refusal, Sense, SmallParser, Use, put_in_place
from annotator.domain.text.lemmas import lemma_of, lemmas_of
from annotator.domain.text.tokens import bare, tokenise

LANGUAGE = "en"
PARSER = SmallParser(LANGUAGE)


def changed(one: list[str], other: list[str]) -> tuple[int, int]:
    """How many words both begin and end with."""
    begin = next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    rest = min(len(one), len(other)) - begin
    end = next((at for at in range(rest) if one[-1 - at] != other[-1 - at]), rest)
    return begin, end


def outcomes(path: Path, sense: Sense) -> Iterator[tuple[str, str, str]]:
    """For each pair of a file: what came of it, the published second sentence, and what the rules say."""
    for row in path.read_text(encoding="utf-8").split("\n"):
        if not row:
            continue
        premise, hypothesis = (list(tokenise(text)) for text in row.split("\t")[:2])
        begin, end = changed(premise, hypothesis)
        marked, instead = tuple(range(begin, len(premise) - end)), hypothesis[begin : len(hypothesis) - end]
        if not marked or not instead:
            yield "nothing to replace", " ".join(hypothesis), ""
            continue
        lemmas = tuple(lemmas_of(premise, LANGUAGE))
        if PARSER.begins_with(premise, begin, lemmas[begin]) == "VERB":
            instead[0] = lemma_of(instead[0], LANGUAGE)
        instead[-1] = bare(instead[-1]) or instead[-1]
        use = Use(sense, tuple(premise), marked, (), lemmas)
        made = put_in_place(use, " ".join(instead), PARSER, language=LANGUAGE)
        if isinstance(made, Refusal):
            yield made.value, " ".join(hypothesis), ""
        else:
            same = made.split() == hypothesis
            yield "the same" if same else "another sentence", " ".join(hypothesis), made


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, help="the published data, with the folder idioms")
    parser.add_argument("--show", type=int, default=0, help="print so many that differ, of each file")
    given = parser.parse_args()
    for path in sorted((given.folder / "idioms").glob("*.tsv")):
        found = class_of(path.name)
        if found is None or found.way.startswith("manual"):
            continue
        rows = list(outcomes(path, Sense.LITERAL if found.way == LITERAL else Sense.FIGURATIVE))
        counts = Counter(outcome for outcome, _published, _made in rows)
        said = ", ".join(f"{outcome} {count}" for outcome, count in counts.most_common())
        print(f"{path.name}: {len(rows)} pairs; {said}")
        for outcome, published, made in [row for row in rows if row[0] != "the same"][: given.show]:
            print(f"  {outcome}: {published}{f' | {made}' if made else ''}")


if __name__ == "__main__":
    main()
