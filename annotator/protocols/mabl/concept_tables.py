"""Which concepts languages have and share: the figures of MABL's section 4.1, as tables."""

from __future__ import annotations

from collections import Counter, defaultdict
from dataclasses import dataclass, field, replace
from typing import Any

from django.utils.formats import number_format
from django.utils.translation import gettext, gettext_lazy

from annotator.core.counts import grouped
from annotator.domain.agreement.concept_overlap import Overlap, most_similar, overlaps, own_concepts, shared_by_all
from annotator.domain.content import FIGURATIVE_PAIR
from annotator.domain.pairs.figurative_pairs import UNIT_KIND
from annotator.domain.silver.comparisons import basic_form
from annotator.models import Project
from annotator.protocols.mabl.concepts import Compared, compared, language_compared_in
from annotator.reports.queries.headlines import Headline, language_in_words
from annotator.reports.queries.report_lists import has_units
from annotator.reports.queries.reports import Figures, HeatMap, Json, Report, ReportSpec, plain_report

# Of the concepts that several languages have, so many are listed.
LISTED = 25


@dataclass(slots=True)
class _Language:
    """What was found in the sentences of a language, each part in its basic form."""

    own: int = 0
    # Those in which nothing could be looked for, and translations that are tied to no pair: of these very sentences, as
    # far as they go.
    without_text: int = 0
    untied: int = 0
    found: int = 0
    in_own_words: int = 0
    subjects: set[str] = field(default_factory=set)
    relations: set[str] = field(default_factory=set)
    # By concept, the sentences that have it: their pairs' ids, and which half of the pair.
    places: defaultdict[str, list[tuple[int, int]]] = field(default_factory=lambda: defaultdict(list))

    @property
    def concepts(self) -> Counter[str]:
        """In how many sentences each concept is."""
        return Counter({concept: len(places) for concept, places in self.places.items()})

    def add(self, one: Compared, language: str) -> None:
        comparison = one.comparison
        if one.translates:
            self.untied += 1
        else:
            self.own += 1
            self.without_text += not one.found
        if comparison is None:
            return
        self.found += 1
        self.in_own_words += one.in_own_words
        self.subjects.add(basic_form(comparison.subject, language))
        self.relations.add(basic_form(comparison.relation, language))
        if concept := basic_form(comparison.object, language):
            self.places[concept].append((one.unit.pk, one.half))

    @property
    def sentences(self) -> int:
        """Each once, also where its translation is not tied to it."""
        return self.own + max(0, self.untied - self.without_text)

    @property
    def is_compared(self) -> bool:
        """Whether most of what was found is in the language that all are compared in."""
        return self.in_own_words * 2 <= self.found

    def where(self, concept: str) -> Json:
        """As JSON in which an archive finds the ids of units."""
        places = self.places.get(concept, [])
        return {"units": [unit for unit, _half in places], "lines": [half for _unit, half in places]}


def count_concepts(project: Project) -> Json:
    """By language what its sentences compare, the overlap of every two languages, and the concepts that several have.

    A concept is the object of a sentence in its basic form. `in`: the language that they are in. A language whose
    columns are in its own words (`in_own_words`) is compared with no other.
    """
    language = language_compared_in(project)
    by: dict[str, _Language] = {}
    for one in compared(project):
        by.setdefault(one.language, _Language()).add(one, language)
    by = {one: by[one] for one in project.languages if one in by}
    concepts = {one: found.places.keys() for one, found in by.items() if found.places and found.is_compared}
    used = sum((by[one].concepts for one in concepts), Counter[str]())
    shared = {concept: [one for one in concepts if concept in concepts[one]] for concept in used}
    listed = sorted((one for one in used if len(shared[one]) > 1), key=lambda one: (-len(shared[one]), -used[one], one))
    return {
        "in": language,
        "languages": [
            {
                "language": one,
                "sentences": found.sentences,
                "found": found.found,
                "subjects": len(found.subjects - {""}),
                "relations": len(found.relations - {""}),
                "concepts": len(found.places),
                # Of what cannot be compared nobody knows.
                "own": len(own_concepts(concepts, one)) if one in concepts else 0 if found.is_compared else None,
                "in_own_words": not found.is_compared,
                "similar": list(most_similar(concepts, one)) if one in concepts else [],
            }
            for one, found in by.items()
        ],
        "overlaps": [_overlap(one) for one in overlaps(concepts)],
        "in_all": len(shared_by_all(concepts)),
        "listed": [
            {
                "concept": one,
                "languages": shared[one],
                "sentences": used[one],
                "where": {language: by[language].where(one) for language in shared[one]},
            }
            for one in listed[:LISTED]
        ],
    }


def _overlap(one: Overlap) -> Json:
    jaccard = None if one.jaccard is None else round(one.jaccard, 4)
    return {"language": one.one, "other": one.other, "shared": one.shared, "union": one.union, "jaccard": jaccard}


def concepts(figures: Json) -> Report:
    """By language: sentences, those with an object, what they compare, the concepts that no other language has, and
    the language with the most similar ones."""
    languages = figures["languages"]
    between = {frozenset((one["language"], one["other"])): one for one in figures["overlaps"]}
    rows: list[dict[str, Any]] = []
    for one in languages:
        best = [between[frozenset((one["language"], other))]["jaccard"] for other in one["similar"][:1]]
        gaps = {"similar": ", ".join(one["similar"]) or "–", "jaccard": _three(best[0] if best else None)}
        rows.append(one | gaps | {"own": "–" if one["own"] is None else one["own"]})
    columns = (
        "language", "sentences", "found", "subjects", "relations", "concepts", "own", "similar", "jaccard",
    )  # fmt: skip
    notes = []
    if languages:
        notes.append(
            gettext("Concepts are compared in %(language)s, through translations where available.")
            % {"language": language_in_words(figures["in"])}
        )
    if len(figures["overlaps"]) > 1:
        notes.append(gettext("Concepts found in all languages: %(count)d.") % {"count": figures["in_all"]})
    if without := [one["language"] for one in languages if not one["found"]]:
        text = gettext("No concepts in: %(languages)s. Their sentences have neither columns nor a translation here.")
        notes.append(text % {"languages": ", ".join(without)})
    return plain_report(columns, rows, (*notes, *_not_compared(figures)))


def _not_compared(figures: Json) -> tuple[str, ...]:
    """What to do for languages that cannot be compared as they are; jobs that counted earlier did not look."""
    languages = [one["language"] for one in figures["languages"] if one.get("in_own_words")]
    if not languages:
        return ()
    text = gettext(
        "Not compared with others: %(languages)s. In their files, subject, relation and object are in the language "
        "itself, not in %(in)s, so nothing could be shared. Import translations of these sentences in %(in)s into "
        "the same dataset, or files with these columns in %(in)s."
    )
    return (text % {"languages": ", ".join(languages), "in": figures["in"]},)


def concept_overlap(figures: Json) -> Report:
    """The overlap of every two languages, with a heat map."""
    columns = ("language", "other", "shared", "union", "jaccard")
    rows = [one | {"jaccard": _three(one["jaccard"])} for one in figures["overlaps"]]
    names = [one["language"] for one in figures["languages"] if one["concepts"] and not one.get("in_own_words")]
    values = {(one["language"], one["other"]): one["jaccard"] for one in figures["overlaps"]}
    cells = tuple(tuple(values.get((a, b), values.get((b, a))) for b in names) for a in names)
    report = plain_report(columns, rows, _not_compared(figures))
    heat = HeatMap(tuple(names), cells) if len(names) > 1 else None
    return replace(report, rows=tuple(figures["overlaps"]), heat=heat)


def shared_concepts(figures: Json) -> Report:
    """The concepts that most languages have."""
    rows = [
        {"name": one["concept"], "languages": ", ".join(one["languages"]), "sentences": one["sentences"]}
        for one in figures["listed"]
    ]
    # Jobs that counted earlier did not keep where.
    behind = {
        one["concept"]: {
            language: list(zip(where["units"], where["lines"], strict=True)) for language, where in one["where"].items()
        }
        for one in figures["listed"]
        if "where" in one
    }
    report = plain_report(("name", "languages", "sentences"), rows)
    return replace(report, leading="name", behind=behind)


def _in_all(figures: Json) -> Headline | None:
    """How many concepts all languages have."""
    if len(figures["overlaps"]) < 2:
        return None
    return Headline(grouped(figures["in_all"]), gettext("concepts were found in all languages."))


def _largest(figures: Json) -> Headline | None:
    """The two languages that overlap most."""
    found = [one for one in figures["overlaps"] if one["jaccard"] is not None]
    if not found:
        return None
    most = max(found, key=lambda one: one["jaccard"])
    gaps = {
        "a": language_in_words(most["language"]),
        "b": language_in_words(most["other"]),
        "part": grouped(most["shared"]),
        "whole": grouped(most["union"]),
    }
    text = gettext("is the largest overlap: %(a)s and %(b)s share %(part)s of %(whole)s concepts.")
    return Headline(number_format(_three(most["jaccard"])), text % gaps)


def _three(number: float | None) -> str:
    return "–" if number is None else f"{number:.3f}"


_COLUMNS = {
    "found": gettext_lazy("With an object"),
    "subjects": gettext_lazy("Subjects"),
    "relations": gettext_lazy("Relations"),
    "concepts": gettext_lazy("Concepts"),
    "own": gettext_lazy("In no other language"),
    "similar": gettext_lazy("Most similar"),
    "jaccard": gettext_lazy("Jaccard"),
    "other": gettext_lazy("Other language"),
    "shared": gettext_lazy("Shared"),
    "union": gettext_lazy("In either"),
    "name": gettext_lazy("Concept"),
    "languages": gettext_lazy("Languages"),
}
COUNTED = Figures("concepts", has_units(UNIT_KIND), count_concepts)
CONCEPTS = ReportSpec(
    name="concepts",
    figures=COUNTED,
    show=concepts,
    title=gettext_lazy("Concepts"),
    text=gettext_lazy("Concepts that figurative sentences compare their subjects to, in their base form, by language."),
    columns=_COLUMNS,
    layers=(FIGURATIVE_PAIR.slug,),
    headline=_in_all,
)
OVERLAP = ReportSpec(
    name="concept-overlap",
    figures=COUNTED,
    show=concept_overlap,
    title=gettext_lazy("Overlap of concepts"),
    text=gettext_lazy("Concepts that two languages share, out of those that either has (Jaccard)."),
    columns=_COLUMNS,
    layers=(FIGURATIVE_PAIR.slug,),
    languages=2,
    headline=_largest,
)
SHARED = ReportSpec(
    name="shared-concepts",
    figures=COUNTED,
    show=shared_concepts,
    title=gettext_lazy("Shared concepts"),
    text=gettext_lazy("The most widely shared concepts, and how many sentences contain them."),
    columns=_COLUMNS,
    layers=(FIGURATIVE_PAIR.slug,),
    languages=2,
)
