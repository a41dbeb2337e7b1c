"""The calls of adjudicators, whatever the layer."""

from __future__ import annotations

from django.db.models import Q
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import status
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.core.permissions import Permission
from annotator.domain.merging.rules import Rule, RuleName
from annotator.jobs.queries import progress_of
from annotator.models import Job, Stage, Unit
from annotator.projects.actions.guideline_proposals import propose_guideline
from annotator.work.gold.actions.accepting import Acceptance, accept, count
from annotator.work.gold.actions.gold import decide_gold, reopen_gold
from annotator.work.gold.actions.open_gold import open_gold
from annotator.work.gold.queries.adjudication import adjudication_items, opened, waiting, waiting_ids, waits
from api.v1.accept_shapes import AcceptedAnswer, AcceptRequest
from api.v1.answers import GoldAnswer, GuidelineProposalAnswer, JobAnswer, OpenedGoldAnswer
from api.v1.part_shapes import GuidelineProposalRequest
from api.v1.requests import AdjudicateQuery, GoldRequest, OpenGoldRequest, ReopenRequest
from api.v1.schema import QueueAnswer, answers
from api.v1.sending import adjudications_shown, send, shown_as
from api.v1.shapes import BarredAnswer
from api.v1.views.base import ProjectView, found


class GoldView(ProjectView):
    needs = Permission.ADJUDICATE

    def judging(self, pk: int) -> Stage:
        """A stage of the project that adjudicates."""
        stage = self.stage(pk)
        if not stage.adjudicates:
            raise Http404(_("This stage has another kind of work."))
        return stage

    def unit(self, pk: int) -> int:
        """The id of a unit of the project."""
        units = Unit.objects.published().filter(project=self.access.project)
        return found(units.only("pk"), pk, _("There is no such item in this project.")).pk


class AdjudicateView(GoldView):
    """What waits for a decision: lowest agreement first, doubtful ones last. With `item`, that one, also if decided."""

    @extend_schema(
        operation_id="adjudication_queue", parameters=[AdjudicateQuery], responses=answers(QueueAnswer, 400, 404)
    )
    def get(self, request: Request, slug: str, stage: int) -> Response:
        at = self.judging(stage)
        asked = self.asked(AdjudicateQuery)
        if asked["item"] is None:
            found = waiting(at, self.user, asked["limit"], asked["only"])
        elif (one := opened(at, self.user, asked["item"])) is not None:
            found = [one]
        else:
            raise Http404(_("There is nothing for you to decide here. These items are waiting:"))
        left = waits(at, self.user)
        only = asked["only"]
        return Response(
            {
                "items": adjudications_shown(adjudication_items(at, self.user, found)),
                "remaining": len(waiting_ids(at, self.user, Q(pk__in=only))) if only else left.mine,
                "own_left": not left.mine and left.own > 0,
                "barred": shown_as(BarredAnswer, left),
            }
        )


class AcceptView(GoldView):
    """Makes gold of everything in the stage's layer and language on which all annotators agree, or that another rule
    decides.

    While nobody has labelled blind in the language and two people could, this is refused with the code `blind_overlap`:
    what is accepted cannot be in a blind sample any more. `without_overlap` accepts all the same.

    Many answers are accepted, or counted, by a job, which is the answer with 202. Its result has the same numbers, by
    layer.
    """

    @extend_schema(
        operation_id="accept_agreed",
        request=AcceptRequest,
        responses=answers(AcceptedAnswer, 400) | {202: JobAnswer},
    )
    def post(self, request: Request, slug: str, stage: int) -> Response:
        at = self.judging(stage)
        data = self.checked(AcceptRequest, request.data)
        dry_run, without_overlap = data.pop("dry_run"), data.pop("without_overlap")
        rule = Rule(name=RuleName(data.pop("rule")), **data)
        asked = Acceptance(self.access.project, [at.layer], at.language, rule, self.user)
        found = count(asked) if dry_run else accept(asked, without_overlap=without_overlap)
        if isinstance(found, Job):
            return Response(shown_as(JobAnswer, progress_of(found)), status=status.HTTP_202_ACCEPTED)
        [(_layer, summary)] = found
        return send(AcceptedAnswer, summary)


class DecideView(GoldView):
    """Decides the gold of a unit in a layer, over the version that was seen."""

    @extend_schema(operation_id="decide_gold", request=GoldRequest, responses=answers(GoldAnswer, 400, 409, 413))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        unit = self.unit(pk)
        data = self.checked(GoldRequest, request.data)
        layer = self.layer(data.pop("layer"))
        gold = decide_gold(project=self.access.project, unit=unit, layer=layer, by=self.user, **data)
        return send(GoldAnswer, {"gold": gold})


class ProposeGuidelineView(GoldView):
    """Proposes a sentence for the guidelines, from the decision on a unit."""

    @extend_schema(
        operation_id="propose_guideline",
        request=GuidelineProposalRequest,
        responses=answers(GuidelineProposalAnswer, 400),
    )
    def post(self, request: Request, slug: str, pk: int) -> Response:
        unit = self.unit(pk)
        data = self.checked(GuidelineProposalRequest, request.data)
        layer = self.layer(data["layer"])
        made = propose_guideline(project=self.access.project, unit=unit, layer=layer, text=data["text"], by=self.user)
        return send(GuidelineProposalAnswer, made)


class ReopenView(GoldView):
    """Takes a decision back."""

    @extend_schema(operation_id="reopen_gold", request=ReopenRequest, responses=answers(GoldAnswer, 400, 409))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        unit = self.unit(pk)
        data = self.checked(ReopenRequest, request.data)
        layer = self.layer(data.pop("layer"))
        reopen_gold(project=self.access.project, unit=unit, layer=layer, by=self.user, **data)
        return send(GoldAnswer, {"gold": None})


class OpenView(GoldView):
    """Opens in adjudication what was decided without it, to change or reopen it."""

    @extend_schema(operation_id="open_gold", request=OpenGoldRequest, responses=answers(OpenedGoldAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        """The answer has the item for `…adjudicate/?item=`. Nothing is decided by it."""
        unit = self.unit(pk)
        layer = self.layer(self.checked(OpenGoldRequest, request.data)["layer"])
        return send(OpenedGoldAnswer, open_gold(project=self.access.project, unit=unit, layer=layer, by=self.user))
