"""What rows of a project backup must be to each other: a label lies on a token that is there, a stage's layer is of the
kind that its work needs, an answer's item is of its stage.

What is remembered of a table's rows is some bytes each.
"""

from __future__ import annotations

from array import array
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotator.backup.actions.event_shapes import check_kept, check_outcome, check_sides, is_undo, labels_on
from annotator.backup.actions.schema import References, Values, scheme_shape
from annotator.backup.actions.shapes import Misfit, inside
from annotator.backup.actions.split_shapes import Splits
from annotator.backup.actions.work import Work
from annotator.domain.content import SPANS, ContentError, content_type
from annotator.domain.labels.spans import SpanError
from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message
from annotator.domain.states import AnnotationState
from annotator.domain.text.tokens import MAX_CHARACTERS, MAX_TOKENS
from annotator.domain.verbs import Verb
from annotator.models import (
    Alignment,
    Annotation,
    Assignment,
    BlindMark,
    Event,
    Gold,
    Import,
    Item,
    Layer,
    LemmaPlace,
    Pair,
    Repeat,
    Segment,
    Split,
    SplitRow,
    Stage,
    Suggestion,
    SuggestionKind,
    Unit,
)

_FIT = _("does not match the rows that it refers to")
_NOT_THERE = _("refers to something that does not exist")
_EACH_TOKEN = _("must have one value per token")
_NOT_INSTALLED = _("is not installed here")
_NO_CONTENT = _("is not a valid answer")
# Different kinds of segments and units; the kinds of work that ship have a dozen.
_MAX_KINDS = 200


@dataclass(frozen=True, slots=True)
class _Layer:
    content_type: str
    unit_kind: str
    scheme: Values


@dataclass(frozen=True, slots=True)
class _Stage:
    layer: int
    language: str
    kind: str


class Fits:
    """Checks the rows of an archive, table by table in the order of `TABLES`, each with its number from 1 on."""

    def __init__(self, work: Work, counts: References) -> None:
        self._work = work
        self._texts: dict[str, int] = {}
        self._layers: list[_Layer] = []
        # Layers by name, and which of them others name.
        self._slugs, self._shown = set(work.slugs), set[str]()
        self._stages: list[_Stage] = []
        self._deciding: set[tuple[int, str]] = set()
        self._files: list[int] = []
        self._segments = array("H")
        self._paired = bytearray(counts[Segment] + 1)
        self._unit_segments, self._unit_kinds = array("q"), array("H")
        self._unit_languages, self._lengths = array("H"), array("q")
        self._suggested, self._suggested_in = array("q"), array("q")
        self._item_stages, self._item_units = array("q"), array("q")
        self._assigned_to, self._assigned_items = array("q"), array("q")
        self._answered, self._answered_in = array("q"), array("q")
        self._splits = Splits()
        # Of events: what an undo can bring back, and what answers say that it can.
        self._undoable, self._wanted = bytearray(counts[Event] + 1), bytearray(counts[Event] + 1)
        self._check: Mapping[type, Callable[[int, Values, Mapping[int, Sequence[str]]], None]] = {
            Layer: self._layer,
            Stage: self._stage,
            Import: self._import,
            Segment: self._segment,
            Unit: self._unit,
            Pair: self._pair,
            Alignment: self._alignment,
            Suggestion: self._suggestion,
            Item: self._item,
            Assignment: self._assignment,
            Repeat: self._repeat,
            Annotation: self._annotation,
            Gold: self._gold,
            BlindMark: self._blind_mark,
            LemmaPlace: self._lemma_place,
            Event: self._event,
            Split: self._split,
            SplitRow: self._split_row,
        }

    def check(self, model: type, number: int, row: Values, tokens: Mapping[int, Sequence[str]]) -> None:
        """Check a row that has its shape. `tokens`: of the units of `reads`, by number. Contents are brought into
        their one spelling. Raises Misfit."""
        if (check := self._check.get(model)) is not None:
            check(number, row, tokens)

    def reads(self, row: Values) -> int | None:
        """The number of the unit whose tokens the check of a row with a content asks for; None where it asks for
        none."""
        at = row if "unit_id" in row else self._again(row)
        return None if self._layers[at["layer_id"] - 1].content_type == SPANS.slug else int(at["unit_id"])

    def finish(self, model: type) -> None:
        """What is asked of a table as a whole. Raises Misfit."""
        problem = ""
        if model is Layer and not any(one.content_type == SPANS.slug for one in self._layers):
            problem = _("has no label layer")
        elif model is Layer and not self._shown <= self._slugs:
            problem = _("refers to a layer that does not exist")
        elif model is Stage and not self._stages:
            problem = _("is empty")
        elif model is Pair and any(
            kind == self._texts.get(Segment.PAIR) and not self._paired[at]
            for at, kind in enumerate(self._segments, start=1)
        ):
            problem = _("has no row for a segment that is a pair")
        elif model is Event and any(
            wanted and not can for wanted, can in zip(self._wanted, self._undoable, strict=True)
        ):
            problem = _("lacks a change that an answer can undo")
        if problem:
            raise Misfit(message(problem))

    # Rows, in the order of TABLES.

    def _layer(self, _number: int, row: Values, _tokens: Any) -> None:
        slug, kind = row["content_type"], row["unit_kind"]
        try:
            content_type(slug)
        except LookupError:
            raise Misfit(message(_NOT_INSTALLED), "content_type") from None
        known = {(SPANS.slug, Segment.SENTENCE), (Layer.CHOICE, Segment.SENTENCE), *self._work.layers.values()}
        of_any = {self._work.layers[one][0] for one in self._work.made}
        if (slug, kind) not in known and (slug not in of_any or kind in (Segment.SENTENCE, Segment.PAIR)):
            raise Misfit(message(_FIT), "unit_kind")
        inside("scheme_data", scheme_shape(slug), row["scheme_data"])
        self._slugs.add(row["slug"])
        self._shown.update(row["shows"])
        self._layers.append(_Layer(slug, kind, row["scheme_data"]))

    def _stage(self, number: int, row: Values, _tokens: Any) -> None:
        layer, slug, before = self._layers[row["layer_id"] - 1], row["kind"], row["made_from_id"]
        if slug == Stage.ADJUDICATE:
            place = row["layer_id"], row["language"]
            if place in self._deciding:
                raise Misfit(message(_("is a second adjudication stage for the same layer and language")), "layer_id")
            self._deciding.add(place)
        elif slug not in self._work.layers:
            raise Misfit(message(_NOT_INSTALLED), "kind")
        else:
            contents, units = self._work.layers[slug]
            made = slug in self._work.made
            if layer.content_type != contents or (layer.unit_kind != units and not made):
                raise Misfit(message(_FIT), "layer_id")
            if made and before is None:
                raise Misfit(message(_NOT_THERE), "made_from_id")
        if before is not None and before >= number:
            raise Misfit(message(_NOT_THERE), "made_from_id")
        self._stages.append(_Stage(row["layer_id"], row["language"], slug))

    def _import(self, _number: int, row: Values, _tokens: Any) -> None:
        self._files.append(len(row["files"]))

    def _segment(self, _number: int, row: Values, _tokens: Any) -> None:
        self._segments.append(self._code(row["kind"]))

    def _unit(self, number: int, row: Values, _tokens: Any) -> None:
        length = len(row["tokens"])
        if self._segments[row["segment_id"] - 1] != self._code(row["kind"]):
            raise Misfit(message(_FIT), "kind")
        if row["token_count"] != length or (row["kind"] == Segment.SENTENCE and not length):
            raise Misfit(message(_EACH_TOKEN), "token_count")
        if row["kind"] == Segment.SENTENCE:
            self._sentence(row)
        wanted = {"spaces": length + 1, "lemmas": length, "content_words": length, "parts_of_speech": length}
        for column, most in wanted.items():
            if len(row[column]) not in (0, most):
                raise Misfit(message(_EACH_TOKEN), column)
        if any(parent >= number for parent in row["parents"]):
            raise Misfit(message(_NOT_THERE), "parents")
        files = self._files[row["imported_id"] - 1] if row["imported_id"] is not None else 0
        if row["origin_file"] is not None and row["origin_file"] >= files:
            raise Misfit(message(_NOT_THERE), "origin_file")
        self._unit_segments.append(row["segment_id"])
        self._unit_kinds.append(self._code(row["kind"]))
        self._unit_languages.append(self._code(row["language"]))
        self._lengths.append(length)

    def _sentence(self, row: Values) -> None:
        for most, number in ((MAX_TOKENS, len(row["tokens"])), (MAX_CHARACTERS, sum(map(len, row["tokens"])))):
            if number > most:
                raise Misfit(
                    message(_("expected at most %(most)d values, not %(number)d"), most=most, number=number), "tokens"
                )

    def _pair(self, _number: int, row: Values, _tokens: Any) -> None:
        for column in ("segment_id", "premise_id", "hypothesis_id"):
            kind = Segment.PAIR if column == "segment_id" else Segment.SENTENCE
            if self._segments[row[column] - 1] != self._code(kind):
                raise Misfit(message(_FIT), column)
        if row["premise_id"] == row["hypothesis_id"]:
            raise Misfit(message(_("is also the premise")), "hypothesis_id")
        self._paired[row["segment_id"]] = 1

    def _alignment(self, _number: int, row: Values, _tokens: Any) -> None:
        source, target = row["source_id"], row["target_id"]
        lengths = self._lengths[source - 1], self._lengths[target - 1]
        for link in row["links"]:
            if link[0] >= lengths[0] or link[1] >= lengths[1]:
                raise Misfit(message(_NOT_THERE), "links")

    def _suggestion(self, _number: int, row: Values, tokens: Mapping[int, Sequence[str]]) -> None:
        self._on(row)
        row["content"] = self._content(row, row["content"], tokens, done=False)
        if row["probabilities"] and len(row["probabilities"]) != self._length(row):
            raise Misfit(message(_EACH_TOKEN), "probabilities")
        if row["kind"] == SuggestionKind.PROJECTION:
            if row["source_id"] is None:
                raise Misfit(message(_NOT_THERE), "source_id")
            length = self._lengths[row["source_id"] - 1]
            spans = row["detail"].setdefault("source_spans", [])
            if any(token >= length for span in spans for token in span["tokens"]):
                raise Misfit(message(_NOT_THERE), "detail.source_spans")
        if (seen := row["reviewed_from"]) is not None and seen["content"] is not None:
            on_source = {row["unit_id"]: seen["tokens"]}
            seen["content"] = self._content(
                row, seen["content"], on_source, done=False, column="reviewed_from", length=len(seen["tokens"])
            )
        for outcome in row["detail"].get("outcomes", ()):
            inside("detail.outcomes", check_outcome, outcome)
        self._suggested.append(row["unit_id"])
        self._suggested_in.append(row["layer_id"])

    def _item(self, _number: int, row: Values, _tokens: Any) -> None:
        stage = self._stages[row["stage_id"] - 1]
        unit = row["unit_id"] - 1
        layer = self._layers[stage.layer - 1]
        if self._unit_kinds[unit] != self._code(layer.unit_kind):
            raise Misfit(message(_FIT), "unit_id")
        if self._unit_languages[unit] != self._code(stage.language):
            raise Misfit(message(_FIT), "unit_id")
        if row["answers_open"] + row["answers_done"] > row["answers_wanted"]:
            raise Misfit(message(_("has more answers than requested")), "answers_wanted")
        self._item_stages.append(row["stage_id"])
        self._item_units.append(row["unit_id"])

    def _assignment(self, _number: int, row: Values, _tokens: Any) -> None:
        item = row["item_id"] - 1
        if (self._item_stages[item], self._item_units[item]) != (row["stage_id"], row["unit_id"]):
            raise Misfit(message(_FIT), "item_id")
        layer = self._stages[row["stage_id"] - 1].layer
        self._offered(row, layer)
        self._assigned_to.append(row["user_id"])
        self._assigned_items.append(row["item_id"])

    def _repeat(self, _number: int, row: Values, tokens: Mapping[int, Sequence[str]]) -> None:
        at, answer = self._again(row), row["answer"]
        if (row["stage_id"], row["user_id"]) != (at["stage_id"], self._assigned_to[row["assignment_id"] - 1]):
            raise Misfit(message(_FIT), "assignment_id")
        row["first"] = self._content(at, row["first"], tokens, done=False, column="first")
        if answer is None:
            return
        answer["content"] = self._content(at, answer["content"], tokens, done=answer["done"], column="answer")
        while (answer := answer["before"]) is not None:
            inside("answer.before", check_kept, self._layers[at["layer_id"] - 1].content_type, answer["content"])

    def _annotation(self, _number: int, row: Values, tokens: Mapping[int, Sequence[str]]) -> None:
        self._on(row)
        if row["stage_id"] is not None and self._stages[row["stage_id"] - 1].layer != row["layer_id"]:
            raise Misfit(message(_FIT), "stage_id")
        self._offered(row, row["layer_id"])
        done = row["state"] == AnnotationState.DONE
        row["content"] = self._content(row, row["content"], tokens, done=done)
        if row["suggested"] is not None:
            row["suggested"] = self._content(row, row["suggested"], tokens, done=False, column="suggested")
        if row["undo_event"] is not None:
            self._wanted[row["undo_event"]] = 1
        self._answered.append(row["unit_id"])
        self._answered_in.append(row["layer_id"])

    def _gold(self, _number: int, row: Values, tokens: Mapping[int, Sequence[str]]) -> None:
        self._on(row)
        row["content"] = self._content(row, row["content"], tokens, done=True)

    def _blind_mark(self, _number: int, row: Values, _tokens: Any) -> None:
        if self._assigned_to[row["assignment_id"] - 1] != row["user_id"]:
            raise Misfit(message(_FIT), "assignment_id")

    def _lemma_place(self, _number: int, row: Values, _tokens: Any) -> None:
        unit = row["unit_id"] - 1
        if row["index"] >= self._lengths[unit]:
            raise Misfit(message(_NOT_THERE), "index")
        if self._unit_languages[unit] != self._code(row["language"]):
            raise Misfit(message(_FIT), "language")

    def _event(self, number: int, row: Values, _tokens: Any) -> None:
        check_sides(row)
        if row["verb"] == Verb.UNIT_REWORDED and row["subject_id"] and row["before"]["unit"] >= row["subject_id"]:
            raise Misfit(message(_NOT_THERE), "before.unit")
        if row["subject_type"] == Annotation._meta.model_name and 1 <= row["subject_id"] <= len(self._answered):
            layer = self._layers[self._answered_in[row["subject_id"] - 1] - 1]
            for column in ("before", "after"):
                if row[column] and "content" in row[column]:
                    inside(f"{column}.content", check_kept, layer.content_type, row[column]["content"])
        self._undoable[number] = self._can_be_undone(number, row["before"])

    def _split(self, _number: int, row: Values, _tokens: Any) -> None:
        self._splits.add(row, self._code(self._layers[row["layer_id"] - 1].unit_kind))

    def _split_row(self, _number: int, row: Values, _tokens: Any) -> None:
        self._splits.check(row, self._segments[row["segment_id"] - 1])

    def _can_be_undone(self, number: int, before: Values | None) -> bool:
        """Whether an undo of this event has something to bring back: what stood before, and what it was undone to."""
        if before is None:
            return True
        if not is_undo(before):
            return False
        earlier = before["undo_event"]
        return earlier is None or (earlier < number and bool(self._undoable[earlier]))

    # What several tables share.

    def _on(self, row: Values) -> None:
        layer = self._layers[row["layer_id"] - 1]
        if self._unit_kinds[row["unit_id"] - 1] != self._code(layer.unit_kind):
            raise Misfit(message(_FIT), "unit_id")

    def _again(self, row: Values) -> Values:
        """Where an item that was given again is."""
        item = self._assigned_items[row["assignment_id"] - 1] - 1
        stage = self._item_stages[item]
        return {"unit_id": self._item_units[item], "stage_id": stage, "layer_id": self._stages[stage - 1].layer}

    def _offered(self, row: Values, layer: int) -> None:
        """What an answer began from is a suggestion on its unit in its layer."""
        if (one := row["suggestion_id"]) is not None and (self._suggested[one - 1], self._suggested_in[one - 1]) != (
            row["unit_id"],
            layer,
        ):
            raise Misfit(message(_FIT), "suggestion_id")

    def _length(self, row: Values) -> int:
        return self._lengths[row["unit_id"] - 1]

    def _content(
        self,
        row: Values,
        content: Values,
        tokens: Mapping[int, Sequence[str]],
        *,
        done: bool,
        column: str = "content",
        length: int | None = None,
    ) -> Values:
        layer = self._layers[row["layer_id"] - 1]
        try:
            if layer.content_type == SPANS.slug:
                there = self._length(row) if length is None else length
                return labels_on(content, length=there, scheme=layer.scheme)
            return content_type(layer.content_type).check(
                content, scheme=layer.scheme, tokens=tokens[row["unit_id"]], done=done
            )
        except (ContentError, SpanError) as error:
            raise Misfit(message("%(problem)s", problem=error.message), column) from None
        except (AttributeError, IndexError, KeyError, TypeError, ValueError):
            raise Misfit(message(_NO_CONTENT), column) from None

    def _code(self, value: str) -> int:
        """A number for a text of which there are few different ones."""
        if value not in self._texts and len(self._texts) >= _MAX_KINDS:
            raise Misfit(message(_("has too many different values")))
        return self._texts.setdefault(value, len(self._texts))
