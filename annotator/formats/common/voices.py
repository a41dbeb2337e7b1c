"""What several formats need to know of languages, and of whose labels they have."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from annotator.domain.labels.spans import Span
from annotator.formats.common.records import CharSpan, Labels, Record, Says, Text


def only_labels(record: Record, text: Text, tool: str) -> Labels | None:
    """The labels of a text for a tool that has room for one source. Raises ValueError where there are several."""
    if len(text.labels) > 1:
        names = ", ".join(labels.name or labels.says.value for labels in text.labels)
        raise ValueError(
            f"{record.id or record.line}: the sentence has labels of {names}, and {tool} has room for one of them."
        )
    return text.labels[0] if text.labels else None


def normal_tag(tag: str) -> str:
    """A language tag as BCP 47 writes it: "pt_br" is "pt-BR", "zh-hant" is "zh-Hant"."""
    first, *others = tag.replace("_", "-").split("-")
    shaped = [part.upper() if len(part) == 2 else part.title() if len(part) == 4 else part.lower() for part in others]
    return "-".join([first.lower(), *shaped])


@dataclass(frozen=True, slots=True)
class Voice:
    """One of the sources of labels of a sentence, as files of other tools name it."""

    says: Says
    name: str = ""


def merged(parts: Iterable[tuple[Voice, Sequence[Span | CharSpan]]]) -> tuple[Labels, ...]:
    """One `Labels` a voice, in order of their first; a voice's spans are joined."""
    found: dict[Voice, list[Span | CharSpan]] = {}
    for voice, spans in parts:
        found.setdefault(voice, []).extend(spans)
    return tuple(Labels(voice.says, voice.name, tuple(spans)) for voice, spans in found.items())
