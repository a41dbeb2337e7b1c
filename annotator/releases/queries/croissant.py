"""A release described in Croissant 1.0 (https://docs.mlcommons.org/croissant/): its tables and their columns."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

from annotator.models import Project
from annotator.releases.card import NOT_STATED, authors_of
from annotator.releases.folder import ReleaseFolder
from annotator.releases.queries.dataset_card import title_of
from annotator.releases.queries.dataset_tables import NUMBER, TEXT, TEXTS, TIME, TRUTH, WHOLE, Table

CROISSANT = "croissant.json"
_CONTEXT = {
    "@language": "en",
    "@vocab": "https://schema.org/",
    "citeAs": "cr:citeAs",
    "column": "cr:column",
    "conformsTo": "dct:conformsTo",
    "cr": "http://mlcommons.org/croissant/",
    "rai": "http://mlcommons.org/croissant/RAI/",
    "data": {"@id": "cr:data", "@type": "@json"},
    "dataType": {"@id": "cr:dataType", "@type": "@vocab"},
    "dct": "http://purl.org/dc/terms/",
    "equivalentProperty": "cr:equivalentProperty",
    "examples": {"@id": "cr:examples", "@type": "@json"},
    "extract": "cr:extract",
    "field": "cr:field",
    "fileProperty": "cr:fileProperty",
    "fileObject": "cr:fileObject",
    "fileSet": "cr:fileSet",
    "format": "cr:format",
    "includes": "cr:includes",
    "isLiveDataset": "cr:isLiveDataset",
    "jsonPath": "cr:jsonPath",
    "key": "cr:key",
    "md5": "cr:md5",
    "parentField": "cr:parentField",
    "path": "cr:path",
    "recordSet": "cr:recordSet",
    "references": "cr:references",
    "regex": "cr:regex",
    "repeated": "cr:repeated",
    "replace": "cr:replace",
    "samplingRate": "cr:samplingRate",
    "sc": "https://schema.org/",
    "separator": "cr:separator",
    "source": "cr:source",
    "subField": "cr:subField",
    "transform": "cr:transform",
}
_TYPES = {
    TEXT: "sc:Text",
    TIME: "sc:DateTime",
    TEXTS: "sc:Text",
    WHOLE: "sc:Integer",
    NUMBER: "sc:Float",
    TRUTH: "sc:Boolean",
}
_FORMATS = {"parquet": "application/x-parquet", "jsonl": "application/jsonlines"}


def croissant(project: Project, tables: Sequence[Table], files: ReleaseFolder, date: str) -> bytes:
    """The description as JSON-LD."""
    card = project.dataset_card
    creators = [{"@type": "Person", "name": author.name} for author in authors_of(card)]
    about: dict[str, Any] = {
        "@context": _CONTEXT,
        "@type": "sc:Dataset",
        "conformsTo": "http://mlcommons.org/croissant/1.0",
        "name": title_of(project),
        "description": project.description_in("en") or title_of(project),
        "license": card.get("licence_labels") or NOT_STATED,
        "inLanguage": list(project.languages),
        "creator": creators or [{"@type": "Person", "name": NOT_STATED}],
        **({"datePublished": date} if date else {}),
        **({"url": f"https://doi.org/{card['doi']}"} if card.get("doi") else {}),
        **({"citeAs": card["citation"]} if card.get("citation") else {}),
        "distribution": [_file(table, files) for table in tables],
        "recordSet": [_records(table) for table in tables],
    }
    return (json.dumps(about, ensure_ascii=False, indent=1) + "\n").encode()


def _file(table: Table, files: ReleaseFolder) -> dict[str, Any]:
    return {
        "@type": "cr:FileObject",
        "@id": f"file-{table.name}",
        "name": f"file-{table.name}",
        "contentUrl": table.path,
        "contentSize": f"{files.size(table.path)} B",
        "encodingFormat": _FORMATS[table.ending],
        "sha256": files.sha256(table.path),
    }


def _records(table: Table) -> dict[str, Any]:
    return {
        "@type": "cr:RecordSet",
        "@id": table.name,
        "name": table.name,
        "field": [
            {
                "@type": "cr:Field",
                "@id": f"{table.name}/{column}",
                "name": column,
                "dataType": _TYPES[kind],
                **({"repeated": True} if kind == TEXTS else {}),
                "source": {"fileObject": {"@id": f"file-{table.name}"}, "extract": {"column": column}},
            }
            for column, kind in table.columns.items()
        ],
    }
