"""Texts of the interface are plain: none of the turns of phrase that readers stumbled over comes back."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

CATALOGUE = Path(__file__).resolve().parents[2] / "annotator" / "locale" / "es" / "LC_MESSAGES" / "django.po"

# By what readers found, the way to say it.
ENGLISH = {
    r"\bmend(s|ed|ing)?\b": "fix, revise",
    r"\banew\b": "again",
    r"\b[Ww]hoever\b": "anyone who, the person who",
    r"\bof which nothing\b|\bof whom\b": "rewrite with the subject first",
    r"\b(object|row|sentence|token|label|tag|file|folder|score|cell)s? an? (line|column|language|token|item)\b": "per",
    r"\b(take|took|taken)\b (it |them |this )?\bback\b": "undo, return",
    r"\b(give|gives|given|gave|giving) (it |this |them )?up\b": "discard",
    r"\b(goes|went|going) on\b": "continue",
    r"\bfurther\b": "more, another",
    r"(?<![Tt]here )\b(is|are|was|were) no (?!longer|more|better|way|need|such|one)": "is not a …",
    r"\bwhat stands\b|\bstands (now|there)\b": "current",
    r"\bset(s|ting)? going\b": "run, start",
    r"\bnevertheless\b|\bby and by\b": "anyway, gradually",
    r"\bpass(ed)? over\b": "skip",
    r"\bsays nothing of\b": "has no value for",
    r"\bobligatory\b": "required",
    r"\be-mail\b": "email",
    r"\buser name\b": "username",
    r"\bper cent\b": "59%",
    r"\bthere are: ": "Unknown …. Available: …",
    r"\b(comes?|came) in\b": "is imported",
    r"\bbegun\b": "started",
    r"\bnarrow(ed|s)?\b": "filter",
    r"\bhanded out\b|\bin other hands\b": "assigned",
    r"^(Of|Whoever) [a-z]": "start with the subject",
}
SPANISH = {
    r"\bno hay tal\b": "esa … no existe",
    r"\bhay que\b": "imperativo",
    r"\bEmpieza\b": "usted: empiece",
    r"\balineamiento": "alineación",
    r"\badvertencia": "aviso",
    r"\bcabecera": "encabezado",
    r"\bobligatori[oa]s? de\b": "obligatorio",
    r"\bproceso de trabajo\b": "worker",
}


def texts(spanish: bool) -> list[str]:
    with CATALOGUE.open("rb") as file:
        messages = [message for message in read_po(file) if message.id]
    given = [message.string if spanish else message.id for message in messages]
    return [text for one in given for text in ([one] if isinstance(one, str) else one)]


@pytest.mark.parametrize(("spanish", "found"), [(False, ENGLISH), (True, SPANISH)], ids=["english", "spanish"])
def test_no_text_says_what_readers_stumbled_over(spanish: bool, found: dict[str, str]) -> None:
    problems = [
        f"{text!r}: write {instead}"
        for text in texts(spanish)
        for pattern, instead in found.items()
        if re.search(pattern, text)
    ]
    assert problems == []
