"""Units that are made of others, many in a few statements."""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2s

from django.db.models import Max

from annotator.domain.derivation import DesiredUnit
from annotator.domain.text.lemmas import lemma_of
from annotator.domain.text.tokens import word_of
from annotator.models import Project, Segment, Unit
from annotator.work.lexicon.actions.lemmas import index_places, lemmas_known
from annotator.work.queue.actions.items import BATCH

# As many characters as a uid may have.
MAX_UID = 200
# The length of the uid of a made unit with a new name, unless its key needs more: what is made of it has room for an
# end.
MADE_UID = 150


def fitted(uid: str, room: int = MAX_UID) -> str:
    """The uid as it is, or where it is too long, its beginning and a checksum of the whole: the same each time."""
    if len(uid) <= room:
        return uid
    whole = blake2s(uid.encode(), digest_size=6).hexdigest()
    return f"{uid[: room - len(whole) - 1]}~{whole}"


def made_uid(parent: str, end: str) -> str:
    """The uid of what is made of the segment `parent`: its uid, and what tells it from others."""
    return f"{fitted(parent, MAX_UID - len(end) - 1)}:{end}"


def ended(uid: str, key: str) -> str:
    """The uid of a made unit with another key at its end."""
    return made_uid(uid.rpartition(":")[0], key)


def _new_uid(parent: str, key: str) -> str:
    """A uid for a made unit that nobody else has and that ends in its key; kinds may add to it. The parent's is cut."""
    end = f":{uuid.uuid4().hex[:12]}:{key}"
    return parent[: max(0, MADE_UID - len(end))] + end


@dataclass(frozen=True, slots=True)
class Wanted:
    """A unit that is to be made of `source`, which comes with its segment. `after`: the unit whose next revision it is;
    else it is one of the segment with its uid. `also_of`: another unit that it is made of."""

    source: Unit
    desired: DesiredUnit
    after: Unit | None = None
    also_of: Unit | None = None

    @property
    def uid(self) -> str:
        """Its uid; "" for a new name."""
        path, key = self.desired.path, self.desired.key
        return "" if path is None else made_uid(self.source.segment.uid, f"{path}:{key}" if path else key)


def make(project: Project, kind: str, wanted: Sequence[Wanted]) -> list[Unit]:
    """The new units, in this order; they are in no stage yet.

    All are of one language. Five statements for each `BATCH`, and two for each that is indexed.
    """
    if not wanted:
        return []
    segments = _segments(project, kind, wanted)
    rows = Unit.objects.filter(segment__in=segments, language=wanted[0].source.language).order_by()
    is_new = all(one.after is None and not one.uid for one in wanted)
    last = {} if is_new else dict(rows.values_list("segment").annotate(last=Max("revision")))
    made = list(zip(wanted, segments, strict=True))
    units = [_unit(project, kind, one, segment, last.get(segment.pk, 0) + 1) for one, segment in made]
    Unit.objects.bulk_create(units, batch_size=BATCH)
    link = Unit.parents.through
    parents = [(unit, of) for unit, one in zip(units, wanted, strict=True) for of in (one.source, one.also_of)]
    link.objects.bulk_create(
        [link(from_unit=unit, to_unit=of) for unit, of in parents if of is not None], batch_size=BATCH
    )
    index_places(unit for unit, one in zip(units, wanted, strict=True) if one.desired.indexed)
    return units


def _segments(project: Project, kind: str, wanted: Sequence[Wanted]) -> list[Segment]:
    """The segment of each; those that are missing are created."""
    uids = [one.uid for one in wanted if one.after is None and one.uid]
    slots = Segment.objects.filter(project=project, uid__in=uids) if uids else ()
    found = {segment.uid: segment for segment in slots}
    segments = [_segment(kind, one, found.get(one.uid)) for one in wanted]
    Segment.objects.bulk_create([one for one in segments if one.pk is None], batch_size=BATCH)
    return segments


def _segment(kind: str, one: Wanted, there: Segment | None) -> Segment:
    """The segment of a unit; `there` is the one that has its uid."""
    if one.after is not None:
        return one.after.segment
    if there is not None and there.kind == kind:
        return there
    of = one.source.segment
    # Of one label, units of several kinds can follow.
    uid = one.uid if one.uid and there is None else _new_uid(of.uid, one.desired.key)
    fields = {"dataset": of.dataset, "genre": of.genre, "group": of.uid, "position": of.position}
    return Segment(project_id=of.project_id, uid=uid, kind=kind, **fields)


def _unit(project: Project, kind: str, one: Wanted, segment: Segment, revision: int) -> Unit:
    desired, before = one.desired, one.after
    unit = Unit(
        project=project,
        segment=segment,
        kind=kind,
        language=one.source.language,
        revision=revision,
        tokens=list(desired.tokens),
        spaces=list(desired.spaces),
        token_count=len(desired.tokens),
        touches=[segment.pk, *one.source.touches],
        author_id=desired.author,
        rule=desired.rule,
    )
    if desired.continues and before is not None:
        unit.imported_id, unit.origin_file = before.imported_id, before.origin_file
        unit.origin_line = before.origin_line
    if desired.indexed:
        # The lemmas are those that the project knows, else the dictionary's.
        known = lemmas_known(unit.tokens, project=project.pk, language=unit.language, segments=one.source.touches)
        unit.lemmas = [known.get(word_of(token)) or lemma_of(token, unit.language) for token in unit.tokens]
        unit.content_words = project.content_words(unit.tokens, unit.language)
    return unit
