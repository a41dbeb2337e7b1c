"""Lemmas of what is imported. Of many sentences, a process of its own works them out while they are checked."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from annotator.core.processes.child_process import Helper
from annotator.domain.text.lemmas import lemmas_of

# Sentences; of fewer, they are worked out sooner than a process begins.
MANY = 1000
# Tokens whose lemmas are kept.
MAX_KEPT = 200_000

Texts = Iterable[tuple[str, Sequence[str]]]
"""Language and tokens of sentences."""

_Helper = Helper[tuple[str, list[str]], list[str]]


class Lemmas:
    """`lemmas_of`, for which it helps to be told before which sentences are coming. To be used in a `with` block."""

    def __init__(self) -> None:
        self._helper: _Helper | None = None
        # What was announced before there were many.
        self._first: list[tuple[str, Sequence[str]]] = []
        # By language and token; None while it is asked for.
        self._kept: dict[str, dict[str, str | None]] = {}
        self._asked: deque[tuple[str, list[str]]] = deque()

    def __enter__(self) -> Lemmas:
        return self

    def __exit__(self, *error: object) -> None:
        if self._helper is not None:
            self._helper.__exit__(*error)

    @property
    def helped(self) -> bool:
        """Whether there is such a process."""
        return self._helper is not None

    def announce(self, texts: Texts) -> None:
        """These will come, some time."""
        if self._helper is None:
            self._first += texts
            if len(self._first) > MANY:
                self._helper = Helper(_lemmas)
                self._ask(self._first)
                self._first.clear()
        elif not self._is_full():
            self._ask(texts)

    def expect(self, texts: Texts) -> None:
        """These come next."""
        self._ask(texts)

    def of(self, tokens: Sequence[str], language: str) -> list[str]:
        """The lemma of each token, in lower case."""
        if self._helper is None:
            return lemmas_of(tokens, language)
        kept = self._kept.setdefault(language, {})
        if not all(map(kept.__contains__, tokens)):
            self._ask([(language, tokens)])
        while None in (found := [kept[token] for token in tokens]):
            self._take(self._helper)
        return [lemma for lemma in found if lemma is not None]

    def _ask(self, texts: Texts) -> None:
        if self._helper is None:
            return
        by_language: dict[str, set[str]] = {}
        for language, tokens in texts:
            by_language.setdefault(language, set()).update(tokens)
        for language, wanted in by_language.items():
            kept = self._kept.setdefault(language, {})
            new = list(wanted.difference(kept))
            if not new:
                continue
            if self._is_full():
                self._forget(self._helper)
                new = list(wanted)
            self._helper.ask((language, new))
            self._asked.append((language, new))
            kept.update(dict.fromkeys(new))

    def _take(self, helper: _Helper) -> None:
        language, tokens = self._asked.popleft()
        self._kept[language].update(zip(tokens, helper.answer(), strict=True))

    def _is_full(self) -> bool:
        return sum(map(len, self._kept.values())) > MAX_KEPT

    def _forget(self, helper: _Helper) -> None:
        while self._asked:
            self._take(helper)
        for kept in self._kept.values():
            kept.clear()


def _lemmas(question: tuple[str, list[str]]) -> list[str]:
    language, tokens = question
    return lemmas_of(tokens, language)
