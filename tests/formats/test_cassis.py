"""What we write of a CAS is what dkpro-cassis reads, and what it writes of that is what we read."""

from __future__ import annotations

import io
import zipfile

import cassis
import pytest
from hypothesis import HealthCheck, given

from annotator.formats.common.protocol import Options, SourceFile
from annotator.formats.common.records import Record
from annotator.formats.registry import formats
from annotator.formats.webanno import layers
from tests.domain.strategies import examples
from tests.formats.corpora import corpora, look

SETTINGS = examples(
    20,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.function_scoped_fixture],
)


def _spans(cas):
    """The labels of a CAS: the text that they cover, and their features."""
    return sorted(
        (mark.get_covered_text(), mark.value or "", getattr(mark, "kind", None) or "")
        for mark in cas.select(layers.LABELS)
    )


def _expected(corpus):
    found = []
    for record in corpus:
        text = record.texts["ca"]
        for layer, place, features in layers.layers_of(record, text, "CAS"):
            string = "".join(space + token for space, token in zip(text.spaces, text.tokens, strict=False))
            assert layer == layers.LABELS
            found.append((string[slice(*place)], features["value"], features.get("kind", "")))
    return sorted(found)


def _read(slug, path):
    found = formats()[slug].read([SourceFile(path.name, path, language="ca")], Options())
    return look([read for read in found if isinstance(read, Record)])


@pytest.mark.slow
@SETTINGS
@given(corpus=corpora(gaps=("", " ", "\n"), attributes=True))
def test_xmi(tmp_path, corpus):
    (path,) = formats()["cas-xmi"].write(corpus, tmp_path)
    before = _read("cas-xmi", path)
    with zipfile.ZipFile(path) as archive:
        types = cassis.load_typesystem(io.BytesIO(archive.read("TypeSystem.xml")))
        cas = cassis.load_cas_from_xmi(io.BytesIO(archive.read("sentences.ca.xmi")), typesystem=types)
    assert [mark.get_covered_text() for mark in cas.select(layers.TOKEN)] == [
        token for record in corpus for token in record.texts["ca"].tokens
    ]
    if types.contains_type(layers.LABELS):
        assert _spans(cas) == _expected(corpus)
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("sentences.ca.xmi", cas.to_xmi())
        archive.writestr("TypeSystem.xml", cas.typesystem.to_xml())
    assert _read("cas-xmi", path) == before


@SETTINGS
@given(corpus=corpora(gaps=("", " ", "\n"), attributes=True))
def test_json(tmp_path, corpus):
    (path,) = formats()["cas-json"].write(corpus, tmp_path)
    before = _read("cas-json", path)
    cas = cassis.load_cas_from_json(path.read_text("utf-8"))
    if cas.typesystem.contains_type(layers.LABELS):
        assert _spans(cas) == _expected(corpus)
    path.write_text(cas.to_json(), "utf-8")
    assert _read("cas-json", path) == before
