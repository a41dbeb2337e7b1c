"""The formats that ship, in the order in which equally sure guesses are offered."""

from __future__ import annotations

from annotator.formats.brat.brat import Brat
from annotator.formats.cas.cas import CasJson, CasXmi
from annotator.formats.common.protocol import Format
from annotator.formats.conll.conllu import ConllU
from annotator.formats.conll.tagged_formats import Conll2003, TokenTag
from annotator.formats.corpora.meta4xnli_format import Meta4Xnli
from annotator.formats.corpora.vuamc import Vuamc
from annotator.formats.doccano.doccano import Doccano
from annotator.formats.json_lines.hub import Hub
from annotator.formats.json_lines.jsonl import JsonLines
from annotator.formats.label_studio.label_studio import LabelStudio
from annotator.formats.parallel.moses import Moses
from annotator.formats.parallel.tmx import Tmx
from annotator.formats.tables.separated import Separated
from annotator.formats.tables.xlsx import Xlsx
from annotator.formats.text.plain import SentenceALine
from annotator.formats.text.running import RunningText
from annotator.formats.webanno.webanno import WebAnno

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
