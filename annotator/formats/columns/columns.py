"""What the columns of a table mean: guessed from their names, in English and Spanish, and from what is in them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from annotator.domain.messages import Sentence, joined, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from annotator.formats.columns.cells import are_places
from annotator.formats.columns.headings import (
    are_sentences,
    are_texts,
    could_be_heading,
    end_as_sentences,
    looks_like_heading,
)
from annotator.formats.columns.python_lists import python_list
from annotator.formats.common.beginnings import language_by_words
from annotator.formats.common.errors import quote
from annotator.formats.common.names import SCRIPTS, is_language, language_of, plain_words
from annotator.formats.json.answer_states import is_of_states
from annotator.formats.json.interchange import are_tags

# Meanings that a column has for one language, and those that it has for the row.
BY_LANGUAGE = ("text", "tokens", "labels", "lemmas", "pos", "spaces", "values", "value", "premise", "hypothesis", "tag")
OF_ROW = (
    "id", "role", "group", "genre", "source", "inference", "pair_id", "premise_id", "hypothesis_id", "language",
)  # fmt: skip

# The words of names, without accents and spaces, for each meaning.
_NAMES = {
    "id": "id uid guid identificador codigo key sentid sentenceid idx num numero nr nummer no n indice row fila",
    "text": "text texto sentence oracion frase content contenido tweet cadena utterance string segment segmento",
    "tokens": "tokens words palabras",
    "labels": "labels etiquetas tags spans entities entidades bio nertags etiqueta anotaciones",
    "lemmas": "lemma lemmas lema lemas",
    "pos": "pos upos partsofspeech",
    "group": "group grupo document documento doc docid documentid file fichero article articulo",
    "role": "role rol papel",
    "genre": "genre genero",
    "source": "source fuente dataset origen corpus sourcedataset",
    "language": "language lang idioma lengua",
    "premise": "premise premisa sentence1 texta",
    "hypothesis": "hypothesis hipotesis sentence2 textb",
    "inference": "inference inferencia goldlabel relacion relation entailment",
    "pair_id": "pairid idpar",
    "premise_id": "promptid premiseid idpremisa",
    "hypothesis_id": "hypothesisid idhipotesis",
    "value": "value valor class clase category categoria label",
    "tag": "tag interpretation interpretacion",
    "spaces": "spaces",
    "values": "values",
}
_TEXTS = ("text", "premise", "hypothesis")
_LISTS = ("tokens", "lemmas", "pos")
# Of what a number in a column may be: "num_tokens" has no ids.
_COUNTED = {"tokens", "labels", "lemmas", "value", "tag", "pos"}
# What a text of a table is called, too: "item_id".
_ITEMS = {"item", "example", "sample", "record", "row", "entry", "instance", "ejemplo", "registro", "elemento"}
# Columns that one sentence names.
_NAMED = 6
_WORDS = {word: meaning for meaning, words in _NAMES.items() for word in words.split()}


def spelled(meaning: str) -> bool:
    """Whether a header is a meaning as we write it: "id", "text:ca"."""
    name, colon, language = meaning.partition(":")
    return name in BY_LANGUAGE and bool(language) if colon else name in OF_ROW or name in BY_LANGUAGE


def meaning_of(header: str, languages: Sequence[str]) -> str:
    """What a column's name says: "text:ca" for "texto_ca" and for "Català"; "" for nothing known."""
    return readings(header, languages)[0]


def names_a_column(cell: str) -> bool:
    """Whether a cell may be the name of a column, in any language."""
    return bool(meaning_of(cell, ()))


def names_a_text(cell: str) -> bool:
    """Whether a cell is the name of a column of texts, and no text itself."""
    words = plain_words(cell)
    is_text = meaning_of(cell, ()).partition(":")[0] in _TEXTS and any(_WORDS.get(word) in _TEXTS for word in words)
    return is_text and len(words) < 3 and not end_as_sentences([cell])


def names_an_id(key: str) -> bool:
    """Whether a key names the id of a text: "text_id", "sentence_no", "tweetId"."""
    words = plain_words(key)
    meanings = ["item" if word in _ITEMS else _WORDS.get(word, "") for word in words]
    return sorted(meanings) in (["id", "text"], ["id", "item"])


def readings(header: str, languages: Sequence[str]) -> tuple[str, ...]:
    """What a column's name may say, the likeliest first. Where there are several, the cells decide: "text_id" is a
    text in Indonesian, or an id, and "verb_idx" an id or nothing known.
    """
    header = header.strip()
    if header.lower() in OF_ROW or spelled(header):
        name = header if spelled(header) else header.lower()
        # "ID" is the name of a column before it is Indonesian.
        own = [language for language in languages if base_language(language) == name]
        return (name, *(f"text:{language}" for language in own))
    words = plain_words(header)
    joined = "".join(words)
    if joined in _WORDS and not is_language(joined):
        return (_WORDS[joined],)
    language = language_of(header, languages)
    found = []
    # "el" is a word before it is Greek.
    if not (languages and language not in languages and language in words and len(words) == 1):
        rest = [word for word in words if language_of(word, languages) != language] if language else words
        found.append(_named(rest, language, languages))
    if language and (len(words) > 1 or language not in words or joined in _WORDS):
        # Where the last words are not a language, they are what else they say.
        found.append(_named(words, "", languages))
    if _may_be_id(words):
        found.append("id")
    found = [*dict.fromkeys(filter(None, found))]
    if len(found) == 1 and not language and found[0] != "id":
        return (found[0],)
    return (*found, "")


def _named(words: Sequence[str], language: str, languages: Sequence[str]) -> str:
    """What words say of a column in a language, "" for none."""
    rest = [word for word in words if word not in SCRIPTS] if language else words
    name = _WORDS.get("".join(rest), "text" if language and not rest else "")
    if not name and rest and len(rest) < 3:
        meanings = [_WORDS[word] for word in rest if word in _WORDS]
        name = next((one for one in meanings if one != "id"), "")
    # Of labels and the like, a language that the project does not have is not a language.
    is_known = name in _TEXTS or not languages or language in languages
    return f"{name}:{language}" if language and name in BY_LANGUAGE and is_known else name


def _may_be_id(words: Sequence[str]) -> bool:
    """Whether a name of two words is that of an id: one of them says so, and the other is not what is counted."""
    meanings = [_WORDS.get(word, "") for word in words]
    return "id" in meanings and len(words) < 3 and not set(meanings) & _COUNTED


def _fitting(found: Sequence[str], cells: Sequence[str], *, repeats: bool, beside_codes: bool) -> str:
    """Which of the readings of a name the cells of its column are. `repeats`: an id may stand in several rows;
    `beside_codes`: other columns are called by their languages alone, so that "id" is more likely one, too."""
    filled = [cell for cell in cells if cell]
    if len(found) == 1 or not filled:
        return found[0]
    for meaning in found:
        name = meaning.partition(":")[0]
        if name == "id":
            is_other = beside_codes and len(found) > 1 and are_texts(filled, beside=False, varied=False)
            fits = (repeats or len(set(filled)) == len(filled)) and not are_sentences(filled) and not is_other
        else:
            fits = name not in _TEXTS or are_texts(
                filled, beside="id" in found and not beside_codes, varied=not beside_codes
            )
        if fits:
            return meaning
    return ""


@dataclass(frozen=True, slots=True)
class Columns:
    """What the first rows of a table were taken for: whether they begin with a header, what each column means.

    `notes`: what was only guessed; `doubts`: the same of an option, by its name, as in `Guess`.
    """

    header: bool
    meanings: Mapping[int, str]
    notes: tuple[Sentence, ...] = ()
    doubts: Mapping[str, Sentence] = field(default_factory=dict)


def guess_columns(rows: Sequence[Sequence[str]], languages: Sequence[str], *, file_language: str = "") -> Columns:
    """What the columns of a table are, from its first rows."""
    if not rows:
        return Columns(header=False, meanings={})
    by_name = {index: readings(cell, languages) for index, cell in enumerate(rows[0])}
    repeats = any(found[0] == "language" for found in by_name.values())
    codes = {index for index, cell in enumerate(rows[0]) if cell.strip() in languages and cell.strip() != "id"}
    named = {
        index: _fitting(found, _column(rows[1:], index), repeats=repeats, beside_codes=bool(codes - {index}))
        for index, found in by_name.items()
    }
    # What a name says by itself comes before what was made out of another.
    exact = [
        index for index, cell in enumerate(rows[0]) if spelled(cell.strip()) or "".join(plain_words(cell)) in _WORDS
    ]
    # A header's cells are short, none twice unless they are surely names, and some of them say what they are.
    cells = [cell.strip() for cell in rows[0] if cell.strip()]
    sure = any(spelled(cell) for cell in cells)
    header = bool(cells) and (sure or len(set(cells)) == len(cells)) and max(map(len, cells)) < 60
    header = (
        header
        and any(found[0] for found in by_name.values())
        and (sure or all(len(cell.split()) < 5 for cell in cells))
    )
    doubts: dict[str, Sentence] = {}
    if not header:
        named = dict.fromkeys(named, "")
        header = looks_like_heading(rows[0], rows[1:])
        if header or could_be_heading(rows[0]):
            doubts = {"header": _doubt(rows[0], is_heading=header)}
    body = rows[1:] if header else rows
    notes: list[Sentence] = []
    settled = _settle(named, body)
    meanings = _once(settled, rows[0], notes, exact)
    if not any(meaning.split(":")[0] in ("text", "tokens", "premise") for meaning in meanings.values()):
        for index, meaning, note in _texts(meanings, body, languages, file_language):
            meanings[index] = meaning
            notes.append(note)
        for index in _ids(meanings, body):
            meanings[index] = "id"
            notes.append(message(_("column %(index)s seems to contain IDs"), index=index + 1))
    _languages(meanings, body, languages, file_language)
    # A column may say the language that another one is of by its words.
    meanings = _once(meanings, rows[0], notes)
    foreign = _foreign(meanings, languages)
    for index in foreign:
        meanings[index] = settled[index] = ""
    unknown = [
        index
        for index in meanings
        if not settled[index]
        and not meanings[index]
        and any(_column(body, index))
        and not (header and is_of_states(rows[0][index], _column(body, index)))
    ]
    if unknown:
        names = rows[0] if header else ()
        doubts["columns"] = _left_out(names, [index for index in unknown if index not in foreign], foreign)
    return Columns(header, meanings, tuple(notes), doubts)


def _doubt(first: Sequence[str], *, is_heading: bool) -> Sentence:
    row = quote(" | ".join(cell.strip() for cell in first), 80)
    if is_heading:
        return message(_("the first row is read as column names, not as a sentence: %(row)s"), row=row)
    return message(_("the first row is read as a sentence, not as column names: %(row)s"), row=row)


def _foreign(meanings: Mapping[int, str], languages: Sequence[str]) -> list[int]:
    """The columns in languages that the project does not have, where others are in one that it has."""
    texts = {index: meaning.partition(":") for index, meaning in meanings.items() if ":" in meaning}
    mine = {base_language(language) for language in languages}
    ours = any(name in _TEXTS and base_language(language) in mine for name, _colon, language in texts.values())
    return [index for index, one in texts.items() if ours and base_language(one[2]) not in mine]


def _left_out(heading: Sequence[str], unknown: Sequence[int], foreign: Sequence[int]) -> Sentence:
    parts = []
    if not heading:
        several = _("some columns are left out, because their contents are unknown: %(columns)s")
        parts.append(message(several, columns=_called(heading, unknown)))
    elif len(unknown) == 1:
        one = _("a column is left out, because its name does not show what it contains: %(columns)s")
        parts.append(message(one, columns=_called(heading, unknown)))
    elif unknown:
        several = _("some columns are left out, because their names do not show what they contain: %(columns)s")
        parts.append(message(several, columns=_called(heading, unknown)))
    if foreign:
        what = _("some columns are left out, because the project does not have their languages: %(columns)s")
        parts.append(message(what, columns=_called(heading, foreign)))
    return parts[0] if len(parts) == 1 else message("%(one)s; %(other)s", one=parts[0], other=parts[1])


def _called(heading: Sequence[str], columns: Sequence[int]) -> Sentence:
    """The first of some columns, by their names."""
    names = [(heading[index].strip() if heading else "", index + 1) for index in columns[:_NAMED]]
    named: list[Sentence] = [
        message("%(name)s (%(number)d)", name=quote(name, 60), number=number) if name else f"({number})"
        for name, number in names
    ]
    return joined([*named, "…"] if len(columns) > _NAMED else named)


def _settle(named: Mapping[int, str], body: Sequence[Sequence[str]]) -> dict[int, str]:
    """The meanings with regard to one another, and to what the cells hold."""
    meanings = dict(named)
    paired = {"premise", "hypothesis"} <= {meaning.split(":")[0] for meaning in named.values()}
    for index, meaning in named.items():
        name, colon, language = meaning.partition(":")
        if name == "value" and paired and not colon and "inference" not in named.values():
            meanings[index] = "inference"
        elif name == "value" and any(_are_labels(cell) for cell in _column(body, index) if cell):
            meanings[index] = f"labels{colon}{language}"
        elif name == "labels" and not any(map(_are_labels, filter(None, _column(body, index)))):
            filled = [cell for cell in _column(body, index) if cell]
            meanings[index] = f"value{colon}{language}" if filled and not any(map(are_places, filled)) else meaning
        elif name in _LISTS and (numbers := [*filter(None, _column(body, index))]) and all(map(str.isdecimal, numbers)):
            # How many there are.
            meanings[index] = ""
        elif name == "id" and paired and "pair_id" not in named.values():
            meanings[index] = "pair_id"
    return meanings


def _once(
    meanings: Mapping[int, str], heading: Sequence[str], notes: list[Sentence], exact: Sequence[int] = ()
) -> dict[int, str]:
    """Each meaning for one column only: the first, of those that are called so. What is left out is noted."""
    takes: dict[str, int] = {}
    for index in (*exact, *meanings):
        takes.setdefault(meanings[index], index)
    found = {}
    for index, meaning in meanings.items():
        found[index] = meaning if takes[meaning] == index else ""
        if meaning and takes[meaning] != index:
            what = _("column %(index)s has the same meaning as an earlier one (%(name)s) and is left out")
            notes.append(message(what, index=index + 1, name=quote(heading[index].strip(), 60)))
    return found


def _texts(
    meanings: Mapping[int, str], body: Sequence[Sequence[str]], languages: Sequence[str], file_language: str
) -> Iterator[tuple[int, str, Sentence]]:
    """The columns without a name that hold text: several words a cell."""
    free = [index for index, meaning in meanings.items() if not meaning]
    wordy = [index for index in free if _words(body, index) >= 3 or end_as_sentences(_column(body, index))]
    # What ends as sentences do comes before notes on them.
    wordy.sort(key=lambda index: not end_as_sentences(_column(body, index)))
    wordy = wordy or sorted(free, key=lambda index: -_words(body, index))[:1]
    for index in wordy[: max(len(languages), 1)]:
        yield index, "text", message(_("column %(index)s seems to contain text"), index=index + 1)


def _ids(meanings: Mapping[int, str], body: Sequence[Sequence[str]]) -> list[int]:
    for index, meaning in meanings.items():
        cells = _column(body, index)
        if not meaning and cells and len(set(cells)) == len(cells) and all(c and " " not in c for c in cells):
            return [] if "id" in meanings.values() else [index]
    return []


def _languages(
    meanings: dict[int, str], body: Sequence[Sequence[str]], languages: Sequence[str], file_language: str
) -> None:
    """Give their languages to the columns that lack one, by their words, or by what is left."""
    if "language" in meanings.values():
        return
    for name in ("text", "tokens", "premise", "hypothesis"):
        open_ = [index for index, meaning in meanings.items() if meaning == name]
        taken = {meaning.split(":")[1] for meaning in meanings.values() if meaning.startswith(name + ":")}
        for index in open_:
            guess = language_by_words(" ".join(_column(body, index)), [one for one in languages if one not in taken])
            free = [one for one in languages if one not in taken]
            language = guess or (file_language if len(open_) == 1 else "") or (free[0] if free else "")
            if language:
                meanings[index] = f"{name}:{language}"
                taken.add(language)
    texts = {
        m.split(":")[1] for m in meanings.values() if m.split(":")[0] in ("text", "tokens", "premise") and ":" in m
    }
    if len(texts) == 1:
        only = next(iter(texts))
        for index, meaning in meanings.items():
            if meaning in BY_LANGUAGE:
                meanings[index] = f"{meaning}:{only}"


def _column(body: Sequence[Sequence[str]], index: int) -> list[str]:
    return [row[index].strip() for row in body if index < len(row)]


def _words(body: Sequence[Sequence[str]], index: int) -> float:
    cells = _column(body, index)
    return sum(len(cell.split()) if not _are_labels(cell) else 0 for cell in cells) / len(cells) if cells else 0.0


def _are_labels(cell: str) -> bool:
    """Whether a cell spells labels: a JSON list, or BIO tags."""
    if cell.startswith("["):
        try:
            return isinstance(json.loads(cell), list)
        except (ValueError, RecursionError):
            return are_tags(" ".join(python_list(cell) or ()))
    return are_tags(cell)
