"""What a correction has to be: a text that its writer could have written."""

from __future__ import annotations

from annotator.domain.content import Content, Written, content_types
from annotator.domain.content.verdict import CORRECT
from annotator.models import Unit


def fit_correction(unit: Unit, content: Content, done: bool) -> Content:
    """A verdict as it is. Raises ContentError for a correction that is no such text."""
    if done and content["verdict"] == CORRECT:
        before = unit.text.split("\n") if unit.imported_id is None else []
        for written in content_types():
            if isinstance(written, Written) and written.unit_kind == unit.kind:
                written.check_lines(content["texts"], before)
    return content
