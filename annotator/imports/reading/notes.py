"""What is said of the files of an import as a whole, once they are read."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from annotator.core.errors import quoted
from annotator.imports.queries.imports import imports_of
from annotator.imports.reading.findings import Findings
from annotator.imports.reading.problems import ERROR, Problem
from annotator.imports.reading.source import Terms
from annotator.models import LabelsAs, Project

# Categories, attributes and ids that a note lists.
MAX_NAMED = 20


def closing_notes(project: Project, terms: Terms, findings: Findings, lost_attributes: Counter[str]) -> None:
    """Add to the findings what holds for all of the files. `lost_attributes`: those of labels that the scheme does not
    know, with how many labels have them."""
    _refuse_alike(project, terms, findings)
    _refuse_empty(terms, findings)
    notes = [*_homeless(findings), *_lost(lost_attributes), *_aside(findings), *_by_machine(findings)]
    notes += _left_out(terms, findings)
    findings.problems.note(notes)


def _refuse_alike(project: Project, terms: Terms, findings: Findings) -> None:
    """Names of datasets become names of files: on Windows and macOS those of "A" and "a" would be the same."""
    alike = imports_of(project).filter(dataset__iexact=terms.dataset).exclude(dataset=terms.dataset)
    if there := alike.values_list("dataset", flat=True).first():
        text = _(
            "The project has a dataset %(there)s, which differs from %(name)s only in capital letters. Use the same "
            "spelling, or choose another name."
        )
        findings.problems.error(None, text % {"there": quoted(there), "name": quoted(terms.dataset)})


def _refuse_empty(terms: Terms, findings: Findings) -> None:
    """Files without a single sentence: a header alone, or blank lines."""
    if findings.counts.records or findings.counts.pairs or findings.problems.error_count:
        return
    for one in terms.files:
        findings.problems.add(Problem(ERROR, one["name"], 0, _("a file with at least one sentence"), _("none")))


def _homeless(findings: Findings) -> Iterator[str]:
    """Categories that are left out although labels are to come in: how many, and what to do."""
    counts = findings.counts
    if number := counts.homeless_sentences:
        names = [f"{name}: {count}" for name, count in counts.homeless.most_common(MAX_NAMED)]
        text = ngettext(
            "%(number)d sentence has a category that is left out, because this project has no place for it "
            "(%(names)s). To import it, choose under “Import” a label that can be used on a sentence without words, "
            "or add a layer of sentence categories.",
            "%(number)d sentences have categories that are left out, because this project has no place for them "
            "(%(names)s). To import them, choose under “Import” labels that can be used on a sentence without words, "
            "or add a layer of sentence categories.",
            number,
        )
        yield text % {"number": number, "names": _listed(names, len(counts.homeless))}


def _lost(attributes: Counter[str]) -> Iterator[str]:
    """Attributes of labels that the scheme does not know: how many are left out."""
    for name, number in attributes.most_common(MAX_NAMED):
        text = ngettext(
            "%(number)d label has the attribute %(name)s, which this project's label scheme does not have. It is "
            "left out.",
            "%(number)d labels have the attribute %(name)s, which this project's label scheme does not have. It "
            "is left out.",
            number,
        )
        yield text % {"number": number, "name": quoted(name, 60)}


def _aside(findings: Findings) -> Iterator[str]:
    """Sentences that somebody set aside here: they stay so, whatever the files have."""
    if number := len(findings.aside):
        names = [quoted(uid) for uid in findings.aside[:MAX_NAMED]]
        text = ngettext(
            "%(number)d sentence in the files was set aside in this project and stays set aside: %(names)s. To "
            "import it, restore it first.",
            "%(number)d sentences in the files were set aside in this project and stay set aside: %(names)s. To "
            "import them, restore them first.",
            number,
        )
        yield text % {"number": number, "names": _listed(names, number)}


def _by_machine(findings: Findings) -> Iterator[str]:
    """Labels that a model alone gave, where the files are said to have people's."""
    if number := findings.counts.by_machine:
        text = ngettext(
            "%(number)d sentence only has labels from a model, which are left out because they are not decisions. To "
            "import them, import the file again as a model’s suggestions.",
            "%(number)d sentences only have labels from a model, which are left out because they are not decisions. "
            "To import them, import the file again as a model’s suggestions.",
            number,
        )
        yield text % {"number": number}


def _left_out(terms: Terms, findings: Findings) -> Iterator[str]:
    """That nobody has said whose the labels of the files are: they do not come in unnoticed, nor stay out so."""
    number = sum(sentences for sentences, _spans in findings.counts.answers.values())
    if number and terms.labels_as == LabelsAs.NONE:
        text = ngettext(
            "%(number)d sentence has labels that are left out. To import them, choose whose they are.",
            "%(number)d sentences have labels that are left out. To import them, choose whose they are.",
            number,
        )
        yield text % {"number": number}
    if number := findings.counts.tags_left_out:
        text = ngettext(
            "%(number)d pair has a tag that is left out. To import it, take the labels as gold or as a person’s "
            "annotations.",
            "%(number)d pairs have tags that are left out. To import them, take the labels as gold or as a person’s "
            "annotations.",
            number,
        )
        yield text % {"number": number}


def _listed(names: list[str], number: int) -> str:
    return ", ".join(names) + (", …" if number > len(names) else "")
