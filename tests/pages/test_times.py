"""Times on pages are told with their zone; scripts bring them to the reader's."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation

from annotator.models import Job, JobKind, JobState, Role
from annotator.templatetags.pages import when, when_said
from tests.factories import make_member, make_project

AT = datetime(2026, 11, 25, 23, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    ("zone", "language", "style", "said"),
    [
        ("UTC", "en", "SHORT_DATETIME_FORMAT", "25 Nov 2026, 23:30 UTC"),
        ("Europe/Madrid", "en", "DATETIME_FORMAT", "26 November 2026, 00:30 CET"),
        ("Europe/Madrid", "es", "SHORT_DATETIME_FORMAT", "26/11/2026 00:30 CET"),
        ("America/Sao_Paulo", "en", "SHORT_DATETIME_FORMAT", "25 Nov 2026, 20:30 UTC-03"),
        ("Asia/Tokyo", "en", "SHORT_DATE_FORMAT", "26 Nov 2026"),
    ],
)
def test_a_time_says_its_zone(zone: str, language: str, style: str, said: str) -> None:
    with timezone.override(zone), translation.override(language):
        assert when_said(AT, style) == said
        assert when(AT, style) == f'<time datetime="2026-11-25T23:30:00+00:00" data-when="{style}">{said}</time>'
        assert when(None, style) == ""


@pytest.mark.django_db
def test_pages_tell_times_with_their_zone(client: Client) -> None:
    project = make_project("letters")
    job = Job.objects.create(project=project, kind=JobKind.PREDICT, state=JobState.DONE)
    Job.objects.update(created_at=AT)
    client.force_login(make_member(project, Role.MANAGER))
    for address in (reverse("jobs", args=["letters"]), reverse("job", args=["letters", job.pk])):
        assert re.search(r"<time [^>]*>25 Nov\w* 2026, 23:30 UTC</time>", client.get(address).text), address


def test_no_page_tells_a_time_in_another_way() -> None:
    for template in Path("templates").rglob("*.html"):
        assert not re.search(r"\|(date|time|naturaltime)\b", template.read_text("utf-8")), template
