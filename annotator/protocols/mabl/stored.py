"""What is known of the files that pairs came from."""

from __future__ import annotations

from functools import cache

from annotator.formats.common.names import file_language
from annotator.formats.tables.sheets import name_as_text
from annotator.models import Import, Project, Unit
from annotator.protocols.mabl.columns import Layout
from annotator.protocols.mabl.format import SLUG, is_translation


class StoredFiles:
    """The imported files of a project, by their units. Each import is read once: a layout may be long."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._import = cache(self._read)
        self._file = cache(self._found)
        self._repeated = cache(self._repeats)

    def of(self, unit: Unit) -> tuple[str, Layout] | None:
        """The path in releases and the layout of the file that a unit is from; None where it was written here."""
        if unit.imported_id is None or unit.origin_file is None:
            return None
        return self._file(unit.imported_id, unit.origin_file)

    def again(self, unit: Unit) -> list[tuple[str, Layout, int]]:
        """The other files of its import that a unit stands in, each as `of` gives it, and its line there."""
        if unit.imported_id is None or unit.origin_file is None:
            return []
        places = self._repeated(unit.imported_id).get((unit.origin_file, unit.origin_line or 0), [])
        found = ((self._file(unit.imported_id, number), line) for number, line in places)
        return [(*one, line) for one, line in found if one is not None]

    def _repeats(self, imported: int) -> dict[tuple[int, int], list[tuple[int, int]]]:
        files = self._import(imported).files
        numbers = {file["name"]: number for number, file in enumerate(files)}
        found: dict[tuple[int, int], list[tuple[int, int]]] = {}
        for number, file in enumerate(files):
            for line, name, first in file.get("layout", {}).get("again", ()) if file.get("format") == SLUG else ():
                if name in numbers:
                    found.setdefault((numbers[name], first), []).append((number, line))
        return found

    def says_translated(self, unit: Unit) -> bool:
        """Whether the name of the file that a unit is from says that its texts are translations."""
        if unit.imported_id is None or unit.origin_file is None:
            return False
        files = self._import(unit.imported_id).files
        return unit.origin_file < len(files) and is_translation(files[unit.origin_file]["name"])

    def translated_from(self, unit: Unit) -> str:
        """The language of the project of whose pairs the file that a unit is from says that it has translations."""
        if unit.imported_id is None or unit.origin_file is None or not self.says_translated(unit):
            return ""
        found = file_language(self._import(unit.imported_id).files[unit.origin_file]["name"], self._project.languages)
        return found if found in self._project.languages and found != unit.language else ""

    def _read(self, imported: int) -> Import:
        return Import.objects.get(project=self._project, pk=imported)

    def _found(self, imported: int, number: int) -> tuple[str, Layout] | None:
        row = self._import(imported)
        if number >= len(row.files):
            return None
        file = row.files[number]
        if file.get("format") != SLUG or not file.get("layout"):
            return None
        return f"mabl/{row.dataset}/{name_as_text(file['name'], '.csv')}", Layout.from_json(file["layout"])
