"""Which tool is given which sentences in which format, and which files it writes of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from hypothesis import HealthCheck, Phase, given, seed, settings

from annotator.domain.labels.spans import Attributes, Span
from annotator.formats.common.features import Feature
from annotator.formats.common.records import CharSpan, Labels, Record, Says, Text
from tests.formats.corpora import texts
from tests.formats.tools.sentences import METAPHOR, SENTENCES, SIMILE, WORDS, long_sentences, room_in

# How many random sentences a tool is given besides; they are the same in every run.
RANDOM = 120
Change = Callable[[Record], Record]


@dataclass(frozen=True, slots=True)
class Returned:
    """A file that a tool writes: its name, the format that reads it, and what of each record it has no room for."""

    name: str
    format: str
    without: Change = lambda record: record
    tokens: str = ""  # where not as it was recognised: see `Options.tokens`


@dataclass(frozen=True, slots=True)
class Case:
    """Records that a format writes in one file. `language`: of the file where it is one of several, beside another."""

    tool: str
    name: str
    format: str
    records: tuple[Record, ...]
    returned: tuple[Returned, ...] = ()
    language: str = ""


def cases(*, kept: bool) -> list[Case]:
    """All cases: of the sentences that are kept here, or of long and random ones, which are not."""
    return [*_doccano(kept), *_label_studio(kept), *_uima(kept), *_tables(kept)]


def _bare(record: Record) -> Record:
    """Without what columns of tokens and tags have no room for."""
    change = {language: replace(text, spaces=_single(text)) for language, text in record.texts.items()}
    return replace(record, texts=change, group="", genre="", source="")


def _single(text: Text) -> tuple[str, ...]:
    return ("", *[" "] * (len(text.tokens) - 1), "")


def _some(
    slug: str, kept: bool, *, words: int = WORDS, parallel: bool = False, without: Iterable[Feature] = ()
) -> tuple[Record, ...]:
    records = SENTENCES if kept else [*long_sentences(words), *_random()]
    if not parallel:
        records = [replace(record, texts={"ca": record.texts["ca"]}) for record in records]
    return tuple(room_in(slug, records, without=without))


def _random() -> list[Record]:
    found: list[Record] = []
    one = texts(gaps=(" ", ""), attributes=True)

    @seed(20261122)
    @settings(
        max_examples=RANDOM,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(one, one)
    def take(ca: Text, es: Text) -> None:
        found.append(Record("", 0, {"ca": ca, "es": es}, id=f"r{len(found)}", group="atzar"))

    take()
    return found


# doccano


def _doccano(kept: bool) -> list[Case]:
    def case(name: str, records: Iterable[Record], without: Change) -> Case:
        return Case("doccano", name, "doccano", tuple(records), (Returned(f"{name}.jsonl", "doccano", without),), "ca")

    records = _some("doccano", kept)
    tagged = [_bare(_labels_for_columns(one)) for one in _some("tagged", kept, without=[Feature.DISCONTINUOUS])]
    back = Returned("tagged.jsonl", "doccano", _answered, tokens="spaces")
    found = [
        case("spans", room_in("doccano", records, without=[Feature.DISCONTINUOUS]), _answered),
        case("relations", records, _answered),
        Case("doccano", "tagged", "tagged", tuple(tagged), (back,), "ca"),
    ]
    if kept:
        found.append(case("categories", _with_values(records, labels=False), lambda record: record))
        found.append(case("both", _with_values(records, labels=True), _answered))
    return found


def _answered(record: Record) -> Record:
    """doccano does not tell a text that nobody has seen from one without labels."""
    gold = (Labels(Says.GOLD, "", ()),)
    given = {language: replace(text, labels=text.labels or gold) for language, text in record.texts.items()}
    return replace(record, texts=given)


def _labels_for_columns(record: Record) -> Record:
    """seqeval, which reads columns for doccano, takes hyphens off the ends of labels; NLTK splits lines at spaces."""

    def renamed(span: Span | CharSpan) -> Span | CharSpan:
        return replace(span, label=span.label.strip("-").replace(" ", "_") or METAPHOR)

    def own(text: Text) -> Text:
        return replace(text, labels=tuple(replace(one, spans=tuple(map(renamed, one.spans))) for one in text.labels))

    return replace(record, texts={language: own(text) for language, text in record.texts.items()})


def _with_values(records: Iterable[Record], *, labels: bool) -> list[Record]:
    found = []
    for number, record in enumerate(room_in("doccano", records, without=[Feature.DISCONTINUOUS, Feature.OVERLAPS])):
        values = {"to": (("irònic",), ("irònic", "trist, «sí»"))[number % 2]} if number < 3 else {}
        own = {
            language: replace(text, values=values, labels=text.labels if labels else ())
            for language, text in record.texts.items()
        }
        found.append(replace(record, texts=own))
    return found


# Label Studio


def _label_studio(kept: bool) -> list[Case]:
    one, both = _some("label-studio", kept), _some("label-studio", kept, parallel=True)
    one = (*one, *_voices()) if kept else one
    return [
        _studio("one", tuple(one)),
        _studio("parallel", tuple(both)),
    ]


def _studio(name: str, records: tuple[Record, ...]) -> Case:
    # The export of the page has the numbers of predictions only.
    files = (
        Returned(f"{name}.json", "label-studio", _without_models),
        Returned(f"{name}.snapshot.json", "label-studio"),
    )
    return Case("label-studio", name, "label-studio", records, files)


def _without_models(record: Record) -> Record:
    own = {
        language: replace(text, labels=tuple(one for one in text.labels if one.says is not Says.MODEL))
        for language, text in record.texts.items()
    }
    return replace(record, texts=own)


def _voices() -> list[Record]:
    tokens = ("El", "temps", "vola", ".")
    person = Labels(Says.PERSON, "jon@example.eu", (Span((1, 2), METAPHOR), CharSpan((), "IMPLICIT")))
    model = Labels(Says.MODEL, "crf 1", (Span((2,), METAPHOR, score=0.25), Span((1,), SIMILE, Attributes(), 1.0)))
    gold = Labels(Says.GOLD, "", (Span((2,), METAPHOR),))
    spaces = ("", " ", " ", "", "")
    values = {"to": ("irònic", "trist, «sí»")}
    return [
        Record("", 0, {"ca": Text(tokens=tokens, spaces=spaces, labels=(gold, person, model))}, id="veus"),
        Record("", 0, {"ca": Text(tokens=tokens, spaces=spaces, labels=(gold,), values=values)}, id="valors"),
    ]


# Apache UIMA


def _uima(kept: bool) -> list[Case]:
    # A file holds a document.
    records = [replace(record, group="carta 1") for record in _some("cas-xmi", kept)]
    return [Case("uima", "xmi", "cas-xmi", tuple(records), (Returned("xmi.zip", "cas-xmi", _answered),), "ca")]


# datasets, pandas, openpyxl, NLTK, the Translate Toolkit


def _tables(kept: bool) -> list[Case]:
    def case(tool: str, slug: str, *returned: Returned, language: str = "", **options: int) -> Case:
        parallel = not language
        records = _some(slug, kept, parallel=parallel, **options)
        records = tuple(map(_labels_for_columns, records)) if tool == "nltk" else records
        return Case("tables", f"{tool}-{slug}", slug, records, returned, language)

    def same(tool: str, slug: str, ending: str, language: str = "", **options: int) -> Case:
        return case(tool, slug, Returned(f"{tool}-{slug}{ending}", slug), language=language, **options)

    # Tags have no way to say that nobody has looked at a sentence. Of long lists, `to_csv` writes but the ends.
    hub = [Returned("datasets-hub.jsonl", "hub", _answered)]
    hub += [Returned("datasets-hub.csv", "csv", lambda record: _answered(_bare(record)))] if kept else []
    return [
        case("datasets", "hub", *hub, language="ca"),
        same("datasets", "jsonl", ".jsonl"),
        same("datasets", "csv", ".csv"),
        same("datasets", "tsv", ".tsv"),
        case("datasets", "lines", language="ca"),
        case("datasets", "moses", language="ca"),
        same("pandas", "csv", ".csv", language="ca"),
        same("pandas", "tsv", ".tsv"),
        same("pandas", "xlsx", ".xlsx", words=300),
        same("pandas", "jsonl", ".jsonl"),
        same("openpyxl", "xlsx", ".xlsx", language="ca", words=300),
        case("nltk", "conll2003", language="ca"),
        same("toolkit", "tmx", ".tmx"),
    ]
