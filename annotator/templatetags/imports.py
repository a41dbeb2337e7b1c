"""The words of imports: formats, meanings of columns, findings; and what pages show of a preview."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol
from urllib.parse import urlencode

from django import template
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from annotator.core.counts import grouped
from annotator.formats.registry import formats
from annotator.imports.reading.parallel import unclear_place
from annotator.models import Import, ImportDraft
from annotator.templatetags.words import language

register = template.Library()


class Counts(Protocol):
    """What calls things by their number: `imports.views.words.Words`."""

    def number(self, number: int) -> str:
        """So many of them."""


# So many files of an import are named.
_FILES_NAMED = 3

# Names of products and standards are the same in every language.
_FORMATS: Mapping[str, Any] = {
    "lines": gettext_lazy("Text, one sentence per line"),
    "text": gettext_lazy("Running text"),
    "csv": "CSV",
    "tsv": "TSV",
    "xlsx": "Excel (XLSX)",
    "jsonl": "JSON Lines",
    "tagged": gettext_lazy("Token and tag, one token per line"),
    "conll2003": "CoNLL 2003",
    "conllu": "CoNLL-U",
    "hub": gettext_lazy("Meta4XNLI on the hub (JSON Lines)"),
    "meta4xnli": gettext_lazy("Meta4XNLI files"),
    "doccano": "doccano (JSONL)",
    "label-studio": "Label Studio (JSON)",
    "webanno": "WebAnno TSV 3 (INCEpTION)",
    "cas-xmi": "UIMA CAS XMI (INCEpTION)",
    "cas-json": "UIMA CAS JSON (INCEpTION)",
    "brat": gettext_lazy("brat (standoff)"),
    "vuamc": gettext_lazy("VU Amsterdam Metaphor Corpus (TEI)"),
    "moses": gettext_lazy("Moses (parallel files)"),
    "tmx": gettext_lazy("TMX (translation memory)"),
}
ENCODINGS = [
    ("utf-8", "UTF-8"),
    ("utf-8-sig", gettext_lazy("UTF-8 with BOM")),
    ("utf-16", "UTF-16"),
    ("utf-16-le", gettext_lazy("UTF-16, little endian, without BOM")),
    ("utf-16-be", gettext_lazy("UTF-16, big endian, without BOM")),
    ("cp1252", gettext_lazy("Windows, Western (1252)")),
    ("iso-8859-1", gettext_lazy("Latin 1 (ISO 8859-1)")),
    ("iso-8859-15", gettext_lazy("Latin 9 (ISO 8859-15)")),
    ("cp1250", gettext_lazy("Windows, Central European (1250)")),
    ("cp1251", gettext_lazy("Windows, Cyrillic (1251)")),
    ("cp1253", gettext_lazy("Windows, Greek (1253)")),
    ("cp1254", gettext_lazy("Windows, Turkish (1254)")),
    ("cp1255", gettext_lazy("Windows, Hebrew (1255)")),
    ("cp1256", gettext_lazy("Windows, Arabic (1256)")),
    ("mac-roman", "Mac Roman"),
    ("shift_jis", "Shift JIS"),
    ("gb18030", "GB 18030"),
]
_MEANINGS: Mapping[str, Any] = {
    "": gettext_lazy("Leave it out"),
    "id": gettext_lazy("ID"),
    "role": gettext_lazy("Role"),
    "group": gettext_lazy("Document or group"),
    "genre": gettext_lazy("Genre"),
    "source": gettext_lazy("Source dataset"),
    "inference": gettext_lazy("Inference label"),
    "pair_id": gettext_lazy("Pair ID"),
    "premise_id": gettext_lazy("Premise ID"),
    "hypothesis_id": gettext_lazy("Hypothesis ID"),
    "language": gettext_lazy("Language"),
    "text": gettext_lazy("Text"),
    "tokens": gettext_lazy("Tokens"),
    "labels": gettext_lazy("Labels"),
    "lemmas": gettext_lazy("Lemmas"),
    "pos": gettext_lazy("Parts of speech"),
    "spaces": gettext_lazy("Spaces between tokens"),
    "values": gettext_lazy("Categories by layer"),
    "value": gettext_lazy("Category of the sentence"),
    "premise": gettext_lazy("Premise"),
    "hypothesis": gettext_lazy("Hypothesis"),
    "tag": gettext_lazy("Pair tag"),
}


@register.filter
def format_name(slug: str) -> str:
    """A file format as people call it; one that is not among ours by its slug."""
    return str(_FORMATS.get(slug) or getattr(formats().get(slug), "title", slug))


@register.filter
def format_names(slugs: Sequence[str]) -> str:
    """Several of them, one after the other."""
    return "; ".join(format_name(slug) for slug in slugs)


@register.filter
def meaning_name(meaning: str) -> str:
    """What a column holds: "text:ca" is "Text, Catalan (ca)"."""
    name, _colon, code = meaning.partition(":")
    words = str(_MEANINGS.get(name, name))
    return f"{words}: {language(code)}" if code else words


@register.filter
def finding_text(finding: Mapping[str, Any], parallel: Mapping[str, Any]) -> str:
    """What seems to be wrong where two languages go apart."""
    count = finding["count"]
    words = {"number": count, "a": language(parallel["a"]), "b": language(parallel["b"])}
    missing = ngettext(
        "%(number)d line seems to be missing in %(here)s.", "%(number)d lines seem to be missing in %(here)s.", count
    )
    twice = ngettext(
        "%(number)d line seems to be repeated in %(here)s.",
        "%(number)d lines seem to be repeated in %(here)s.",
        count,
    )
    texts = {
        "line_missing_in_a": missing % {**words, "here": words["a"]},
        "line_missing_in_b": missing % {**words, "here": words["b"]},
        "line_twice_in_a": twice % {**words, "here": words["a"]},
        "line_twice_in_b": twice % {**words, "here": words["b"]},
        "lines_change_places": _("Two lines seem to be swapped."),
        "translation_expected": ngettext(
            "%(number)d line does not look like a translation.",
            "%(number)d lines do not look like translations.",
            count,
        )
        % words,
        "parallel_expected": _("The next %(number)d lines hardly match.") % words,
        "text_expected": ngettext(
            "%(number)d line is empty in one language and not in the other.",
            "%(number)d lines are empty in one language and not in the other.",
            count,
        )
        % words,
    }
    text = str(texts.get(finding["expected"], finding["expected"]))
    first, last = finding.get("first_line"), finding.get("last_line")
    return f"{text} {unclear_place(first, last)}" if first and last and first != last else text


@register.filter
def counted(words: Counts, number: int) -> str:
    """How many of what an import brings: "3 sentences"."""
    return words.number(number)


@register.filter
def lines_url(finding: Mapping[str, Any], draft: ImportDraft) -> str:
    """Where the lines around a finding are shown side by side."""
    url = reverse("import-lines", args=[draft.project.slug, draft.pk])
    places = [place.rpartition(":") for place in (finding["place_a"], finding["place_b"])]
    queries = (_query(draft, name, line) for name, _colon, line in places)
    return url + next((query for query in queries if query), "")


@register.filter
def first_place(finding: Mapping[str, Any]) -> str:
    """The file and line of a finding."""
    return str(finding["place_a"] or finding["place_b"])


@register.filter
def line_url(problem: Mapping[str, Any], draft: ImportDraft) -> str:
    """Where the line of a problem is shown beside the one that it belongs to; "" where files have no such lines."""
    query = _query(draft, problem["file"], str(problem["line"])) if problem["line"] else ""
    return reverse("import-lines", args=[draft.project.slug, draft.pk]) + query if query else ""


def _query(draft: ImportDraft, name: str, line: str) -> str:
    file = next((one["id"] for one in draft.files if one["name"] == name), "")
    return f"?{urlencode({'file': file, 'line': line})}" if file else ""


@register.filter
def chips(text: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The tokens of a sentence as a page shows them, each with the labels on it.

    A label stands at its first token; on the others of a span its name would only repeat.
    """
    found: list[dict[str, Any]] = [{"text": token, "labels": [], "labelled": False} for token in text["tokens"]]
    for span in text["spans"]:
        inside: Sequence[int] = [token for token in span["tokens"] if token < len(found)]
        for token in inside:
            found[token]["labelled"] = True
        if inside:
            found[inside[0]]["labels"].append(span["label"])
    return found


@register.filter
def language_names(codes: Sequence[str]) -> str:
    """Languages in a sentence: "ca and es"."""
    if len(codes) < 2:
        return "".join(codes)
    return _("%(first)s and %(last)s") % {"first": ", ".join(codes[:-1]), "last": codes[-1]}


@register.filter
def named_languages(codes: Sequence[str]) -> str:
    """Languages in a sentence, by name: "Catalan (ca) and Spanish (es)"."""
    return language_names([language(code) for code in codes])


@register.filter
def told_apart(imported: Import) -> str:
    """An import by its dataset and the files that brought it: several of a dataset are told apart."""
    names = [str(one["name"]) for one in imported.files]
    more = ", …" if len(names) > _FILES_NAMED else ""
    return f"{imported.dataset} ({', '.join(names[:_FILES_NAMED])}{more})" if names else imported.dataset


@register.filter
def came_in(summary: Mapping[str, Any]) -> str:
    """How many sentences an import brought in each language, by its summary: "20 ca, 20 es"."""
    head = "sentences "
    counts = summary.get("counts", {})
    new = {name.removeprefix(head): tally["new"] for name, tally in counts.items() if name.startswith(head)}
    return ", ".join(f"{grouped(number)} {code}" for code, number in new.items() if number)
