"""An order that tells nothing of what it puts in order, and is the same each time."""

from __future__ import annotations

from hashlib import blake2s


def scattered(name: str) -> int:
    """A number below 2**56 for a name, such as a uid: the same each time, and apart from those of like names."""
    return int.from_bytes(blake2s(name.encode(), digest_size=7).digest(), "big")
