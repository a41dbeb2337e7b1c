"""What names say: of files ("prem.ca.txt", "es/corpus.tsv") and of columns ("texto_es", "Premisa")."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from annotator.domain.labels.tags import Role
from annotator.domain.text.languages import base_language

if TYPE_CHECKING:
    from annotator.formats.common.protocol import SourceFile

# ISO 639-1: what two letters in a name may mean, where the project's own languages are not among them.
_TWO_LETTERS = """
aa ab af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es
et eu fa ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg
ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl
nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl sm sn so sq sr ss st su sv
sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu
"""
_CODES = frozenset(_TWO_LETTERS.split())
# In English, in Spanish, and by themselves; without accents.
_NAMES = {
    "ca": "catalan catala valencia valenciano valencian",
    "es": "spanish espanol castellano castella castilian",
    "en": "english ingles angles",
    "eu": "basque euskera euskara vasco",
    "gl": "galician gallego galego",
    "pt": "portuguese portugues",
    "fr": "french frances francais",
    "de": "german aleman deutsch",
    "it": "italian italiano",
    "nl": "dutch neerlandes holandes nederlands",
    "ru": "russian ruso",
}
_BY_NAME = {name: language for language, names in _NAMES.items() for name in names.split()}
# ISO 639-2 and 639-3: what three letters mean, where the project has the language. With both codes where there are
# two, and those of languages that are one of several under a common code, as FLORES has them ("swh" for Swahili).
_THREE_LETTERS = """
aa aar ab abk af afr ak aka am amh an arg ar ara ar arb as asm av ava ay aym az aze az azj ba bak be bel bg bul bi bis
bm bam bn ben bo bod bo tib br bre bs bos ca cat ce che ch cha co cos cr cre cs ces cs cze cu chu cv chv cy cym cy wel
da dan de deu de ger dv div dz dzo ee ewe el ell el gre en eng eo epo es spa et est et ekk eu eus eu baq fa fas fa per
fa pes ff ful fi fin fj fij fo fao fr fra fr fre fy fry ga gle gd gla gl glg gn grn gu guj gv glv ha hau he heb hi hin
ho hmo hr hrv ht hat hu hun hy hye hy arm hz her ia ina id ind ie ile ig ibo ii iii ik ipk io ido is isl is ice it ita
iu iku ja jpn jv jav ka kat ka geo kg kon ki kik kj kua kk kaz kl kal km khm kn kan ko kor kr kau ks kas ku kur ku kmr
kv kom kw cor ky kir la lat lb ltz lg lug li lim ln lin lo lao lt lit lu lub lv lav lv lvs mg mlg mg plt mh mah mi mri
mi mao mk mkd mk mac ml mal mn mon mn khk mr mar ms msa ms may ms zsm mt mlt my mya my bur na nau nb nob nd nde ne nep
ne npi ng ndo nl nld nl dut nn nno no nor nr nbl nv nav ny nya oc oci oj oji om orm om gaz or ori or ory os oss pa pan
pi pli pl pol ps pus ps pbt pt por qu que rm roh rn run ro ron ro rum ru rus rw kin sa san sc srd sd snd se sme sg sag
si sin sk slk sk slo sl slv sm smo sn sna so som sq sqi sq alb sq als sr srp ss ssw st sot su sun sv swe sw swa sw swh
ta tam te tel tg tgk th tha ti tir tk tuk tl tgl tn tsn to ton tr tur ts tso tt tat tw twi ty tah ug uig uk ukr ur urd
uz uzb uz uzn ve ven vi vie vo vol wa wln wo wol xh xho yi yid yi ydd yo yor za zha zh zho zh chi zh cmn zu zul
"""
_PAIRED = _THREE_LETTERS.split()
_BY_THREE = dict(zip(_PAIRED[1::2], _PAIRED[::2], strict=True))
# How scripts are called beside a language: "eng_Latn".
_SCRIPTS = """
arab armn beng cyrl deva ethi geor grek gujr guru hang hans hant hebr jpan khmr knda laoo latn mlym mymr orya sinh taml
telu thai tibt
"""
SCRIPTS = frozenset(_SCRIPTS.split())
# Numerals that are the codes of languages, too: "novel-ii.txt".
_NUMERAL = re.compile(r"m*(?:cm|cd|d?c{0,3})(?:xc|xl|l?x{0,3})(?:ix|iv|v?i{0,3})")
_ROLES = {
    Role.PREMISE.value: frozenset(["prem", "premise", "premises", "premisa", "premisas"]),
    Role.HYPOTHESIS.value: frozenset(["hyp", "hypothesis", "hypotheses", "hipotesis", "hyps"]),
}
_TEXT_SUFFIXES = "txt text tsv csv tab xlsx json jsonl ndjson conll conllu conll2003 iob bio xml tmx xmi gz zip md"
_SUFFIXES = frozenset(_TEXT_SUFFIXES.split())


def plain_words(name: str) -> list[str]:
    """The words of a name in lower case and without accents: "Texto_ES (año)" is texto, es, ano."""
    bare = "".join(c for c in unicodedata.normalize("NFKD", name) if not unicodedata.combining(c))
    # "pairID" is two words.
    return [word.lower() for word in re.findall(r"[^\W_]+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", bare))]


def language_of(name: str, languages: Sequence[str] = ()) -> str:
    """The language that a name says, the project's own first; "" when it says none. The last word that fits wins."""
    wide = [part.replace("_", "-").lower() for part in re.split(r"[\s./()\[\]:]+|_(?![A-Z]{2}\b)", name) if part]
    for part in reversed(wide):
        for language in languages:
            if part == language.lower():
                return language
    narrow = plain_words(name)
    for word in reversed(narrow):
        code = _BY_NAME.get(word, word)
        for language in languages:
            base = base_language(language)
            if base == code or _BY_THREE.get(code) in (base, _BY_THREE.get(base, "?")):
                return language
    region = re.search(r"(?<![^\W_])([a-z]{2})[-_]([A-Z]{2})(?![^\W_])", name)
    if region and region[1] in _CODES:
        return f"{region[1]}-{region[2]}"
    for word in reversed(narrow):
        if word in _BY_NAME:
            return _BY_NAME[word]
        if word in _CODES and (not languages or len(narrow) < 4):
            return word
    return ""


def is_language(word: str) -> bool:
    """Whether a word by itself is a language's code: "ca", "pt-BR"; not a name."""
    return bool(re.fullmatch(r"[a-z]{2}(?:[-_](?:[A-Z][a-z]{3}|[A-Z]{2}))?", word)) and word[:2] in _CODES


def language_code(value: str) -> str:
    """The language that a value names: "en" for "eng" and "English"; as it is where it is a tag, or unknown."""
    code = plain_words(value)
    return _BY_NAME.get(code[0], _BY_THREE.get(code[0], value)) if len(code) == 1 else value


def file_language(name: str, languages: Sequence[str] = ()) -> str:
    """The language that a file's name says, or its folders': "corpus.ca.txt", "ca/corpus.txt"; "" for none."""
    path = PurePosixPath(name.replace("\\", "/"))
    stem = _without_suffix(path.name)
    for part in (stem, *reversed(path.parts[:-1])):
        # "no", "is" and "la" are languages and words: a code of two letters must be a part of its own.
        found = language_of(part, languages)
        if found and (found in languages or "-" in found or _stands_alone(part, found)):
            if found not in languages and _NUMERAL.fullmatch(found):
                continue
            return found
    # Moses names its files by language alone: "corpus.ca".
    last = path.suffix[1:]
    return language_of(last, languages) if last.lower() not in _SUFFIXES else ""


def is_firm(name: str, language: str) -> bool:
    """Whether a file's name plainly names a language: between dots, as a folder, or by its name. The code in
    "what-it-is.txt" may be a word."""
    path = PurePosixPath(name.replace("\\", "/"))
    parts = [*_without_suffix(path.name).split("."), path.suffix[1:], *path.parts[:-1]]
    words = plain_words(name)
    code = base_language(language)
    return (
        any(language_of(part, [language]) == language and len(plain_words(part)) == 1 for part in parts)
        or any(_BY_NAME.get(word) == code for word in words)
        or "-" in language
    )


def file_role(name: str) -> str:
    """The role that a file's name says: "prem" or "hyp"; "" for none."""
    words = set(plain_words(name))
    return next((role for role, names in _ROLES.items() if words & names), "")


def document_of(file: SourceFile) -> str:
    """A file's name without its folder, language, role and suffix, or the folder's where nothing is left."""
    path = PurePosixPath(file.name.replace("\\", "/"))
    for part in (_without_suffix(path.name), *reversed(path.parts[:-1])):
        rest = [
            word
            for word in re.split(r"[.\s]+", part)
            if word and language_of(word, [file.language]) != file.language and not file_role(word)
        ]
        if rest:
            return ".".join(rest)
    return path.name


def folders_of(file: SourceFile) -> list[str]:
    """The folders that a file is in, but for those that are called after its language or role."""
    parts = PurePosixPath(file.name.replace("\\", "/")).parts[:-1]
    return [part for part in parts if language_of(part, [file.language]) != file.language and not file_role(part)]


def _stands_alone(part: str, language: str) -> bool:
    words = plain_words(part)
    return words == [language] or words[-1:] == [language] or any(_BY_NAME.get(word) == language for word in words)


def _without_suffix(name: str) -> str:
    while (suffix := PurePosixPath(name).suffix) and suffix[1:].lower() in _SUFFIXES:
        name = name[: -len(suffix)]
    return name
