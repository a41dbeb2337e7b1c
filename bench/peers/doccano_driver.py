"""doccano 1.8.4 on SQLite: its web server and its task queue, as `doccano webserver` and `doccano task` start them.

They listen on 127.0.0.1, which those commands have no option for. A sentence is what the page asks for when it shows
it, the change of one span, the confirmation, and what the page asks for then, one call after another as the page makes
them.
"""

import io
import json
import os
import time
import zipfile
from pathlib import Path
from typing import Any

import requests
from common import (
    ANNOTATOR_PW,
    LABEL,
    ROOT,
    Client,
    Driver,
    Labels,
    Memory,
    Result,
    Sentence,
    char_spans,
    edit_for,
    labels_from_char_spans,
    rounded,
    work_files,
)

VENV = Path(os.environ.get("DOCCANO_VENV", ROOT / "venv-doccano")).absolute()

STEPS = [
    "pip install doccano",
    "pip install 'marshmallow<4' 'numpy<2'   (without it 1.8.4 does not start)",
    "doccano init",
    "doccano createuser",
    "doccano webserver",
    "doccano task (a second terminal)",
    "browser: log in, create project, create label, import dataset, (create users in /admin), add members",
]


class Doccano(Driver):
    name = "doccano"
    # The only mode in which annotators see labels that were imported.
    collaborative = True
    # Or CoNLL, the files as they are; the sentences then have no keys.
    import_format = "JSONL"
    # doccano's own default.
    workers = 2 * (os.cpu_count() or 1) + 1

    def __init__(self) -> None:
        super().__init__()
        self.users: dict[str, int] = {}

    def start(self) -> Result:
        backend = next(VENV.glob("lib/python3*/site-packages/backend"))
        media = self.home / "media"
        media.mkdir(exist_ok=True)
        env = {
            "DOCCANO_HOME": str(self.home),
            "STANDALONE": "True",
            "DEBUG": "False",
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
            "DATABASE_URL": f"sqlite:///{self.home}/db.sqlite3",
            "MEDIA_ROOT": str(media),
        }
        t0 = time.perf_counter()
        for argv in (["init"], ["createuser", "--username", "admin", "--password", ANNOTATOR_PW]):
            # Not here: in the folder of a project with a package `api`, doccano imports that one.
            if self.spawn([VENV / "bin/doccano", *argv], env, self.home, "init.log").wait():
                raise SystemExit(f"doccano {argv[0]} failed; why is in {self.home}/init.log")
        self.pids.clear()
        self.processes.clear()
        init = time.perf_counter() - t0
        web = ["--bind", f"127.0.0.1:{self.port}", "--workers", str(self.workers), "--chdir", backend]
        web += ["--capture-output", "--log-level", "info", "config.wsgi"]
        self.spawn([VENV / "bin/gunicorn", *web], env, backend, "web.log")
        task = ["--app=config", f"--workdir={backend}", "worker", "--loglevel=info", "--concurrency=2"]
        self.spawn([VENV / "bin/python", "-m", "celery", *task], env, backend, "task.log")
        self.wait_http("/v1/health/", ok=lambda status: status in (200, 500))
        return {
            "pid": self.pids[0],
            "pids": self.pids,
            "init_s": rounded(init, 2),
            "install_to_running_s": rounded(time.perf_counter() - t0, 2),
            "commands": 6,
            "steps": STEPS,
            "base": self.base,
        }

    def login(self, user: str) -> Client:
        client = Client(self.base)
        client.need("login", "POST", "/v1/auth/login/", json={"username": user, "password": ANNOTATOR_PW})
        client.s.headers["X-CSRFToken"] = client.s.cookies.get("csrftoken", "")
        return client

    def create_project(self, work: str) -> None:
        answer = self.admin.need(
            "project",
            "POST",
            "/v1/projects",
            json={
                "name": f"metaphor {work}",
                "description": "token-level metaphor",
                "guideline": "# Guideline\nMark metaphors.",
                "project_type": "SequenceLabeling",
                "resourcetype": "SequenceLabelingProject",
                "tags": [],
                "random_order": False,
                "collaborative_annotation": self.collaborative,
                "single_class_classification": False,
                "allow_overlapping": False,
                "grapheme_mode": False,
                "use_relation": False,
                "is_text_project": True,
                "allow_member_to_create_label_type": False,
            },
        )
        self.project = f"/v1/projects/{answer.json()['id']}"
        answer = self.admin.need(
            "label",
            "POST",
            f"{self.project}/span-types",
            json={
                "text": LABEL,
                "prefix_key": None,
                "suffix_key": "m",
                "background_color": "#7E57C2",
                "text_color": "#ffffff",
            },
        )
        self.label_id = answer.json()["id"]

    def files(self, work: str) -> tuple[list[tuple[str, bytes]], dict[str, str]]:
        """What is uploaded, and how doccano is told to read it."""
        if self.import_format != "JSONL":
            options = {"encoding": "utf_8", "scheme": "IOB2", "delimiter": " "}
            return [(path.name, path.read_bytes()) for path in work_files(work)], options
        rows = [
            {"text": s.text, "key": s.key, "label": [[start, end, LABEL] for start, end in char_spans(s)]}
            for s in self.sentences
        ]
        body = "\n".join(json.dumps(row, ensure_ascii=False) for row in rows)
        options = {"column_data": "text", "column_label": "label", "encoding": "utf_8"}
        return [(f"{work}.jsonl", body.encode())], options

    def import_work(self, work: str) -> Result:
        self.load(work)
        self.admin = self.login("admin")
        self.create_project(work)
        files, options = self.files(work)
        with Memory(self.pids) as memory:
            t0 = time.perf_counter()
            ids = []
            for name, data in files:
                parts = [("filepond", (None, "{}")), ("filepond", (name, data))]
                ids.append(self.admin.need("upload", "POST", "/v1/fp/process/", files=parts).text.strip())
            body = {"format": self.import_format, "uploadIds": ids, "task": "SequenceLabeling", **options}
            answer = self.admin.need("import", "POST", f"{self.project}/upload", json=body)
            status = self.wait_task(answer.json()["task_id"])
            wall = time.perf_counter() - t0
        count = self.admin.need("count", "GET", f"{self.project}/examples?limit=1").json()["count"]
        return {
            "work": work,
            "sentences": len(self.sentences),
            "imported": count,
            "format": self.import_format,
            "wall_s": rounded(wall, 2),
            "task_errors": status.get("error"),
            **memory.report(),
        }

    def wait_task(self, task: str) -> dict[str, Any]:
        while True:
            status = self.admin.need("task status", "GET", f"/v1/tasks/status/{task}").json()
            if status["ready"]:
                return status
            time.sleep(0.25)

    def annotator(self, number: int) -> "Annotator":
        name = f"ann{number}"
        if name not in self.users:
            passwords = {"password1": ANNOTATOR_PW, "password2": ANNOTATOR_PW}
            body = {"username": name, "email": f"{name}@example.com", **passwords}
            self.admin.call("user", "POST", "/v1/users/create", json=body, ok=(201, 400))
            users = self.admin.need("users", "GET", f"/v1/users?q={name}").json()
            user = next(one["id"] for one in users if one["username"] == name)
            roles = self.admin.need("roles", "GET", "/v1/roles").json()
            role = next(one["id"] for one in roles if one["name"] == "annotator")
            self.admin.call("member", "POST", f"{self.project}/members", json={"user": user, "role": role})
            self.users[name] = user
        return Annotator(self, self.login(name))

    def export_labels(self) -> tuple[dict[str, Labels], int, int, str]:
        body = {"format": "JSONL", "exportApproved": False}
        task = self.admin.need("export", "POST", f"{self.project}/download", json=body).json()["task_id"]
        self.wait_task(task)
        answer = self.admin.need("download", "GET", f"{self.project}/download?taskId={task}")
        by_text: dict[str, list[Sentence]] = {}
        for sentence in self.sentences:
            by_text.setdefault(sentence.text, []).append(sentence)
        got, ragged, size = {}, 0, 0
        with zipfile.ZipFile(io.BytesIO(answer.content)) as archive:
            for name in archive.namelist():
                data = archive.read(name)
                size += len(data)
                for row in map(json.loads, filter(None, data.decode().split("\n"))):
                    found = self.by_key.get(row.get("key"))
                    if found is None:
                        # Imported as CoNLL: nothing but the text tells which sentence it was.
                        group = by_text.get(row["text"])
                        if not group:
                            continue
                        found = group.pop(0)
                    spans = [(start, end) for start, end, _label in row["label"]]
                    got[found.key], bad = labels_from_char_spans(found, spans)
                    ragged += bad
        return got, ragged, size, "JSONL (zip)"


class Annotator:
    """Somebody with the sentences' page open."""

    def __init__(self, driver: Doccano, client: Client) -> None:
        self.driver, self.client, self.project = driver, client, driver.project
        client.call("me", "GET", "/v1/me")
        client.call("project", "GET", self.project)
        client.call("my-role", "GET", f"{self.project}/my-role")
        client.call("label types", "GET", f"{self.project}/span-types")
        client.call("relation types", "GET", f"{self.project}/relation-types")
        client.call("progress", "GET", f"{self.project}/metrics/progress")

    def show(self, index: int) -> tuple[dict[str, Any] | None, list[dict[str, Any]]]:
        """What the page asks for when it shows a sentence."""
        query = f"limit=1&offset={index}&q=&confirmed=&ordering="
        answer = self.client.call("example", "GET", f"{self.project}/examples?{query}")
        if answer is None:
            return None, []
        example = answer.json()["results"][0]
        return example, self.labels(example["id"])

    def labels(self, example: int) -> list[dict[str, Any]]:
        spans = self.client.call("spans", "GET", f"{self.project}/examples/{example}/spans")
        self.client.call("relations", "GET", f"{self.project}/examples/{example}/relations")
        return spans.json() if spans is not None else []

    def sentence(self, index: int) -> None:
        example, spans = self.show(index)
        if example is None:
            return
        sentence = self.lookup(example)
        self.driver.pause()
        done = self.change(sentence, f"{self.project}/examples/{example['id']}/spans", spans)
        self.labels(example["id"])
        self.client.call("confirm", "POST", f"{self.project}/examples/{example['id']}/states", json={})
        self.show(index)
        self.client.call("progress", "GET", f"{self.project}/metrics/progress")
        if done is not None:
            self.driver.note_edit(sentence)
        else:
            self.client.errors.append(("edit", f"not made: {sentence.key}"))

    def change(self, sentence: Sentence, path: str, spans: list[dict[str, Any]]) -> requests.Response | None:
        """Make the sentence's correction. Answers None where it was not made."""
        kind, (i, j) = edit_for(sentence)
        start, end = sentence.span(i, j)
        if kind == "add":
            body = {"id": 0, "label": self.driver.label_id, "user": 0, "start_offset": start, "end_offset": end}
            return self.client.call("add span", "POST", path, json=body)
        for span in spans:
            if (span["start_offset"], span["end_offset"]) == (start, end):
                return self.client.call("delete span", "DELETE", f"{path}/{span['id']}", json={})
        return None

    def lookup(self, example: dict[str, Any]) -> Sentence:
        key = (example.get("meta") or {}).get("key")
        if key:
            return self.driver.by_key[key]
        return next(sentence for sentence in self.driver.sentences if sentence.text == example["text"])
