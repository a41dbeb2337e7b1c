"""The row of a text's new revision, beside the one that it replaces."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any

from django.db.models import Max

from annotator.domain.text.revision import moved_tokens
from annotator.domain.text.tokens import word_of
from annotator.models import LemmaPlace, Project, Segment, Unit, User
from annotator.work.lexicon.actions.lemmas import index_places, lemmas_known

# Where no segment is another one now.
NOWHERE: Mapping[int, int] = MappingProxyType({})


def new_revision(
    project: Project,
    old: Unit,
    tokens: Sequence[str],
    spaces: Sequence[str],
    by: User | None,
    *,
    uid: str = "",
    moved: Mapping[int, int] = NOWHERE,
) -> Unit:
    """Put a unit with another text in the place of `old`. `uid`: where it is another one from now on, that one.
    `moved`: of the segments that it touches, those in whose place another one is now.

    Revisions continue counting where the uid changes, so that a text that comes back is known by them.
    """
    segment = old.segment if uid in ("", old.segment.uid) else _segment(old.segment, uid)
    last = Unit.objects.filter(segment=segment, language=old.language).aggregate(last=Max("revision"))["last"] or 0
    Unit.objects.filter(pk=old.pk).update(is_current=False)
    old.is_current = False
    is_sentence = old.kind == Segment.SENTENCE
    new = Unit.objects.create(
        project_id=old.project_id,
        segment=segment,
        kind=old.kind,
        language=old.language,
        revision=max(last, old.revision) + 1,
        tokens=list(tokens),
        spaces=list(spaces),
        token_count=len(tokens),
        touches=[segment.pk, *(moved.get(one, one) for one in old.touches[1:])],
        **(_of_sentence(project, old, list(tokens), by) if is_sentence else {"author": old.author, "rule": old.rule}),
    )
    new.parents.set(old.parents.all())
    if is_sentence:
        LemmaPlace.objects.filter(unit=old).delete()
        index_places([new])
    return new


def _segment(old: Segment, uid: str) -> Segment:
    found, _created = Segment.objects.get_or_create(
        project_id=old.project_id,
        uid=uid,
        defaults={
            "kind": old.kind,
            "dataset": old.dataset,
            "genre": old.genre,
            "group": old.group,
            "position": old.position,
        },
    )
    return found


def _of_sentence(project: Project, old: Unit, tokens: list[str], by: User | None) -> dict[str, Any]:
    words = project.content_words(tokens, old.language)
    return {"lemmas": _lemmas(old, tokens), "content_words": words, "author": by}


def _lemmas(old: Unit, tokens: list[str]) -> list[str]:
    """Those of the tokens that stayed, and of forms that the project knows; of others the word itself, until the job
    has looked them up: the web process has no dictionaries."""
    back = {now: before for before, now in moved_tokens(old.tokens, tokens).items()}
    known = lemmas_known(tokens, project=old.project_id, language=old.language)
    stored = old.lemmas if len(old.lemmas) == len(old.tokens) else [word_of(token) or token for token in old.tokens]
    return [
        stored[back[index]] if index in back else known.get(word_of(token)) or word_of(token) or token
        for index, token in enumerate(tokens)
    ]
