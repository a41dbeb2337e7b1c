"""Whose the labels and categories in files are, and what they become, once they are in the project."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from django.utils.translation import gettext as _

from annotator.core.errors import quoted, translate
from annotator.domain.content import CHOICE, ContentError, content_type
from annotator.domain.labels.incoming_labels import LabelMapping, becomes, same_name, taken_over
from annotator.domain.labels.spans import Scheme, Span, SpanError, check_spans
from annotator.formats.common.records import Labels, Says, Text
from annotator.imports.reading.source import Terms
from annotator.imports.reading.staging import IncomingAnswer
from annotator.models import LabelsAs, Layer, Project, Segment, User

# Where a reader has a category of the whole text among its labels, what names its layer.
LAYER = "layer"


class LabelsRefused(ValueError):
    """Labels that cannot be imported. The text is what was expected; `got` what was found, or ""."""

    def __init__(self, expected: str, got: str = "") -> None:
        super().__init__(expected)
        self.got = got


Categories = Mapping[str, Sequence[str]]
"""Categories of a sentence by the name that the file has for their layer, "" where it has none."""


def category_layers(project: Project) -> list[Layer]:
    """The layers in which a sentence has one of a list of categories."""
    return list(project.layers.filter(content_type=CHOICE.slug, unit_kind=Segment.SENTENCE).order_by("position", "pk"))


def answer_layers(project: Project) -> dict[str, Layer]:
    """The project's layers as answers of files name them: by slug, and "" for the layer of labels, if there is one."""
    found = {layer.slug: layer for layer in project.layers.all()}
    with suppress(LookupError):
        found[""] = project.label_layer
    return found


def tag_source(project: Project, terms: Terms) -> IncomingAnswer | None:
    """Whose the tags of pairs are, as an answer in their layer without content; None where they are left out: where
    nobody said whose they are, and of models, whose tags are no suggestions that a stage shows."""
    layer = project.tag_layer
    if layer is None:
        return None
    if terms.labels_as in (LabelsAs.GOLD, LabelsAs.FILE):
        return IncomingAnswer(Says.GOLD, {}, layer.slug)
    if terms.labels_as == LabelsAs.PERSON:
        rows = project.memberships.filter(user__username=terms.labels_name)
        user = rows.values_list("user", flat=True).first()
        # `LabelAttribution` says that there is no such member.
        return IncomingAnswer(Says.PERSON, {}, layer.slug, user, terms.labels_name) if user else None
    return None


class LabelAttribution:
    """Says whose the labels of each sentence are. Raises LabelsRefused at once where the terms name nobody."""

    def __init__(self, project: Project, terms: Terms) -> None:
        self._terms = terms
        self._scheme: Scheme | None = None
        self._members: Mapping[str, User] = {}
        self._chosen = {label: LabelMapping.from_json(one) for label, one in terms.label_map.items()}
        self._choices: list[Layer] = []
        self._layers = {layer.slug: layer for layer in project.layers.all()}
        # By name, how many labels have an attribute that the scheme does not know.
        self.lost_attributes: Counter[str] = Counter()
        if terms.labels_as == LabelsAs.NONE:
            return
        try:
            self._scheme = project.label_layer.scheme
        except LookupError as error:
            raise LabelsRefused(_("This project has no label layer, so labels can't be imported.")) from error
        self._choices = category_layers(project)
        self._members = {
            row.user.username: row.user for row in project.memberships.select_related("user").order_by("pk")
        }
        if terms.labels_as == LabelsAs.PERSON:
            self._member(terms.labels_name)
        if terms.labels_as == LabelsAs.MODEL and not terms.labels_name:
            raise LabelsRefused(_("Enter the name of the model that made the labels."))

    def of(self, text: Text, length: int, kind: str) -> list[IncomingAnswer]:
        """The answers on a sentence of `length` tokens, that in the layer of labels first; `kind`: of its units, ""
        for sentences. Raises LabelsRefused.

        A category is an answer of its own where the project has a layer for it, and a label without tokens where the
        scheme has such a one; otherwise it is left out (`homeless` says so).
        """
        if self._scheme is None or not text.answered:
            return []
        if self._terms.labels_as == LabelsAs.FILE:
            whose = [self._whose(labels) for labels in text.labels]
            if len({(one.says, one.user, one.name) for one in whose}) < len(whose):
                raise LabelsRefused(_("one answer per sentence from each person or model"), _names(text.labels))
            sources: list[tuple[IncomingAnswer, Labels | None]] = [*zip(whose, text.labels, strict=True)]
            sources = sources or [(IncomingAnswer(Says.GOLD, {}), None)]
        else:
            # What a model says is nobody's answer, whatever the file is taken as.
            of_people = [labels for labels in text.labels if not self._is_of_a_machine(labels)]
            sources = [(self._as_told(), _only(of_people) if of_people else None)]
            text = replace(text, labels=tuple(of_people))
        found: list[IncomingAnswer] = []
        for one, labels in sources:
            if text.labels or text.values:
                found += self._answers(one, labels, text.values, length)
            found += self._contents(one, text, kind)
        return sorted(found, key=lambda answer: answer.layer != "")

    def is_by_machine_alone(self, text: Text) -> bool:
        """Whether a sentence has no labels but a model's, where the files are said to have people's."""
        return bool(text.labels) and self._scheme is not None and all(map(self._is_of_a_machine, text.labels))

    def _is_of_a_machine(self, labels: Labels) -> bool:
        return labels.says == Says.MODEL and self._terms.labels_as in (LabelsAs.GOLD, LabelsAs.PERSON)

    def homeless(self, text: Text, kind: str) -> list[str]:
        """The categories of a sentence, or of another kind of unit, that have no place in the project."""
        if self._scheme is None:
            return []
        categories = _categories(text.values, (span for labels in text.labels for span in labels.spans))
        return [
            *(slug for slug in text.contents if self._layer_for(slug, kind) is None),
            *self._unplaced(categories),
        ]

    def _unplaced(self, categories: Categories) -> list[str]:
        return [
            value
            for name, values in categories.items()
            if self._layer_of(name) is None
            for value in values
            if self._on_sentence(value) is None
        ]

    def _layer_for(self, slug: str, kind: str) -> Layer | None:
        """The layer of this name for such units. Where several kinds have one, the later ones add theirs to it."""
        of_units = kind or Segment.SENTENCE
        layers = (self._layers.get(name) for name in (slug, f"{slug}-{of_units}"))
        return next((layer for layer in layers if layer is not None and layer.unit_kind == of_units), None)

    def _contents(self, whose: IncomingAnswer, text: Text, kind: str) -> list[IncomingAnswer]:
        """What the file says in layers that have a content of their own."""
        found = []
        for slug, content in text.contents.items():
            layer = self._layer_for(slug, kind)
            if layer is None:
                continue
            try:
                checked = content_type(layer.content_type).check(
                    content, scheme=layer.scheme_data, tokens=text.tokens, done=slug not in text.partial
                )
            except ContentError as error:
                raise LabelsRefused(translate(error)) from error
            found.append(whose._replace(layer=layer.slug, content=checked))
        return found

    def _answers(
        self, whose: IncomingAnswer, labels: Labels | None, values: Categories, length: int
    ) -> list[IncomingAnswer]:
        """What one source says of a sentence."""
        given = _spans(labels) if labels is not None else ()
        spans = [span for span in given if not _is_category(span)]
        found: list[IncomingAnswer] = []
        for name, some in _categories(values, given).items():
            layer = self._layer_of(name)
            if layer is None:
                spans += [Span((), value) for value in some if self._on_sentence(value) is not None]
            elif (value := self._category(layer, some)) is not None:
                found.append(whose._replace(layer=layer.slug, content={"value": value}))
        # Beside a category, no labels may mean that nobody was asked for them: nothing is said of the words then.
        if spans or (labels is not None and not given and not values):
            checked = self._checked(spans, whose.says, length)
            found.append(whose._replace(content={"spans": [span.to_json() for span in checked]}))
        return found

    def _as_told(self) -> IncomingAnswer:
        terms = self._terms
        if terms.labels_as == LabelsAs.GOLD:
            return IncomingAnswer(Says.GOLD, {})
        if terms.labels_as == LabelsAs.PERSON:
            user = self._member(terms.labels_name)
            return IncomingAnswer(Says.PERSON, {}, user=user.pk, name=user.username)
        return IncomingAnswer(Says.MODEL, {}, name=terms.labels_name, revision=terms.labels_revision)

    def _whose(self, labels: Labels) -> IncomingAnswer:
        if labels.says == Says.GOLD:
            return IncomingAnswer(Says.GOLD, {})
        if labels.says == Says.MODEL:
            return IncomingAnswer(Says.MODEL, {}, name=labels.name or self._terms.labels_name or "?")
        user = self._member(self._terms.people.get(labels.name, labels.name))
        return IncomingAnswer(Says.PERSON, {}, user=user.pk, name=user.username)

    def _member(self, name: str) -> User:
        try:
            return self._members[name]
        except KeyError:
            raise LabelsRefused(_("the username of the member who made these annotations"), name or "–") from None

    def _layer_of(self, name: str) -> Layer | None:
        """The layer of a category: that of its name, or the only one that there is."""
        named = same_name(name, {layer.slug: "" for layer in self._choices}) if name else None
        if named is None:
            return self._choices[0] if len(self._choices) == 1 else None
        return next(layer for layer in self._choices if layer.slug == named)

    def _category(self, layer: Layer, values: Sequence[str]) -> str | None:
        """What the layer stores of a sentence's categories; None where they are left out."""
        known = dict.fromkeys(layer.scheme_data["values"], "")
        found: list[str] = []
        for value in values:
            chosen = self._chosen.get(value)
            target = chosen.label if chosen is not None else same_name(value, known)
            if target is None or (target and target not in known):
                raise LabelsRefused(
                    _("a category of the layer “%(layer)s” (%(known)s): choose which one it becomes, or leave it out")
                    % {"layer": layer.slug, "known": ", ".join(known)},
                    quoted(value, 100),
                )
            if target:
                found.append(target)
        if len(set(found)) > 1:
            raise LabelsRefused(
                _("one category per sentence in the layer “%(layer)s”") % {"layer": layer.slug}, ", ".join(found)
            )
        return found[0] if found else None

    def _on_sentence(self, value: str) -> str | None:
        """The label without tokens that a category becomes ("": it is left out); None where there is none."""
        if self._scheme is None:
            return None
        new = becomes(value, self._scheme, self._chosen)
        return new.label if new is not None and (not new.label or new.label in self._scheme.tokenless) else None

    def _checked(self, spans: Sequence[Span], says: str, length: int) -> Sequence[Span]:
        """The spans under the project's labels, in order."""
        if not spans or self._scheme is None:
            return spans
        try:
            found = taken_over(spans, self._scheme, self._chosen, self.lost_attributes)
        except LookupError as error:
            raise LabelsRefused(
                _("a label of this project (%(known)s): choose which one it becomes, or leave it out")
                % {"known": ", ".join(self._scheme.labels)},
                quoted(str(error.args[0]), 100),
            ) from error
        if says != Says.MODEL:
            # A score is a machine's.
            found = tuple(replace(span, score=None) if span.score is not None else span for span in found)
        try:
            return check_spans(found, length=length, scheme=self._scheme)
        except SpanError as error:
            raise LabelsRefused(translate(error)) from error


def _only(sources: Sequence[Labels]) -> Labels:
    """The labels of the one source; of several, those that are gold."""
    if len(sources) == 1:
        return sources[0]
    gold = [labels for labels in sources if labels.says == Says.GOLD]
    if len(gold) == 1:
        return gold[0]
    raise LabelsRefused(_("labels from one source, or labels taken as stated in the files"), _names(sources))


def _spans(labels: Labels) -> tuple[Span, ...]:
    # Readers hand character offsets over as tokens (`domain.formats.characters.tokenised`).
    return tuple(span for span in labels.spans if isinstance(span, Span))


def _is_category(span: object) -> bool:
    return isinstance(span, Span) and not span.tokens and LAYER in span.attributes


def _categories(values: Categories, spans: Iterable[object]) -> dict[str, list[str]]:
    """The categories of a sentence, whether they are everybody's or one source's."""
    found = {name: list(some) for name, some in values.items()}
    for span in spans:
        if isinstance(span, Span) and _is_category(span):
            found.setdefault(span.attributes[LAYER], []).append(span.label)
    return found


def _names(sources: Sequence[Labels]) -> str:
    return ", ".join(f"{labels.says} {labels.name}".strip() for labels in sources)
