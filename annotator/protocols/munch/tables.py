"""The tables of marked sentences: samples by genre, triples by type, and how often answers were repeated."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from django.utils.translation import gettext, gettext_lazy

from annotator.core.counts import grouped
from annotator.core.permissions import Permission
from annotator.domain.content import SUBSTITUTE
from annotator.domain.pairs.triples import TripleType, count_types
from annotator.domain.text.marked import Marked
from annotator.domain.text.one_word import repeated_shares
from annotator.kinds.substitution.units import MARKED
from annotator.models import Project
from annotator.protocols.munch.corpus import Sentence, finished_answers, sentences_of
from annotator.reports.queries.headlines import Headline, first, total
from annotator.reports.queries.report_lists import has_answers, has_units
from annotator.reports.queries.reports import Report, ReportSpec, plain_report, table_figures

ALL = "all"
COLUMNS = {
    "genre": gettext_lazy("Genre"),
    "words": gettext_lazy("Words"),
    "inapt": gettext_lazy("Inapt words"),
    "triples": gettext_lazy("Triples"),
    "apt_inapt": gettext_lazy("Apt and inapt"),
    "two_inapt": gettext_lazy("Two inapt"),
    "two_apt": gettext_lazy("Two apt"),
    "answers": gettext_lazy("Answers"),
    "none": gettext_lazy("No word fits"),
    "repeated_sentences": gettext_lazy("Sentences with a repeated word, %"),
    "repeated_answers": gettext_lazy("Repeated answers, %"),
}
BOTH_COLUMNS = {"name": gettext_lazy("Sentence"), "other": gettext_lazy("Word")}


def samples(project: Project) -> Report:
    """Marked sentences by genre, with the words that people wrote and the inapt ones; as Table 1 of the paper."""
    columns = ("language", "genre", "sentences", "words", "inapt", "triples")
    rows = [
        {
            "language": language,
            "genre": genre,
            "sentences": len(found),
            "words": sum(len(row.words or ()) for row in found),
            "inapt": sum(len(row.inapt or ()) for row in found),
            "triples": sum(len(row.pairs) for row in found),
        }
        for (language, genre), found in _by_genre(project).items()
    ]
    return plain_report(columns, rows)


def triples(project: Project) -> Report:
    """Triples by type and genre; none before a sentence has any."""
    columns = ("language", "genre", *(one.value for one in TripleType), "total")
    rows = []
    for (language, genre), found in _by_genre(project).items():
        counts = count_types(pair for row in found for pair in row.pairs)
        if total := sum(counts.values()):
            numbers = {one.value: count for one, count in counts.items()}
            rows.append({"language": language, "genre": genre, **numbers, "total": total})
    return plain_report(columns, rows)


def repeated(project: Project) -> Report:
    """Finished answers by language: words, none that fits, and how often words were repeated: the share of sentences
    with a word that two or more wrote, as MUNCH's paper counts, and that of words that somebody else wrote, too."""
    answers: dict[str, dict[int, list[str]]] = defaultdict(lambda: defaultdict(list))
    none: dict[str, int] = defaultdict(int)
    rows = finished_answers(project).order_by("pk")
    for language, unit, content in rows.values_list("unit__language", "unit_id", "content"):
        if content["word"]:
            answers[language][unit].append(content["word"])
        else:
            none[language] += 1
    found: list[dict[str, Any]] = []
    for language in project.languages:
        words = list(answers[language].values())
        total = sum(map(len, words))
        if total or none[language]:
            shares = repeated_shares(words)
            found.append(
                {
                    "language": language,
                    "answers": total + none[language],
                    "words": total,
                    "none": none[language],
                    "repeated_sentences": "-" if shares is None else f"{100 * shares.items:.1f}",
                    "repeated_answers": "-" if shares is None else f"{100 * shares.answers:.1f}",
                }
            )
    columns = ("language", "answers", "words", "none", "repeated_sentences", "repeated_answers")
    return plain_report(columns, found)


def both(project: Project) -> Report:
    """Words that are gold as the best and as inapt, with their sentence; triples have them as apt."""
    found: list[dict[str, Any]] = []
    behind: dict[str, dict[str, list[tuple[int, int]]]] = defaultdict(lambda: defaultdict(list))
    for row in sentences_of(project):
        name = _with_brackets(row.marked)
        found += [{"language": row.unit.language, "name": name, "other": word} for word in row.both]
        if row.both:
            behind[name][row.unit.language].append((row.unit.pk, 0))
    return replace(plain_report(("language", "name", "other"), found), leading="name", behind=behind)


def _with_brackets(sentence: Marked) -> str:
    """The sentence as lists name it: `Prices [climbed] again.`"""
    return sentence.with_word(f"[{sentence.word}]").text


def _by_genre(project: Project) -> Mapping[tuple[str, str], list[Sentence]]:
    """Sentences by language and genre, and under ALL of the language where it has several genres."""
    by: dict[str, dict[str, list[Sentence]]] = defaultdict(lambda: defaultdict(list))
    for row in sentences_of(project):
        by[row.unit.language][row.unit.segment.genre].append(row)
    found: dict[tuple[str, str], list[Sentence]] = {}
    for language in project.languages:
        for genre, rows in sorted(by[language].items()):
            found[language, genre] = rows
        if len(by[language]) > 1:
            found[language, ALL] = _all(by[language].values())
    return found


def _all(parts: Iterable[list[Sentence]]) -> list[Sentence]:
    return [row for part in parts for row in part]


SAMPLES = ReportSpec(
    name="samples",
    title=gettext_lazy("Samples"),
    text=gettext_lazy("Marked sentences by genre, and the words written for them."),
    figures=table_figures("samples", samples, has_units(MARKED)),
    columns=COLUMNS,
    layers=(SUBSTITUTE.slug,),
    headline=total("sentences", gettext_lazy("marked sentences.")),
)
TRIPLES = ReportSpec(
    name="triples",
    title=gettext_lazy("Triples"),
    text=gettext_lazy("Gold triples, by whether their two words are apt or inapt."),
    figures=table_figures("triples", triples, has_units(MARKED)),
    columns=COLUMNS,
    layers=(SUBSTITUTE.slug,),
    headline=total("total", gettext_lazy("gold triples.")),
)
REPEATED = ReportSpec(
    name="repeated",
    title=gettext_lazy("Repeated answers"),
    text=gettext_lazy(
        "Substitutes: sentences in which two or more people wrote the same word, and answers that other people "
        "also gave."
    ),
    figures=table_figures("repeated", repeated, has_answers(SUBSTITUTE.slug)),
    columns=COLUMNS,
    needs=Permission.ADJUDICATE,
    layers=(SUBSTITUTE.slug,),
    headline=first(
        "repeated_sentences",
        gettext_lazy("of the sentences in %(language)s have a word that several people wrote."),
        unit=" %",
    ),
)
BOTH = ReportSpec(
    name="both",
    title=gettext_lazy("Best and inapt at once"),
    text=gettext_lazy(
        "These words were decided both as the best and as inapt, in separate decisions. Change one of the "
        "decisions: reopen it on the page of the sentence. Until then, triples treat the words as apt."
    ),
    figures=table_figures("both", both, has_units(MARKED)),
    columns=BOTH_COLUMNS,
    needs=Permission.ADJUDICATE,
    headline=lambda figures: Headline(
        grouped(len(figures["rows"])), gettext("words were decided both as the best and as inapt.")
    ),
)
