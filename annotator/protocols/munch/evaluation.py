"""Triples as questions for a model: which of two words, or of two sentences, says the same; in six conditions.

The conditions are those of MUNCH (Tong et al. 2024, `domain.triples`): words or whole sentences to choose from, and
what the question says of the metaphor. docs/reference/formats.md has the schema of the file.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable
from typing import Any

from annotator.domain.pairs.triples import Aptness
from annotator.protocols.munch.files import Judgement

FORMAT = "paraphrase-judgement/1"
EVALUATION_FILE = "evaluation.json"
# What is chosen from, and what the question tells: nothing, that the sentence is metaphorical, or that the word is.
CHOSEN = ("word", "sentence")
TOLD = ("implicit", "metaphorical_sentence", "metaphorical_word")
BOTH, NEITHER = "both", "neither"


def evaluation(rows: Iterable[Judgement], *, seed: int) -> dict[str, Any]:
    """The questions of all triples, as a JSON object.

    Which of the two is option A is drawn by `seed` and the triple's id alone: the same in each condition, so that
    answers differ by condition only, and whichever other triples are in the file.
    """
    counts: dict[str, int] = {}
    items = []
    for row in rows:
        counts[row.id] = counts.get(row.id, 0) + 1
        items.append(_item(row, f"{row.id}.{counts[row.id]}", seed))
    return {
        "format": FORMAT,
        "seed": seed,
        "conditions": [
            {"id": f"{chosen}_{told}", "options": chosen, "told": told, "marked": _is_marked(chosen, told)}
            for chosen in CHOSEN
            for told in TOLD
        ],
        "items": items,
    }


def write_evaluation(rows: Iterable[Judgement], *, seed: int) -> bytes:
    """`evaluation` as a file in UTF-8."""
    return (json.dumps(evaluation(rows, seed=seed), ensure_ascii=False, indent=1) + "\n").encode()


def _is_marked(chosen: str, told: str) -> bool:
    """Whether the word is marked: always where words are chosen from, else where the question speaks of it."""
    return chosen == "word" or told == "metaphorical_word"


def _item(row: Judgement, identity: str, seed: int) -> dict[str, Any]:
    options = [row.first, row.second]
    if random.Random(f"{seed}:{identity}").random() < 0.5:  # noqa: S311 -- shuffles options, guards nothing
        options.reverse()
    apt = [letter for letter, option in zip("AB", options, strict=True) if option.label == Aptness.APT]
    answer = {0: "D", 1: apt[0] if apt else "", 2: "C"}[len(apt)]

    def condition(chosen: str, told: str) -> dict[str, Any]:
        marked = _is_marked(chosen, told)

        def shown(sentence: Any) -> str:
            return str(sentence) if marked else sentence.text

        a, b = (option.sentence.word if chosen == "word" else shown(option.sentence) for option in options)
        return {
            "sentence": shown(row.sentence),
            "options": {"A": a, "B": b, "C": BOTH, "D": NEITHER},
            "answer": answer,
        }

    return {
        "id": identity,
        "sentence": row.id,
        "word": row.sentence.word,
        "conditions": {f"{chosen}_{told}": condition(chosen, told) for chosen in CHOSEN for told in TOLD},
    }
