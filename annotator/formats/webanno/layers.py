"""Layers as INCEpTION and WebAnno have them: types of annotations with features.

A layer's label is its feature `value` or `label`, or its only one; the other features are attributes. A layer whose
annotations say none of these is a label itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from annotator.domain.labels.spans import Span
from annotator.domain.messages import Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.records import CharSpan, Labels, Record, Text
from annotator.formats.common.voices import Voice, only_labels
from annotator.formats.text.characters import as_characters, places_of

DKPRO = "de.tudarmstadt.ukp.dkpro.core.api."
TOKEN = DKPRO + "segmentation.type.Token"
SENTENCE = DKPRO + "segmentation.type.Sentence"
LEMMA = DKPRO + "segmentation.type.Lemma"
POS = DKPRO + "lexmorph.type.pos.POS"
NAMED_ENTITY = DKPRO + "ner.type.NamedEntity"

# What INCEpTION notes in a document for itself, by the name without its package: nothing of it is about the text.
NOTES = {"CASMetadata", "FeatureDefinition", "LayerDefinition", "TagDescription", "TagsetDescription"}

# The layers that are written: labels, and those of a whole sentence.
LABELS = "webanno.custom.Label"
WHOLE = "webanno.custom.SentenceLabel"
VALUE = "value"
# These tools have no labels that leave words out: pieces with the same text here, in one sentence, are one label.
PART = "part"
_LAYER = "layer"
_IDENTIFIER = re.compile(r"[^\W\d_]\w*")


def short(name: str) -> str:
    """A layer's name without its package."""
    return name.rpartition(".")[2]


def is_labels(layer: str) -> bool:
    """Whether a span layer has labels, rather than what taggers and parsers say of tokens."""
    return layer == NAMED_ENTITY or not layer.startswith((DKPRO, "uima.", "org.dkpro.core.api.", "de.tudarmstadt.ukp."))


def label_of(
    layer: str, features: Mapping[str, str], names: Sequence[str], *, several: bool
) -> tuple[str, dict[str, str]]:
    """The label and the attributes of an annotation. `names`: the layer's features; `several`: there are others."""
    main = next((name for name in (VALUE, "label") if name in names), names[0] if len(names) == 1 else "")
    label = features.get(main, "") or short(layer)
    attributes = {name: value for name, value in features.items() if name != main and value}
    if several and layer != LABELS:
        attributes.setdefault(_LAYER, short(layer))
    return label, attributes


def joined(spans: Iterable[CharSpan]) -> list[CharSpan]:
    """The labels of a sentence, those joined that are parts of one."""
    found: dict[object, CharSpan] = {}
    for number, span in enumerate(spans):
        part = span.attributes.get(PART)
        if not part:
            found[number] = span
            continue
        attributes = {name: value for name, value in span.attributes.items() if name != PART}
        key = (part, span.label)
        before = found.get(key)
        fragments = sorted({*span.fragments, *(before.fragments if before else ())})
        found[key] = CharSpan(tuple(fragments), span.label, attributes)
    return list(found.values())


def layers_of(record: Record, text: Text, tool: str) -> list[tuple[str, tuple[int, int] | None, dict[str, str]]]:
    """The annotations of a sentence: layer, begin and end (None for all of it), features.

    Raises ValueError for several sources of labels, and for attributes whose names the tools do not allow.
    """
    labels = only_labels(record, text, tool)
    places = places_of(text)
    found: list[tuple[str, tuple[int, int] | None, dict[str, str]]] = []
    spans = [as_characters(span, places) for span in (labels.spans if labels else ())]
    # In order, so that what is read of it is written alike.
    spans.sort(key=lambda span: (span.fragments, span.label, tuple(span.attributes.items())))
    for number, whole in enumerate(spans, start=1):
        features = {VALUE: whole.label, **whole.attributes}
        layer = LABELS
        if named := features.pop(_LAYER, ""):
            layer = NAMED_ENTITY if named == short(NAMED_ENTITY) else f"webanno.custom.{named}"
        for name in (*features, named or "x"):
            if not _IDENTIFIER.fullmatch(name):
                raise ValueError(f"{tool} has no features called {name!r}; they are made of letters and digits.")
        if not whole.fragments:
            found.append((WHOLE, None, features))
        elif len(whole.fragments) == 1:
            found.append((layer, whole.fragments[0], features))
        else:
            found += [(layer, piece, {**features, PART: str(number)}) for piece in whole.fragments]
    return found


def declared(annotations: Iterable[tuple[str, Iterable[str]]], *, answered: bool) -> dict[str, list[str]]:
    """The layers that a file declares, with their features, from those of its annotations.

    `answered`: whether anybody labelled the sentences. Without a layer nothing would say that there are no labels; with
    another one alone, a reader would take its name for known.
    """
    found: dict[str, set[str]] = {}
    for layer, features in annotations:
        found.setdefault(layer, set()).update(features)
    if (answered and not found) or found.keys() - {LABELS, WHOLE}:
        found.setdefault(LABELS, {VALUE})
    return {layer: sorted(features) for layer, features in sorted(found.items())}


def left_out(layer: str) -> Sentence:
    """What the annotations of a layer that is not read are counted as."""
    return message(_("annotations in the layer %(what)s, which are not imported"), what=short(layer))


NO_LAYER = _("sentences from a file without a label layer, imported without an answer")


def voiced(voice: Voice | None, spans: Iterable[Span | CharSpan]) -> tuple[Labels, ...]:
    """The labels of a sentence in a file of one voice."""
    return (Labels(voice.says, voice.name, tuple(spans)),) if voice else ()
