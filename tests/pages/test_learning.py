"""Training a detector from the dashboard, and what the dashboard tells of it."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from annotator.domain.labels.spans import Scheme
from annotator.machines.queries.training import built_in
from annotator.models import Job, JobKind, Project, Role, User
from tests.factories import make_member, make_prediction, make_sentence, make_trained
from tests.tasks.test_train import labelled

pytestmark = pytest.mark.django_db

TITLE = "How suggestions improve"


@pytest.fixture
def mara(project: Project) -> User:
    return make_member(project, Role.MANAGER, "mara")


@pytest.fixture
def finished(project: Project) -> Project:
    """With enough sentences to learn from."""
    labelled(project, make_member(project), 100)
    return project


def page(client: Client, user: User) -> str:
    client.force_login(user)
    text: str = client.get(reverse("project", args=["letters"])).content.decode()
    return " ".join(text.split())


def post(client: Client, user: User, name: str, **data: object) -> str:
    client.force_login(user)
    text: str = client.post(reverse(name, args=["letters"]), data, follow=True).content.decode()
    return " ".join(text.split())


def test_a_manager_starts_a_training(client: Client, finished: Project, mara: User) -> None:
    text = post(client, mara, "train", language="es", engine="crf")

    job = Job.objects.get()
    assert (job.kind, job.created_by) == (JobKind.TRAIN, mara)
    assert job.params == {"language": "es", "engine": "crf", "label": "METAPHOR"}
    assert "Train a detector #" in text


def test_a_scheme_of_several_labels_asks_which_one_is_learnt(client: Client, finished: Project, mara: User) -> None:
    layer = finished.label_layer
    layer.scheme_data = Scheme(labels=("OPINION", "METAPHOR")).to_json()
    layer.save()

    assert 'id="train-label"' in page(client, mara)
    assert "too little to learn from: 0 labelled" in post(
        client, mara, "train", language="es", engine="crf", label="OPINION"
    )
    post(client, mara, "train", language="es", engine="crf", label="METAPHOR")

    assert Job.objects.get().params["label"] == "METAPHOR"


@pytest.mark.parametrize(
    ("engine", "says"), [("lexical", "not one of the available choices"), ("", "This field is required")]
)
def test_what_cannot_learn_is_refused_in_words(
    client: Client, finished: Project, mara: User, engine: str, says: str
) -> None:
    text = post(client, mara, "train", language="es", engine=engine)

    assert says in text
    assert not Job.objects.exists()


def test_how_often_is_the_managers_to_set(client: Client, project: Project, mara: User) -> None:
    text = post(client, mara, "train-every", hundreds="5")

    project.refresh_from_db()
    assert project.train_every == 5
    assert "after every 500 sentences done" in text
    assert "only be trained manually" in post(client, mara, "train-every", hundreds="0")
    project.refresh_from_db()
    assert project.train_every == 0
    post(client, mara, "train-every", hundreds="-1")
    post(client, mara, "train-every", hundreds="101")
    project.refresh_from_db()
    assert project.train_every == 0


def test_annotators_see_the_course_and_cannot_train(client: Client, project: Project) -> None:
    make_trained(project, 40.0, baseline_f1=30.0)
    ana = make_member(project)

    text = page(client, ana)

    assert TITLE in text
    assert "action-train" not in text
    assert client.post(reverse("train", args=["letters"]), {"language": "es"}).status_code == 403
    assert not Job.objects.exclude(trained_detector__isnull=False).exists()


def test_one_training_is_two_bars(client: Client, project: Project, mara: User) -> None:
    detector = make_trained(project, 44.4, baseline_f1=33.3)

    text = page(client, mara)

    assert f"Active: {detector.spec}, trained on 100 sentences" in text
    assert "44.4" in text
    assert "33.3" in text
    assert "chart-plot" not in text


def test_several_are_a_course_and_the_newest_that_took_over_is_in_use(
    client: Client, project: Project, mara: User
) -> None:
    make_trained(project, 41.0, baseline_f1=38.0)
    second = make_trained(project, 52.0, baseline_f1=43.0)
    make_trained(project, 51.0, baseline_f1=52.0, active=False)

    text = page(client, mara)

    assert f"Active: {second.spec}, trained on 200 sentences" in text
    assert "41.0 after learning from 100, 51.0 after 300" in text
    # The axis goes from 30 to 60 %, the next tens around all values.
    assert re.findall(r'text-anchor="end">(\d+) %<', text) == ["30", "40", "50", "60"]
    # One point a training, one dot for each that became active.
    assert 'points="0,101.3 500,42.7 1000,48.0"' in text
    assert 'd="M0,101.3h0 M500,42.7h0"' in text


def test_where_none_was_better_the_built_in_one_stays(client: Client, project: Project, mara: User) -> None:
    make_trained(project, 31.0, baseline_f1=38.0, active=False)

    text = page(client, mara)
    assert f"Active: {built_in('es')}. Detectors trained on this project have not been better so far." in text


def test_in_use_follows_what_was_pre_labelled_last(client: Client, project: Project, mara: User) -> None:
    make_trained(project, 41.0, baseline_f1=38.0)
    prediction = make_prediction(make_sentence(project), [], [])
    Job.objects.filter(pk=prediction.job_id).update(params={"language": "es", "detector": "crf"})

    assert "Active: crf, which made the latest pre-labels." in page(client, mara)
