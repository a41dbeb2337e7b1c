"""What the rows of MUNCH's files say of each sentence, and what is wrong between them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from html import unescape
from typing import Any

from annotator.domain.content import best, inapt
from annotator.domain.messages import by_number, joined, message
from annotator.domain.messages import gettext_noop as _
from annotator.domain.pairs.triples import Aptness, Option, Pair, words_of
from annotator.domain.text.languages import is_spaced
from annotator.domain.text.marked import CLOSE, OPEN, Marked
from annotator.domain.text.one_word import each_once, word_key
from annotator.formats.common.errors import FormatError, FormatWarning, quote
from annotator.formats.common.protocol import SourceFile
from annotator.formats.common.records import Record, Text
from annotator.kinds.substitution.units import BEST, INAPT, MARKED, SUBSTITUTES, WORDS, marked_uid, words_uid
from annotator.protocols.munch.files import Generation, Judgement

RaterAnswers = FormatError | FormatWarning
_NAMED = 5
_MAX_WORDS = {Aptness.APT: best.MAX_WORDS, Aptness.INAPT: inapt.MAX_WORDS}


@dataclass
class _Sentence:
    """What the files say of one sentence. `labels`: by key of a word and its label, where that stands first; `lines`:
    by keys of both words of a triple, where it stands first; `both`: the keys of words that have both labels."""

    file: str
    line: int
    language: str
    marked: Marked
    words: list[str] = field(default_factory=list)
    group: str = ""
    genre: str = ""
    pairs: list[Pair] = field(default_factory=list)
    lines: dict[frozenset[str], tuple[str, int]] = field(default_factory=dict)
    labels: dict[tuple[str, Aptness], tuple[str, int]] = field(default_factory=dict)
    both: set[str] = field(default_factory=set)


class FileSentences:
    """The sentences of files that are imported together. `said`: what is wrong or unusual, to be listed."""

    def __init__(self) -> None:
        self.message: list[RaterAnswers] = []
        self._sentences: dict[str, _Sentence] = {}
        # Whether judgements need a sentence of the first file: it is there, and all of it was understood.
        self.is_whole = False
        # Words that are apt in one row and inapt in another: the word, and where that is the second time.
        self._both: list[tuple[str, str, int]] = []

    def tell(self, file: SourceFile, row: Generation) -> None:
        """A row of the first file."""
        if row.id not in self._sentences:
            self._sentences[row.id] = _Sentence(
                file.name, row.line, file.language, row.sentence, list(row.words), row.group, row.genre
            )
            self._warn_of_a_part(file, row.line, row.sentence)
            self._warn_of_itself(file, row)
            return
        before = self._sentences[row.id]
        got = message(_("%(idx)s, which is also in %(file)s"), idx=quote(row.id), file=before.file)
        self.message.append(file.error(row.line, _("an idx that no other file has"), got))

    def judge(self, file: SourceFile, row: Judgement) -> None:
        """A row of the second file."""
        known = self._sentences.get(row.id)
        if known is None:
            if self.is_whole:
                expected = message(_("in column s0_idx, the idx of a row of for_generation.csv"))
                self.message.append(file.error(row.line, expected, quote(row.id)))
                return
            known = self._sentences[row.id] = _Sentence(file.name, row.line, file.language, row.sentence)
            self._warn_of_a_part(file, row.line, row.sentence)
        if known.marked != row.sentence:
            expected = message(
                _("the sentence %(idx)s as in %(file)s, line %(line)d"),
                idx=quote(row.id), file=known.file, line=known.line,
            )  # fmt: skip
            self.message.append(file.error(row.line, expected, quote(str(row.sentence))))
            return
        for one in (row.first, row.second):
            self._warn_of_another(file, row.line, known.marked, one.sentence)
        pair = Pair(*(Option(one.sentence.word, one.label) for one in (row.first, row.second)))
        # Both are looked at, so that both are listed.
        fits = [self._fits(known, file.name, row.line, option) for option in (pair.first, pair.second)]
        if all(fits):
            self._warn_of_none(known, file.name, row.line, pair)
            self._warn_of_the_same(known, file.name, row.line, pair)
            known.pairs.append(pair)

    def contradictions(self) -> Iterator[FormatWarning]:
        """The words that the files call apt and inapt for one sentence, counted. Both are imported: nobody knows
        which is right, and releases list them."""
        if not self._both:
            return
        _word, file, line = self._both[0]
        words = joined([quote(word) for word, _file, _line in self._both[:_NAMED]])
        number = len(self._both)
        what = by_number(
            number,
            _("%(number)d word is both apt and inapt for its sentence, and is imported as both (%(words)s)"),
            _("%(number)d words are both apt and inapt for their sentence, and are imported as both (%(words)s)"),
        )
        yield FormatWarning(file, line, message(what, number=number, words=words))

    def records(self) -> Iterator[Record]:
        """The sentences, and the words for each."""
        for identity, sentence in self._sentences.items():
            yield from _records(identity, sentence)

    def _fits(self, known: _Sentence, file: str, line: int, option: Option) -> bool:
        """Whether the word can be kept with its label; that it has the opposite one, too, is noted."""
        key = word_key(option.word)
        known.labels.setdefault((key, option.label), (file, line))
        if key not in known.both and all((key, label) in known.labels for label in Aptness):
            known.both.add(key)
            self._both.append((option.word, file, line))
        return self._is_room(known, file, line, option)

    def _is_room(self, known: _Sentence, file: str, line: int, option: Option) -> bool:
        """Whether as many words can be kept of a sentence; said where the first one is that cannot."""
        keys = [key for key, label in known.labels if label == option.label]
        if keys.index(word_key(option.word)) < _MAX_WORDS[option.label]:
            return True
        expected = message(
            _("at most %(most)d words for one sentence that are %(label)s"),
            most=_MAX_WORDS[option.label], label=option.label.value,
        )  # fmt: skip
        self.message.append(FormatError(file, line, expected, quote(option.word)))
        return False

    def _warn_of_a_part(self, file: SourceFile, line: int, sentence: Marked) -> None:
        if sentence.is_part and is_spaced(file.language):
            around = f"{sentence.before.split(' ')[-1]}{OPEN}{sentence.word}{CLOSE}{sentence.after.split(' ')[0]}"
            what = message(_("the mark covers only a part of a word (%(word)s)"), word=quote(around, 80))
            self.message.append(FormatWarning(file.name, line, what))

    def _warn_of_itself(self, file: SourceFile, row: Generation) -> None:
        """The marked word among the answers: nobody can choose it."""
        for word in each_once(row.words):
            if word_key(word) == word_key(row.sentence.word):
                what = _("the marked word itself among the answers (%(word)s), which is left out of the vote")
                self.message.append(FormatWarning(file.name, row.line, message(what, word=quote(word))))

    def _warn_of_another(self, file: SourceFile, line: int, marked: Marked, other: Marked) -> None:
        """A sentence that is not the marked one with another word. An article before the word may follow it, and a
        character be written in another way."""
        before, theirs = (unescape(one.before).split() for one in (marked, other))
        if unescape(marked.after).split() == unescape(other.after).split() and (
            before == theirs or (len(before) == len(theirs) and before[:-1] == theirs[:-1])
        ):
            return
        what = _("the sentence differs in more than the marked word and the one before it: %(sentence)s")
        self.message.append(FormatWarning(file.name, line, message(what, sentence=quote(str(other), 120))))

    def _warn_of_none(self, known: _Sentence, file: str, line: int, pair: Pair) -> None:
        """Rows of which no triple is made."""
        first, second, own = map(word_key, (pair.first.word, pair.second.word, known.marked.word))
        if first == second:
            what = _("the same word twice (%(word)s), so no triple is made from it")
        elif own in (first, second):
            what = _("the marked word itself (%(word)s), so no triple is made from it")
        else:
            return
        word = pair.first.word if first == second else known.marked.word
        self.message.append(FormatWarning(file, line, message(what, word=quote(word))))

    def _warn_of_the_same(self, known: _Sentence, file: str, line: int, pair: Pair) -> None:
        """A triple that stands in an earlier row, too, in whichever order."""
        words = frozenset((word_key(pair.first.word), word_key(pair.second.word)))
        where, first = known.lines.setdefault(words, (file, line))
        if (where, first) != (file, line):
            what = _("the same triple as in %(file)s, line %(line)d, so it is skipped")
            self.message.append(FormatWarning(file, line, message(what, file=where, line=first)))


def _records(identity: str, sentence: _Sentence) -> Iterator[Record]:
    tokens, spaces, position = sentence.marked.tokens()
    apt, not_apt = (_without(sentence.marked.word, words) for words in words_of(sentence.pairs))
    written = each_once(_without(sentence.marked.word, sentence.words))
    uid = marked_uid(identity, position)
    rows = [{"word": word, "sense": "", "synset": ""} for word in not_apt]
    decided = {INAPT: {"words": rows, "none": False}} if rows else {}
    # Words that were published are the answers: nobody is asked for more.
    settled = (SUBSTITUTES,) if written or apt else ()
    text = Text(tokens=tuple(tokens), spaces=tuple(spaces), contents=decided, settled=settled)
    yield _record(sentence, uid, MARKED, text)
    spelt = {word_key(word): word for word in written}
    # The person who decided may have changed a word that people wrote ("pursued": "pursues").
    words = [*written, *(word for word in apt if word_key(word) not in spelt)]
    if words:
        chosen = [spelt.get(word_key(word), word) for word in apt]
        voted: Mapping[str, Any] = {BEST: {"words": chosen, "none": False}} if apt else {}
        yield _record(sentence, words_uid(uid), WORDS, Text(tokens=tuple(words), contents=voted))


def _without(marked: str, words: Iterable[str]) -> list[str]:
    """The words but the marked one: it is not a word for itself."""
    return [word for word in words if word_key(word) != word_key(marked)]


def _record(sentence: _Sentence, uid: str, kind: str, text: Text) -> Record:
    texts = {sentence.language: text}
    return Record(sentence.file, sentence.line, texts, id=uid, group=sentence.group, genre=sentence.genre, kind=kind)
