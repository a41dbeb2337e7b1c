"""Making an account where the site is open to everybody, one's own name and email address, and API tokens."""

from __future__ import annotations

from allauth.core import ratelimit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import login
from django.contrib.auth.decorators import login_not_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.debug import sensitive_post_parameters
from django.views.decorators.http import require_http_methods, require_POST

from annotator.accounts.actions import change_account, create_account, create_token, revoke_token
from annotator.accounts.forms.accounts import NewAccountForm, OwnAccountForm, TokenForm
from annotator.accounts.queries import tokens_of
from annotator.web.refusals import refusal_in
from annotator.web.requests import PageRequest


@login_not_required
@sensitive_post_parameters("password1", "password2")
@require_http_methods(["GET", "HEAD", "POST"])
def register(request: HttpRequest) -> HttpResponse:
    if request.user.is_authenticated:
        return redirect("projects")
    if not settings.OPEN_REGISTRATION:
        return render(request, "accounts/register_closed.html", status=403)
    if refused := ratelimit.consume_or_429(request, action="signup"):
        return refused
    form = NewAccountForm(request.POST or None)
    if form.is_valid():
        with refusal_in(form, None):
            login(request, create_account(project=None, **form.account))
            return redirect("projects")
    return render(request, "accounts/register.html", {"form": form}, status=422 if form.is_bound else 200)


@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def account(request: PageRequest) -> HttpResponse:
    """One's own name and email address."""
    form = OwnAccountForm(request.POST or None, user=request.user)
    if form.is_bound and (refused := ratelimit.consume_or_429(request, action="change_password")):
        # Each try says whether a password is the right one.
        return refused
    if form.is_valid():
        with refusal_in(form, "email"):
            change_account(user=request.user, name=form.cleaned_data["name"], email=form.cleaned_data["email"])
            messages.success(request, _("Saved."))
            return redirect("account")
    return render(request, "accounts/account.html", {"form": form}, status=422 if form.is_bound else 200)


@never_cache
@sensitive_post_parameters("password")
@require_http_methods(["GET", "HEAD", "POST"])
def tokens(request: PageRequest) -> HttpResponse:
    """One's own API tokens. The secret of a new one is shown in this answer and not stored."""
    form = TokenForm(request.POST or None, user=request.user)
    if form.is_bound and (refused := ratelimit.consume_or_429(request, action="change_password")):
        return refused
    secret, now = "", timezone.now()
    if form.is_valid():
        data = {name: form.cleaned_data[name] for name in ("name", "scope", "project", "days")}
        with refusal_in(form, None):
            _token, secret = create_token(user=request.user, now=now, **data)
            form = TokenForm(user=request.user)
    context = {"form": form, "secret": secret, "tokens": tokens_of(request.user, now)}
    return render(request, "accounts/tokens.html", context, status=422 if form.is_bound else 200)


@require_POST
def token_revoke(request: PageRequest, api_token: int) -> HttpResponse:
    revoke_token(token=get_object_or_404(request.user.api_tokens, pk=api_token), by=request.user)
    messages.success(request, _("Token revoked. Calls with it are refused from now on."))
    return redirect("tokens")
