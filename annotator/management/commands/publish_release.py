"""Upload a release to Zenodo or to a hub of datasets."""

from __future__ import annotations

import os
from argparse import ArgumentParser
from getpass import getpass
from typing import Any

from django.core.management.base import CommandError

from annotator.management.base import Command as BaseCommand
from annotator.management.base import project_named
from annotator.releases.actions.hub import HUB, upload_release
from annotator.releases.actions.publishing import ZENODO, deposit_release

VARIABLE = "PUBLISH_TOKEN"


class Command(BaseCommand):
    help = (
        "Upload a release to Zenodo with its metadata, as a draft that you look at and publish there; or with --hub "
        "to a dataset of the Hugging Face Hub, a private one where it is new. The token is your own: it is asked for, "
        f"or read from the environment variable {VARIABLE}, and kept nowhere."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the project")
        parser.add_argument("number", type=int, help="of the release")
        parser.add_argument("--hub", metavar="OWNER/NAME", help="the dataset of a hub (needs the extra hub)")
        parser.add_argument(
            "--address", help="another repository with the same API, such as https://sandbox.zenodo.org/api"
        )
        parser.add_argument("--publish", action="store_true", help="publish at once; on Zenodo this cannot be undone")

    def handle(self, *args: Any, **options: Any) -> None:
        project = project_named(options["slug"])
        release = project.releases.filter(number=options["number"]).first()
        if release is None:
            raise CommandError(f'The project "{project.slug}" has no release {options["number"]}.')
        token = (os.environ.get(VARIABLE) or getpass("Token: ")).strip()
        if not token:
            raise CommandError(f"Enter a token, or set {VARIABLE}.")
        address, publish = options["address"], options["publish"]
        if dataset := options["hub"]:
            page = upload_release(
                release=release, token=token, dataset=dataset, address=address or HUB, publish=publish
            )
            self.say(f"Release {release.number} is uploaded: {page}")
            return
        made = deposit_release(release=release, token=token, address=address or ZENODO, publish=publish)
        self.say(f"Release {release.number} is {'published' if made.published else 'a draft'}: {made.page}")
        if made.doi:
            self.say(f"DOI: {made.doi}")
