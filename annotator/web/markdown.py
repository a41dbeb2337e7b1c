"""Markdown of the guidelines as HTML."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from urllib.parse import quote, unquote

from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from markdown_it import MarkdownIt
from markdown_it.token import Token

from annotator.core.files.pictures import is_picture_name

_NO_LABELS: Mapping[str, str] = MappingProxyType({})


@dataclass(frozen=True)
class Heading:
    """A heading of the text. `anchor`: the id by which one links to it."""

    anchor: str
    text: str
    level: int


def render_markdown(
    text: str, labels: Mapping[str, str] = _NO_LABELS, *, pictures: str = ""
) -> tuple[SafeString, list[Heading]]:
    """The HTML and its headings for a table of contents. Raw HTML in `text` comes out as text.

    A heading is linked to by its words (#metáfora), and by its number (#section-2). The first heading that names one of
    `labels` (their names by code), as code between backticks or by its code or name alone, has the anchor
    label-METAPHOR. Pictures of the project are shown from the address `pictures`; for others the page says why not.
    """
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    tokens = markdown.parse(text)
    headings: list[Heading] = []
    anchors: dict[str, str] = {}
    wanted = dict(labels)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            children = tokens[number + 1].children or []
            label = _label(children, wanted)
            wanted.pop(label, None)
            slug = _unused(_slug(_plain(children)), anchors)
            # With a prefix: a heading "Main" is not the page's main part.
            anchor = f"label-{label}" if label else f"h-{slug}"
            anchors |= {slug: anchor, anchor: anchor, f"section-{len(headings) + 1}": anchor}
            headings.append(_heading(tokens, number, anchor, len(headings) + 1))
    for token in tokens:
        for child in token.children or []:
            if child.type == "link_open":
                _resolve(child, anchors)
            elif child.type == "image":
                _show(child, pictures)
    # markdown-it escapes text and attributes and refuses javascript: and data: links itself.
    return mark_safe(markdown.renderer.render(tokens, markdown.options, {})), headings  # noqa: S308


def _heading(tokens: Sequence[Token], number: int, anchor: str, place: int) -> Heading:
    token, inline = tokens[number], tokens[number + 1]
    children = inline.children or []
    # The page has the one h1 already.
    level = min(int(token.tag[1]) + 1, 6)
    found = Heading(anchor, _plain(children), level)
    token.attrSet("id", anchor)
    token.tag = tokens[number + 2].tag = f"h{level}"
    inline.children = [_html(format_html('<span id="section-{}"></span>', place)), *children]
    return found


def _label(children: Sequence[Token], labels: Mapping[str, str]) -> str:
    coded = [one.content for one in children if one.type == "code_inline"]
    words = _plain(children).strip().casefold()
    named = (code for code, name in labels.items() if words and words in (code.casefold(), name.casefold()))
    return next((code for code in coded if code in labels), "") or next(named, "")


def _slug(words: str) -> str:
    plain = unicodedata.normalize("NFC", words).lower()
    return re.sub(r"\s+", "-", re.sub(r"[^\w\s-]", "", plain).strip()) or "section"


def _unused(slug: str, taken: Mapping[str, str]) -> str:
    found, number = slug, 1
    while found in taken:
        number += 1
        found = f"{slug}-{number}"
    return found


def _resolve(link: Token, anchors: Mapping[str, str]) -> None:
    href = str(link.attrGet("href") or "")
    if not href.startswith("#"):
        return
    target = unquote(href[1:])
    anchor = anchors.get(target) or anchors.get(_slug(target))
    if anchor:
        link.attrSet("href", f"#{quote(anchor)}")
    else:
        link.attrSet("class", "dead-link")
        link.attrSet("title", _("This link does not work: no heading has this name."))


def _show(image: Token, pictures: str) -> None:
    source = str(image.attrGet("src") or "")
    name = source.removeprefix("pictures/")
    if pictures and name != source and is_picture_name(name):
        image.attrSet("src", f"{pictures}{name}")
        image.attrSet("loading", "lazy")
        return
    why = _("This picture is not shown because it is on another site. Upload it to the project.")
    html = format_html('<span class="no-picture">{} <em>{}</em></span>', image.content or source, why)
    image.type, image.tag, image.content, image.children = "html_inline", "", html, None


def _html(html: str) -> Token:
    return Token("html_inline", "", 0, content=html)


def _plain(children: Sequence[Token]) -> str:
    return "".join(child.content for child in children if child.type in ("text", "code_inline"))
