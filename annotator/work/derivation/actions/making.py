"""Units that are made of sentences, many in a few statements."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2s

from django.db.models import Max

from annotator.models import Segment, Unit
from annotator.work.queue.actions.items import BATCH

# As many characters as a uid may have.
LONGEST_UID = 200


def fitted(uid: str, room: int = LONGEST_UID) -> str:
    """The uid as it is, or where it is too long, its beginning and a checksum of the whole: the same each time."""
    if len(uid) <= room:
        return uid
    whole = blake2s(uid.encode(), digest_size=6).hexdigest()
    return f"{uid[: room - len(whole) - 1]}~{whole}"


def made_uid(parent: str, end: str) -> str:
    """The uid of what is made of the segment `parent`: its uid, and what tells it from others."""
    return f"{fitted(parent, LONGEST_UID - len(end) - 1)}:{end}"


@dataclass(frozen=True, slots=True)
class Wanted:
    """A unit that is to be made of `sentence`, which comes with its segment. `rule`: how it came about."""

    uid: str
    sentence: Unit
    rule: str
    tokens: Sequence[str]
    spaces: Sequence[str]


def make(
    kind: str, wanted: Sequence[Wanted], *, author: int | None = None, also_of: Unit | None = None
) -> dict[str, Unit]:
    """The new units by their uid: of a segment that is there, its next revision. They are in no stage yet.

    All are of one project and language. `also_of` is a further parent of all. Five statements for each `BATCH`.
    """
    if not wanted:
        return {}
    project, language = wanted[0].sentence.project_id, wanted[0].sentence.language
    slots = Segment.objects.filter(project=project, uid__in=[one.uid for one in wanted])
    segments = {segment.uid: segment for segment in slots}
    last = dict(
        Unit.objects.filter(segment__in=segments.values(), language=language)
        .order_by()
        .values_list("segment")
        .annotate(last=Max("revision"))
    )
    missing = [_segment(kind, one) for one in wanted if one.uid not in segments]
    segments |= {segment.uid: segment for segment in Segment.objects.bulk_create(missing, batch_size=BATCH)}
    units = [
        Unit(
            project_id=project,
            segment=segments[one.uid],
            kind=kind,
            language=language,
            revision=last.get(segments[one.uid].pk, 0) + 1,
            tokens=list(one.tokens),
            spaces=list(one.spaces),
            token_count=len(one.tokens),
            touches=[segments[one.uid].pk, *one.sentence.touches],
            author_id=author,
            rule=one.rule,
        )
        for one in wanted
    ]
    made = Unit.objects.bulk_create(units, batch_size=BATCH)
    link = Unit.parents.through
    links = [link(from_unit=unit, to_unit=one.sentence) for unit, one in zip(made, wanted, strict=True)]
    if also_of is not None:
        links += [link(from_unit=unit, to_unit=also_of) for unit in made]
    link.objects.bulk_create(links, batch_size=BATCH)
    return {one.uid: unit for one, unit in zip(wanted, made, strict=True)}


def _segment(kind: str, one: Wanted) -> Segment:
    of = one.sentence.segment
    return Segment(
        project_id=of.project_id,
        uid=one.uid,
        kind=kind,
        dataset=of.dataset,
        genre=of.genre,
        group=of.uid,
        position=of.position,
    )
