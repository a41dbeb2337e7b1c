"""Which pairs are tagged first. The one home of that rule (guarded by tests/actions/test_pair_order.py).

First those whose two sentences are labelled: gold, or somebody's finished review. Whether a metaphor matters can only
be told where the metaphors are known. Then those with silver, which is there to be reviewed; then the rest.
"""

from __future__ import annotations

from collections.abc import Sequence

from django.db import connection

from annotator.models import Project, Segment, Unit

BOTH_LABELLED = 0
SILVER = 1
OTHERS = 2

# Written by hand: it belongs to every save that finishes a sentence, and Django takes longer to build such a
# statement (5 ms) than the rest of the save takes in all.
_IS_LABELLED = """EXISTS (
    SELECT 1 FROM annotator_unit s
    WHERE s.segment_id = {segment} AND s.language = %(language)s AND s.is_current AND (
        EXISTS (
            SELECT 1 FROM annotator_annotation a JOIN annotator_layer l ON l.id = a.layer_id
            WHERE a.unit_id = s.id AND a.mode = 'review' AND a.state = 'done' AND l.content_type = 'spans'
        ) OR EXISTS (
            -- That of an import that is not published yet, too: nobody sees its pairs either.
            SELECT 1 FROM annotator_gold g JOIN annotator_layer l ON l.id = g.layer_id
            WHERE g.unit_id = s.id AND NOT g.reopened AND l.content_type = 'spans'
        )
    )
)"""
_PLACE = f"""
UPDATE annotator_item SET unlabelled = CASE
    WHEN EXISTS (
        SELECT 1 FROM annotator_unit own JOIN annotator_pair p ON p.segment_id = own.segment_id
        WHERE own.id = annotator_item.unit_id
            AND {_IS_LABELLED.format(segment="p.premise_id")}
            AND {_IS_LABELLED.format(segment="p.hypothesis_id")}
    ) THEN {BOTH_LABELLED}
    WHEN EXISTS (
        SELECT 1 FROM annotator_suggestion s
        WHERE s.unit_id = annotator_item.unit_id AND s.kind = 'transfer' AND s.is_current
    ) THEN {SILVER}
    ELSE {OTHERS}
END
WHERE stage_id IN (
    SELECT id FROM annotator_stage WHERE project_id = %(project)s AND kind = %(kind)s AND language = %(language)s
) AND unit_id IN (
    SELECT u.id FROM annotator_unit u JOIN annotator_pair p ON p.segment_id = u.segment_id
    WHERE u.language = %(language)s AND (WHICH)
)"""  # noqa: S608  # nothing of it comes from outside
_OF_PAIRS = "p.segment_id IN (SEGMENTS)"
_OF_SENTENCES = "p.premise_id IN (SEGMENTS) OR p.hypothesis_id IN (SEGMENTS)"


def place_pairs(project: Project, units: Sequence[Unit], *, kind: str) -> None:
    """Set the places of the items of these pairs, and of the pairs that these sentences are in.

    One statement for sentences, or pairs, of one language; none in a project without inference labels: it has no pairs.
    """
    if not project.inferences:
        return
    groups: dict[tuple[str, str], list[int]] = {}
    for unit in units:
        groups.setdefault((unit.language, unit.kind), []).append(unit.segment_id)
    for (language, unit_kind), segments in sorted(groups.items()):
        if unit_kind == Segment.PAIR:
            _place(project, language, kind, _OF_PAIRS, segments)
        elif unit_kind == Segment.SENTENCE:
            _place(project, language, kind, _OF_SENTENCES, segments)


def _place(project: Project, language: str, kind: str, which: str, segments: Sequence[int]) -> None:
    names = {f"segment{number}": segment for number, segment in enumerate(segments)}
    listed = ", ".join(f"%({name})s" for name in names)
    statement = _PLACE.replace("WHICH", which.replace("SEGMENTS", listed))
    with connection.cursor() as cursor:
        cursor.execute(statement, {"project": project.pk, "kind": kind, "language": language, **names})
