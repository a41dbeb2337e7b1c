"""How many of something a file has, as a warning says it: "1 relation between labels", "3 relations between labels"."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from annotator.domain.messages import Message, Sentence, by_number, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatWarning, quote

# What readers count, by its text: how it is said of one.
ONE: Mapping[str, str] = {
    "relations between labels, which are not imported": _("relation between labels, which is not imported"),
    "links from one label to others, which are not imported": _("link from one label to others, which is not imported"),
    "events, which are not imported": _("event, which is not imported"),
    "normalisations, which are not imported": _("normalisation, which is not imported"),
    "notes, which are not imported": _("note, which is not imported"),
    "attributes of something other than a label, which are not imported": _(
        "attribute of something other than a label, which is not imported"
    ),
    "labels without characters, which are not imported": _("label without characters, which is not imported"),
    "labels outside of sentences, which are not imported": _("label outside of sentences, which is not imported"),
    "labels that cross a sentence boundary, read as one label per sentence": _(
        "label that crosses a sentence boundary, read as one label per sentence"
    ),
    "characters outside of sentences, which are not imported": _(
        "character outside of sentences, which is not imported"
    ),
    "sentences with words outside of tokens, which are split again": _(
        "sentence with words outside of tokens, which is split again"
    ),
    "answers marked as %(state)s, which are left out": _("answer marked as %(state)s, which is left out"),
    "labels marked as %(state)s, which are left out": _("label marked as %(state)s, which is left out"),
    "lists of IOB1 tags, where I- begins a label, read as BIO": _(
        "list of IOB1 tags, where I- begins a label, read as BIO"
    ),
    "lists of tokens that do not match their text, which are left out": _(
        "list of tokens that does not match its text, which is left out"
    ),
    "labels whose end is their last character, according to the text beside them": _(
        "label whose end is its last character, according to the text beside it"
    ),
    "predictions given only by their number, which are not imported": _(
        "prediction given only by its number, which is not imported"
    ),
    "tasks that the same person labelled twice, imported with the later labels": _(
        "task that the same person labelled twice, imported with the later labels"
    ),
    "scores that are not between 0 and 1, which are not imported": _(
        "score that is not between 0 and 1, which is not imported"
    ),
    "results of type %(what)s, which are not imported": _("result of type %(what)s, which is not imported"),
    "annotations in the layer %(what)s, which are not imported": _(
        "annotation in the layer %(what)s, which is not imported"
    ),
    "words without characters, which are left out": _("word without characters, which is left out"),
    "labels on part of a word, read as labels on the whole word": _(
        "label on part of a word, read as one on the whole word"
    ),
    "texts outside of words, which are left out": _("text outside of words, which is left out"),
    "labels without words, which are left out": _("label without words, which is left out"),
    "labels of type %(what)s, which are left out": _("label of type %(what)s, which is left out"),
    "<seg> with function %(what)s, which are left out": _("<seg> with function %(what)s, which is left out"),
    "labels of subtype %(what)s, which is not imported": _("label of subtype %(what)s, which is not imported"),
    "sentences from a file without MIPVU labels, imported without an answer": _(
        "sentence from a file without MIPVU labels, imported without an answer"
    ),
    "sentences from a file without a label layer, imported without an answer": _(
        "sentence from a file without a label layer, imported without an answer"
    ),
    "sentences from %(partly)s that the corpus authors did not annotate, imported without an answer": _(
        "sentence from %(partly)s that the corpus authors did not annotate, imported without an answer"
    ),
}


def counted(counts: Mapping[Sentence, int], file: str, line: int) -> Iterator[FormatWarning]:
    """A warning for each thing that was counted."""
    for what, number in counts.items():
        one = ONE.get(what.text) if isinstance(what, Message) and number == 1 else None
        shown = Message(one, what.gaps) if one and isinstance(what, Message) else what
        yield FormatWarning(file, line, message(_("%(number)s %(what)s"), number=number, what=shown))


@dataclass(slots=True)
class LeftOut:
    """What a reader does not read of objects, by key: how often it stands there, and where first."""

    _found: dict[str, tuple[str, int, int]] = field(default_factory=dict)

    def add(self, key: str, file: str, line: int, number: int = 1) -> None:
        """Count a key once more, or `number` times."""
        first, at, before = self._found.get(key, (file, line, 0))
        self._found[key] = (first, at, before + number)

    def warnings(self) -> Iterator[FormatWarning]:
        """A warning for each key, at the line where it first stands."""
        for key, (file, line, number) in self._found.items():
            what = by_number(number, _("%(key)s is not read (once)"), _("%(key)s is not read (%(number)s times)"))
            yield FormatWarning(file, line, message(what, key=quote(key, 60), number=number))
