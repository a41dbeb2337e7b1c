"""Word translation tables that an aligner starts from."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np

from annotator.domain.messages import gettext_noop as _
from annotator.domain.text.languages import base_language
from mlworkers.engines.base import DATA, EngineError

FORMAT = 1


@dataclass(frozen=True)
class Prior:
    """How likely lemmas of two languages are each other's translation.

    `entries` are (source lemma, target lemma, P(target given source), P(source given target)). Pairs
    that are not in it are not impossible, only unknown.
    """

    source: str
    target: str
    entries: tuple[tuple[str, str, float, float], ...]

    def __len__(self) -> int:
        return len(self.entries)

    def __iter__(self) -> Iterator[tuple[str, str, float, float]]:
        return iter(self.entries)

    def mirrored(self) -> "Prior":
        """The same table for the opposite direction."""
        entries = tuple((target, source, backward, forward) for source, target, forward, backward in self.entries)
        return Prior(self.target, self.source, entries)

    def save(self, path: Path | str) -> None:
        """Write the table as a compressed npz; probabilities are kept to about three digits."""
        np.savez_compressed(
            path,
            format=np.array(FORMAT),
            languages=pack([self.source, self.target]),
            source=pack([entry[0] for entry in self.entries]),
            target=pack([entry[1] for entry in self.entries]),
            forward=np.array([entry[2] for entry in self.entries], np.float16),
            backward=np.array([entry[3] for entry in self.entries], np.float16),
        )

    @classmethod
    def load(cls, path: Path | str) -> "Prior":
        """Read a table that `save` wrote. Raises EngineError when there is none or it cannot be read."""
        try:
            with np.load(path, allow_pickle=False) as data:
                if int(data["format"]) != FORMAT:
                    raise ValueError(f"format {data['format']}, not {FORMAT}")
                source, target = unpack(data["languages"])
                columns = (
                    unpack(data["source"]),
                    unpack(data["target"]),
                    data["forward"].astype(float).tolist(),
                    data["backward"].astype(float).tolist(),
                )
                return cls(source, target, tuple(zip(*columns, strict=True)))
        except Exception as error:
            # A damaged zip can raise nearly anything.
            raise EngineError(
                _(
                    "%(path)s does not contain a translation table: %(why)s. Reinstall Translatio, or train "
                    "the table again."
                ),
                path=path,
                why=str(error),
            ) from error

    @classmethod
    def shipped(cls, source: str, target: str) -> "Prior | None":
        """The shipped table for two languages in either direction, or None when there is none."""
        return _shipped(base_language(source), base_language(target))


@cache
def _shipped(source: str, target: str) -> Prior | None:
    for first, second, mirror in ((source, target, False), (target, source, True)):
        path = DATA / f"lexical-{first}-{second}.npz"
        if path.is_file():
            prior = Prior.load(path)
            return prior.mirrored() if mirror else prior
    return None


def pack(words: list[str]) -> np.ndarray[tuple[int], np.dtype[np.uint8]]:
    """Words as UTF-8 bytes, one a line: NumPy's own string arrays would take four bytes a character."""
    return np.frombuffer("\n".join(words).encode(), np.uint8)


def unpack(array: np.ndarray[tuple[int, ...], np.dtype[np.uint8]]) -> list[str]:
    """The words of `pack`; an empty list for no bytes."""
    text = array.tobytes().decode()
    return text.split("\n") if text else []
