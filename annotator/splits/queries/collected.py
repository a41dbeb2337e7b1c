"""What one pass over the items of a split keeps of them: some hundred bytes each."""

from __future__ import annotations

import json
from array import array
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from annotator.domain.content import Content, content_type
from annotator.domain.splits.items import Items, Numbers, Places, number_of
from annotator.domain.splits.leakage import Texts
from annotator.domain.text.tokens import word_of
from annotator.models import Layer
from annotator.splits.queries.stored import LABELLED, UNDECIDED, UNLABELLED
from annotator.work.gold.queries.slots import Slot, Text, slots_of


@dataclass(frozen=True, slots=True)
class How:
    """How items are split: what strata are made of, and whether groups stay together. `lexical`: by expressions."""

    seed: int = 1
    strata: Collection[str] = ()
    together: bool = False
    lexical: bool = False


class Codes:
    """Numbers for names, in the order in which they come, and that of each item."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}
        self._of_item = array("i")

    def add(self, name: str) -> None:
        self._of_item.append(self.names.setdefault(name, len(self.names)))

    @property
    def of_item(self) -> Places:
        return np.frombuffer(self._of_item, np.int32).astype(np.int64)


class _InLanguage:
    """The items in one language: their texts, and what is decided on them."""

    def __init__(self) -> None:
        self.texts = Texts()
        self.tokens = array("i")
        self.labelled = array("i")
        self.states = Codes()
        self.expressions = array("Q")
        self.owners = array("q")


class Collected:
    """All items of a layer, in reading order."""

    def __init__(self, layer: Layer, how: How) -> None:
        self.layer, self.how = layer, how
        self.languages: Sequence[str] = layer.project.languages
        self.items = Items(how.seed)
        self.in_language = {language: _InLanguage() for language in self.languages}
        self.cells = Codes()
        self._segments = array("q")
        self._groups = array("Q")
        self._content = content_type(layer.content_type)

    def __len__(self) -> int:
        return len(self._segments)

    @property
    def segments(self) -> Places:
        """Their ids."""
        return np.frombuffer(self._segments, np.int64)

    @property
    def groups(self) -> Numbers:
        """The group of each item, whether it stays together or not."""
        return np.frombuffer(self._groups, np.uint64)

    @property
    def has_expressions(self) -> bool:
        return any(one.expressions for one in self.in_language.values())

    def read(self) -> Collected:
        """Read all items."""
        for some in slots_of(self.layer):
            for slot in some:
                self._add(slot)
        return self

    def _add(self, slot: Slot) -> None:
        item = len(self)
        expressions: list[str] = []
        states = []
        for language, mine in self.in_language.items():
            text = slot.texts.get(language, Text((), ()))
            content = slot.gold.get(language)
            state = self._state(content)
            found = list(self._expressions(language, text, content)) if content is not None else []
            mine.texts.add(text.tokens, item)
            mine.tokens.append(len(text.tokens) if language in slot.texts else -1)
            mine.labelled.append(len(self._content.places(content)) if content is not None else 0)
            mine.states.add(state)
            mine.expressions.extend(map(number_of, found))
            mine.owners.extend([item] * len(found))
            expressions += found
            states.append((language, state))
        self.cells.add(json.dumps([slot.role, slot.inference]))
        self._segments.append(slot.segment)
        self._groups.append(number_of(slot.whole_group))
        group = slot.whole_group if self.how.together else f"item {slot.uid}"
        self.items.add(group, self._strata(slot, states), expressions if self.how.lexical else ())

    def _strata(self, slot: Slot, states: Sequence[tuple[str, str]]) -> list[str]:
        """The names of an item's strata, as JSON: dataset, role, inference label, and of each language what is decided,
        those that were not asked for empty."""
        asked = self.how.strata
        of_slot = [getattr(slot, name) if name in asked else "" for name in ("dataset", "role", "inference")]
        if "label" not in asked:
            return [json.dumps([*of_slot, "", ""])]
        return [json.dumps([*of_slot, language, state]) for language, state in states]

    def _state(self, content: Content | None) -> str:
        """What is decided of a unit: the value that was chosen, or whether something is labelled."""
        if content is None:
            return UNDECIDED
        value = content.get("value")
        if isinstance(value, str):
            return value
        return LABELLED if self._content.is_labelled(content) else UNLABELLED

    def _expressions(self, language: str, text: Text, content: Content) -> Iterator[str]:
        """The labelled expressions, by the lemmas of their words; where there are no lemmas, by the words."""
        words = text.lemmas or [word_of(token) for token in text.tokens]
        spans: list[Any] = content.get("spans") or []
        places = [span["tokens"] for span in spans] or [sorted(self._content.places(content))]
        for tokens in places:
            named = [words[token].lower() or text.tokens[token] for token in tokens if token < len(words)]
            if named:
                yield f"{language} {' '.join(named)}"

    def strata_of(self, parts: Places, count: int) -> list[dict[str, Any]]:
        """The strata with the number of items that each part has, and how many are in none."""
        columns = list(self.items.strata)
        found = []
        for code, name in enumerate(self.items.names):
            inside = np.any([column == code for column in columns], axis=0)
            numbers = np.bincount(parts[inside & (parts >= 0)], minlength=count)
            dataset, role, inference, language, state = json.loads(name)
            found.append(
                {
                    "dataset": dataset,
                    "role": role,
                    "inference": inference,
                    "language": language,
                    "state": state,
                    "items": numbers.tolist(),
                    "left_out": int((inside & (parts < 0)).sum()),
                }
            )
        return found

    def table(self, parts: Places, names: Sequence[str]) -> list[dict[str, Any]]:
        """Items, tokens and what is decided, by part, language, role and inference label; only those in a part."""
        rows = []
        cells = self.cells.of_item
        for language, mine in self.in_language.items():
            tokens = np.frombuffer(mine.tokens, np.int32)
            labelled = np.frombuffer(mine.labelled, np.int32)
            states = mine.states.of_item
            there = (parts >= 0) & (tokens >= 0)
            for part, part_name in enumerate(names):
                for cell, code in self.cells.names.items():
                    chosen = there & (parts == part) & (cells == code)
                    if not chosen.any():
                        continue
                    role, inference = json.loads(cell)
                    numbers: defaultdict[str, int] = defaultdict(int)
                    for state, number in mine.states.names.items():
                        numbers[state] += int((states[chosen] == number).sum())
                    rows.append(
                        {
                            "part": part_name,
                            "language": language,
                            "role": role,
                            "inference": inference,
                            "items": int(chosen.sum()),
                            "tokens": int(tokens[chosen].sum()),
                            "labelled_tokens": int(labelled[chosen].sum()),
                            "states": {state: number for state, number in numbers.items() if number},
                        }
                    )
        return rows
