"""The rows of a comparison as an answer that is a download."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import asdict
from itertools import islice

from django.http import HttpResponseBase, StreamingHttpResponse

from annotator.comparisons.queries.stored import HEADER, Chosen, file_rows
from annotator.search.files import table_file

FORMATS = {"csv": "CSV", "json": "JSON", "xlsx": "Excel"}
# Rows of a workbook, which is written as a whole while somebody waits.
MAX_IN_WORKBOOK = 5000


def comparison_file(chosen: Chosen, file_format: str) -> HttpResponseBase:
    """The chosen rows in one of FORMATS, of a workbook the first MAX_IN_WORKBOOK."""
    name = f"{chosen.comparison.project.slug}-comparison-{chosen.comparison.pk}"
    if file_format == "json":
        response = StreamingHttpResponse(_json(chosen), content_type="application/json")
        response["Content-Disposition"] = f'attachment; filename="{name}.json"'
        return response
    rows = file_rows(chosen)
    return table_file(HEADER, islice(rows, MAX_IN_WORKBOOK) if file_format == "xlsx" else rows, name, file_format)


def _json(chosen: Chosen) -> Iterator[bytes]:
    """An object with the counts, and the rows in a list, line by line."""
    found = chosen.comparison
    about = {
        "kind": found.kind,
        "layer": found.layer.slug,
        **found.params,
        "created_at": found.created_at.isoformat(),
        **found.results,
        "filters": asdict(chosen.filters),
    }
    yield json.dumps(about, ensure_ascii=False)[:-1].encode() + b', "rows": ['
    for number, row in enumerate(file_rows(chosen)):
        line = json.dumps(dict(zip(HEADER, row, strict=True)), ensure_ascii=False)
        yield f"{',' if number else ''}\n{line}".encode()
    yield b"\n]}\n"
