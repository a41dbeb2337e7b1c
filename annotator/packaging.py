"""Build the package with pages and their files, which are beside it in the repository and inside it in a wheel."""

from pathlib import Path
from shutil import copy, copytree

from setuptools.command.build_py import build_py

# Their folder in an installation.
INSTALLED = Path("annotator") / "site"
FOLDERS = ("templates", "static", "docs/manual", "docs/examples")
FILES = ("CHANGELOG.md",)


class BuildWithFiles(build_py):
    """Copy the folders and files in. A development install reads them in place."""

    def run(self) -> None:
        super().run()
        if not self.editable_mode:
            for folder in FOLDERS:
                copytree(folder, Path(self.build_lib) / INSTALLED / folder, dirs_exist_ok=True)
            for file in FILES:
                copy(file, Path(self.build_lib) / INSTALLED / file)
