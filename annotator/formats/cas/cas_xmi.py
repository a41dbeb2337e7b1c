"""UIMA's XMI and its type system: read tag by tag, without entities, and written."""

from __future__ import annotations

from collections.abc import Iterator
from typing import BinaryIO

from annotator.domain.messages import gettext_noop as _
from annotator.formats.cas.cas_model import ANNOTATION, DOCUMENT, Cas, Mark, Types, in_points
from annotator.formats.common.errors import quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.text.offsets import utf16_units
from annotator.formats.xml.events import Characters, End, Start, xml_events
from annotator.formats.xml.writing import xml_attributes, xml_text

XMI = "http://www.omg.org/XMI"
RESOURCES = "http://uima.apache.org/resourceSpecifier"
_ID = f"{{{XMI}}}id"
_DOCUMENT_LANGUAGE = frozenset({"uima.tcas.DocumentAnnotation", DOCUMENT})


def read_xmi(file: SourceFile, stream: BinaryIO, types: Types) -> Cas:
    """The document of an XMI file. Raises FormatError."""
    sofas: dict[str, tuple[str, str, int]] = {}
    found: list[tuple[str, Mark]] = []
    language, title, line = "", None, 1
    for name, start, children in _structures(file, stream):
        line = start.line
        attributes = dict(start.attributes)
        own = attributes.pop(_ID, "")
        if name == "uima.cas.Sofa":
            sofas[own] = (attributes.get("sofaID", ""), attributes.get("sofaString", ""), line)
            continue
        sofa, begin, end = (attributes.pop(key, "") for key in ("sofa", "begin", "end"))
        if name in _DOCUMENT_LANGUAGE:
            language = attributes.get("language", "") or language
            title = attributes.get("documentTitle") if name == DOCUMENT else title
            continue
        if not begin or not end:
            # Views, links, arrays: no annotations of text.
            continue
        links = {key: value for key, value in attributes.items() if types.refers(name, key)}
        features = {key: value for key, value in attributes.items() if key not in links}
        features |= {key: ", ".join(values) for key, values in children.items()}
        places = [_whole(value) for value in (begin, end)]
        if None in places:
            raise file.error(line, _("a numeric start and end"), quote(f"{begin}, {end}", 60))
        found.append((sofa, Mark(name, line, places[0] or 0, places[1] or 0, features, links)))
    if not sofas:
        raise file.error(line, _("a document in cas:Sofa"), _("none"))
    chosen = next((own for own, sofa in sofas.items() if sofa[0] == "_InitialView"), next(iter(sofas)))
    _rest, text, line = sofas[chosen]
    cas = Cas(text, line, types, [mark for sofa, mark in found if sofa == chosen], language, title)
    in_points(cas.marks, text, file.name)
    return cas


def _structures(file: SourceFile, stream: BinaryIO) -> Iterator[tuple[str, Start, dict[str, list[str]]]]:
    """The feature structures of a file: type, tag, and the features that stand in tags of their own."""
    depth = 0
    current: Start | None = None
    children: dict[str, list[str]] = {}
    inner = ""
    for event in xml_events(file, stream):
        if isinstance(event, Start):
            depth += 1
            if depth == 1 and (event.name, event.space) != ("XMI", XMI):
                raise file.error(event.line, _("the element <xmi:XMI>"), f"<{event.name}>")
            if depth == 2:
                current, children = event, {}
            elif depth == 3:
                inner = event.name
                children.setdefault(inner, []).append("")
            elif depth > 3:
                raise file.error(event.line, _("annotations without nested elements"), f"<{event.name}>")
        elif isinstance(event, Characters):
            if depth == 3:
                children[inner][-1] += event.text
        else:
            depth -= 1
            if depth == 1 and current is not None:
                yield _type_name(current), current, children


def _type_name(start: Start) -> str:
    """ "webanno.custom.Metaphor" for an element of the namespace http:///webanno/custom.ecore."""
    package = start.space.removeprefix("http:///").removesuffix(".ecore").replace("/", ".")
    return start.name if package in ("", "uima.noNamespace", "noNamespace") else f"{package}.{start.name}"


def _whole(value: str) -> int | None:
    return int(value) if value.isascii() and value.isdigit() and len(value) < 12 else None


def read_types(file: SourceFile, stream: BinaryIO) -> Types:
    """The types of a type system description. Raises FormatError."""
    supertypes: dict[str, str] = {}
    features: dict[str, dict[str, str]] = {}
    path: list[str] = []
    type_name = feature = ""
    for event in xml_events(file, stream):
        if isinstance(event, Start):
            path.append(event.name)
            if len(path) == 1 and event.name != "typeSystemDescription":
                raise file.error(event.line, _("the element <typeSystemDescription>"), f"<{event.name}>")
        elif isinstance(event, End):
            path.pop()
        elif (text := event.text.strip()) and len(path) > 1:
            parent, name = path[-2], path[-1]
            if (parent, name) == ("typeDescription", "name"):
                type_name = text
                supertypes.setdefault(text, ANNOTATION)
                features.setdefault(text, {})
            elif (parent, name) == ("typeDescription", "supertypeName"):
                supertypes[type_name] = text
            elif (parent, name) == ("featureDescription", "name"):
                feature = text
            elif (parent, name) == ("featureDescription", "rangeTypeName"):
                features.setdefault(type_name, {})[feature] = text
    return Types(supertypes, features)


def write_xmi(cas: Cas) -> str:
    """The XMI of a document. Raises ValueError for characters that XML does not have."""
    packages = sorted({mark.type.rpartition(".")[0] for mark in cas.marks})
    spaces = {package: f"ns{number}" for number, package in enumerate(packages, start=1)}
    names = {"xmlns:xmi": XMI, "xmlns:cas": "http:///uima/cas.ecore"}
    names |= {f"xmlns:{prefix}": f"http:///{package.replace('.', '/')}.ecore" for package, prefix in spaces.items()}
    units = utf16_units(cas.text)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<xmi:XMI{xml_attributes(names)} xmi:version="2.0">']
    lines.append('<cas:NULL xmi:id="0"/>')
    # The id 1 is the text's.
    for own, mark in enumerate(cas.marks, start=2):
        package, _rest, name = mark.type.rpartition(".")
        tag = f"{spaces[package]}:{name}"
        place: dict[str, str | int] = {"xmi:id": own, "sofa": 1, "begin": units[mark.begin], "end": units[mark.end]}
        lines.append(f"<{tag}{xml_attributes(place | mark.features)}/>")
    sofa: dict[str, str | int] = {
        "xmi:id": 1,
        "sofaNum": 1,
        "sofaID": "_InitialView",
        "mimeType": "text",
        "sofaString": cas.text,
    }
    lines.append(f"<cas:Sofa{xml_attributes(sofa)}/>")
    members = " ".join(str(own) for own in range(2, len(cas.marks) + 2))
    lines.append(f'<cas:View sofa="1" members="{members}"/>')
    return "\n".join([*lines, "</xmi:XMI>", ""])


def write_types(types: Types) -> str:
    """The type system description that XMI is read with."""
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', f'<typeSystemDescription xmlns="{RESOURCES}">', "<types>"]
    for name, supertype in types.supertypes.items():
        lines.append(f"<typeDescription><name>{xml_text(name)}</name><description/>")
        lines.append(f"<supertypeName>{xml_text(supertype)}</supertypeName><features>")
        lines += [
            f"<featureDescription><name>{xml_text(feature)}</name><description/>"
            f"<rangeTypeName>{xml_text(kind)}</rangeTypeName></featureDescription>"
            for feature, kind in types.features[name].items()
        ]
        lines.append("</features></typeDescription>")
    return "\n".join([*lines, "</types>", "</typeSystemDescription>", ""])
