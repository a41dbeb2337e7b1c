"""WSGI entry point."""

import os

from django.core.wsgi import get_wsgi_application

from annotator.threads import switch_often

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")
application = get_wsgi_application()
switch_often()
