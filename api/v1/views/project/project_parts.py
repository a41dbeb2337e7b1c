"""Members, webhooks, languages, stages and layers of a project that is there, and the schemes of its layers."""

from __future__ import annotations

from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from annotator.accounts.queries import account_named
from annotator.core.access import project_for
from annotator.core.errors import ActionError
from annotator.core.permissions import Permission
from annotator.core.presets import StageSpec
from annotator.domain.labels.relabel import LabelRow
from annotator.domain.labels.rescheme import AttributeRow, ValueRow
from annotator.domain.text.language_tags import UnknownLanguageError, find_language
from annotator.models import Job, Membership, Stage, Webhook
from annotator.projects.actions.project_settings import add_language, add_layer, remove_language
from annotator.projects.actions.projects import (
    add_member,
    change_languages,
    change_role,
    check_languages,
    remove_member,
)
from annotator.projects.actions.relabel import Plan, attributes_plan, change_scheme, labels_plan, planned, rules_plan
from annotator.projects.actions.stages import add_stages, change_context, order_stages, remove_stage
from annotator.projects.queries.project_settings import label_consequences, language_rows, stage_consequences
from annotator.webhooks.actions import add_webhook, change_webhook, delete_webhook, renew_secret, send_test
from api.pagination import PageQuery, page_of
from api.v1 import part_shapes as p
from api.v1.requests import LabelsRequest
from api.v1.schema import IF_MATCH, answers
from api.v1.sending import send
from api.v1.views.base import NO_BODY, ProjectView, found
from api.v1.views.project.projects import shown


class _Managed(ProjectView):
    needs = Permission.MANAGE

    def changed(self, job: Job | None = None) -> Response:
        """The project as it is now, and the job that does the rest."""
        access = project_for(self.user, self.access.project.slug)
        return send(p.ChangedProjectAnswer, {**shown(access), "job": job.pk if job else None})


class MembersView(ProjectView):
    """The members of a project, and new ones with an account."""

    @extend_schema(operation_id="members", parameters=[PageQuery], responses=answers(p.MembersAnswer, 400))
    def get(self, request: Request, slug: str) -> Response:
        rows, following = page_of(self.access.project.memberships.select_related("user"), request, ("pk",))
        return send(p.MembersAnswer, {"members": rows, "next": following})

    @extend_schema(operation_id="add_member", request=p.MemberRequest, responses=answers(p.MemberAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        self.access.require(Permission.MANAGE)
        data = self.checked(p.MemberRequest, request.data)
        user = account_named(data.pop("username"))
        check_languages(self.access.project, data["languages"])
        return send(p.MemberAnswer, add_member(project=self.access.project, user=user, by=self.user, **data))


class MemberView(ProjectView):
    """A member of a project."""

    def guarded(self, **address: Any) -> QuerySet[Membership]:
        return self.access.project.memberships.filter(pk=address["pk"])

    @extend_schema(operation_id="member", responses=answers(p.MemberAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(p.MemberAnswer, self._member(pk))

    @extend_schema(
        operation_id="change_member",
        request=p.MemberChangeRequest,
        parameters=[IF_MATCH],
        responses=answers(p.MemberAnswer, 400, 412),
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Sets the role, or in which languages the member is given work."""
        self.access.require(Permission.MANAGE)
        member = self._member(pk)
        data = self.checked(p.MemberChangeRequest, request.data)
        with transaction.atomic():
            if "role" in data:
                member = change_role(membership=member, role=data["role"], by=self.user)
            if "languages" in data:
                member = change_languages(membership=member, languages=data["languages"], by=self.user)
        return send(p.MemberAnswer, member)

    @extend_schema(
        operation_id="remove_member",
        request=None,
        parameters=[IF_MATCH],
        responses=answers(p.RemovedMemberAnswer, 400, 412),
    )
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        """Takes the member out. Finished work stays."""
        self.access.require(Permission.MANAGE)
        remove_member(membership=self._member(pk), by=self.user)
        return send(p.RemovedMemberAnswer, {"id": pk})

    def _member(self, pk: int) -> Membership:
        rows = self.access.project.memberships.select_related("user", "project")
        return found(rows, pk, _("There is no such member in this project."))


class LanguagesView(_Managed):
    """The languages of a project."""

    @extend_schema(operation_id="languages", responses=answers(p.LanguagesAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return send(p.LanguagesAnswer, {"languages": language_rows(self.access.project)})

    @extend_schema(
        operation_id="add_language", request=p.LanguageRequest, responses=answers(p.ChangedProjectAnswer, 400)
    )
    def post(self, request: Request, slug: str) -> Response:
        """Adds a language, with the stages that the other ones have."""
        data = self.checked(p.LanguageRequest, request.data)
        try:
            tag = find_language(data["language"])
        except UnknownLanguageError as error:
            raise ActionError(_("Unknown language “%(text)s”.") % {"text": error.text}) from error
        _project, job = add_language(project=self.access.project, language=tag, by=self.user)
        return self.changed(job)


class LanguageView(_Managed):
    """A language of a project."""

    @extend_schema(operation_id="remove_language", responses=answers(p.ChangedProjectAnswer, 400))
    def delete(self, request: Request, slug: str, tag: str) -> Response:
        """Takes a language without sentences out, with its stages."""
        if tag not in self.access.project.languages:
            raise Http404(_("The project does not have this language."))
        remove_language(project=self.access.project, language=tag, by=self.user)
        return self.changed()


class StagesView(_Managed):
    """The stages of a project; the project itself lists them."""

    @extend_schema(operation_id="add_stage", request=p.StageRequest, responses=answers(p.ChangedProjectAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Adds a stage behind the others, and makes its items."""
        data = self.checked(p.StageRequest, request.data)
        spec = StageSpec(**data)
        return self.changed(add_stages(project=self.access.project, specs=[spec], by=self.user))


class StageOrderView(_Managed):
    """Puts the stages in an order."""

    @extend_schema(
        operation_id="order_stages", request=p.StageOrderRequest, responses=answers(p.ChangedProjectAnswer, 400)
    )
    def post(self, request: Request, slug: str) -> Response:
        data = self.checked(p.StageOrderRequest, request.data)
        order_stages(project=self.access.project, by=self.user, **data)
        return self.changed()


class StageSettingsView(_Managed):
    """A stage as managers see it."""

    def guarded(self, **address: Any) -> QuerySet[Stage]:
        return self.access.project.stages.filter(pk=address["stage"])

    @extend_schema(operation_id="stage_consequences", responses=answers(p.StageConsequencesAnswer))
    def get(self, request: Request, slug: str, stage: int) -> Response:
        """What would go with the stage, and what keeps it."""
        return send(p.StageConsequencesAnswer, stage_consequences(self.stage(stage)))

    @extend_schema(
        operation_id="change_stage",
        request=p.StageContextRequest,
        parameters=[IF_MATCH],
        responses=answers(p.ChangedProjectAnswer, 400, 412),
    )
    def patch(self, request: Request, slug: str, stage: int) -> Response:
        """Sets what the stage shows around its sentences, for open items as well."""
        data = self.checked(p.StageContextRequest, request.data)
        change_context(stage=self.stage(stage), by=self.user, **data)
        return self.changed()

    @extend_schema(
        operation_id="remove_stage", parameters=[IF_MATCH], responses=answers(p.ChangedProjectAnswer, 400, 412)
    )
    def delete(self, request: Request, slug: str, stage: int) -> Response:
        """Removes a stage in which nobody has finished anything."""
        remove_stage(stage=self.stage(stage), by=self.user)
        return self.changed()


class LayersView(_Managed):
    """The layers of a project; the project itself lists them, with their schemes."""

    @extend_schema(operation_id="add_layer", request=p.LayerRequest, responses=answers(p.ChangedProjectAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Adds a layer of labels on sentences. Stages for it are added by themselves."""
        add_layer(project=self.access.project, by=self.user, **self.checked(p.LayerRequest, request.data))
        return self.changed()


class _SchemeView(_Managed):
    def answered(self, slug: str, plan: Plan, *, version: int, apply: bool) -> Response:
        """What the change does, in numbers; with `apply` it is made."""
        layer = self.layer(slug)
        consequences = label_consequences(layer, planned(layer, plan), self.user)
        job = None
        if apply:
            job = change_scheme(layer=layer, plan=plan, version=version, by=self.user)
            layer.refresh_from_db()
        return send(
            p.SchemeAnswer,
            {
                "applied": apply,
                "version": layer.scheme_version,
                "consequences": consequences,
                "job": job.pk if job else None,
            },
        )


class LabelsView(_SchemeView):
    """Shows in numbers what a change of a layer's labels would do, and does it with `apply`."""

    @extend_schema(operation_id="change_labels", request=LabelsRequest, responses=answers(p.SchemeAnswer, 400, 409))
    def post(self, request: Request, slug: str, layer: str) -> Response:
        data = self.checked(LabelsRequest, request.data)
        rows = [LabelRow(**row) for row in data.pop("labels")]
        return self.answered(layer, labels_plan(rows), **data)


class AttributesView(_SchemeView):
    """Shows in numbers what a change of a layer's attributes would do, and does it with `apply`."""

    @extend_schema(
        operation_id="change_attributes", request=p.AttributesRequest, responses=answers(p.SchemeAnswer, 400, 409)
    )
    def post(self, request: Request, slug: str, layer: str) -> Response:
        data = self.checked(p.AttributesRequest, request.data)
        rows = [
            AttributeRow(
                **{
                    **row,
                    "values": tuple(ValueRow(**value) for value in row["values"]),
                    "labels": tuple(row["labels"]),
                }
            )
            for row in data.pop("attributes")
        ]
        return self.answered(layer, attributes_plan(rows), **data)


class RulesView(_SchemeView):
    """Shows in numbers what other rules on how units may lie would do, and makes them so with `apply`."""

    @extend_schema(operation_id="change_rules", request=p.RulesRequest, responses=answers(p.SchemeAnswer, 400, 409))
    def post(self, request: Request, slug: str, layer: str) -> Response:
        data = self.checked(p.RulesRequest, request.data)
        version, apply = data.pop("version"), data.pop("apply")
        return self.answered(layer, rules_plan(**data), version=version, apply=apply)


class WebhooksView(_Managed):
    """The webhooks of the project."""

    @extend_schema(operation_id="webhooks", responses=answers(p.WebhooksAnswer))
    def get(self, request: Request, slug: str) -> Response:
        return send(p.WebhooksAnswer, {"webhooks": self.access.project.webhooks.all()})

    @extend_schema(operation_id="add_webhook", request=p.WebhookRequest, responses=answers(p.WebhookSecretAnswer, 400))
    def post(self, request: Request, slug: str) -> Response:
        """Adds one. The answer has its secret."""
        data = self.checked(p.WebhookRequest, request.data)
        return send(p.WebhookSecretAnswer, add_webhook(project=self.access.project, by=self.user, **data))


class _WebhookView(_Managed):
    def webhook(self, pk: int) -> Webhook:
        rows = self.access.project.webhooks.select_related("project")
        return found(rows, pk, _("There is no such webhook in this project."))


class WebhookView(_WebhookView):
    """One webhook with its deliveries."""

    @extend_schema(operation_id="webhook", responses=answers(p.WebhookDetailAnswer))
    def get(self, request: Request, slug: str, pk: int) -> Response:
        return send(p.WebhookDetailAnswer, self.webhook(pk))

    @extend_schema(
        operation_id="change_webhook", request=p.ChangeWebhookRequest, responses=answers(p.WebhookAnswer, 400)
    )
    def patch(self, request: Request, slug: str, pk: int) -> Response:
        """Changes its address and events, or switches it off and on."""
        one = self.webhook(pk)
        now = {"url": one.url, "events": one.events, "is_active": one.is_active}
        data = self.checked(p.ChangeWebhookRequest, request.data)
        return send(p.WebhookAnswer, change_webhook(webhook=one, by=self.user, **{**now, **data}))

    @extend_schema(operation_id="delete_webhook", request=None, responses=answers(p.DeletedWebhookAnswer))
    def delete(self, request: Request, slug: str, pk: int) -> Response:
        delete_webhook(webhook=self.webhook(pk), by=self.user)
        return send(p.DeletedWebhookAnswer, {"id": pk})


class WebhookSecretView(_WebhookView):
    """Signs with a new secret from now on, which the answer has."""

    bodyless = NO_BODY

    @extend_schema(operation_id="renew_webhook_secret", request=None, responses=answers(p.WebhookSecretAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        return send(p.WebhookSecretAnswer, renew_secret(webhook=self.webhook(pk), by=self.user))


class WebhookTestView(_WebhookView):
    """Sends a message that is only a test, and tells its delivery."""

    bodyless = NO_BODY

    @extend_schema(operation_id="test_webhook", request=None, responses=answers(p.DeliveryAnswer, 400))
    def post(self, request: Request, slug: str, pk: int) -> Response:
        return send(p.DeliveryAnswer, send_test(webhook=self.webhook(pk), by=self.user))
