"""The aligner `eflomal`: the program of that name, if somebody has installed it, in a process of its own.

Östling & Tiedemann, "Efficient word alignment with Markov chain Monte Carlo" (2016). It is under the GPL, so it is
neither shipped nor imported: sentences go in and links come out as files. As for `lexical`, words are compared by
lemma, without punctuation. It draws at random, so that two runs over the same text differ a little.
"""

import hashlib
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterable, Sequence
from pathlib import Path

from annotator.domain.messages import InvalidError, message_of
from annotator.domain.messages import gettext_noop as _
from annotator.formats.common.errors import FormatError
from annotator.formats.parallel.pharaoh import parse_links
from mlworkers.engines.base import EngineError, Link, SentencePair, Tokens
from mlworkers.engines.words import Words

PROGRAM = "eflomal-align"
LINKS = ("union", "intersection")

# The program refuses longer sentences.
MAX_WORDS = 1_023
TOO_LONG = f"pairs with more than {MAX_WORDS} words in a sentence, which eflomal cannot align"

Lemmas = tuple[tuple[int, str], ...]
# Two sentences as the program gets them.
Key = tuple[tuple[str, ...], tuple[str, ...]]
Links = dict[tuple[int, int], float]


class EflomalAligner:
    """Trained on one text; pairs that are not in it are aligned by another run over both."""

    name = "eflomal"

    def __init__(self, source: str, target: str, links: str) -> None:
        self._words = (Words(source), Words(target))
        self._links = links
        self._known: dict[Key, Links] = {}
        self._corpus: list[Key] = []
        self._met: dict[str, int] = {}
        self.revision = self._revision()

    @classmethod
    def train(cls, spec: str, corpus: Sequence[SentencePair], *, source: str, target: str) -> "EflomalAligner":
        """Run the program over `corpus`.

        `spec` is `eflomal`, or `eflomal?links=intersection` for the links of both directions instead of either's.
        Raises EngineError when the program is not installed or fails.
        """
        links = {"eflomal": "union"} | {f"eflomal?links={links}": links for links in LINKS}
        if spec not in links:
            raise EngineError(_("Unknown aligner “%(spec)s”. Available: %(links)s."), spec=spec, links=", ".join(links))
        _program()
        aligner = cls(source, target, links[spec])
        aligner._learn([aligner._key(pair) for pair in corpus])
        return aligner

    def _revision(self) -> str:
        """Which links were kept, and a hash over all that were found: the program draws at random, without a seed."""
        digest = hashlib.sha256(repr(sorted(self._known.items())).encode("utf-8", "replace")).hexdigest()
        return f"{self._links} {digest[:12]}"

    def align(self, pairs: Sequence[SentencePair]) -> list[list[Link]]:
        """Link the words of sentence pairs; see `Aligner.align`. A link's score is 1 if both directions have it,
        0.5 if only one has."""
        kept = [(self._kept(0, left), self._kept(1, right)) for left, right in pairs]
        keys = [_key(pair) for pair in kept]
        self._learn([key for key in keys if key not in self._known])
        too_long = sum(_too_long(key) for key in keys)
        self._met = {TOO_LONG: too_long} if too_long else {}
        return [
            sorted(
                (Link(left[i][0], right[j][0], score) for (i, j), score in self._known.get(key, {}).items()),
                key=lambda link: (link.source, link.target),
            )
            for (left, right), key in zip(kept, keys, strict=True)
        ]

    def notes(self) -> dict[str, int]:
        """What the last `align` met; see `Noting.notes`."""
        return self._met

    def _learn(self, keys: Iterable[Key]) -> None:
        """Find the links of the pairs that are new, by a run over them and all that were there before."""
        new = [key for key in keys if all(key) and not _too_long(key)]
        if not new:
            return
        self._corpus += new
        found = _run(self._corpus)
        for key, (forward, backward) in zip(self._corpus, found, strict=True):
            if key not in self._known:
                linked = forward & backward if self._links == "intersection" else forward | backward
                self._known[key] = {link: (1.0 if link in forward & backward else 0.5) for link in sorted(linked)}
        self.revision = self._revision()

    def _kept(self, side: int, tokens: Tokens) -> Lemmas:
        """The tokens that are more than punctuation, as (index, lemma)."""
        found = ((index, "_".join(self._words[side].lemma(token).split())) for index, token in enumerate(tokens))
        return tuple((index, lemma) for index, lemma in found if lemma)

    def _key(self, pair: SentencePair) -> Key:
        return _key((self._kept(0, pair[0]), self._kept(1, pair[1])))


def _key(pair: tuple[Lemmas, Lemmas]) -> Key:
    return tuple(lemma for _, lemma in pair[0]), tuple(lemma for _, lemma in pair[1])


def _too_long(key: Key) -> bool:
    return max(map(len, key)) > MAX_WORDS


def _program() -> str:
    # Scripts of a virtual environment are often not on the PATH of what runs in it.
    beside = Path(sys.executable).parent
    found = shutil.which(PROGRAM) or shutil.which(PROGRAM, path=str(beside))
    if found is None:
        raise EngineError(
            _(
                "The program %(program)s is not installed: it is under the GPL and does not come with "
                "Translatio. Run this on the worker's machine, with a C compiler: pip install eflomal "
                "(%(program)s must be on the PATH or in %(beside)s). Or use “lexical”."
            ),
            program=PROGRAM,
            beside=beside,
        )
    return found


def _run(corpus: Sequence[Key]) -> list[tuple[set[tuple[int, int]], set[tuple[int, int]]]]:
    """The links of both directions for every pair."""
    with tempfile.TemporaryDirectory(prefix="eflomal-") as folder:
        paths = {option: Path(folder) / option for option in ("source", "target", "forward-links", "reverse-links")}
        for side, option in enumerate(("source", "target")):
            paths[option].write_text("".join(" ".join(key[side]) + "\n" for key in corpus), encoding="utf-8")
        command = [_program(), "--overwrite"]
        for option, path in paths.items():
            command += [f"--{option}", str(path)]
        # The program is the one that was found, and all arguments are our own paths.
        done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)  # noqa: S603
        try:
            if done.returncode:
                raise InvalidError(_("its exit status was %(status)s"), status=done.returncode)
            forward, backward = (
                [
                    set(
                        parse_links(
                            line, name=option, number=number, source_length=len(key[0]), target_length=len(key[1])
                        )
                    )
                    for number, (line, key) in enumerate(
                        zip(paths[option].read_text().splitlines(), corpus, strict=True), start=1
                    )
                ]
                for option in ("forward-links", "reverse-links")
            )
        except (OSError, ValueError, FormatError) as error:
            last = done.stderr.strip().rpartition("\n")[2]
            raise EngineError(
                _("%(program)s failed (%(reason)s)%(detail)s. Install it again, or use “lexical”."),
                program=PROGRAM,
                reason=message_of(error),
                detail=": " + last if last else "",
            ) from error
    return list(zip(forward, backward, strict=True))
