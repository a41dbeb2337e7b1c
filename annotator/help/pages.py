"""Pages of the manual as HTML."""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.templatetags.static import static
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.token import Token

CHANGELOG = "changelog"
PAGES = ("annotators", "adjudicators", "managers", "operators", CHANGELOG)
# Files are written in English, and some are translated.
WRITTEN = "en"
_PICTURES = "static/"


@dataclass(frozen=True)
class Section:
    anchor: str
    text: str


@dataclass(frozen=True)
class ManualPage:
    """`language`: of the text, which may differ from the reader's."""

    name: str
    language: str
    title: str
    html: SafeString
    sections: list[Section]


def manual_page(name: str, language: str) -> ManualPage:
    """One of `PAGES`, in a language or else in English."""
    path, found = _file(name, language)
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    tokens = markdown.parse(path.read_text(encoding="utf-8"))
    title, body = _plain(tokens[1]), tokens[3:]
    folder = path.parent.relative_to(settings.FILES_DIR).as_posix()
    sections = list(_with_anchors(body))
    for token in body:
        if token.children:
            token.children = list(_resolved(token.children, folder))
    html = markdown.renderer.render(body, markdown.options, {})
    return ManualPage(name, found, title, mark_safe(html), sections)  # noqa: S308 -- markdown-it escapes; files of ours


def manual_titles(language: str) -> list[tuple[str, str]]:
    """The pages with their titles."""
    found = []
    for name in PAGES:
        with _file(name, language)[0].open(encoding="utf-8") as file:
            found.append((name, file.readline().removeprefix("#").strip()))
    return found


def _file(name: str, language: str) -> tuple[Path, str]:
    if name == CHANGELOG:
        return settings.CHANGELOG, WRITTEN
    folder: Path = settings.MANUAL_DIR
    translated = folder / language / f"{name}.md"
    return (translated, language) if translated.is_file() else (folder / f"{name}.md", WRITTEN)


def _with_anchors(tokens: list[Token]) -> Iterator[Section]:
    """The sections, each with the anchor by which links in the files name it."""
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            text = _plain(tokens[number + 1])
            anchor = slugify(text, allow_unicode=True)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                yield Section(anchor, text)


def _resolved(children: list[Token], folder: str) -> Iterator[Token]:
    """Links and pictures as they are served; a link to a file that is not served is its text."""
    dropped = 0
    for token in children:
        if token.type == "image":
            path = posixpath.normpath(posixpath.join(folder, str(token.attrGet("src"))))
            token.attrSet("src", static(path.removeprefix(_PICTURES)))
            token.attrSet("loading", "lazy")
        if token.type == "link_open":
            if address := _address(str(token.attrGet("href"))):
                token.attrSet("href", address)
            else:
                dropped += 1
                continue
        if token.type == "link_close" and dropped:
            dropped -= 1
            continue
        yield token


def _address(href: str) -> str:
    if href.startswith(("#", "https://")):
        return href
    path, _sign, anchor = href.partition("#")
    name = posixpath.basename(path).removesuffix(".md")
    if (path.startswith("..") and not path.startswith("../manual")) or name not in PAGES:
        return ""
    return reverse("help-page", args=[name]) + (f"#{anchor}" if anchor else "")


def _plain(token: Token) -> str:
    return "".join(child.content for child in token.children or () if child.type in ("text", "code_inline"))
