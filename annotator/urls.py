"""URLs of the site. Pages in `annotator.views`, API in `api.v1`."""

from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls),
    path("i18n/", include("django.conf.urls.i18n")),
    path("api/v1/", include("api.v1.urls")),
    path("", include("annotator.views.urls")),
]
