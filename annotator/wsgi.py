"""WSGI entry point."""

import gc
import os
import tempfile

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

from annotator.core.processes.threads import switch_often
from annotator.web.start import mark_storage_at_start

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")
# Read by PostgreSQL's library: somebody waits for a page, and for a job nobody does.
os.environ.setdefault("PGOPTIONS", "-c statement_timeout=30s")
# Determined while there is space: on a full disk Python does not find a folder for temporary files.
tempfile.gettempdir()
application = get_wsgi_application()
# What stays for as long as the process is loaded before workers are forked, so that they share it, and not looked
# through again and again by the collector of garbage: that would copy it, and hold up a save for 30 ms now and then.
_ = get_resolver().url_patterns
gc.collect()
gc.freeze()
switch_often()
mark_storage_at_start()
