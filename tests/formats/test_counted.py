"""What a file has and is not imported is counted in the singular, too."""

from __future__ import annotations

import inspect

from annotator.domain.messages import message
from annotator.formats.brat import brat
from annotator.formats.cas import cas_model
from annotator.formats.common.counted import ONE, counted
from annotator.formats.corpora import vuamc
from annotator.formats.json import answer_states, span_objects
from annotator.formats.json_lines import jsonl, object_labels
from annotator.formats.label_studio import label_studio
from annotator.formats.label_studio import results as label_studio_results
from annotator.formats.webanno import layers
from annotator.formats.webanno import marks as webanno_marks

READERS = (
    answer_states,
    brat,
    cas_model,
    jsonl,
    label_studio,
    label_studio_results,
    layers,
    object_labels,
    span_objects,
    vuamc,
    webanno_marks,
)


def test_one_is_said_otherwise_than_several() -> None:
    links = "links from one label to others, which are not imported"
    types = "labels of type %(what)s, which are left out"
    found = list(counted({message(links): 1, message(types, what="X"): 2, message("things unknown"): 1}, "a.xmi", 3))
    assert [str(one.what) for one in found] == [
        "1 link from one label to others, which is not imported",
        "2 labels of type X, which are left out",
        "1 things unknown",
    ]


def test_all_that_has_a_singular_is_what_readers_count() -> None:
    sources = "".join(map(inspect.getsource, READERS))
    assert [text for text in ONE if text not in sources] == []
