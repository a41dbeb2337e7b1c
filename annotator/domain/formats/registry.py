"""All formats, in the order in which equally sure guesses are offered."""

from __future__ import annotations

from annotator.domain.formats.base import Format
from annotator.domain.formats.brat import Brat
from annotator.domain.formats.cas import CasJson, CasXmi
from annotator.domain.formats.conllu import ConllU
from annotator.domain.formats.doccano import Doccano
from annotator.domain.formats.hub import Hub
from annotator.domain.formats.jsonl import JsonLines
from annotator.domain.formats.label_studio import LabelStudio
from annotator.domain.formats.meta4xnli_format import Meta4Xnli
from annotator.domain.formats.moses import Moses
from annotator.domain.formats.plain import SentenceALine
from annotator.domain.formats.running import RunningText
from annotator.domain.formats.separated import Separated
from annotator.domain.formats.tagged_formats import Conll2003, TokenTag
from annotator.domain.formats.tmx import Tmx
from annotator.domain.formats.vuamc import Vuamc
from annotator.domain.formats.webanno import WebAnno
from annotator.domain.formats.xlsx import Xlsx

SHIPPED: tuple[Format, ...] = (
    SentenceALine(),
    RunningText(),
    Separated("csv", ",;|\t"),
    Separated("tsv", "\t"),
    Xlsx(),
    JsonLines(),
    TokenTag(),
    Conll2003(),
    ConllU(),
    Hub(),
    Meta4Xnli(),
    Doccano(),
    LabelStudio(),
    WebAnno(),
    CasXmi(),
    CasJson(),
    Brat(),
    Vuamc(),
    Moses(),
    Tmx(),
)
