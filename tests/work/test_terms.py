"""The vocabulary on either database: counted by one statement, merged as one act."""

from __future__ import annotations

from tests.site import Site

CODE = """
import json
from tests.factories import make_label_layer
from annotator.work.lexicon.actions.terms import count_terms, know_terms, merge_terms
from annotator.domain.labels.shipped_schemes import conceptual_domains
from annotator.models import Annotation, Event, Term
from tests.factories import make_member, make_project, make_sentence, span, spans

def said(*sources):
    return spans(*({**span(at, label="CONCEPTUAL"), "attributes": {"source": one}} for at, one in enumerate(sources)))

project = make_project()
layer = make_label_layer(project, "domains", conceptual_domains())
count_terms(layer, None, said("WAR", "WAR", "Árbol"))
count_terms(layer, said("WAR", "WAR", "Árbol"), said("WAR", "PEACE"))
know_terms(layer, said("GOLD", "WAR"))
user = make_member(project)
Annotation.objects.create(
    project=project, unit=make_sentence(project), layer=layer, user=user, content=said("WAR", "PEACE")
)
before = dict(Term.objects.values_list("text", "uses"))
summary = merge_terms(project=project, layer=layer, attribute="source", term="WAR", into="PEACE", by=user)
row = Annotation.objects.get()
print(json.dumps([
    before,
    [summary.annotations, summary.spans, summary.golds],
    dict(Term.objects.values_list("text", "uses")),
    [one["attributes"]["source"] for one in row.content["spans"]],
    row.version,
    Event.objects.filter(operation__isnull=False).values("operation").distinct().count(),
]))
"""


def test_terms_are_counted_and_merged_on_either_database(any_site: Site) -> None:
    before, summary, after, sources, version, acts = any_site.python(CODE)
    assert before == {"WAR": 1, "PEACE": 1, "Árbol": 0, "GOLD": 0}
    assert summary == [1, 1, 0]
    assert after == {"PEACE": 2, "Árbol": 0, "GOLD": 0}
    assert sources == ["PEACE", "PEACE"]
    assert (version, acts) == (2, 1)
