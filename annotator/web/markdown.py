"""Markdown of the guidelines as HTML."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token


@dataclass(frozen=True)
class Heading:
    anchor: str
    text: str
    level: int


def render_markdown(text: str, labels: Sequence[str] = ()) -> tuple[SafeString, list[Heading]]:
    """The HTML and its headings for a table of contents. Raw HTML in `text` comes out as text.

    The first heading that names one of `labels` as code (`METAPHOR` between backticks) can be linked to as
    #label-METAPHOR.
    """
    markdown = MarkdownIt("commonmark", {"html": False, "linkify": False}).enable("table")
    tokens = markdown.parse(text)
    headings: list[Heading] = []
    wanted = set(labels)
    for number, token in enumerate(tokens):
        if token.type == "heading_open":
            # The page has the one h1 already.
            level = min(int(token.tag[1]) + 1, 6)
            named = [one.content for one in tokens[number + 1].children or [] if one.type == "code_inline"]
            label = next((one for one in named if one in wanted), "")
            wanted.discard(label)
            anchor = f"label-{label}" if label else f"section-{len(headings) + 1}"
            headings.append(Heading(anchor, _plain(tokens[number + 1].children or []), level))
            token.attrSet("id", anchor)
            token.tag = tokens[number + 2].tag = f"h{level}"
    # markdown-it escapes text and attributes and refuses javascript: and data: links itself.
    return mark_safe(markdown.renderer.render(tokens, markdown.options, {})), headings  # noqa: S308


def _plain(children: Sequence[Token]) -> str:
    return "".join(child.content for child in children if child.type in ("text", "code_inline"))
