"""Orders and names that tell nothing of what they put in order or name, and are the same each time."""

from __future__ import annotations

from base64 import b32encode
from hashlib import blake2s


def stable_shuffle(name: str) -> int:
    """A number below 2**56 for a name, such as a uid: the same each time, and apart from those of like names."""
    return int.from_bytes(blake2s(name.encode(), digest_size=7).digest(), "big")


def another_name(name: str) -> str:
    """Eight letters and digits for a name, the same each time, that tell nothing of it or of its place among others."""
    return b32encode(blake2s(name.encode(), digest_size=5).digest()).decode().lower()
