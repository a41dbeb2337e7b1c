"""Projects from presets or plain settings, and who belongs to them."""

import pytest

from annotator.accounts.actions import change_account
from annotator.core.errors import ActionError
from annotator.core.presets import StageSpec, Texts
from annotator.core.starts import PRESETS, plain, workflow
from annotator.models import Assignment, AssignmentState, Event, Membership, Project, Role, Sentence, User
from annotator.projects.actions.copy_project import copy_project
from annotator.projects.actions.project_settings import change_settings
from annotator.projects.actions.projects import add_member, change_role, create_project, remove_member
from annotator.projects.actions.stages import add_stages
from tests.factories import make_assignment, make_member, make_project, make_sentence, make_user, stage_of

pytestmark = pytest.mark.django_db


def test_preset_gives_languages_scheme_stages_and_guidelines() -> None:
    ana = make_user("ana")

    project = create_project(slug="corpus", name="Our corpus", preset="meta4xnli-es-en", by=ana)

    project = Project.objects.get(slug="corpus")
    assert (project.name, project.languages, project.preset) == ("Our corpus", ["es", "en"], "meta4xnli-es-en")
    assert project.scheme.labels == ("METAPHOR",)
    assert project.scheme.discontinuous
    assert project.rules.skip_function_words
    assert [(stage.kind, stage.language) for stage in project.stages.all()] == [
        ("correct", "es"),
        ("project-review", "en"),
        ("correct", "en"),
        ("pair-tag", "es"),
        ("pair-tag", "en"),
        ("adjudicate", "es"),
        ("adjudicate", "es"),
        ("adjudicate", "en"),
        ("adjudicate", "en"),
    ]
    assert [(layer.slug, layer.content_type, layer.unit_kind) for layer in project.layers.all()] == [
        ("labels", "spans", "sentence"),
        ("interpretation", "choice", "pair"),
    ]
    deciding = project.stages.filter(kind="adjudicate")
    assert [stage.layer.slug for stage in deciding] == ["labels", "interpretation"] * 2
    assert (project.roles, project.inferences) == (["prem", "hyp"], ["entailment", "neutral", "contradiction"])
    assert project.guidelines["en"].startswith("#")
    assert project.guidelines["es"] != project.guidelines["en"]
    assert Membership.objects.get(project=project).role == Role.MANAGER
    assert list(Event.objects.values_list("verb", flat=True)) == ["project.create", "member.add"]


@pytest.mark.parametrize(
    ("texts", "languages", "expected"),
    [
        (Texts.SENTENCES, ["es"], ["correct", "twice", "adjudicate"]),
        (Texts.SENTENCES, ["es", "en"], ["correct", "twice", "adjudicate"]),
        (Texts.PARALLEL, ["es"], ["correct", "twice", "adjudicate"]),
        (Texts.PARALLEL, ["es", "en"], ["correct", "twice", "project-review", "adjudicate"]),
        (Texts.PAIRS, ["es"], ["correct", "twice", "pair-tag", "adjudicate"]),
        (Texts.PAIRS, ["es", "en"], ["correct", "twice", "project-review", "pair-tag", "adjudicate"]),
    ],
)
def test_steps_that_make_sense(texts: str, languages: list[str], expected: list[str]) -> None:
    assert list(workflow().possible_steps(texts, languages)) == expected


def test_sentences_are_corrected_whatever_else_is_chosen() -> None:
    stages = workflow().stages(Texts.SENTENCES, ["es"], {"adjudicate", "pair-tag"})
    assert [stage.kind for stage in stages] == ["correct", "adjudicate"]


def test_any_languages_and_labels_will_do() -> None:
    project = create_project(slug="irony", preset=plain(["ca", "eu", "pt-BR"], ["IRONY", "METONYMY"]), by=None)

    assert project.name == "irony"
    assert (project.source_language, project.target_languages) == ("ca", ["eu", "pt-BR"])
    assert project.scheme.labels == ("IRONY", "METONYMY")
    assert project.stages.filter(kind="project-review").count() == 2
    assert not project.memberships.exists()


@pytest.mark.parametrize(
    ("slug", "preset", "words"),
    [
        ("taken", "meta4xnli-es-en", "taken"),
        ("no spaces", "meta4xnli-es-en", "slug"),
        ("", "meta4xnli-es-en", "blank"),
        ("new", "unknown", "unknown"),
        ("new", plain(["../es", "en"], ["METAPHOR"]), "../es"),
        ("new", plain(["es", "es"], ["METAPHOR"]), "once"),
    ],
)
def test_refusals_leave_nothing_behind(slug: str, preset: object, words: str) -> None:
    make_project("taken")

    with pytest.raises(ActionError, match=words):
        create_project(slug=slug, preset=preset, by=None)

    assert Project.objects.count() == 1
    assert not Event.objects.exists()


def test_presets_are_named_as_they_are_found() -> None:
    assert all(name == preset.name for name, preset in PRESETS.items())


def test_nobody_is_a_member_twice(project: Project) -> None:
    ben = make_user("ben")
    add_member(project=project, user=ben, role=Role.ANNOTATOR, by=None)

    with pytest.raises(ActionError, match="ben"):
        add_member(project=project, user=ben, role=Role.MANAGER, by=None)

    assert Membership.objects.get(user=ben).role == Role.ANNOTATOR


def test_a_project_has_so_many_members_stages_and_layers(monkeypatch: pytest.MonkeyPatch, project: Project) -> None:
    make_member(project, username="ana")
    monkeypatch.setattr("annotator.projects.actions.projects.MAX_MEMBERS", 1)
    with pytest.raises(ActionError, match="at most 1 member"):
        add_member(project=project, user=make_user("ben"), role=Role.ANNOTATOR, by=None)
    assert project.memberships.count() == 1

    there = project.stages.count()
    spec = StageSpec("correct", "en")
    monkeypatch.setattr("annotator.projects.actions.projects.MAX_STAGES", there)
    with pytest.raises(ActionError, match=f"at most {there} stages"):
        add_stages(project=project, specs=[spec], by=None)
    monkeypatch.setattr("annotator.projects.actions.projects.MAX_STAGES", there + 1)
    monkeypatch.setattr("annotator.projects.actions.projects.MAX_LAYERS", 1)
    with pytest.raises(ActionError, match="at most 1 layer"):
        add_stages(project=project, specs=[spec], by=None)
    assert project.stages.count() == there


def test_unknown_roles_are_refused() -> None:
    with pytest.raises(ActionError, match="boss"):
        add_member(project=make_project(), user=make_user(), role="boss", by=None)

    assert not Membership.objects.exists()


def test_a_project_keeps_a_manager(project: Project) -> None:
    mia = Membership.objects.get(user=make_member(project, Role.MANAGER, "mia"))
    make_member(project, Role.ADJUDICATOR)
    make_member(make_project(), Role.MANAGER, "elsewhere")

    with pytest.raises(ActionError, match="only manager"):
        change_role(membership=mia, role=Role.ANNOTATOR, by=None)
    with pytest.raises(ActionError, match="only manager"):
        remove_member(membership=mia, by=None)
    mia.refresh_from_db()
    assert mia.role == Role.MANAGER

    make_member(project, Role.MANAGER, "max")
    change_role(membership=mia, role=Role.ANNOTATOR, by=None)
    mia.refresh_from_db()
    assert mia.role == Role.ANNOTATOR
    event = Event.objects.latest("pk")
    assert (event.verb, event.before, event.after) == (
        "member.role",
        {"user": mia.user_id, "role": "manager"},
        {"user": mia.user_id, "role": "annotator"},
    )


def test_leaving_frees_what_was_open_and_keeps_what_was_done(project: Project) -> None:
    ana, ben = make_member(project), make_member(project)
    stage = stage_of(project, "correct")
    sentences = [make_sentence(project) for _ in range(3)]

    def assign(user: User, sentence: Sentence, *, done: bool = False) -> Assignment:
        return make_assignment(sentence, user, stage, done=done)

    done = assign(ana, sentences[0], done=True)
    freed = assign(ana, sentences[1])
    others = assign(ben, sentences[2])

    remove_member(membership=Membership.objects.get(user=ana), by=ben)

    assert set(Assignment.objects.exclude(state=AssignmentState.RETURNED)) == {done, others}
    assert freed.item.state == "taken"
    freed.item.refresh_from_db()
    assert freed.item.state == "free"
    assert not Membership.objects.filter(user=ana).exists()
    event = Event.objects.get(verb="member.remove")
    assert event.actor == ben
    assert [one["unit"] for one in event.before["open_assignments"]] == [sentences[1].pk]


@pytest.mark.parametrize("mark", ["\n", "\r", "\u2028", "\t", "\x85"])
def test_a_name_is_one_line(mark: str) -> None:
    ana = make_user("ana")
    project = create_project(slug="corpus", name="Our corpus", preset="meta4xnli-es-en", by=ana)
    name = f"Our{mark}Bcc: everybody"

    with pytest.raises(ActionError, match="one line"):
        create_project(slug="other", name=name, preset="meta4xnli-es-en", by=ana)
    with pytest.raises(ActionError, match="one line"):
        copy_project(project=project, slug="other", name=name, by=ana)
    with pytest.raises(ActionError, match="one line"):
        change_settings(project=project, changes={"name": name}, by=ana)
    with pytest.raises(ActionError, match="one line"):
        change_account(user=ana, name=name, email="")

    project.refresh_from_db()
    assert (project.name, Project.objects.count()) == ("Our corpus", 1)
