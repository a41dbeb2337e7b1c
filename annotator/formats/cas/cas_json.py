"""UIMA's JSON CAS 0.4: types, annotations and text in one object."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, BinaryIO

from annotator.domain.messages import gettext_noop as _
from annotator.domain.messages import message_of
from annotator.formats.cas.cas_model import DOCUMENT, STRING, Cas, Mark, Types, in_points
from annotator.formats.common.errors import quote
from annotator.formats.common.lines import undecodable
from annotator.formats.common.protocol import SourceFile
from annotator.formats.json.json_faults import json_fault
from annotator.formats.text.offsets import utf16_units

_DOCUMENT = frozenset({"uima.tcas.DocumentAnnotation", DOCUMENT})
# A document is held in memory.
LARGEST = 256_000_000


def read_json_cas(file: SourceFile, stream: BinaryIO) -> Cas:
    """The document of a JSON file. Raises FormatError."""
    data = _load(file, stream)
    structures = data.get("%FEATURE_STRUCTURES")
    if isinstance(structures, dict):
        # The first drafts had the ids as keys.
        structures = [{"%ID": key, **value} for key, value in structures.items() if isinstance(value, dict)]
    if not isinstance(structures, list) or not all(isinstance(one, dict) for one in structures):
        raise file.error(1, _("a list under “%FEATURE_STRUCTURES”"), quote(", ".join(data), 80))
    types = _types(data.get("%TYPES"))
    sofas = {str(one.get("%ID")): one for one in structures if one.get("%TYPE") == "uima.cas.Sofa"}
    if not sofas:
        raise file.error(1, _("a document in uima.cas.Sofa"), _("none"))
    chosen = next((own for own, sofa in sofas.items() if sofa.get("sofaID") == "_InitialView"), next(iter(sofas)))
    text = sofas[chosen].get("sofaString")
    if not isinstance(text, str):
        raise file.error(1, _("a document with text"), _("one without"))
    cas = Cas(text, 1, types)
    arrays = {
        str(one.get("%ID")): one["%ELEMENTS"]
        for one in structures
        if one.get("%TYPE") == "uima.cas.StringArray" and isinstance(one.get("%ELEMENTS"), list)
    }
    for structure in structures:
        _take(cas, structure, file, chosen, arrays)
    in_points(cas.marks, text, file.name)
    return cas


def _load(file: SourceFile, stream: BinaryIO) -> dict[str, Any]:
    raw = stream.read(LARGEST + 1)
    if len(raw) > LARGEST:
        raise file.error(1, _("a document of at most %(largest)s bytes"), _("a longer one"), largest=f"{LARGEST:,}")
    if not raw.strip():
        raise file.error(1, "JSON", _("an empty file"))
    try:
        data = json.loads(raw.decode(file.encoding or "utf-8").removeprefix("\ufeff"))
    except UnicodeDecodeError as error:
        raise undecodable(file, error, raw.count(b"\n", 0, error.start) + 1) from None
    except json.JSONDecodeError as error:
        raise file.error(error.lineno, "JSON", json_fault(error)) from None
    except RecursionError:
        raise file.error(1, "JSON", _("brackets nested too deeply")) from None
    except ValueError as error:  # a number of thousands of digits
        raise file.error(1, "JSON", message_of(error)) from None
    if not isinstance(data, dict):
        raise file.error(1, _("an object with “%FEATURE_STRUCTURES”"), quote(str(data), 60))
    return data


def _types(given: Any) -> Types:
    supertypes: dict[str, str] = {}
    features: dict[str, dict[str, str]] = {}
    for name, described in given.items() if isinstance(given, dict) else ():
        if isinstance(described, dict):
            supertypes[name] = str(described.get("%SUPER_TYPE", ""))
            features[name] = {
                key: str(value.get("%RANGE", STRING))
                for key, value in described.items()
                if isinstance(value, dict) and not key.startswith("%")
            }
    return Types(supertypes, features)


def _take(cas: Cas, structure: dict[str, Any], file: SourceFile, sofa: str, arrays: Mapping[str, list[Any]]) -> None:
    """Put an annotation, or what is said of the document, where it belongs. `arrays`: lists of texts by their ids."""
    name = str(structure.get("%TYPE", ""))
    if name in _DOCUMENT:
        language, title = structure.get("language"), structure.get("documentTitle")
        cas.language = language if isinstance(language, str) else cas.language
        if name == DOCUMENT and isinstance(title, str):
            cas.title = title
        return
    begin, end = structure.get("begin"), structure.get("end")
    if begin is None or end is None or str(structure.get("@sofa")) != sofa:
        return
    if type(begin) is not int or type(end) is not int:
        raise file.error(1, _("a numeric start and end"), quote(f"{begin}, {end}", 60))
    features: dict[str, str] = {}
    links: dict[str, str] = {}
    for key, value in structure.items():
        if key.startswith("@") and isinstance(value, int | str) and str(value) in arrays:
            features[key[1:]] = _plain(arrays[str(value)])
        elif key.startswith("@") and key != "@sofa" and value is not None:
            links[key[1:]] = " ".join(map(str, value)) if isinstance(value, list) else str(value)
        elif key[:1] not in "%@^" and key not in ("begin", "end") and value is not None:
            features[key.removeprefix("#")] = _plain(value)
    cas.marks.append(Mark(name, 1, begin, end, features, links))


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return str(value).lower()
    return ", ".join(map(_plain, value)) if isinstance(value, list) else str(value)


def write_json_cas(cas: Cas) -> str:
    """The JSON of a document."""
    described: dict[str, Any] = {}
    for name, supertype in cas.types.supertypes.items():
        described[name] = {
            "%NAME": name,
            "%SUPER_TYPE": supertype,
            **{feature: {"%NAME": feature, "%RANGE": kind} for feature, kind in cas.types.features[name].items()},
        }
    units = utf16_units(cas.text)
    sofa = {"sofaNum": 1, "sofaID": "_InitialView", "mimeType": "text", "sofaString": cas.text}
    structures: list[dict[str, Any]] = [{"%ID": 1, "%TYPE": "uima.cas.Sofa", **sofa}]
    for own_id, mark in enumerate(cas.marks, start=2):
        place = {"@sofa": 1, "begin": units[mark.begin], "end": units[mark.end]}
        structures.append({"%ID": own_id, "%TYPE": mark.type, **place, **mark.features})
    view = {"%SOFA": 1, "%MEMBERS": list(range(2, len(structures) + 1))}
    data = {"%TYPES": described, "%FEATURE_STRUCTURES": structures, "%VIEWS": {"_InitialView": view}}
    return json.dumps(data, ensure_ascii=False) + "\n"
