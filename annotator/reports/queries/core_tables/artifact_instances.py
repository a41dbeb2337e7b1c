"""The instances that the artifact audit guesses: what a project's gold says, of which texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict

from annotator.domain.agreement.distances import ORDINAL
from annotator.domain.audit.instances import Drawn, Expressions, Instance
from annotator.domain.audit.scores import Guessed, Undefined
from annotator.domain.audit.scoring import audit
from annotator.domain.content import Content, ContentType, content_type
from annotator.domain.text.tokens import word_of
from annotator.models import Layer, Project
from annotator.reports.queries.reports import Json
from annotator.work.gold.queries.slots import Slot, Text, slots_of

_SEED = 1
# The halves of a scale.
LOW, HIGH = "low", "high"
Without = Collection[tuple[str, int]]


def count(project: Project) -> Json:
    """The scores of each layer with categories and each language."""
    return {"tasks": [task | _scored(drawn) for task, drawn in _tasks(project)]}


def count_released(project: Project, stored: Json | None, without: Without) -> Json:
    """The same without texts that are kept back (language and segment). A task whose instances are those of `stored`
    has its scores."""
    known = {task["sha256"]: task["scores"] for task in (stored or {}).get("tasks", ())}
    tasks = []
    for task, drawn in _tasks(project, without):
        scores = known.get(task["sha256"])
        tasks.append(task | (_scored(drawn) if scores is None or _lacks(scores) else {"scores": scores}))
    return {"tasks": tasks}


def _lacks(scores: Sequence[Json]) -> bool:
    """Whether a site without the extra counted them."""
    return any(one["undefined"] == Undefined.NOT_INSTALLED for one in scores)


def _scored(drawn: Drawn) -> Json:
    return {"scores": [asdict(score) for score in audit(drawn, _SEED)]}


def _tasks(project: Project, without: Without = ()) -> Iterator[tuple[Json, Drawn]]:
    for layer in project.layers.select_related("project").filter(golds__isnull=False).distinct():
        for (language, what), drawn in _drawn(layer, without).items():
            yield (
                {
                    "layer": layer.slug,
                    "language": language,
                    "what": what,
                    "instances": sum(drawn.counts.values()),
                    "used": len(drawn.instances()),
                    "classes": dict(sorted(drawn.counts.items())),
                    "rare": drawn.rare,
                    "sha256": drawn.sha256,
                },
                drawn,
            )


def _drawn(layer: Layer, without: Without) -> dict[tuple[str, Guessed], Drawn]:
    """The instances of a layer, by language and what is guessed."""
    kind = content_type(layer.content_type)
    dimension = kind.dimensions[0]
    values = kind.values(layer.scheme_data, dimension)
    reading = (
        _Labels(kind, layer) if marks_tokens(kind) else _Units(kind, layer, values if ORDINAL in kind.distances else ())
    )
    found: defaultdict[tuple[str, Guessed], Drawn] = defaultdict(lambda: Drawn(_SEED))
    if not values:
        # Free texts are not classes.
        return found
    reading.prepare(without)
    for slot, language, content in _decided(layer, without):
        for what, instance in reading.instances(slot, language, content):
            found[language, what].add(instance)
    return found


def _decided(layer: Layer, without: Without) -> Iterator[tuple[Slot, str, Content]]:
    for some in slots_of(layer):
        for slot in some:
            for language in sorted(slot.gold):
                if language in slot.texts and (language, slot.segment) not in without:
                    yield slot, language, slot.gold[language]


def marks_tokens(kind: ContentType) -> bool:
    """Whether contents say something of each token, rather than of the unit."""
    tokens = [""] * 7
    return len(kind.observations(kind.empty(), tokens=tokens, dimension=kind.dimensions[0])) == len(tokens)


class _Labels:
    """Where tokens are labelled: each labelled expression, and each unlabelled use of the same lemmas."""

    def __init__(self, kind: ContentType, layer: Layer) -> None:
        self.kind, self.layer = kind, layer
        self._expressions: defaultdict[str, Expressions] = defaultdict(Expressions)

    def prepare(self, without: Without) -> None:
        for slot, language, content in _decided(self.layer, without):
            lemmas = _lemmas(slot.texts[language])
            for tokens, _label in _spans(content, len(lemmas)):
                self._expressions[language].add(lemmas, tokens)

    def instances(self, slot: Slot, language: str, content: Content) -> Iterator[tuple[Guessed, Instance]]:
        text = slot.texts[language]
        lemmas, words = _lemmas(text), _words(text.tokens)
        spans = list(dict.fromkeys(_spans(content, len(words))))
        uses = self._expressions[language].uses(lemmas, [tokens for tokens, _label in spans])
        for tokens, label in [*spans, *((tokens, self.kind.unmarked) for tokens in uses)]:
            named = " ".join(lemmas[token] for token in tokens)
            key = f"{slot.uid} {'+'.join(map(str, tokens))} {label}"
            yield Guessed.GOLD, Instance(key, label, named, (words,), tokens)


class _Units:
    """Where something is said of whole units: each unit. `scale`: values in their order, of which halves are told
    apart."""

    def __init__(self, kind: ContentType, layer: Layer, scale: Sequence[str]) -> None:
        self.kind = kind
        self._dimension = kind.dimensions[0]
        self._half = {value: LOW if 2 * place < len(scale) else HIGH for place, value in enumerate(scale)}

    def prepare(self, without: Without) -> None:
        """Nothing has to be known of other units."""

    def instances(self, slot: Slot, language: str, content: Content) -> Iterator[tuple[Guessed, Instance]]:
        text = slot.texts[language]
        texts = tuple(_parts(_words(text.tokens), text.lengths))
        said = self.kind.observations(content, tokens=text.tokens, dimension=self._dimension)
        # Of several parts, each has an answer of its own, which the same text cannot tell apart.
        label = " ".join(self._half.get(one, one) for one in said)
        if label:
            yield Guessed.GOLD, Instance(slot.uid, label, slot.whole_group, texts)
        if slot.inference:
            yield Guessed.INFERENCE, Instance(slot.uid, slot.inference, slot.whole_group, texts)


def _spans(content: Content, length: int) -> Iterator[tuple[tuple[int, ...], str]]:
    for span in content["spans"]:
        tokens = tuple(sorted(token for token in span["tokens"] if token < length))
        if tokens:
            yield tokens, span["label"]


def _words(tokens: Sequence[str]) -> tuple[str, ...]:
    return tuple(word_of(token) or token for token in tokens)


def _lemmas(text: Text) -> Sequence[str]:
    return [lemma.lower() for lemma in text.lemmas] or _words(text.tokens)


def _parts(words: tuple[str, ...], lengths: Sequence[int]) -> Iterator[tuple[str, ...]]:
    begin = 0
    for length in lengths or [len(words)]:
        yield words[begin : begin + length]
        begin += length
