"""Rows of premise, hypothesis and inference label as records: each premise once, by its id or by its text."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping

from annotator.domain.labels.tags import Role
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import PairRecord, Read, Record, Text


class Pairs:
    """The pairs of a file. Of the premises that came, it keeps digests: a few bytes each."""

    def __init__(self, file: SourceFile) -> None:
        self._file = file
        self._premises: dict[bytes, str] = {}

    def reads(  # noqa: PLR0913 -- the cells of a row, by name
        self,
        line: int,
        premises: Mapping[str, str],
        hypotheses: Mapping[str, str],
        *,
        inference: str,
        pair_id: str = "",
        premise_id: str = "",
        genre: str = "",
        source: str = "",
        tags: Mapping[str, str] | None = None,
    ) -> Iterator[Read]:
        """The premise where it is new, the hypothesis and the pair of a row; texts by language.

        Without a `pair_id` the row's number is it; without a `premise_id`, "p" and the number of its first row. A known
        id with another text comes again, so that the import finds what differs.
        """
        pair_id = pair_id or str(line)
        # So SNLI, MultiNLI and XNLI write that annotators did not agree on one.
        inference = "" if inference == "-" else inference
        digest = hashlib.blake2b(repr((premise_id, sorted(premises.items()))).encode(), digest_size=12).digest()
        known = self._premises.get(digest)
        premise_id = known or premise_id or f"p{line}"
        if known is None:
            self._premises[digest] = premise_id
            yield self._record(line, premises, premise_id, Role.PREMISE.value, premise_id, genre, source)
        yield self._record(line, hypotheses, pair_id, Role.HYPOTHESIS.value, premise_id, genre, source)
        yield PairRecord(self._file.name, line, pair_id, premise_id, pair_id, inference, tags or {})

    def _record(
        self, line: int, texts: Mapping[str, str], id: str, role: str, group: str, genre: str, source: str
    ) -> Record:
        return Record(
            self._file.name,
            line,
            {language: Text(text) for language, text in texts.items()},
            id=id,
            role=role,
            group=group,
            genre=genre,
            source=source,
        )
