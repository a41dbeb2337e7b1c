from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher
from typing import Any

from annotator.domain.content import Content, ContentError
from annotator.domain.content.differences import ByFields


class Text(ByFields):
    """A free text on a unit: `{"text": "…"}`."""

    slug = "text"
    dimensions = ("texts",)

    def empty(self) -> Content:
        return {"text": ""}

    def begin(self, suggested: Content) -> Content:
        return {"text": suggested["text"]}

    def check(self, content: Any, *, scheme: Any, tokens: Sequence[str], done: bool) -> Content:
        if not isinstance(content, dict) or content.keys() != {"text"} or not isinstance(content["text"], str):
            raise ContentError("A text must be an object with a text.")
        text = " ".join(content["text"].split())
        if done and not text:
            raise ContentError("Write something first.")
        return {"text": text}

    def key(self, content: Content) -> str:
        return content["text"].casefold()

    def is_labelled(self, content: Content) -> bool:
        return bool(content["text"])

    def values(self, scheme: Any, dimension: str) -> tuple[str, ...]:
        return ()

    def observations(self, content: Content, *, tokens: Sequence[str], dimension: str) -> list[str]:
        return [self.key(content)]

    def agreement(self, one: Content, other: Content, *, tokens: Sequence[str]) -> float:
        return SequenceMatcher(a=self.key(one), b=self.key(other), autojunk=False).ratio()

    def origins(self, suggested: Content | None, content: Content) -> dict[str, Any]:
        return {"kept": [], "added": [content["text"]] if content["text"] else [], "removed": []}

    def carry(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> Content:
        return content

    def lost(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> list[str]:
        return []

    def stands(self, content: Content, *, before: Sequence[str], after: Sequence[str]) -> bool:
        return list(before) == list(after)

    def places(self, content: Content) -> frozenset[int]:
        return frozenset()
