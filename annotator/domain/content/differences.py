"""Where contents differ, and what each says there: what somebody who decides among them chooses from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from annotator.domain.agreement.distances import NOMINAL
from annotator.domain.content.base import Content, Difference


@dataclass(frozen=True, slots=True)
class Part:
    """One field of a content, or several that only make sense together, under the name of the first."""

    fields: tuple[str, ...]

    def of(self, content: Content) -> Content:
        """What a content says there."""
        return {name: content[name] for name in self.fields}


class ByFields:
    """Contents whose fields are decided one by one. `together` names fields that are decided as one.

    A subclass gives `empty` and `key`.
    """

    together: tuple[tuple[str, ...], ...] = ()
    # What agreement knows of the categories: of most types nothing but whether they are the same.
    unmarked = ""
    distances: tuple[str, ...] = (NOMINAL,)

    def empty(self) -> Content:
        raise NotImplementedError  # each type has its own

    def key(self, content: Content) -> Any:
        raise NotImplementedError  # each type has its own

    def differences(self, contents: Sequence[Content], *, tokens: Sequence[str]) -> list[Difference]:
        return [
            Difference(part.fields[0])
            for part in self._parts()
            if len({self.key({**self.empty(), **part.of(content)}) for content in contents}) > 1
        ]

    def part(self, content: Content, difference: Difference, *, shared: Content) -> Content:
        return next(part.of(content) for part in self._parts() if part.fields[0] == difference.key)

    def joined(self, shared: Content, parts: Sequence[Content]) -> Content:
        return {**shared, **{name: value for part in parts for name, value in part.items()}}

    def merge(self, contents: Sequence[Content]) -> Content:
        """What all contents share; a part on which they differ is empty."""
        if not contents:
            return self.empty()
        differing = {difference.key for difference in self.differences(contents, tokens=())}
        same = [part.of(contents[0]) for part in self._parts() if part.fields[0] not in differing]
        return self.joined(self.empty(), same)

    def _parts(self) -> list[Part]:
        apart = [(name,) for name in self.empty() if not any(name in names for names in self.together)]
        return [Part(names) for names in (*self.together, *apart)]
