"""Imports files into Label Studio through its API, looks at what came in, and exports it again.

Runs with Label Studio's Python: `python with_label_studio.py FOLDER`; see with_doccano.py for what lies there. What
Label Studio writes lands under `returned/`.
"""

from __future__ import annotations

import json
import os
import shutil
import sys
from importlib.metadata import version
from pathlib import Path
from xml.sax.saxutils import quoteattr

import label_studio

FOLDER = Path(sys.argv[1]).absolute()
HOME = FOLDER / "home"
os.environ.update(
    LABEL_STUDIO_BASE_DATA_DIR=str(HOME),
    DJANGO_SETTINGS_MODULE="core.settings.label_studio",
    DJANGO_DB="sqlite",
    LATEST_VERSION_CHECK="0",
    COLLECT_ANALYTICS="0",
    SENTRY_DSN="",
    FRONTEND_SENTRY_DSN="",
    ALLOWED_HOSTS="*",
)
sys.path.insert(0, str(Path(label_studio.__file__).parent))

import django

django.setup()

from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from organizations.models import Organization
from projects.models import Project
from rest_framework.test import APIClient
from tasks.models import Task
from users.models import User

# The configuration that docs/reference/formats.md asks for, with the texts and the attributes of the case.
LABELS = '<Labels name="label" toName="{first}">{labels}</Labels>'
TEXT = '<Text name="{key}" value="${key}"/>'
ATTRIBUTE = '<TextArea name="{name}" toName="{first}" perRegion="true"/>'
CHOICES = '<Choices name="{name}" toName="{first}" choice="multiple">{choices}</Choices>'
PART = "translatio:part"


def configuration(tasks: list[dict[str, object]], keys: list[str]) -> str:
    said = [
        one for task in tasks for source in (*task["annotations"], *task["predictions"]) for one in source["result"]
    ]
    labels = {one["value"]["labels"][0] for one in said if one["type"] == "labels"}
    spelt = "".join(f"<Label value={quoteattr(name)}/>" for name in sorted(labels))
    parts = [LABELS.format(first=keys[0], labels=spelt), *(TEXT.format(key=key) for key in keys)]
    for name in sorted({one["from_name"] for one in said if one["type"] == "textarea"}):
        parts.append(ATTRIBUTE.format(name=name, first=keys[0]))
    for name in sorted({one["from_name"] for one in said if one["type"] == "choices"}):
        chosen = {value for one in said if one["from_name"] == name for value in one["value"]["choices"]}
        choices = "".join(f"<Choice value={quoteattr(value)}/>" for value in sorted(chosen))
        parts.append(CHOICES.format(name=name, first=keys[0], choices=choices))
    return f"<View>{''.join(parts)}</View>"


def look(task: Task, kind: str) -> list[dict[str, object]]:
    """What Label Studio has of a task, by text: labels with their places and attributes, of all who said some."""
    found = []
    sources = task.annotations.order_by("id") if kind == "annotations" else task.predictions.order_by("id")
    for source in sources:
        labels: dict[str, dict[str, object]] = {}
        for one in source.result:
            value = one["value"]
            if one["type"] == "labels":
                text = task.data[one["to_name"]]
                assert text[value["start"] : value["end"]] == value["text"], value
                head = labels.get(one.get("parentID", ""))
                if head is not None and one["meta"]["text"] == [PART]:
                    head["at"].append([value["start"], value["end"]])
                    continue
                place = [[value["start"], value["end"]]]
                labels[one["id"]] = {"on": one["to_name"], "label": value["labels"][0], "at": place, "attributes": {}}
            elif one["type"] == "textarea":
                labels[one["id"]]["attributes"][one["from_name"]] = value["text"][0]
        found.append(sorted(labels.values(), key=repr))
    return found


def export(client: APIClient, project: Project, case: str) -> None:
    """As the page's button exports, and as a snapshot with predictions."""
    answer = client.get(f"/api/projects/{project.id}/export?exportType=JSON&download_all_tasks=true")
    assert answer.status_code == 200, (answer.status_code, answer.content[:2000])
    (FOLDER / "returned" / f"{case}.json").write_bytes(body(answer))
    options = {"serialization_options": {"predictions": {"only_id": False}}}
    answer = client.post(f"/api/projects/{project.id}/exports/", options, format="json")
    assert answer.status_code == 201, (answer.status_code, answer.content[:2000])
    answer = client.get(f"/api/projects/{project.id}/exports/{answer.json()['id']}/download?exportType=JSON")
    assert answer.status_code == 200, (answer.status_code, answer.content[:2000])
    (FOLDER / "returned" / f"{case}.snapshot.json").write_bytes(body(answer))


def body(answer: object) -> bytes:
    return b"".join(answer.streaming_content) if answer.streaming else answer.content


def main() -> None:
    call_command("migrate", verbosity=0)
    user = User.objects.create(username="ana", email="ana@example.eu")
    organization = Organization.create_organization(created_by=user, title="o")
    user.active_organization = organization
    user.save()
    client = APIClient()
    client.force_authenticate(user)
    (FOLDER / "returned").mkdir()
    for case, rows in json.loads((FOLDER / "expected.json").read_text("utf-8")).items():
        given = (FOLDER / "given" / f"{case}.json").read_bytes()
        tasks = json.loads(given)
        keys = [key for key in tasks[0]["data"] if key.startswith("text")]
        config = configuration(tasks, keys)
        project = Project.objects.create(title=case, label_config=config, created_by=user, organization=organization)
        file = SimpleUploadedFile("label_studio.json", given, content_type="application/json")
        answer = client.post(f"/api/projects/{project.id}/import", {"file": file}, format="multipart")
        assert answer.status_code == 201, (answer.status_code, str(answer.content[:2000], "utf-8"))
        stored = list(Task.objects.filter(project=project).order_by("id"))
        assert [task.data for task in stored] == [task["data"] for task in tasks], "the data of the tasks"
        assert [task.meta for task in stored] == [task["meta"] for task in tasks], "the metadata of the tasks"
        shown = [(task, key) for task in stored for key in keys if key in task.data]
        for (task, key), row in zip(shown, rows, strict=True):
            assert task.data[key] == row["text"]
            for kind, says in (("annotations", ("gold", "person")), ("predictions", ("model",))):
                seen = [[label for label in said if label["on"] == key] for said in look(task, kind)]
                want = [
                    [{"on": key, **label} for label in source["labels"] if label["at"]]
                    for source in row["sources"]
                    if source["says"] in says
                ]
                if [sorted(one, key=repr) for one in seen if one] != [sorted(one, key=repr) for one in want if one]:
                    print(f"DIFFERS {case}:\n  given {want!r:.1500}\n  seen  {seen!r:.1500}")
        export(client, project, case)
    shutil.rmtree(HOME, ignore_errors=True)
    print("VERSION label-studio", version("label-studio"))


main()
