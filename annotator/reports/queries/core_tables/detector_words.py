"""A detector's suggestions against gold, word by word."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from annotator.core.permissions import Permission
from annotator.domain.labels.spans import OUTSIDE, spans_from_json, token_labels
from annotator.domain.text.tokens import bare
from annotator.models import Gold, Project, Suggestion, SuggestionKind
from annotator.models.corpus_import import PUBLISHED
from annotator.reports.queries.core_tables.sentences import has_gold
from annotator.reports.queries.reports import Figures, Json, Report, ReportSpec, notes_of, plain_report

NAME = "detector-words"
_COLUMNS = (
    "language", "detector", "name", "other",
    "right", "false_positives", "false_negatives", "labelled", "uses",
)  # fmt: skip
# Rows of the table: those with most errors. Sentences of each, and forms.
MAX_ROWS, MAX_SENTENCES, MAX_FORMS = 500, 200, 4


@dataclass
class _Word:
    """A lemma under one detector. `places`: units in which the detector errs on it."""

    right: int = 0
    false_positives: int = 0
    false_negatives: int = 0
    forms: Counter[str] = field(default_factory=Counter)
    places: dict[int, None] = field(default_factory=dict)

    @property
    def errors(self) -> int:
        return self.false_positives + self.false_negatives


def count(project: Project) -> Json:
    """Each word of sentences with gold and a current prediction that either labels, by language, detector and lemma.

    A word is right where both give it a label, whichever. `labelled` and `uses`: how often gold labels the lemma, and
    how often it stands there, in all sentences with gold.
    """
    rows: list[dict[str, Any]] = []
    behind: defaultdict[str, dict[str, list[tuple[int, int]]]] = defaultdict(dict)
    left = 0
    for language in project.languages:
        words, labelled, uses = _words(project, language)
        order = sorted(words.items(), key=lambda one: (-one[1].errors, one[0]))
        left += sum(word.errors > 0 for _key, word in order[MAX_ROWS:])
        for (detector, lemma), word in order[:MAX_ROWS]:
            rows.append(
                {
                    "language": language,
                    "detector": detector,
                    "name": lemma,
                    "other": ", ".join(form for form, _times in word.forms.most_common(MAX_FORMS)),
                    "right": word.right,
                    "false_positives": word.false_positives,
                    "false_negatives": word.false_negatives,
                    "labelled": labelled[lemma],
                    "uses": uses[lemma],
                }
            )
            there = behind[lemma].setdefault(language, [])
            known = {unit for unit, _line in there}
            there += [(unit, 0) for unit in word.places if unit not in known][: MAX_SENTENCES - len(there)]
    return {
        "rows": rows,
        "behind": {lemma: found for lemma, found in behind.items() if any(found.values())},
        "left": left,
    }


def _words(project: Project, language: str) -> tuple[dict[tuple[str, str], _Word], Counter[str], Counter[str]]:
    words: defaultdict[tuple[str, str], _Word] = defaultdict(_Word)
    labelled: Counter[str] = Counter()
    uses: Counter[str] = Counter()
    predicted = _predictions(project, language)
    for unit, tokens, lemmas, content in _gold(project, language):
        gold = token_labels(spans_from_json(content["spans"]), len(tokens))
        keys = [lemma.casefold() for lemma in (lemmas if len(lemmas) == len(tokens) else map(bare, tokens))]
        uses.update(keys)
        labelled.update(key for key, label in zip(keys, gold, strict=True) if label != OUTSIDE)
        if unit not in predicted:
            continue
        detector, suggested = predicted[unit]
        found = token_labels(spans_from_json(suggested["spans"]), len(tokens))
        for token, key, is_label, was in zip(tokens, keys, gold, found, strict=True):
            if is_label == was == OUTSIDE:
                continue
            word = words[detector, key]
            word.forms[bare(token).lower()] += 1
            word.right += OUTSIDE not in (is_label, was)
            word.false_positives += is_label == OUTSIDE
            word.false_negatives += was == OUTSIDE
            if OUTSIDE in (is_label, was):
                word.places[unit] = None
    return words, labelled, uses


def _predictions(project: Project, language: str) -> dict[int, tuple[str, dict[str, Any]]]:
    """By unit: the detector, and what it suggests now."""
    rows = Suggestion.objects.filter(
        PUBLISHED,
        project=project,
        layer=project.label_layer,
        kind=SuggestionKind.PREDICTION,
        is_current=True,
        unit__language=language,
    ).order_by()
    found = rows.values_list("unit_id", "name", "content").iterator(chunk_size=1000)
    return {unit: (name, content) for unit, name, content in found}


def _gold(project: Project, language: str) -> Iterator[tuple[int, Sequence[str], Sequence[str], dict[str, Any]]]:
    rows = Gold.objects.filter(
        project=project, layer=project.label_layer, unit__language=language, unit__is_current=True
    ).order_by("unit__segment__position", "unit_id")
    yield from rows.values_list("unit_id", "unit__tokens", "unit__lemmas", "content").iterator(chunk_size=1000)


def show(figures: Json) -> Report:
    """The table; each word leads to the sentences in which the detector errs on it."""
    notes = notes_of((figures["left"], _("Further words with errors: %(count)d.")))
    report = plain_report(_COLUMNS, figures["rows"], notes)
    return Report(report.rows, report.columns, report.cells, notes, leading="name", behind=figures["behind"])


def _there(project: Project) -> bool:
    """Whether there are gold and a prediction. Two statements."""
    predicted = Suggestion.objects.filter(
        project=project, layer=project.label_layer, kind=SuggestionKind.PREDICTION, is_current=True
    )
    return has_gold(project, project.label_layer) and predicted.exists()


TABLE = ReportSpec(
    name=NAME,
    figures=Figures(NAME, _there, count),
    show=show,
    title=gettext_lazy("Detector and gold, by word"),
    text=gettext_lazy(
        "Words that the detector suggests or gold labels. A false positive is suggested and has no gold label; a false "
        "negative has one and is not suggested."
    ),
    columns={
        "detector": gettext_lazy("Detector"),
        "name": gettext_lazy("Lemma"),
        "other": gettext_lazy("Words"),
        "right": gettext_lazy("Correctly suggested"),
        "false_positives": gettext_lazy("False positives"),
        "false_negatives": gettext_lazy("False negatives"),
        "labelled": gettext_lazy("Labelled in gold"),
        "uses": gettext_lazy("Uses in gold"),
    },
    needs=Permission.ADJUDICATE,
)
