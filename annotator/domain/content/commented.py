"""Contents that say too little without a comment."""

from __future__ import annotations

from typing import Protocol, runtime_checkable

from annotator.domain.content.base import Content


@runtime_checkable
class Commented(Protocol):
    """A content type some of whose contents need a comment."""

    def check_comment(self, content: Content, comment: str) -> None:
        """Raises ContentError where a finished content needs a comment and has none."""
