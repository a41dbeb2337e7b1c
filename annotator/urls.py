"""URLs of the site. Pages in `annotator.page_urls`, API in `api.v1`."""

from django.contrib import admin
from django.contrib.auth.decorators import login_not_required
from django.urls import include, path
from django.views.i18n import set_language

from annotator.accounts.views.sign_in import sign_in
from annotator.web import unavailable

handler403 = unavailable.handler403
handler404 = unavailable.handler404
handler500 = unavailable.handler500

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/setlang/", login_not_required(set_language), name="set_language"),
    path("api/v1/", include("api.v1.urls")),
    path("", include("annotator.page_urls")),
    # The same page by the name that django-allauth knows.
    path("sign-in/", sign_in, name="account_login"),
]
