"""Signing in and out, and choosing a password of one's own: django-allauth's views with this site's pages."""

from __future__ import annotations

from typing import Any

from allauth.account import views
from django.conf import settings
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse_lazy
from django.utils.translation import gettext as _
from django_htmx.http import HttpResponseClientRefresh

from annotator.accounts.forms.sign_in import ForgottenForm, NewPasswordForm, PasswordForm, SignInForm
from annotator.accounts.queries import made_by_manager
from annotator.core.errors import ActionError


class SignIn(views.LoginView):
    template_name = "accounts/sign_in.html"
    form_class = SignInForm

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if request.headers.get("HX-Request"):
            # A page that asks again by itself was led here when its session ended: let it load as a whole.
            return HttpResponseClientRefresh()
        return super().get(request, *args, **kwargs)

    def form_valid(self, form: SignInForm) -> HttpResponse:
        first_time = form.user.last_login is None
        response = super().form_valid(form)
        if first_time and self.request.user.is_authenticated and made_by_manager(form.user):
            messages.info(self.request, _("Welcome. Someone else knows this password, so choose a new one now."))
            return redirect("password")
        return response

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(open_registration=settings.OPEN_REGISTRATION, **kwargs)


class ChangePassword(views.PasswordChangeView):
    template_name = "accounts/password.html"
    form_class = PasswordForm


class ForgottenPassword(views.PasswordResetView):
    """Sends a link to a new password; says so where no mail server is set, and who can help instead."""

    template_name = "accounts/password_forgotten.html"
    form_class = ForgottenForm
    success_url = reverse_lazy("account_reset_password_done")

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not settings.SENDS_MAIL:
            return self.get(request, *args, **kwargs)
        return super().post(request, *args, **kwargs)

    def form_valid(self, form: ForgottenForm) -> HttpResponse:
        try:
            return super().form_valid(form)
        except ActionError as error:
            form.add_error(None, str(error))
            return self.form_invalid(form)

    def get_context_data(self, **kwargs: Any) -> dict[str, Any]:
        return super().get_context_data(sends_mail=settings.SENDS_MAIL, **kwargs)


class NewPassword(views.PasswordResetFromKeyView):
    """Where the link leads. It works once, and for a day."""

    template_name = "accounts/password_new.html"
    form_class = NewPasswordForm
    success_url = reverse_lazy("sign-in")


sign_in = SignIn.as_view()
# Only by a form: a link to it in a page elsewhere must not sign anybody out.
sign_out = views.LogoutView.as_view(http_method_names=["post"])
change_password = ChangePassword.as_view()
forgotten_password = ForgottenPassword.as_view()
forgotten_password_sent = views.PasswordResetDoneView.as_view(template_name="accounts/password_sent.html")
new_password = NewPassword.as_view()
inactive = views.AccountInactiveView.as_view(template_name="accounts/account_inactive.html")
