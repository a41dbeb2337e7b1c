"""The catalogue of the Spanish interface: complete, with the same gaps, compiled, and holding what the code says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract
from babel.messages.mofile import read_mo
from babel.messages.pofile import read_po
from django.utils.translation.template import templatize

from tests.architecture.sources import ROOT, modules

FOLDER = ROOT / "annotator" / "locale" / "es" / "LC_MESSAGES"
MAKE = (
    "make messages (GNU gettext has to be installed); translate what is new or fuzzy in "
    "annotator/locale/es/LC_MESSAGES/django.po; make messages once more"
)

# A text by its context ("" for none), singular and plural ("" for none).
Text = tuple[str, str, str]

# The functions that makemessages looks for, and which of their arguments are what ("c": the context).
KEYWORDS: dict[str, tuple[int | tuple[int, str], ...] | None] = {
    "_": None,
    "gettext": None,
    "gettext_lazy": None,
    "ngettext": (1, 2),
    "ngettext_lazy": (1, 2),
    "pgettext": ((1, "c"), 2),
    "pgettext_lazy": ((1, "c"), 2),
    "npgettext": ((1, "c"), 2, 3),
    "npgettext_lazy": ((1, "c"), 2, 3),
}
_STRING = r"""u?(?:'(?:[^'\\]|\\.)*'|"(?:[^"\\]|\\.)*")"""
_CALL = re.compile(rf"\b(_|n?p?gettext)\(({_STRING}(?:,\s*{_STRING})*)", re.DOTALL)
_GAP = re.compile(r"%\(\w+\)[#0 +-]*[\d.]*[a-z]|%[a-z]|\{\w*\}")


@cache
def catalogue() -> Catalog:
    with (FOLDER / "django.po").open("rb") as file:
        return read_po(file)


def texts_of(found: Catalog) -> dict[Text, tuple[str, ...]]:
    """What a catalogue holds: every text with its translations."""
    texts = {}
    for message in found:
        if message.id:
            singular, plural = (message.id, "") if isinstance(message.id, str) else message.id
            string = (message.string,) if isinstance(message.string, str) else tuple(message.string)
            # Babel leaves the contexts of a compiled catalogue as bytes.
            context = message.context.decode() if isinstance(message.context, bytes) else message.context
            texts[context or "", singular, plural] = string
    return texts


def in_python(path: Path) -> Iterator[Text]:
    with path.open("rb") as file:
        for _line, message, _comments, context in extract("python", file, KEYWORDS):
            singular, plural = (message, "") if isinstance(message, str) else message
            yield context or "", singular, plural


def in_template(path: Path) -> Iterator[Text]:
    """Django turns a template into calls of gettext amid padding, for xgettext to read; so they are read here."""
    for name, arguments in _CALL.findall(templatize(path.read_text(encoding="utf-8"))):
        strings = [ast.literal_eval(literal) for literal in re.findall(_STRING, arguments, re.DOTALL)]
        context = strings.pop(0) if "p" in name.removesuffix("gettext") else ""
        yield context, strings[0], strings[1] if "n" in name.removesuffix("gettext") else ""


@cache
def used() -> Mapping[Text, str]:
    """Every text of the code and the templates, with a file that has it."""
    found = {}
    for path in modules():
        found.update(dict.fromkeys(in_python(ROOT / path), str(path)))
    for path in sorted([*ROOT.glob("templates/**/*.html"), *ROOT.glob("annotator/kinds/*/templates/**/*.html")]):
        found.update(dict.fromkeys(in_template(path), str(path.relative_to(ROOT))))
    return found


def test_every_text_of_code_and_templates_is_in_the_catalogue() -> None:
    held = texts_of(catalogue())
    missing = {text: where for text, where in used().items() if text not in held}
    assert not missing, f"Not in the catalogue: {missing}. Run: {MAKE}"


def test_the_catalogue_holds_nothing_that_is_not_used() -> None:
    in_use = used()
    stale = [text for text in texts_of(catalogue()) if text not in in_use]
    assert not stale, f"Nothing uses these any more: {stale}. Run: {MAKE}"


def test_every_text_is_translated_and_none_is_a_guess() -> None:
    found = catalogue()
    fuzzy = [message.id for message in found if message.id and message.fuzzy]
    empty = [text for text, strings in texts_of(found).items() if not all(strings)]
    assert not fuzzy, f"Marked fuzzy: {fuzzy}"
    assert not empty, f"Not translated: {empty}"
    assert not found.obsolete


def test_plural_forms_are_those_of_spanish() -> None:
    found = catalogue()
    assert found.plural_expr.strip("()") == "n != 1"
    wrong = [text for text, strings in texts_of(found).items() if len(strings) != (2 if text[2] else 1)]
    assert not wrong


def test_gaps_are_the_same_in_every_translation() -> None:
    wrong = [
        (text, translation)
        for text, strings in texts_of(catalogue()).items()
        for translation in strings
        if sorted(_GAP.findall(translation)) != sorted(_GAP.findall(text[2] or text[1]))
    ]
    assert not wrong


def test_the_compiled_catalogue_is_the_written_one() -> None:
    with (FOLDER / "django.mo").open("rb") as file:
        compiled = texts_of(read_mo(file))
    assert compiled == texts_of(catalogue()), f"django.mo is not what django.po says. Run: {MAKE}"


def test_gettext_is_imported_under_names_that_makemessages_knows() -> None:
    """Under any other name the texts would be left out of the catalogue, and nobody would notice."""
    wrong = [
        f"{path}: {name.name} as {name.asname}"
        for path, tree in modules().items()
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and node.module == "django.utils.translation"
        for name in node.names
        if name.asname and (name.asname != "_" or name.name not in ("gettext", "gettext_lazy"))
    ]
    assert not wrong


@pytest.mark.parametrize(
    ("template", "text"),
    [
        ("{% load i18n %}{% translate 'It is \"so\"' %}", ("", 'It is "so"', "")),
        ('{% load i18n %}{% translate "May" context "verb" %}', ("verb", "May", "")),
        ("{% load i18n %}{{ x|default:_('Nothing') }}", ("", "Nothing", "")),
        (
            "{% load i18n %}{% blocktranslate count n=m %}{{ n }} pair{% plural %}{{ n }} pairs{% endblocktranslate %}",
            ("", "%(n)s pair", "%(n)s pairs"),
        ),
        (
            "{% load i18n %}{% blocktranslate context 'c' count n=m %}one{% plural %}{{ n }}{% endblocktranslate %}",
            ("c", "one", "%(n)s"),
        ),
    ],
)
def test_texts_of_templates_are_found(tmp_path: Path, template: str, text: Text) -> None:
    path = tmp_path / "page.html"
    path.write_text(template)
    assert list(in_template(path)) == [text]
