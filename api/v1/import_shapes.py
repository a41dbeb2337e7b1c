"""Requests and answers of imports: drafts, previews, and what came in."""

from __future__ import annotations

from dataclasses import asdict
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints, is_typeddict

from rest_framework import serializers

from annotator.core.files.uploads import MAX_FILES
from annotator.formats.common.corrections import JOIN, SPLIT
from annotator.imports.drafts import preview_shapes
from annotator.imports.reading.parallel import ParallelShown
from annotator.models import LabelsAs
from api.v1.shapes import Anything, PagedAnswer, Plain, array

# Lines of a file, problems of an import.
MAX_PLACES = 999_999_999
MAX_TEXT = 20_000_000
Json = dict[str, Any]


def _object(**properties: Json) -> Json:
    return {"type": "object", "properties": properties, "required": list(properties)}


_TEXT: Json = {"type": "string"}
_NUMBER: Json = {"type": "integer"}
_FLAG: Json = {"type": "boolean"}
_TEXTS_BY_LANGUAGE: Json = {"type": "object", "additionalProperties": {"type": "string"}}
_COUNTS: Json = {"type": "object", "additionalProperties": {"type": "integer"}}
_FILE: dict[str, Json] = {
    "id": _TEXT,
    "name": _TEXT,
    "size": _NUMBER,
    "encoding": _TEXT,
    "language": _TEXT,
    "role": _TEXT,
    "used": _FLAG,
    "format": _TEXT,
}
_SCHEMAS: dict[Any, Json] = {str: _TEXT, int: _NUMBER, float: {"type": "number"}, bool: _FLAG, Any: {}}


def _schema(of: Any) -> Json:
    """The schema of a type that a preview is made of: what its TypedDict says need not be said again."""
    if is_typeddict(of):
        return _object(**{name: _schema(one) for name, one in get_type_hints(of).items()})
    if get_origin(of) is list:
        return array(_schema(get_args(of)[0]))
    if get_origin(of) is dict:
        return {"type": "object", "additionalProperties": _schema(get_args(of)[1])}
    if NoneType in get_args(of):
        return {**_schema(get_args(of)[0]), "nullable": True}
    return _SCHEMAS[of]


class Files(Plain):
    schema = array(_object(**_FILE, sha256=_TEXT))

    def to_representation(self, value: Any) -> Any:
        # Where they lie is nobody's business.
        return [{name: one.get(name, "") for name in (*_FILE, "sha256")} for one in value]


class Formats(Plain):
    schema = array(_schema(preview_shapes.FormatShown))


class ReadFiles(Plain):
    schema = array(_schema(preview_shapes.FileShown))


class Columns(Plain):
    schema = array(_schema(preview_shapes.ColumnShown))


class Rows(Plain):
    """The first records as they will appear."""

    schema = array(_schema(preview_shapes.RowShown))


class PairRows(Plain):
    schema = array(_schema(preview_shapes.PairShown))


class Counts(Plain):
    schema = _schema(preview_shapes.CountsShown)


class Problems(Plain):
    schema = array(_schema(preview_shapes.ProblemShown))


class Parallel(Plain):
    schema = array(_schema(ParallelShown))


class Translation(Plain):
    schema = _schema(preview_shapes.TranslationShown | None)


class Tokens(Plain):
    schema = _schema(preview_shapes.TokensShown)


class Notes(Plain):
    schema = array(_TEXT)


class DraftAnswer(serializers.Serializer):
    """An import that was begun: its files, and how they are to be read."""

    id = serializers.IntegerField(source="pk")
    created_at = serializers.DateTimeField()
    expires_at = serializers.DateTimeField(help_text="The time when it and its files will be deleted.")
    files = Files()
    format = serializers.CharField(help_text="Empty while nothing was recognised.")
    options = Anything()
    dataset = serializers.CharField()
    labels_as = serializers.CharField(help_text="none, gold, person, model or file")
    labels_name = serializers.CharField(help_text="A member's username, or a model's name.")
    labels_revision = serializers.CharField()
    people = Anything(help_text="With labels as the file says: by the name in the file, a member's username.")
    licence = serializers.CharField()
    publishable = serializers.BooleanField()
    job = serializers.IntegerField(source="job_id", allow_null=True)
    imported = serializers.IntegerField(source="imported_id", allow_null=True, help_text="The import, once it is done.")


class PreviewAnswer(serializers.Serializer):
    """What a draft would bring, and all that is wrong with it."""

    language = serializers.CharField(help_text="The language of notes and problems.")
    format = serializers.CharField()
    formats = Formats()
    notes = Notes()
    doubts = Notes(help_text="Options that were guessed, and that nobody has confirmed yet.")
    files = ReadFiles()
    options = Anything()
    tokens = Tokens(
        help_text="Why the text is split like this: who chose it, or how many texts have their last mark attached."
    )
    columns = Columns()
    rows = Rows()
    pairs = PairRows()
    counts = Counts()
    problems = Problems(help_text="The first hundred.")
    errors = serializers.IntegerField()  # type: ignore[assignment]  # the name is that of a property of serializers
    warnings = serializers.IntegerField()
    parallel = Parallel()
    translation = Translation(help_text="A file that says that it is a translation, and which datasets have originals.")
    whole = serializers.BooleanField(help_text="Whether the files were read completely.")
    expected = serializers.IntegerField(help_text="The approximate number of records.")
    ready = serializers.BooleanField(help_text="Whether it can be started.")


class Sentences(Plain):
    """A page of sentences. `tokens` and `join` name the places at which a correction splits it, or joins the next.

    `token_places`: by language, the tokens that can be split and joined, and where they begin in the text of this key;
    `joins`: with the one before. Tokens that the file gives are not among them.
    """

    schema = array(
        _object(
            cursor=_TEXT,
            file=_TEXT,
            line=_NUMBER,
            texts=_TEXTS_BY_LANGUAGE,
            tokens=array(_object(text=_TEXT, paragraph=_TEXT, place=_NUMBER)),
            join={"type": "object", "nullable": True, "properties": {"paragraph": _TEXT, "place": _NUMBER}},
            is_corrected=_FLAG,
            token_places={
                "type": "object",
                "additionalProperties": array(_object(text=_TEXT, key=_TEXT, place=_NUMBER, joins=_FLAG)),
            },
        )
    )

    def to_representation(self, value: Any) -> Any:
        return [
            {
                **asdict(one),
                "join": {"paragraph": one.join[0], "place": one.join[1]} if one.join is not None else None,
            }
            for one in value
        ]


class SentencesAnswer(serializers.Serializer):
    """Some of all sentences of a draft."""

    sentences = Sentences()
    previous = serializers.CharField(help_text="The cursor of the previous page; empty on the first page.")
    next = serializers.CharField(help_text="The cursor of the next page; empty on the last page.")


class SentencesQuery(serializers.Serializer):
    cursor = serializers.CharField(required=False, default="", allow_blank=True, max_length=20)
    file = serializers.CharField(
        required=False, default="", allow_blank=True, max_length=20, help_text="The id of a file; all of them."
    )
    line = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=MAX_PLACES, help_text="Start at this line."
    )


class CorrectionRequest(serializers.Serializer):
    """Where a sentence of running text begins, or goes on; the one takes the other back."""

    paragraph = serializers.RegexField(r"^[0-9a-f]{16}$")
    place = serializers.IntegerField(min_value=0, max_value=MAX_PLACES)
    correction = serializers.ChoiceField(choices=[SPLIT, JOIN])


class TokenCorrectionRequest(serializers.Serializer):
    """Where a token begins in a text, or the one before goes on, wherever the same text stands; the one takes the other
    back. Not where white space is, and not in tokens that the file gives."""

    key = serializers.RegexField(r"^[0-9a-f]{16}$", help_text="Of the text, as `token_places` names it.")
    place = serializers.IntegerField(
        min_value=0, max_value=MAX_PLACES, help_text="A token's, or inside it: counted on from there in code points."
    )
    correction = serializers.ChoiceField(choices=[SPLIT, JOIN])


class ProblemsAnswer(serializers.Serializer):
    problems = Problems()
    total = serializers.IntegerField(
        help_text="All that were found. After 10,000 warnings, one last problem says how many more there are."
    )


class DroppedAnswer(serializers.Serializer):
    id = serializers.IntegerField()


class ImportAnswer(serializers.Serializer):
    """A dataset that came in."""

    id = serializers.IntegerField(source="pk")
    dataset = serializers.CharField()
    labels = serializers.CharField()
    summary = Anything()
    licence = serializers.CharField()
    publishable = serializers.BooleanField()
    original_language = serializers.CharField(help_text="The language the texts were written in; empty: not known.")
    published_at = serializers.DateTimeField()


class SentenceCounts(Plain):
    schema = _COUNTS


class OneImportAnswer(serializers.Serializer):
    imported = ImportAnswer()
    sentences = SentenceCounts(
        help_text="By language, how many releases contain, or leave out, by what this import says alone."
    )


class TermsRequest(serializers.Serializer):
    """What is left out stays. Releases that are there stay as they are."""

    licence = serializers.CharField(max_length=200, required=False, allow_blank=True)
    publishable = serializers.BooleanField(required=False, help_text="Whether releases contain the text.")
    original_language = serializers.CharField(
        max_length=20,
        required=False,
        allow_blank=True,
        help_text="The language the texts were written in, one of the project's; empty: not known.",
    )


class ImportsAnswer(PagedAnswer):
    imports = ImportAnswer(many=True)


class DraftsAnswer(PagedAnswer):
    drafts = DraftAnswer(many=True)


class DraftRequest(serializers.Serializer):
    dataset = serializers.CharField(max_length=100, required=False, default="", allow_blank=True)


class PastedTextRequest(serializers.Serializer):
    name = serializers.CharField(max_length=200, required=False, default="text.txt")
    text = serializers.CharField(max_length=MAX_TEXT, trim_whitespace=False)


class FilesRequest(serializers.Serializer):
    files = serializers.ListField(
        child=serializers.FileField(allow_empty_file=True), min_length=1, max_length=MAX_FILES
    )


class ProblemsQuery(serializers.Serializer):
    after = serializers.IntegerField(
        required=False, default=0, min_value=0, max_value=MAX_PLACES, help_text="The number of entries to skip."
    )
    limit = serializers.IntegerField(required=False, default=1000, min_value=1, max_value=1000)


class ChangeRequest(serializers.Serializer):
    """What is left out stays. Checked against project and formats when it is written."""

    format = serializers.CharField(max_length=50, required=False, allow_blank=True)
    dataset = serializers.CharField(max_length=100, required=False)
    labels_as = serializers.ChoiceField(choices=LabelsAs.choices, required=False)
    labels_name = serializers.CharField(max_length=200, required=False, allow_blank=True)
    labels_revision = serializers.CharField(max_length=100, required=False, allow_blank=True)
    people = serializers.DictField(child=serializers.CharField(max_length=150), required=False)
    licence = serializers.CharField(max_length=200, required=False, allow_blank=True)
    publishable = serializers.BooleanField(required=False)
    options = serializers.DictField(
        required=False, help_text="columns, delimiter, header, sentences, tokens, label_map, …"
    )
    files = serializers.DictField(
        child=serializers.DictField(), required=False, help_text="By id: language, role, encoding, format."
    )
