"""Loads the sample project."""

from __future__ import annotations

from typing import Any

from annotator.management.base import Command as BaseCommand
from annotator.sample.demo import DEMO_USERS, SLUG, demo_password, load_sample


class Command(BaseCommand):
    help = "Load the sample project with its demo logins. A second run changes nothing."

    def handle(self, *args: Any, **options: Any) -> None:
        self.note("Loading the sample project. The first time, this takes a few seconds …")
        if not load_sample(report=lambda _progress: None):
            self.say(f'The sample project "{SLUG}" was loaded before. Nothing was changed.')
            return
        names = ", ".join(person.username for person in DEMO_USERS)
        self.say(f'The project "{SLUG}" is loaded. Logins: {names}; password: {demo_password()}')
