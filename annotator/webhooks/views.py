"""The settings pages of webhooks."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from annotator.core.access import Access, project_for
from annotator.core.permissions import Permission
from annotator.models import Webhook
from annotator.web.pages import project_page
from annotator.web.refusals import refusal_as_message, refusal_in
from annotator.web.requests import PageRequest
from annotator.webhooks.actions import add_webhook, change_webhook, delete_webhook, renew_secret, send_test
from annotator.webhooks.forms import ChangeWebhookForm, WebhookForm


@require_http_methods(["GET", "HEAD", "POST"])
def webhooks(request: PageRequest, slug: str) -> HttpResponse:
    """The list, and the form for another one."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    form = WebhookForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        with refusal_in(form, "url"):
            made = add_webhook(project=access.project, by=access.user, **form.cleaned_data)
            return _one(request, access, made, secret=made.secret)
    context = {"webhooks": access.project.webhooks.all(), "form": form}
    status = 422 if form.is_bound else 200
    return project_page(request, access, "webhooks/settings_webhooks.html", context, section="settings", status=status)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def webhook(request: PageRequest, slug: str, hook: int) -> HttpResponse:
    """One webhook with its deliveries. What a POST does, the name of its button says."""
    access = project_for(request.user, slug, needs=Permission.MANAGE)
    one = get_object_or_404(access.project.webhooks, pk=hook)
    if request.method != "POST":
        return _one(request, access, one)
    form = ChangeWebhookForm(request.POST) if "save" in request.POST else None
    with refusal_as_message(request):
        if "test" in request.POST:
            send_test(webhook=one, by=access.user)
            messages.success(request, _("The test will be sent in a few seconds. Reload the page to see the result."))
        elif "secret" in request.POST:
            return _one(request, access, one, secret=renew_secret(webhook=one, by=access.user).secret)
        elif "remove" in request.POST:
            delete_webhook(webhook=one, by=access.user)
            messages.success(request, _("The webhook was removed."))
            return redirect("settings-webhooks", slug)
    if form is not None:
        if form.is_valid():
            with refusal_in(form, "url"):
                change_webhook(webhook=one, by=access.user, **form.cleaned_data)
                messages.success(request, _("The webhook was saved."))
                return redirect("settings-webhook", slug, hook)
        return _one(request, access, one, form=form)
    return redirect("settings-webhook", slug, hook)


def _one(
    request: PageRequest,
    access: Access,
    one: Webhook,
    *,
    form: ChangeWebhookForm | None = None,
    secret: str = "",
) -> HttpResponse:
    """The page of a webhook; with its `secret` once."""
    initial = {"url": one.url, "events": one.events, "is_active": one.is_active}
    context = {
        "webhook": one,
        "form": form or ChangeWebhookForm(initial=initial),
        "secret": secret,
    }
    status = 422 if form is not None else 200
    return project_page(request, access, "webhooks/settings_webhook.html", context, section="settings", status=status)
