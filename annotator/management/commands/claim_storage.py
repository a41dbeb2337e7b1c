"""Says that the files of the site are where the settings point."""

from __future__ import annotations

from typing import Any

from annotator.core.files.site_mark import claim_storage
from annotator.core.files.storage import site_files
from annotator.management.base import Command as BaseCommand


class Command(BaseCommand):
    help = (
        "Make the storage that DATA_DIR or STORAGE_URL names this site's own, after the database "
        "was restored or copied or files were moved. Workers that see another storage do not "
        "start."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        claim_storage()
        self.say(f"The site's files are in {site_files().place}.")
