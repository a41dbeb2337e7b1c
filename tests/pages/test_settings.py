"""The settings of a project: forms, previews in numbers, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from annotator.imports.reading.labels import category_layers
from annotator.jobs.actions import start_job
from annotator.models import Annotation, Event, Job, JobKind, Project, Role
from tests.factories import (
    make_annotation,
    make_assignment,
    make_gold,
    make_member,
    make_project,
    make_sentence,
    span,
    stage_of,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def project(client: Client) -> Project:
    """A project whose manager is signed in."""
    made = make_project("letters")
    client.force_login(make_member(made, Role.MANAGER))
    return made


def address(name: str, *more: Any) -> str:
    return reverse(name, args=["letters", *more])


GENERAL = {"name": "Letters", "train_every": "300", "description_en": "Of a sailor.", "description_es": ""}


def test_names_and_rules_are_saved(client: Client, project: Project) -> None:
    assert client.post(address("settings"), GENERAL).status_code == 302
    project.refresh_from_db()
    assert (project.name, project.train_every, project.adjudicate_own) == ("Letters", 3, False)
    assert project.descriptions == {"en": "Of a sailor."}
    assert "Of a sailor." in client.get(reverse("projects")).content.decode()
    refused = client.post(address("settings"), GENERAL | {"train_every": "250"}).content.decode()
    assert "multiple of step size 100" in refused
    answer = client.post(address("settings"), GENERAL | {"name": ""})
    assert answer.status_code == 422
    assert "This field is required" in answer.content.decode()


def test_labels_are_previewed_in_numbers_and_nothing_changes_until_they_are_sent(
    client: Client, project: Project
) -> None:
    make_annotation(make_sentence(project), make_member(project), [span(0), span(2)])
    make_gold(make_sentence(project), [span(0)])
    url = address("settings-labels", "labels")
    rows = {"version": "1", "old": ["METAPHOR"], "code": [""], "name": [""]}
    rows = {**rows, "old": ["METAPHOR", ""], "code": ["", "MRW"], "split_from": ["", ""]}

    page = client.get(url, rows).content.decode()

    assert "METAPHOR is removed." in page
    assert "MRW is added." in page
    assert "METAPHOR: 2 labels in annotations" in page
    assert "1 gold decision will be reopened." in page
    assert Annotation.objects.get().content["spans"][0]["label"] == "METAPHOR"
    assert not Event.objects.filter(verb="scheme.change").exists()

    assert client.post(url, rows | {"apply": "1"}).status_code == 302
    assert Annotation.objects.get().content["spans"] == []
    refused = client.get(url, rows | {"version": "2", "old": ["MRW"], "code": ["with space"]})
    assert refused.status_code == 422
    assert "must not contain spaces" in refused.content.decode()


def test_who_is_late_is_told(client: Client, project: Project) -> None:
    url = address("settings-labels", "labels")
    client.post(url, {"version": "1", "old": "METAPHOR", "code": "A", "apply": "1"})
    answer = client.post(url, {"version": "1", "old": "A", "code": "B", "apply": "1"}, follow=True)
    assert "Someone else changed the labels in the meantime" in answer.content.decode()
    assert project.layers.get(slug="labels").scheme_data["labels"] == ["A"]


def test_nothing_else_is_done_than_what_was_shown(client: Client, project: Project) -> None:
    url = address("settings-labels", "labels")
    rows = {"version": "1", "rows": "1", "old": ["METAPHOR"], "code": ["MRW"], "tokenless": ["0"]}
    page = client.post(url, rows)
    shown = page.context["shown"]
    assert f'name="shown" value="{shown}"' in page.content.decode()
    other = client.post(url, rows | {"code": ["OTHER"], "shown": shown, "apply": "1"})
    assert "You changed something after you saw the effects" in other.content.decode()
    assert not Event.objects.filter(verb="scheme.change").exists()
    client.post(url, rows | {"shown": shown, "apply": "1"})
    assert project.layers.get(slug="labels").scheme.tokenless == ("MRW",)
    assert "Version 2" in client.get(url).content.decode()


def test_attributes_are_added_and_changed_after_a_look(client: Client, project: Project) -> None:
    url = address("settings-attributes", "labels")
    new = {
        "version": "1",
        "rows": "1",
        "0-old": "",
        "0-code": "sure",
        "0-answer": "list",
        "0-more": "yes\n no \n",
        "0-key": "q",
        "0-obligatory": "on",
    }
    page = client.post(url, new).content.decode()
    assert "sure is added." in page
    assert "Existing work will not change." in page
    client.post(url, new | {"apply": "1"})
    scheme = project.layers.get(slug="labels").scheme
    assert scheme.attributes["sure"].to_json() == {"values": ["yes", "no"], "key": "q", "obligatory": True}

    spans = [{**span(0), "attributes": {"sure": "no"}}]
    make_annotation(make_sentence(project), make_member(project), spans)
    make_gold(make_sentence(project), spans)
    rows = {"version": "2", "rows": "2", "0-old": "sure", "0-code": "sure", "0-answer": "list"}
    rows |= {"0-old-value": ["yes", "no"], "0-value": ["yes", ""]}
    page = client.post(url, rows).content.decode()
    assert "sure = no: 1 in annotations, 1 in gold, 0 in suggestions" in page
    assert "1 answer will change." in page
    assert "1 gold decision will be reopened." in page
    assert Annotation.objects.get().content["spans"] == spans
    client.post(url, rows | {"apply": "1"})
    assert Annotation.objects.get().content["spans"] == [span(0)]
    assert (
        "Two attributes are called"
        in (
            client.post(url, rows | {"version": "3", "0-old-value": ["yes"], "0-value": ["yes"], "1-code": "sure"})
        ).content.decode()
    )


def test_how_units_may_lie_is_changed_after_a_look(client: Client, project: Project) -> None:
    make_annotation(make_sentence(project), make_member(project), [span(0, 2)])
    url = address("settings-rules", "labels")
    assert client.get(url).context["rules"] == {"discontinuous": True, "overlaps": False, "several": False}
    page = client.post(url, {"version": "1", "discontinuous": "on", "overlaps": "on"}).content.decode()
    assert "1 answer will change." not in page
    page = client.post(url, {"version": "1"}).content.decode()
    assert "1 label in annotations no longer fits and will be split or removed." in page
    client.post(url, {"version": "1", "apply": "1"})
    assert Annotation.objects.get().content["spans"] == [span(0), span(2)]
    assert client.get(address("settings-rules", "tags")).status_code == 404


def test_a_language_is_added_after_a_look(client: Client, project: Project) -> None:
    url = address("settings-language-add")
    page = client.get(url, {"language": "euskara (eu)"}).content.decode()
    assert "Add Basque (eu)?" in page
    assert "Review projections (eu)" in page
    assert Project.objects.get().languages == ["es", "en"]
    client.post(url, {"language": "eu"})
    assert Project.objects.get().languages == ["es", "en", "eu"]
    answer = client.get(url, {"language": "nolanguage"}, follow=True)
    assert "Unknown language" in answer.content.decode()


def test_dictionaries_and_words_of_a_language(client: Client, project: Project) -> None:
    url = address("settings-language", "es")
    sent = {"dictionaries": "Diccionario libre https://example.org/{lemma}\n", "function_words": "el la los"}
    assert client.post(url, sent).status_code == 302
    project.refresh_from_db()
    assert project.dictionaries["es"] == [{"name": "Diccionario libre", "url": "https://example.org/{lemma}"}]
    assert project.function_words == {"es": ["el", "la", "los"]}
    assert "el la los" in client.get(url).content.decode()
    bad = client.post(url, {"dictionaries": "javascript:alert({lemma})"})
    assert bad.status_code == 422
    assert client.get(address("settings-language", "fr")).status_code == 404


def test_a_language_without_sentences_goes(client: Client, project: Project) -> None:
    client.post(address("settings-language", "en"), {"remove": "1"})
    assert Project.objects.get().languages == ["es"]


def test_stages_are_added_moved_and_removed(client: Client, project: Project) -> None:
    make_sentence(project)
    sent = {"what": "correct", "language": "es", "mode": "blind", "answers_wanted": "2", "order": "reading"}
    assert "This language has 1 sentence." in client.get(address("settings-stage-add"), sent).content.decode()
    client.post(address("settings-stage-add"), sent)
    added = project.stages.last()
    assert (added.mode, added.answers_wanted, added.items.count()) == ("blind", 2, 1)

    first = project.stages.first()
    client.post(address("settings-stage-order"), {"stage": first.pk, "to": "down"})
    assert project.stages.first() != first

    assert (
        "1 item will be removed from the stage."
        in client.get(address("settings-stage-remove", added.pk)).content.decode()
    )
    client.post(address("settings-stage-remove", added.pk))
    assert not project.stages.filter(pk=added.pk).exists()
    assert client.get(address("settings-stage-remove", stage_of(make_project(), "correct").pk)).status_code == 404


def test_a_stage_that_is_not_said_in_full_is_asked_for_again_with_what_was_chosen(
    client: Client, project: Project
) -> None:
    url = address("settings-stage-add")
    before = list(project.stages.values_list("pk", flat=True))
    bare = client.get(url, follow=True)
    assert bare.redirect_chain == [(address("settings-stages") + "#add-stage", 302)]
    page = bare.content.decode()
    assert 'id="add-stage"' in page
    assert "required." not in page

    sent = {"what": "correct", "language": "en", "mode": "blind", "answers_wanted": "0", "scale": "novelty"}
    for answer in (client.get(url, sent), client.post(url, sent)):
        assert answer.status_code == 422
        page = answer.content.decode()
        assert '<details class="more form-width" id="add-stage" open>' in page
        assert '<option value="en" selected>' in page
        assert '<option value="blind" selected>' in page
        number, scale = _field(page, "answers_wanted"), _field(page, "scale")
        assert "greater than or equal to 1" in number
        assert "autofocus" in number
        assert 'value="novelty"' in scale
        assert "Only ratings and comparisons have scales" in scale
        assert "autofocus" not in scale, "only the first one"
        assert not list(answer.context["messages"])
    assert list(project.stages.values_list("pk", flat=True)) == before


def _field(page: str, name: str) -> str:
    """What the page has for one field: its label, its input, its errors."""
    return page.partition(f'<label for="id_{name}">')[2].partition("<label")[0]


def test_a_layer_is_added_and_worked_on_by_a_stage_of_its_own(client: Client, project: Project) -> None:
    make_sentence(project)
    refused = client.post(address("settings-layer-add"), {"slug": "labels", "labels": "A"}, follow=True)
    assert "cannot be the short name of a layer" in refused.content.decode()
    client.post(address("settings-layer-add"), {"slug": "domains", "labels": "BODY\nWAR"})
    sent = {"what": "correct:domains", "language": "es", "answers_wanted": "1"}
    client.post(address("settings-stage-add"), sent)
    stage = project.stages.last()
    assert (stage.kind, stage.layer.slug, stage.items.count()) == ("correct", "domains", 1)
    assert project.label_layer.slug == "labels"
    assert Event.objects.filter(verb="layer.add").exists()


def test_a_layer_of_categories_is_filled_by_files_and_has_no_stages(client: Client, project: Project) -> None:
    sent = {"slug": "register", "labels": "formal\ncasual", "about": "categories"}
    page = client.post(address("settings-layer-add"), sent, follow=True).content.decode()

    layer = project.layers.get(slug="register")
    assert (layer.content_type, layer.unit_kind, layer.scheme_data) == (
        "choice", "sentence", {"values": ["formal", "casual"]},
    )  # fmt: skip
    assert category_layers(project) == [layer]
    assert "one category per sentence" in page
    page = client.get(address("settings-stages")).content.decode()
    assert "adjudicate:labels" in page
    assert "adjudicate:register" not in page


def test_labels_of_a_new_layer_may_stand_on_the_sentence_alone(client: Client, project: Project) -> None:
    client.post(address("settings-layer-add"), {"slug": "tone", "labels": "IRONY", "about": "sentence"})
    assert project.layers.get(slug="tone").scheme.tokenless == ("IRONY",)
    client.post(address("settings-layer-add"), {"slug": "words", "labels": "IRONY"})
    assert project.layers.get(slug="words").scheme.tokenless == ()
    client.post(address("settings-layer-add"), {"slug": "odd", "labels": "IRONY", "about": "stars"})
    assert not project.layers.filter(slug="odd").exists()


def test_making_it_read_only_is_asked_for_first(client: Client, project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    make_assignment(make_sentence(project), ana, stage_of(project, "correct"))
    make_assignment(make_sentence(project), ben, stage_of(project, "correct"), ahead=True)

    page = client.get(address("settings-archive")).content.decode()

    assert "1 person has open work in it" in page
    assert "To undo this, restore the project here" in page
    project.refresh_from_db()
    assert not project.is_archived
    assert "now archived and read-only" in client.post(address("settings-archive"), follow=True).content.decode()


def test_it_cannot_be_made_read_only_while_a_job_is_under_way(client: Client, project: Project) -> None:
    start_job(project=project, kind=JobKind.PREDICT, params={"language": "es", "detector": "crf"}, by=None)

    page = client.get(address("settings-archive")).content.decode()

    assert "is running" in page
    assert '<button class="button button-primary" type="submit">' not in page


def test_a_label_is_linked_to_a_heading_of_the_guidelines(client: Client, project: Project) -> None:
    Project.objects.filter(pk=project.pk).update(guidelines={"en": "# Rules\n\n## What `METAPHOR` is\n"})
    page = client.get(address("settings-labels", "labels")).content.decode()
    assert '<option value="label-METAPHOR" >What METAPHOR is</option>' in page

    sent = {
        "version": "1",
        "rows": "1",
        "old": "METAPHOR",
        "code": "METAPHOR",
        "anchor": "label-METAPHOR",
        "apply": "1",
    }
    client.post(address("settings-labels", "labels"), sent)

    assert Project.objects.get(pk=project.pk).scheme.detail("METAPHOR").anchor == "label-METAPHOR"
    page = client.get(address("settings-labels", "labels")).content.decode()
    assert '<option value="label-METAPHOR" selected>' in page


def test_an_archived_project_is_read_and_a_post_says_why_it_does_nothing(client: Client, project: Project) -> None:
    client.post(address("settings-archive"))
    page = client.get(address("project")).content.decode()
    assert "This project is archived" in page
    assert "action-predict" not in page
    for name, sent in (("settings", GENERAL), ("adjudicate-own", {}), ("accept", {"language": "es"})):
        answer = client.post(address(name), sent, follow=name != "settings")
        assert "This project is archived: it can be read, but not changed." in answer.content.decode(), name
    project.refresh_from_db()
    assert (project.name, project.adjudicate_own) == ("letters", True)
    client.post(address("settings-restore"))
    assert client.post(address("settings"), GENERAL).status_code == 302


def test_a_copy_is_made(client: Client, project: Project) -> None:
    client.post(address("settings-copy"), {"name": "Letters, again"})
    assert Project.objects.get(slug="letters-again").languages == project.languages


def test_a_copy_takes_the_texts_along_by_a_job(client: Client, project: Project) -> None:
    answer = client.post(address("settings-copy"), {"name": "Letters, again", "texts": "on"})
    job = Job.objects.get()
    assert (job.kind, job.project.slug, job.params) == (JobKind.COPY, "letters-again", {"from": project.pk})
    assert answer.headers["Location"] == reverse("job", args=["letters-again", job.pk])


def test_deleting_asks_for_the_name(client: Client, project: Project) -> None:
    answer = client.post(address("settings-delete"), {"name": "wrong"})
    assert answer.status_code == 422
    assert "This is not the name of the project" in answer.content.decode()
    assert not Job.objects.exists()
    assert client.post(address("settings-delete"), {"name": "letters"}).status_code == 302
    assert Job.objects.get().kind == JobKind.DELETE
    assert client.get(address("project")).status_code == 404


TWO = {"version": "1", "rows": "2", "old": ["METAPHOR", ""], "code": ["METAPHOR", "MRW"], "place": ["0", "1"]}


@pytest.fixture
def two(client: Client, project: Project) -> Project:
    """The project with two labels: METAPHOR, twice in annotations and once in gold, and MRW."""
    assert client.post(address("settings-labels", "labels"), TWO | {"save": "1"}).status_code == 302
    make_annotation(make_sentence(project), make_member(project), [span(0), span(2)])
    make_gold(make_sentence(project), [span(0)])
    return Project.objects.get(pk=project.pk)


def labels_of(project: Project) -> list[str]:
    return list(project.layers.get(slug="labels").scheme.labels)


def spans_of(project: Project) -> list[str]:
    rows = [*project.annotations.all(), *project.golds.all()]
    return [one["label"] for row in rows for one in row.content["spans"]]


def test_what_touches_no_label_in_use_is_saved_at_once_and_undone(client: Client, two: Project) -> None:
    url = address("settings-labels", "labels")
    sent = {"version": "2", "rows": "2", "old": ["MRW", "METAPHOR"], "code": ["MRW", "METAPHOR"], "place": ["1", "0"]}
    sent |= {"colour-0": "brown", "tokenless": ["1"], "name": ["Related", "Metaphor"], "save": "1"}
    assert client.post(url, sent).status_code == 302
    scheme = two.layers.get(slug="labels").scheme
    assert scheme.labels == ("MRW", "METAPHOR")
    assert (scheme.colour("METAPHOR"), scheme.tokenless, scheme.detail("MRW").name) == ("brown", ("MRW",), "Related")

    page = client.get(url)
    assert "Undo this change" in page.content.decode()
    fields: dict[str, list[str]] = {"version": ["3"], "rows": ["2"]}
    for row in page.context["undo_rows"]:
        for name, value in row:
            fields.setdefault(name, []).append(value)
    assert "The new order: METAPHOR, MRW." in client.post(url, fields).content.decode()
    client.post(url, fields | {"apply": ["1"]})
    scheme = two.layers.get(slug="labels").scheme
    assert scheme.labels == ("METAPHOR", "MRW")
    assert (scheme.detail("METAPHOR").colour, scheme.tokenless) == ("", ())
    assert spans_of(two) == ["METAPHOR"] * 3


def test_what_touches_labels_in_use_is_shown_before_it_is_saved(client: Client, two: Project) -> None:
    sent = {"version": "2", "rows": "2", "old": ["METAPHOR", "MRW"], "code": ["FIGURE", "MRW"], "save": "1"}
    page = client.post(address("settings-labels", "labels"), sent).content.decode()
    assert "METAPHOR: 2 labels in annotations" in page
    assert "Apply the change" in page
    assert labels_of(two) == ["METAPHOR", "MRW"]


def test_rows_are_moved_and_added_without_scripts_and_nothing_is_saved(client: Client, two: Project) -> None:
    url = address("settings-labels", "labels")
    sent = {"version": "2", "rows": "2", "old": ["METAPHOR", "MRW"], "code": ["METAPHOR", "MRW"], "place": ["0", "1"]}
    moved = client.post(url, sent | {"move": "1 up"})
    assert [row["old"] for row in moved.context["rows"]] == ["MRW", "METAPHOR"]
    added = client.post(url, sent | {"add": "1"})
    assert [row["old"] for row in added.context["rows"]] == ["METAPHOR", "MRW", ""]
    assert client.post(url, sent | {"move": "9 sideways"}).status_code == 200
    assert labels_of(two) == ["METAPHOR", "MRW"]


def test_a_label_is_merged_into_one_of_a_list(client: Client, two: Project) -> None:
    url = address("settings-label-merge", "labels")
    page = client.get(url, {"label": "METAPHOR"}).content.decode()
    assert 'name="into" value="MRW"' in page
    page = client.get(url, {"label": "METAPHOR", "into": "MRW"}).content.decode()
    assert "METAPHOR: 2 labels in annotations" in page
    assert "METAPHOR: 1 label in gold" in page
    assert spans_of(two) == ["METAPHOR"] * 3

    refused = client.post(url, {"label": "METAPHOR", "into": "OTHER", "version": "2"})
    assert refused.status_code == 422
    assert "Choose a label of this layer to merge into." in refused.content.decode()
    late = client.post(url, {"label": "METAPHOR", "into": "MRW", "version": "1"}, follow=True)
    assert "Someone else changed the labels" in late.content.decode()
    assert spans_of(two) == ["METAPHOR"] * 3

    answer = client.post(url, {"label": "METAPHOR", "into": "MRW", "version": "2"}, follow=True)
    assert "Cannot be undone" in answer.content.decode()
    assert labels_of(two) == ["MRW"]
    assert spans_of(two) == ["MRW"] * 3
    assert client.get(url, {"label": "METAPHOR"}).status_code == 404


def test_a_label_is_split_and_its_uses_stay(client: Client, two: Project) -> None:
    url = address("settings-label-split", "labels")
    page = client.get(url, {"label": "METAPHOR", "into": "NOVEL"}).content.decode()
    assert "NOVEL is added." in page
    assert "The 2 uses of METAPHOR stay as they are." in page
    assert "1 gold decision will be reopened." in page
    assert client.get(url, {"label": "METAPHOR", "into": "MRW"}).status_code == 422
    client.post(url, {"label": "METAPHOR", "into": "NOVEL", "version": "2"})
    assert labels_of(two) == ["METAPHOR", "NOVEL", "MRW"]
    assert spans_of(two) == ["METAPHOR"] * 2, "gold waits for a new decision"


def test_a_label_is_deleted_after_a_look_in_numbers(client: Client, two: Project) -> None:
    url = address("settings-label-delete", "labels")
    assert "METAPHOR: 2 labels in annotations" in client.get(url, {"label": "METAPHOR"}).content.decode()
    client.post(url, {"label": "METAPHOR", "version": "2"})
    assert labels_of(two) == ["MRW"]
    assert spans_of(two) == []


def test_tabs_lead_to_every_page_of_the_settings(client: Client, project: Project) -> None:
    for tab in client.get(address("settings")).content.decode().partition('class="side-tabs"')[2].split('href="')[1:9]:
        page = client.get(tab.partition('"')[0])
        assert page.status_code == 200
        assert page.content.decode().count('aria-current="page"') == 2, "the rail's and the tab's"
