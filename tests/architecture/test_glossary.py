"""Pages use the glossary's words: what it forbids is in no template and no catalogue."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted([*ROOT.glob("templates/**/*.html"), *ROOT.glob("annotator/kinds/*/templates/**/*.html")])
SPANISH = ROOT / "annotator" / "locale" / "es" / "LC_MESSAGES" / "django.po"


def rows() -> list[list[str]]:
    lines = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").split("\n")
    table = [line for line in lines if line.startswith("|")][2:]
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in table]


def forbidden(column: int) -> list[str]:
    return [word.strip() for row in rows() for word in row[column].split(",") if word.strip()]


def found(words: list[str], text: str) -> list[str]:
    return [word for word in words if re.search(rf"\b{re.escape(word)}\b", text, re.IGNORECASE)]


def visible(template: Path) -> str:
    """The template without tags, comments and attributes that nobody reads."""
    text = template.read_text(encoding="utf-8")
    text = re.sub(r"{#.*?#}|<!--.*?-->", " ", text, flags=re.DOTALL)
    strings = re.findall(r"{%\s*(?:translate|trans|blocktranslate)[^%]*%}", text)
    return " ".join([*strings, re.sub(r"{%.*?%}|{{.*?}}|<[^>]*>", " ", text, flags=re.DOTALL)])


def test_every_concept_has_one_word_in_each_language() -> None:
    table = rows()
    assert all(len(row) == 5 for row in table)
    english = [row[0] for row in table]
    assert len(set(english)) == len(english)
    assert not {word.lower() for word in forbidden(3)} & {word.lower() for word in english}
    assert not {word.lower() for word in forbidden(4)} & {row[1].lower() for row in table}


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_templates_use_the_words_of_the_glossary(template: Path) -> None:
    assert found(forbidden(3), visible(template)) == []


def test_catalogues_use_the_words_of_the_glossary() -> None:
    with SPANISH.open("rb") as file:
        catalogue = read_po(file)
    problems = []
    for message in catalogue:
        if not message.id:
            continue
        ids = message.id if isinstance(message.id, tuple | list) else [message.id]
        texts = message.string if isinstance(message.string, tuple | list) else [message.string]
        problems += [(word, text) for text in ids for word in found(forbidden(3), text)]
        problems += [(word, text) for text in texts for word in found(forbidden(4), text or "")]
    assert problems == []


def test_a_forbidden_word_is_found() -> None:
    assert found(["work off"], "The worker will Work off the job.") == ["work off"]
    assert found(["oro"], "el tesoro") == []
