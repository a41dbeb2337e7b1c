"""What tells contents that people write as they like from contents that are chosen."""

from __future__ import annotations


class FreeText:
    """A content type of texts that people write as they like: there are no categories on which two could agree by
    chance, so kappa says nothing of them. A type says so by being a subclass."""
