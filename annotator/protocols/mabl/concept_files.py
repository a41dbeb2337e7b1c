"""What sentences compare, in a release: a table for each language."""

from __future__ import annotations

from collections import defaultdict

from annotator.domain.content.verdict import GOES_OUT
from annotator.domain.silver.comparisons import basic_form
from annotator.models import Project
from annotator.protocols.mabl.concepts import compared, language_compared_in
from annotator.protocols.mabl.decided import verdicts
from annotator.releases.queries.release_parts import Part
from annotator.work.gold.queries.withheld import repeats_withheld, withheld

_HEADING = ("id", "label", "subject", "relation", "object", "concept", "found", "text_in")


def concepts_part(project: Project) -> Part:
    """`concepts/<language>.tsv`: a line for each sentence in which something was found; `concept` is the object in its
    basic form. Of accepted pairs alone, and of those whose text, and the translation that it was found in, may be
    published."""
    lines: defaultdict[str, list[tuple[str, ...]]] = defaultdict(list)
    kept_back = withheld(project)
    accepted = set(verdicts(project).filter(content__verdict__in=GOES_OUT).values_list("unit_id", flat=True))
    language = language_compared_in(project)
    for one in compared(project):
        if one.comparison is None or one.unit.pk not in accepted:
            continue
        if any(repeats_withheld(unit, kept_back) for unit in (one.unit, one.text_of)):
            continue
        parts = (one.comparison.subject, one.comparison.relation, one.comparison.object)
        concept = basic_form(one.comparison.object, language)
        cells = (one.unit.segment.uid, str(one.half), *parts, concept, one.found, one.text_of.language)
        lines[one.language].append(cells)
    files = {f"concepts/{language}.tsv": _written(lines[language]) for language in project.languages if lines[language]}
    about = {
        "concepts/": "subject, relation and object of figurative sentences, and the concepts that they compare with"
    }
    return Part(files, about if files else {})


def _written(lines: list[tuple[str, ...]]) -> bytes:
    # A tab or line break in a cell must not become another one.
    return "".join("\t".join(" ".join(cell.split()) for cell in line) + "\n" for line in [_HEADING, *lines]).encode()
