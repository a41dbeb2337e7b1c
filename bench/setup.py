"""Sets Django up when it is imported: first of all in scripts that need models."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "annotator.settings")
os.environ.setdefault("LOG_LEVEL", "ERROR")
django.setup()
