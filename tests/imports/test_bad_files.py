"""Bad files of every format, brought to an import: refused by name and line, nothing written, nothing left behind.

What readers say of such files alone is in tests/formats/; here they go the way that a person's files go.
"""

from __future__ import annotations

import gzip
import re
import tempfile
from collections.abc import Callable, Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from annotator.core.errors import ActionError
from annotator.domain.text.tokens import MAX_TOKENS
from annotator.formats.common import beginnings, lines
from annotator.formats.json import json_items
from annotator.formats.shipped import SHIPPED
from annotator.formats.tables import xlsx
from annotator.imports.drafts import preview as import_preview
from annotator.imports.drafts.drafts import (
    Upload,
    add_files,
    change_draft,
    drop_draft,
    preview_draft,
    start_draft,
    start_import,
)
from annotator.imports.reading import check as import_check
from annotator.imports.writing.run import run_import
from annotator.jobs import running as jobs
from annotator.models import Event, Import, ImportDraft, Job, JobState, Project
from tests.bad_files import SENTENCES, Files, corpus, link, members, packed, spoiled, workbook, written
from tests.drafts import everything, make_plain, sentences
from tests.factories import make_project

pytestmark = pytest.mark.django_db

# Those that kinds bring hold other things than sentences; their tests stand with them.
FORMATS = tuple(one.slug for one in SHIPPED)
TABLES = ("csv", "tsv", "xlsx")
XML = ("cas-xmi", "vuamc", "tmx")
JSON = ("jsonl", "hub", "doccano", "label-studio", "cas-json")
# Those whose sentences have ids of their own; that of Meta4XNLI has them in other files.
WITH_IDS = (*TABLES, *JSON, "conllu", "webanno", "cas-xmi", "tmx")
WITHOUT_XLSX = tuple(slug for slug in FORMATS if slug != "xlsx")
# Of its bytes nobody would choose an encoding.
TEXTUAL = tuple(slug for slug in WITHOUT_XLSX if slug not in XML)
# What small files of these are taken for is another format that reads them as well.
CHOSEN = ("text", "doccano")
# What is left of a sentence or a row is one by itself.
LEGAL = ("lines", "text", "moses", "brat")
# Those where that depends on the place.
ROWS = ("tsv", "tagged", "conll2003")


@pytest.fixture(autouse=True)
def uploads(tmp_path: Path, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Path:
    settings.MEDIA_ROOT = tmp_path
    (tmp_path / "scratch").mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "scratch"))
    return tmp_path / "uploads"


@pytest.fixture(scope="module")
def projects(kept_rows: None) -> dict[bool, Project]:
    """With premises and hypotheses, and without."""
    return {True: make_project(languages=("es", "ca")), False: make_plain()}


class Scene:
    """A project to which files are brought."""

    def __init__(self, projects: Mapping[bool, Project], uploads: Path) -> None:
        self._projects = projects
        self._uploads = uploads

    def refuses(self, slug: str, given: Files | Iterable[tuple[str, bytes]], *words: str, **changes: Any) -> list[str]:
        """That they are refused with these words, and nothing is left of them; the errors as `file:line: …`."""
        before = self._all()
        draft = start_draft(project=self._projects[slug == "meta4xnli"], by=None)
        try:
            self._bring(draft, slug, given, changes)
        except ActionError as refused:
            said = [str(refused)]
        else:
            preview = preview_draft(draft=draft)
            said = [
                f"{one['file']}:{one['line']}: {one['expected']} / {one['got']}"
                for one in preview["problems"]
                if one["severity"] == "error"
            ]
            assert not preview["ready"], preview["problems"]
            with pytest.raises(ActionError):
                start_import(draft=draft, by=None)
        assert said
        for word in words:
            assert any(word in one for one in said), said
        drop_draft(draft=draft, by=None)
        assert self._left() == []
        assert self._all() == before
        return said

    def takes(
        self, slug: str, given: Files | Iterable[tuple[str, bytes]], **changes: Any
    ) -> tuple[list[str], list[str]]:
        """The Spanish sentences that are imported, and what was warned of."""
        project = self._projects[slug == "meta4xnli"]
        draft = start_draft(project=project, by=None)
        self._bring(draft, slug, given, changes)
        preview = preview_draft(draft=draft)
        assert preview["ready"], preview["problems"]
        run_import(draft=draft, by=None)
        drop_draft(draft=draft, by=None)
        assert self._left() == []
        return sentences(project, "es"), [
            f"{one['file']}:{one['line']}: {one['expected']}" for one in preview["problems"]
        ]

    def fails_as_a_job(self, slug: str, given: Files, **changes: Any) -> str:
        """That a fault which the preview does not reach ends the job, and nothing is imported; what the job says."""
        before = everything(), Import.objects.count()
        draft = start_draft(project=self._projects[slug == "meta4xnli"], by=None)
        self._bring(draft, slug, given, changes)
        preview = preview_draft(draft=draft)
        assert preview["ready"] and not preview["whole"], preview["problems"]
        job = start_import(draft=draft, by=None)
        jobs.run_job(job.pk, worker="test")
        job.refresh_from_db()
        assert job.state == JobState.FAILED
        assert (everything(), Import.objects.count()) == before
        draft.refresh_from_db()
        assert not preview_draft(draft=draft)["ready"]
        drop_draft(draft=draft, by=None)
        assert self._left() == []
        return job.error

    @staticmethod
    def _bring(draft: ImportDraft, slug: str, files: Any, changes: Mapping[str, Any]) -> None:
        rows = files.items() if isinstance(files, dict) else files
        add_files(draft=draft, uploads=[Upload(name, [content]) for name, content in rows], by=None)
        chosen = {"format": slug} if slug in CHOSEN else {}
        if chosen or changes:
            change_draft(draft=draft, changes={**chosen, **changes}, by=None)

    def _left(self) -> list[Path]:
        return [path for folder in ("uploads/drafts", "scratch") for path in (self._uploads.parent / folder).glob("*")]

    @staticmethod
    def _all() -> list[Any]:
        return [everything(), Event.objects.count(), Import.objects.count(), Job.objects.count()]


@pytest.fixture
def scene(projects: dict[bool, Project], uploads: Path) -> Scene:
    return Scene(projects, uploads)


def good(slug: str, given: Iterable[str] = SENTENCES, *, ids: tuple[str, ...] = ("1", "2", "3")) -> Files:
    return dict(_good(slug, tuple(given), ids))


@cache
def _good(slug: str, given: tuple[str, ...], ids: tuple[str, ...]) -> Files:
    return written(slug, corpus(given, ids=ids if slug in WITH_IDS else ()))


def in_bytes(change: Callable[[bytes], bytes], slug: str) -> Files:
    return spoiled(good(slug), change)


def placed(said: list[str], name: str) -> bool:
    """Whether the first error names the file and a line of it."""
    return re.match(rf"{re.escape(name)}:[1-9]", said[0]) is not None


@pytest.mark.parametrize("slug", FORMATS)
def test_good_files_come_in(scene: Scene, slug: str) -> None:
    found, _warned = scene.takes(slug, good(slug))

    assert sorted(found) == sorted([*SENTENCES] * (2 if slug == "meta4xnli" else 1))


class TestEncodings:
    @pytest.mark.parametrize("slug", WITHOUT_XLSX)
    def test_latin_1_chosen_as_utf_8(self, scene: Scene, slug: str) -> None:
        files = in_bytes(lambda content: content.decode().encode("latin-1"), slug)

        said = scene.refuses(slug, files, "byte 0xF3", files={"1": {"encoding": "utf-8"}})

        assert placed(said, next(iter(files)))

    # WebAnno writes UTF-8 only; in Latin-1, so few letters of so small a file are not ASCII that other encodings are as
    # likely.
    @pytest.mark.parametrize(
        ("slug", "encoding"),
        [
            (slug, encoding)
            for slug in TEXTUAL
            for encoding in ("latin-1", "utf-16-le", "utf-16-be", "utf-16")
            if (slug, encoding) != ("webanno", "latin-1")
        ],
    )
    def test_what_is_recognised_comes_in(self, scene: Scene, slug: str, encoding: str) -> None:
        found, _warned = scene.takes(slug, in_bytes(lambda content: content.decode().encode(encoding), slug))

        assert set(found) >= {*SENTENCES}

    @pytest.mark.parametrize("slug", XML)
    def test_xml_that_is_not_what_it_declares(self, scene: Scene, slug: str) -> None:
        files = in_bytes(lambda content: content.decode().encode("latin-1"), slug)
        assert placed(scene.refuses(slug, files, "byte 0xF3, which is not in the encoding"), next(iter(files)))

        files = in_bytes(lambda content: content.decode().encode("utf-16-le"), slug)
        assert placed(scene.refuses(slug, files, "encoding specified in XML declaration"), next(iter(files)))

    @pytest.mark.parametrize("slug", TEXTUAL)
    def test_utf_8_chosen_as_utf_16(self, scene: Scene, slug: str) -> None:
        scene.refuses(slug, good(slug), next(iter(good(slug))), files={"1": {"encoding": "utf-16"}})

    # Text with NUL bytes is in no format; running text is no other than text.
    @pytest.mark.parametrize("slug", [slug for slug in WITHOUT_XLSX if slug != "text"])
    def test_nul_bytes(self, scene: Scene, slug: str) -> None:
        files = in_bytes(lambda content: content.replace(b"despierta", b"des\0pierta"), slug)

        said = scene.refuses(slug, files)

        assert placed(said, next(iter(files)))
        assert any(word in said[0] for word in ("a NUL character", "control character")), said

    @pytest.mark.parametrize("name", ["undefined", "idna", "punycode", "unicode_escape", "rot13"])
    def test_codecs_that_are_no_encodings(self, scene: Scene, name: str) -> None:
        scene.refuses("lines", good("lines"), "Unknown encoding", files={"1": {"encoding": name}})


class TestDamage:
    @pytest.mark.parametrize("slug", [slug for slug in FORMATS if slug not in (*LEGAL, *ROWS)])
    @pytest.mark.parametrize("share", [0.4, 0.63, 0.85])
    def test_cut_off(self, scene: Scene, slug: str, share: float) -> None:
        files = good(slug)
        first = next(iter(files))
        files[first] = files[first][: int(len(files[first]) * share)].rstrip()

        said = scene.refuses(slug, files)

        assert placed(said, first) or "is incomplete" in said[0], said

    @pytest.mark.parametrize("slug", ROWS)
    def test_cut_off_in_a_row(self, scene: Scene, slug: str) -> None:
        name, content = next(iter(good(slug).items()))
        said = scene.refuses(slug, {name: content[: content.rindex(b" " if slug == "conll2003" else b"\t")]})
        assert placed(said, name)

    @pytest.mark.parametrize("slug", LEGAL)
    def test_cut_off_in_a_sentence(self, scene: Scene, slug: str) -> None:
        name, content = next(iter(good(slug).items()))

        found, warned = scene.takes(slug, {name: content[:-8]})

        assert len(found) == 3
        assert f"{name}:{content.count(b'.') * (2 if slug == 'text' else 1) - (slug == 'text')}: " in warned[-1]
        assert "does not end in a line feed" in warned[-1]

    @pytest.mark.parametrize("slug", FORMATS)
    def test_empty(self, scene: Scene, slug: str) -> None:
        name = next(iter(good(slug)))
        scene.refuses(slug, {**good(slug), name: b""}, f"{name} is empty. Choose a file with text.")

    @pytest.mark.parametrize("slug", WITHOUT_XLSX)
    def test_blank_lines_alone(self, scene: Scene, slug: str) -> None:
        name = next(iter(good(slug)))
        scene.refuses(slug, {name: b"\n \n\n" + b"\n" * 50}, name)

    @pytest.mark.parametrize(
        ("slug", "content", "words"),
        [
            ("csv", "id,text:es\n", "at least one sentence"),
            ("tsv", "id\ttext:es\n", "at least one sentence"),
            ("conll2003", "-DOCSTART- -X- -X- O\n\n", "at least one sentence"),
            ("conllu", "# newdoc id = carta\n", "at least one sentence"),
            ("hub", '{"tokens": [], "tags": []}\n', "at least one sentence"),
            ("jsonl", "{}\n", "JSON of another kind"),
            ("doccano", '{"text": "", "label": []}\n', "a text / an empty one"),
            ("label-studio", "[]", "an empty one"),
            ("webanno", "#FORMAT=WebAnno TSV 3.3\n#T_SP=webanno.custom.Metaphor|value\n\n\n", "sentences / none"),
            ("cas-xmi", '<xmi:XMI xmlns:xmi="http://www.omg.org/XMI"/>', "a document in cas:Sofa"),
            ("cas-json", '{"%TYPES": {}, "%FEATURE_STRUCTURES": []}', "a document in uima.cas.Sofa"),
            ("vuamc", '<TEI xmlns="http://www.tei-c.org/ns/1.0"><text/></TEI>', "sentences <s> with words <w>"),
            ("tmx", '<tmx version="1.4"><header/><body/></tmx>', "at least one <tu>"),
        ],
    )
    def test_a_beginning_alone(self, scene: Scene, slug: str, content: str, words: str) -> None:
        name = next(iter(good(slug)))
        said = scene.refuses(slug, {name: content.encode()}, words)
        assert said[0].startswith(name)

    @pytest.mark.parametrize("rows", [[["id", "text:es"]], [[None]]])
    def test_a_workbook_without_a_sentence(self, scene: Scene, rows: list[list[str]]) -> None:
        scene.refuses("xlsx", {"tabla.xlsx": workbook(rows)}, "tabla.xlsx:0: a file with at least one sentence / none")

    @pytest.mark.parametrize(
        ("name", "content", "words"),
        [
            (
                "x.json",
                b'[{"data": {"text": "El tiempo"}, "annotations": []}, {"da',
                "x.json:1: JSON / the end of the file",
            ),
            ("x.json", b'{"otra": 1,\n"cosa" 2}', "x.json:2: JSON / a colon is missing after a key at “2}”"),
            (
                "x.json",
                b'{"otra": 1}',
                "x.json:0: a file in one of the formats / JSON of another kind, with the keys “otra”",
            ),
            ("x.xml", b"<html>\n<p>Sol & luna</p></html>", "x.xml:2: well-formed XML / not well-formed"),
            ("x.xml", b"<html><p>Sol</p></html>", "XML of another kind, which begins with <html>"),
        ],
    )
    def test_files_of_no_format_say_why(self, scene: Scene, name: str, content: bytes, words: str) -> None:
        scene.refuses("", {name: content}, words)


class TestIds:
    @pytest.mark.parametrize("slug", WITH_IDS)
    def test_twice_in_a_file(self, scene: Scene, slug: str) -> None:
        files = good(slug, ids=("1", "2", "1"))

        (said,) = scene.refuses(slug, files, "each ID only once per language / “1” again, as at ")

        assert said.count(next(iter(files))) == 2
        assert placed([said], next(iter(files)))

    @pytest.mark.parametrize("slug", WITH_IDS)
    def test_twice_across_files(self, scene: Scene, slug: str) -> None:
        """Many tools count anew in each file: another text is told apart by the file's name, with a warning."""
        files = good(slug)
        first = next(iter(files))
        other = good(slug, ["Nadie lo vio .", "Y llueve ."], ids=("2", "4"))[first]

        texts, warned = scene.takes(slug, [*files.items(), (f"otro.{first}", other)])

        assert len(texts) == len(SENTENCES) + 2 and "Nadie lo vio ." in texts
        (said,) = [one for one in warned if "1 ID appears again in another file or document" in one]
        assert placed([said], f"otro.{first}")


class TestOrderOfColumns:
    """Of files that have no headings. What is in the wrong place is not taken for text."""

    @pytest.mark.parametrize(
        ("slug", "one", "other", "words"),
        [
            ("tagged", 0, 1, "es.tsv:1: a token, and then its tag / the tag first: “O”, then “El”"),
            ("conll2003", 0, 3, "es.conll:1: a token, and then its tag / the tag first: “O”, then “El”"),
            ("conllu", 0, 1, "es.conllu:3: "),
            ("conllu", 1, 3, "es.conllu:3: words in the second column / only “_”, although “# text” is “El tiempo es"),
            ("webanno", 1, 2, "sentences.es.tsv:7: a token like"),
            ("webanno", 2, 3, "sentences.es.tsv:5: the tokens "),
            ("meta4xnli", 0, 1, "corpus_prem.tsv:1: a token, and then its tag / the tag first"),
        ],
    )
    def test_another_one(self, scene: Scene, slug: str, one: int, other: int, words: str) -> None:
        def swapped(content: bytes) -> bytes:
            lines = content.decode().split("\n")
            mark = "\t" if any("\t" in line for line in lines) else " "
            for number, line in enumerate(lines):
                cells = line.split(mark)
                if len(cells) > other and not line.startswith("#"):
                    cells[one], cells[other] = cells[other], cells[one]
                    lines[number] = mark.join(cells)
            return "\n".join(lines).encode()

        scene.refuses(slug, in_bytes(swapped, slug), words)

    def test_an_o_may_be_a_word(self, scene: Scene) -> None:
        found, _warned = scene.takes("lines", {"es.txt": b"O tempo passa .\nO rato roeu .\n"})
        assert found == ["O tempo passa .", "O rato roeu ."]


class TestTables:
    def test_rows_far_apart_in_a_small_workbook(self, scene: Scene, monkeypatch: pytest.MonkeyPatch) -> None:
        # Of Excel's own million, each reading takes a third of a second.
        monkeypatch.setattr(xlsx, "_MAX_ROWS", most := 20_000)
        parts = members(workbook([["id", "text:es"], ["1", SENTENCES[0]]]))
        sheet = parts["xl/worksheets/sheet1.xml"]
        assert b'r="2"' in sheet
        parts["xl/worksheets/sheet1.xml"] = sheet.replace(b'<row r="2"', b'<row r="2000000000"')
        scene.refuses("xlsx", {"tabla.xlsx": packed(parts)}, f"tabla.xlsx:{most + 1}: at most 20,000 rows")


class TestLength:
    @pytest.mark.parametrize("slug", [slug for slug in FORMATS if slug != "xlsx"])
    def test_a_sentence_of_too_many_tokens(self, scene: Scene, slug: str) -> None:
        files = good(slug, [SENTENCES[0], " ".join(["palabra"] * (MAX_TOKENS + 1))])

        said = scene.refuses(slug, files, "a sentence of at most 5000 tokens / 5001 tokens")

        assert placed(said, next(iter(files)))

    @pytest.mark.parametrize("slug", ["lines", "conllu", "tmx"])
    def test_a_sentence_of_as_many_as_may_be(self, scene: Scene, slug: str) -> None:
        longest = " ".join(["palabra"] * MAX_TOKENS)

        found, _warned = scene.takes(slug, good(slug, [SENTENCES[0], longest]))

        assert found == [SENTENCES[0], longest]

    @pytest.mark.exhaustive
    @pytest.mark.parametrize("slug", [slug for slug in FORMATS if slug != "xlsx"])
    def test_a_sentence_longer_than_readers_look_at_once(self, scene: Scene, slug: str) -> None:
        longest = " ".join(["palabra"] * 9_000)
        assert len(longest) > beginnings._BYTES
        scene.refuses(slug, good(slug, [SENTENCES[0], longest]))

    def test_a_sentence_without_spaces(self, scene: Scene) -> None:
        scene.refuses("lines", {"es.txt": b"a" * 100_001 + b"\n"}, "es.txt:1: a sentence of at most 100000 characters")


class TestHarm:
    @pytest.mark.parametrize("slug", JSON)
    def test_a_number_of_many_digits(self, scene: Scene, slug: str) -> None:
        files = in_bytes(lambda content: content.replace(b'{"', b'{"x": ' + b"9" * 5_000 + b', "', 1), slug)
        assert placed(scene.refuses(slug, files), next(iter(files)))

    def test_links(self, scene: Scene) -> None:
        zipped = packed([("ca.txt", b"Hola .\n"), link("es.txt", "/etc/passwd")])
        scene.refuses("lines", {"c.zip": zipped}, "c.zip contains a link instead of a file: es.txt")

    @pytest.mark.filterwarnings("ignore:Duplicate name")
    def test_two_files_of_one_name(self, scene: Scene) -> None:
        zipped = packed([("es.txt", b"Hola .\n"), ("es.txt", b"Adios .\n")])
        scene.refuses("lines", {"c.zip": zipped}, "c.zip contains two files named es.txt")

    @pytest.mark.parametrize("slug", FORMATS)
    def test_cut_off_archives(self, scene: Scene, slug: str) -> None:
        scene.refuses(slug, {"c.zip": packed(good(slug))[:-30]}, "c.zip is incomplete")
        name, content = next(iter(good(slug).items()))
        scene.refuses(slug, {f"{name}.gz": gzip.compress(content)[:-9]}, f"{name}.gz is incomplete")

    @pytest.mark.parametrize("inside", ["{}", "[]", "1"])
    @pytest.mark.parametrize("between", [",", ",\n"])
    def test_items_of_more_values_than_anybody_says(self, scene: Scene, inside: str, between: str) -> None:
        number = 600_000 if inside == "1" else 110_000
        item = f'{{"text": "Llueve .", "more": [{between.join([inside] * number)}]}}'
        said = "items of at most 100,000 objects and lists / one with more values"
        for name, content in (("a.jsonl", item.replace("\n", "")), ("a.json", f"[{item}]")):
            scene.refuses("jsonl", {name: content.encode()}, f"{name}:1: {said}")

    def test_a_workbook_of_texts_that_no_cell_shows(self, scene: Scene) -> None:
        sheet, types, texts = "xl/worksheets/sheet1.xml", "[Content_Types].xml", "xl/sharedStrings.xml"
        main = b"application/vnd.openxmlformats-officedocument.spreadsheetml."
        parts = members(workbook([["id", "text:es"], ["1", SENTENCES[0]]]))
        inside = parts[sheet].replace(b't="inlineStr"><is><t>id</t></is>', b't="s"><v>0</v>')
        assert inside != parts[sheet]
        override = b'<Override PartName="/xl/sharedStrings.xml" ContentType="' + main + b'sharedStrings+xml"/></Types>'
        space = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
        shared = b"<sst " + space + b"><si><t>id</t></si></sst>"
        parts |= {sheet: inside, types: parts[types].replace(b"</Types>", override), texts: shared}
        scene.takes("xlsx", {"tabla.xlsx": packed(parts)})
        for text in (b"<si/>", b"<si><t>a</t></si>"):
            many = shared.replace(b"</sst>", text * 12_000 + b"</sst>")
            scene.refuses(
                "xlsx",
                {"tabla.xlsx": packed({**parts, texts: many})},
                "tabla.xlsx:0: a workbook with its texts in its cells",
            )


class TestJobs:
    """Faults beyond what a preview of large files reads."""

    @pytest.fixture(autouse=True)
    def small(self, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.setattr(import_preview, "WHOLE_BYTES", 1_000)
        monkeypatch.setattr(import_preview, "SAMPLE", 10)
        monkeypatch.setattr(import_check, "CHUNK_SIZE", 5)
        monkeypatch.setattr(lines, "_CHUNK", 256)
        monkeypatch.setattr(json_items, "_CHUNK", 256)

    MANY = tuple(f"El tren número {number} llega tarde ." for number in range(60))
    IDS = tuple(map(str, range(60)))
    # Their preview meets the end of a file of this size.
    READ_WHOLE_FIRST = {"brat", "meta4xnli", "cas-json", "jsonl", "doccano", "label-studio"}

    @pytest.mark.parametrize("slug", sorted({*TEXTUAL} - READ_WHOLE_FIRST))
    def test_another_encoding_at_the_end(self, scene: Scene, slug: str) -> None:
        files = good(slug, self.MANY, ids=self.IDS)
        name, content = next(iter(files.items()))
        end = content.rindex("número".encode())
        files[name] = content[:end] + content[end:].decode().encode("latin-1")
        said = scene.fails_as_a_job(slug, files, files={"1": {"encoding": "utf-8"}})
        assert re.match(rf"{re.escape(name)}:\d+: .*byte 0xFA", said)

    @pytest.mark.parametrize("slug", WITH_IDS)
    def test_an_id_twice_at_the_end(self, scene: Scene, slug: str) -> None:
        files = good(slug, self.MANY, ids=(*self.IDS[:-1], "0"))
        said = scene.fails_as_a_job(slug, files)
        assert said.startswith(f"{next(iter(files))}:")
        assert "“0” again" in said
