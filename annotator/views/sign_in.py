"""Signing in and out, and choosing a password of one's own."""

from __future__ import annotations

from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_not_required
from django.contrib.auth.forms import AuthenticationForm, PasswordChangeForm
from django.contrib.auth.views import LoginView, LogoutView, PasswordChangeView
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from annotator.forms.sign_in import SignInForm
from annotator.queries.accounts import made_by_manager


@method_decorator(login_not_required, name="dispatch")
class SignIn(LoginView):
    template_name = "pages/sign_in.html"
    authentication_form = SignInForm
    redirect_authenticated_user = True

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("HX-Request"):
            # A page that asks again by itself was led here when its session ended: let it load as a whole.
            return HttpResponseClientRefresh()
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: AuthenticationForm) -> HttpResponse:
        user = form.get_user()
        first_time = user.last_login is None
        response = super().form_valid(form)
        if first_time and made_by_manager(user):
            messages.info(self.request, _("Welcome. Somebody else knows this password: choose one of your own now."))
            return redirect("password")
        return response


class ChangePassword(PasswordChangeView):
    template_name = "pages/password.html"
    success_url = reverse_lazy("projects")

    def form_valid(self, form: PasswordChangeForm) -> HttpResponse:
        response = super().form_valid(form)
        messages.success(self.request, _("Your new password is set."))
        return response


sign_in = SignIn.as_view()
sign_out = LogoutView.as_view()
change_password = ChangePassword.as_view()
