"""What other tools say of the state of an answer: only one that somebody finished and nobody rejected is an answer.

Prodigy has `"answer": "reject"`, Argilla `"status": "discarded"`, Label Studio `was_cancelled`, INCEpTION
`"state": "IN_PROGRESS"`; files that people wrote themselves have the like under other names.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache
from typing import Any

from annotator.domain.messages import Message, Sentence, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.word_sets import word_set
from annotator.formats.common.records import Text


class State(StrEnum):
    """Why something that looks like an answer is none."""

    REJECTED = "rejected"
    IGNORED = "ignored"
    DISCARDED = "discarded"
    SKIPPED = "skipped"
    CANCELLED = "cancelled"
    DRAFT = "draft"
    UNFINISHED = "unfinished"


_NAMES: Mapping[State, str] = {
    State.REJECTED: _("rejected"),
    State.IGNORED: _("ignored"),
    State.DISCARDED: _("discarded"),
    State.SKIPPED: _("skipped"),
    State.CANCELLED: _("cancelled"),
    State.DRAFT: _("a draft"),
    State.UNFINISHED: _("unfinished"),
}
# By the word, its letters alone; in English and in Spanish.
_NONE = {
    State.REJECTED: (
        "reject rejected refused declined disapproved incorrect invalid wrong rechazado rechazada incorrecto incorrecta"
    ),
    State.IGNORED: "ignore ignored locked excluded ignorado ignorada excluido excluida",
    State.DISCARDED: "discard discarded deleted removed descartado descartada eliminado eliminada",
    State.SKIPPED: "skip skipped omitido omitida saltado saltada",
    State.CANCELLED: "cancel cancelled canceled wascancelled aborted timedout cancelado cancelada",
    State.DRAFT: "draft drafted isdraft borrador",
    State.UNFINISHED: (
        "unfinished inprogress annotationinprogress curationinprogress pending incomplete new todo notstarted started "
        "unlabeled unlabelled unannotated partial opened open default waiting unanswered assigned unassigned queued "
        "unreviewed unconfirmed unvalidated inreview toreview needsreview notreviewed pendiente incompleto incompleta "
        "encurso sinterminar inacabado inacabada"
    ),
}
_STATE_OF = {word: state for state, words in _NONE.items() for word in words.split()}
_DONE = word_set(
    "accept accepted approve approved submit submitted validated edited complete completed finish "
    "finished done annotated annotationfinished annotationcomplete curationfinished curationcomplete "
    "labeled labelled reviewed confirmed gold fixedandaccepted fixed updated correct valid yes "
    "aceptado aceptada aprobado aprobada validado validada terminado terminada completado completada hecho hecha "
    "revisado revisada anotado anotada correcto correcta"
)
# The keys that have a state in words.
_KEYS = word_set(
    "answer status state answerstatus annotationstatus annotationstate annotatorstate reviewstatus "
    "reviewstate labelstatus recordstatus responsestatus documentstate lastaction review estado revision respuesta"
)
# The keys that say yes or no: what a yes, and what a no means.
_FLAGS = {
    word: state
    for word, state in _STATE_OF.items()
    if state != State.UNFINISHED and word not in ("incorrect", "invalid", "wrong", "removed", "excluded", "locked")
} | {
    "isskipped": State.SKIPPED,
    "isrejected": State.REJECTED,
    "isignored": State.IGNORED,
    "isdiscarded": State.DISCARDED,
    "iscancelled": State.CANCELLED,
    "unfinished": State.UNFINISHED,
    "incomplete": State.UNFINISHED,
    "inprogress": State.UNFINISHED,
}
_NO = {
    "accepted": State.REJECTED,
    "isaccepted": State.REJECTED,
    "approved": State.REJECTED,
    "isapproved": State.REJECTED,
    "completed": State.UNFINISHED,
    "iscompleted": State.UNFINISHED,
    "finished": State.UNFINISHED,
    "isfinished": State.UNFINISHED,
    "submitted": State.UNFINISHED,
    "confirmed": State.UNFINISHED,
    "isconfirmed": State.UNFINISHED,
    "validated": State.UNFINISHED,
    "isvalidated": State.UNFINISHED,
    "done": State.UNFINISHED,
    "isdone": State.UNFINISHED,
    "islabeled": State.UNFINISHED,
    "islabelled": State.UNFINISHED,
    "annotated": State.UNFINISHED,
    "isannotated": State.UNFINISHED,
}


def state_of_word(word: object) -> State | None:
    """Why an answer in a state that is called so is none; None for one that is, and for other words."""
    return _STATE_OF.get(letters(word)) if isinstance(word, str) else None


def is_state(word: object) -> bool:
    """Whether a word names a state of an answer, be it finished or not."""
    return isinstance(word, str) and (letters(word) in _DONE or letters(word) in _STATE_OF)


def says_state(key: str, value: object) -> bool:
    """Whether a key of an object says in which state the answer in it is."""
    name = letters(key)
    if isinstance(value, bool):
        return name in _FLAGS or name in _NO
    return name in _KEYS and is_state(value)


def state_of(value: Mapping[str, Any]) -> State | None:
    """Why what an object has is not an answer, by its keys; None where it is one."""
    for key, given in value.items():
        name = letters(key)
        if isinstance(given, bool):
            if given and name in _FLAGS:
                return _FLAGS[name]
            if not given and name in _NO:
                return _NO[name]
        elif name in _KEYS and (state := state_of_word(given)):
            return state
    return None


def is_of_states(name: str, cells: Iterable[str]) -> bool:
    """Whether a column of a table says of each row in which state its answer is."""
    filled = [cell for cell in cells if cell]
    return bool(filled) and all(says_state(name, _as_flag(cell)) for cell in filled)


def state_of_cells(cells: Mapping[str, str]) -> State | None:
    """Why what a row has is not an answer, by its cells under their names; None where it is one."""
    return state_of({name: _as_flag(cell.strip()) for name, cell in cells.items()})


def in_state(texts: dict[str, Text], state: State | None, counts: Counter[Sentence]) -> dict[str, Text]:
    """The texts without their answers, where a state says that these are none, which is counted."""
    if state is None:
        return texts
    if state != State.UNFINISHED or any(text.answered for text in texts.values()):
        counts[left_out(state)] += 1
    return {language: replace(text, labels=(), values={}) for language, text in texts.items()}


def _as_flag(cell: str) -> str | bool:
    return {"true": True, "false": False}.get(cell.lower(), cell)


def state_name(state: State) -> Message:
    """What a state is called in a message."""
    return Message(_NAMES[state])


def left_out(state: State) -> Sentence:
    """What is counted where answers in a state are left out; see `counted`."""
    return message(_("answers marked as %(state)s, which are left out"), state=state_name(state))


def labels_left_out(state: State) -> Sentence:
    """The same of single labels."""
    return message(_("labels marked as %(state)s, which are left out"), state=state_name(state))


@lru_cache(maxsize=4096)
def letters(key: object) -> str:
    """A key or a word by its letters alone, in lower case: "startOffset" and "start_offset" are one."""
    return re.sub(r"[^a-z]", "", str(key).lower())
