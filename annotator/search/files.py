"""Tables of sentences as answers that are downloads."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.http import FileResponse, HttpResponseBase, StreamingHttpResponse

from annotator.search.queries.download import as_csv, as_xlsx, header, lines
from annotator.search.queries.filters import Filters, Reader

FORMATS = ("csv", "xlsx")
_EXCEL = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"


def sentences_file(reader: Reader, filters: Filters, file_format: str) -> HttpResponseBase:
    """The rows of the list with its filters, at most `download.MAX_ROWS`, in one of FORMATS."""
    rows = lines(reader, filters, state=lambda row: row.seen.whose if row.seen is not None else "")
    return table_file(header(reader), rows, f"{reader.project.slug}-sentences", file_format)


def table_file(head: Sequence[str], rows: Iterator[list[str]], name: str, file_format: str) -> HttpResponseBase:
    """A table in one of FORMATS. A workbook is written as a whole first, CSV is sent line by line."""
    if file_format == "xlsx":
        return FileResponse(as_xlsx(head, rows), as_attachment=True, filename=f"{name}.xlsx", content_type=_EXCEL)
    response = StreamingHttpResponse(map(str.encode, as_csv(head, rows)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}.csv"'
    return response
