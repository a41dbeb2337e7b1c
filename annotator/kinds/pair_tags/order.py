"""Which pairs are tagged first. The one home of that rule (guarded by tests/work/test_pair_order.py).

First those whose two sentences are labelled: gold, or somebody's finished review. Whether a metaphor matters can only
be told where the metaphors are known. Then those with silver, which is there to be reviewed; then the rest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from annotator.core.prepared import execute, fetch
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
            SELECT 1 FROM annotator_annotation a
            WHERE a.unit_id = s.id AND a.mode = 'review' AND a.state = 'done' AND a.layer_id = {layer}
        ) OR EXISTS (
            -- That of an import that is not published yet, too: nobody sees its pairs either.
            SELECT 1 FROM annotator_gold g
            WHERE g.unit_id = s.id AND NOT g.reopened AND g.layer_id = {layer}
        )
    )
)"""
# `Project.label_layer`: other layers of labels say nothing of where the metaphors are.
_MAIN = (
    "(SELECT l.id FROM annotator_layer l WHERE l.project_id = %(project)s AND l.content_type = 'spans' "
    "ORDER BY l.position, l.id LIMIT 1)"
)
_PLACE = f"""
UPDATE annotator_item SET unlabelled = CASE
    WHEN EXISTS (
        SELECT 1 FROM annotator_unit own JOIN annotator_pair p ON p.segment_id = own.segment_id
        WHERE own.id = annotator_item.unit_id
            AND {_IS_LABELLED.format(segment="p.premise_id", layer=_MAIN)}
            AND {_IS_LABELLED.format(segment="p.hypothesis_id", layer=_MAIN)}
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

    One statement for sentences, or pairs, of one language. For a single sentence, which is what a save brings, one
    where it is in no pair, and otherwise up to three, which PostgreSQL plans in half the time. None in a project
    without inference labels: it has no pairs.
    """
    if not project.inferences:
        return
    groups: dict[tuple[str, str], list[int]] = {}
    for unit in units:
        groups.setdefault((unit.language, unit.kind), []).append(unit.segment_id)
    for (language, unit_kind), segments in sorted(groups.items()):
        if unit_kind == Segment.SENTENCE and len(segments) == 1:
            _place_around(project, language, kind, segments[0])
        elif unit_kind == Segment.PAIR:
            _place(project, language, kind, _OF_PAIRS, segments)
        elif unit_kind == Segment.SENTENCE:
            _place(project, language, kind, _OF_SENTENCES, segments)


_PAIRS_AROUND = """
SELECT segment_id, CASE WHEN premise_id = %s THEN hypothesis_id ELSE premise_id END FROM annotator_pair
WHERE premise_id = %s OR hypothesis_id = %s"""
# Two lists and no OR, and a layer that no index finds: otherwise PostgreSQL, as long as it has no statistics, reads all
# answers of the layer to ask for those on two sentences.
_OF_SEGMENTS = "own.segment_id IN (SEGMENTS) AND own.language = %(language)s AND own.is_current"
_LABELLED = f"""
SELECT own.segment_id FROM annotator_unit own JOIN annotator_annotation a ON a.unit_id = own.id
WHERE {_OF_SEGMENTS} AND a.mode = 'review' AND a.state = 'done' AND a.layer_id + 0 = {_MAIN}
UNION
SELECT own.segment_id FROM annotator_unit own JOIN annotator_gold g ON g.unit_id = own.id
WHERE {_OF_SEGMENTS} AND NOT g.reopened AND g.layer_id + 0 = {_MAIN}"""  # noqa: S608 -- names of our own
_TO = f"""
UPDATE annotator_item SET unlabelled = PLACE
WHERE unlabelled BEFORE {BOTH_LABELLED}
    AND unit_id IN (SELECT id FROM annotator_unit WHERE segment_id IN (SEGMENTS) AND language = %(language)s)
    AND stage_id IN (
        SELECT id FROM annotator_stage WHERE project_id = %(project)s AND kind = %(kind)s AND language = %(language)s
    )"""  # noqa: S608 -- names of our own
_SILVER_OR_NOT = f"""CASE WHEN EXISTS (
    SELECT 1 FROM annotator_suggestion s
    WHERE s.unit_id = annotator_item.unit_id AND s.kind = 'transfer' AND s.is_current
) THEN {SILVER} ELSE {OTHERS} END"""  # noqa: S608 -- names of our own


def _place_around(project: Project, language: str, kind: str, segment: int) -> None:
    """The pairs that one sentence is in. Others that lack a label stay where they are: they cannot have come first."""
    pairs = fetch(_PAIRS_AROUND, [segment, segment, segment])
    if not pairs:
        return
    names = {"project": project.pk, "kind": kind, "language": language}
    labelled = {row[0] for row in _fetch_listed(_LABELLED, [segment, *(other for _pair, other in pairs)], names)}
    if segment not in labelled:
        statement = _TO.replace("PLACE", _SILVER_OR_NOT).replace("BEFORE", "=")
        _run_listed(statement, [pair for pair, _other in pairs], names)
    elif both := [pair for pair, other in pairs if other in labelled]:
        _run_listed(_TO.replace("PLACE", str(BOTH_LABELLED)).replace("BEFORE", "<>"), both, names)


def _listed(statement: str, segments: Sequence[int], names: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
    given = {f"segment{number}": segment for number, segment in enumerate(segments)}
    return statement.replace("SEGMENTS", ", ".join(f"%({name})s" for name in given)), {**names, **given}


def _fetch_listed(statement: str, segments: Sequence[int], names: Mapping[str, Any]) -> list[tuple[Any, ...]]:
    return fetch(*_listed(statement, segments, names))


def _run_listed(statement: str, segments: Sequence[int], names: Mapping[str, Any]) -> None:
    execute(*_listed(statement, segments, names))


def _place(project: Project, language: str, kind: str, which: str, segments: Sequence[int]) -> None:
    names = {"project": project.pk, "kind": kind, "language": language}
    _run_listed(_PLACE.replace("WHICH", which), segments, names)
