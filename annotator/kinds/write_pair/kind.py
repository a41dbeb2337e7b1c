from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from annotator.core.kind import Json, Kind, parts_of
from annotator.domain.content import FIGURATIVE_PAIR
from annotator.domain.content.figurative_pair import LONGEST
from annotator.domain.states import AnnotationState, AssignmentState
from annotator.kinds.write_pair.slots import SLOT, new_slots
from annotator.kinds.write_pair.texts import beginning, messages
from annotator.models import Annotation, Assignment, Layer, Project, Segment, Stage, Unit, User
from annotator.work.answering.queries.verdicts import remarks_on, texts_sent_back
from annotator.work.answering.queries.workspace import WorkspaceItem
from annotator.work.answering.verdict_words import reason_words
from annotator.work.queue.queries.progress import held_in_advance

if TYPE_CHECKING:
    from django.urls import URLPattern
    from rest_framework.serializers import Serializer


def _own(stage: Stage, user: User) -> QuerySet[Assignment]:
    return Assignment.objects.filter(stage=stage, user=user).exclude(state=AssignmentState.RETURNED)


class WritePair(Kind):
    """Pairs from nothing: whoever asks for one gets an empty one, up to the layer's target for each person."""

    slug = "write-pair"
    title = pgettext_lazy("stage", "Write pairs")
    doubt = gettext_lazy("I am in doubt about this pair")
    unit_kind = SLOT
    open_ended = True
    template = "kinds/write_pair.html"
    layer_slug = "pairs"

    def layer(self, project: Project) -> Layer:
        found, _created = Layer.objects.get_or_create(
            project=project,
            slug=self.layer_slug,
            defaults={
                "content_type": FIGURATIVE_PAIR.slug,
                "unit_kind": self.unit_kind,
                "scheme_data": {"target": 0},
                "position": 10,
            },
        )
        return found

    def offers(self, stage: Stage, user: User) -> int:
        target: int = stage.layer.scheme_data.get("target", 0)
        if not target:
            return 1
        return max(0, target - _own(stage, user).exclude(held_in_advance()).count())

    def may_take(self, stage: Stage, user: User, count: int) -> int:
        target: int = stage.layer.scheme_data.get("target", 0)
        return min(count, max(0, target - _own(stage, user).count())) if target else count

    def supply(self, stage: Stage, user: User, count: int) -> bool:
        count = self.may_take(stage, user, count)
        if count <= 0:
            return False
        new_slots(stage, count)
        return True

    def texts(self, units: Sequence[Unit]) -> Mapping[int, str]:
        return {unit.pk: unit.text or unit.segment.uid for unit in units}

    def own_texts(self, stage: Stage, units: Sequence[Unit], user: User) -> Mapping[int, str]:
        """By what they were written from, else by how what the user wrote begins. One query."""
        texts = {unit.pk: unit.text for unit in units}
        empty = [pk for pk, text in texts.items() if not text]
        if empty:
            texts |= dict.fromkeys(empty, _("Nothing is written here yet."))
            rows = Annotation.objects.filter(unit__in=empty, layer=stage.layer_id, user=user)
            written = {pk: beginning(content) for pk, content in rows.values_list("unit_id", "content")}
            texts |= {pk: text for pk, text in written.items() if text}
        return texts

    def items(self, shown: Sequence[WorkspaceItem], user: User) -> Mapping[int, Json]:
        open_ones = [row for row in shown if row.annotation and row.annotation.state == AnnotationState.OPEN]
        remarks = remarks_on([row.unit for row in open_ones], user) if open_ones else {}
        back = texts_sent_back([row.unit for row in open_ones], user) if remarks else {}
        return {
            row.assignment.pk: {
                "remarks": [
                    {**remark, "reason": reason_words(remark["reason"])} for remark in remarks.get(row.unit.pk, ())
                ],
                "sent_back": back.get(row.unit.pk, []),
            }
            for row in shown
        }

    def item_part(self) -> type[Serializer[Any]]:
        from annotator.kinds.write_pair.serializers import WritePart

        return WritePart

    def page(self, stage: Stage) -> Json:
        return {
            "ahead": 1,
            "longest": LONGEST,
            "parts": parts_of(FIGURATIVE_PAIR.unit_kind)[: FIGURATIVE_PAIR.parts],
            "slots": stage.layer.unit_kind == SLOT,
            "target": stage.layer.scheme_data.get("target", 0),
            "messages": messages(),
        }

    def routes(self) -> Sequence[URLPattern]:
        from annotator.kinds.write_pair.api import routes

        return routes


class WriteFromPrompts(WritePair):
    """Pairs from the project's sentences: words, captions, frames. Each is written from by as many as wanted."""

    slug = "write-pair-prompted"
    title = pgettext_lazy("stage", "Write pairs from prompts")
    unit_kind = Segment.SENTENCE
    open_ended = False
    layer_slug = "prompted-pairs"

    def offers(self, stage: Stage, user: User) -> int:
        return 0

    def may_take(self, stage: Stage, user: User, count: int) -> int:
        return count

    def supply(self, stage: Stage, user: User, count: int) -> bool:
        return False

    def routes(self) -> Sequence[URLPattern]:
        # They are those of the other kind.
        return ()
