"""What is said of files whose texts are not in the script of their language: often the language is another one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

from django.utils.translation import get_language
from django.utils.translation import gettext as _

from annotator.domain.text.scripts import expected_scripts, script_name, script_of
from annotator.imports.reading.problems import WARNING, Problem

# The first sentences of each language of a file are looked at.
LOOKED_AT = 200


class Scripts:
    """Takes the sentences of files, and says in the end which files have most of them in an unexpected script."""

    def __init__(self) -> None:
        self._seen = Counter[tuple[str, str]]()
        self._unexpected: dict[tuple[str, str], Counter[str]] = {}

    def add(self, file: str, language: str, tokens: Sequence[str]) -> None:
        """One more sentence."""
        expected = expected_scripts(language)
        if not expected or self._seen[file, language] >= LOOKED_AT:
            return
        script = script_of(tokens)
        # Numbers and signs are of no script, and tell nothing.
        if not script:
            return
        self._seen[file, language] += 1
        if script not in expected:
            self._unexpected.setdefault((file, language), Counter())[script] += 1

    def problems(self) -> Iterator[Problem]:
        """A warning for each language of a file in which more than half of the sentences are in another script."""
        page = get_language() or "en"
        text = _(
            "the texts in “%(language)s” are in an unexpected script (%(found)s instead of %(expected)s). Check "
            "which language they are in."
        )
        for (file, language), scripts in self._unexpected.items():
            script, number = scripts.most_common(1)[0]
            if 2 * number > self._seen[file, language]:
                expected = script_name(expected_scripts(language)[0], page)
                what = {"language": language, "found": script_name(script, page), "expected": expected}
                yield Problem(WARNING, file, 0, text % what)
