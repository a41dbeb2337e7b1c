"""Translatio as `make demo` starts it, with two projects.

`gold` is imported with the published labels: import and export of both languages and of the pairs are timed, which is
more than doccano is asked for. `work` is imported without labels, and the embedded detector suggests them: there the
corrections are made.

A sentence is the look-up of the lemma that the focus rests on, the save, and, each time that fewer than half of what
the page holds ahead are left, the claim that fills up: those are all the calls that the page makes.
"""

import os
import subprocess
import time
from pathlib import Path
from typing import Any

import requests
from common import ANNOTATOR_PW, LABEL, ROOT, Client, Driver, Labels, Memory, Result, rounded

APP_ROOT = Path(os.environ.get("APP_ROOT", Path(__file__).parents[2])).absolute()
DATASETS = {"D": ["xnli_dev"], "W0": ["xnli_dev"], "D4": ["xnli_dev", "xnli_dev2", "xnli_dev3", "xnli_dev4"]}
ANNOTATORS = 12
# How many items the page holds behind the one that is shown (`ahead` in its configuration), and claims at most at once.
AHEAD = 20

ADD_ANNOTATORS = f"""
from annotator.models import Project, User
from annotator.projects.actions.projects import add_member
project = Project.objects.get(slug="work")
for number in range({ANNOTATORS}):
    user = User.objects.create_user(username=f"ann{{number}}", password={ANNOTATOR_PW!r})
    add_member(project=project, user=user, role="annotator", by=None)
"""


class App(Driver):
    name = "app"
    root = str(APP_ROOT)
    # Not resolved: a virtual environment's Python is known by where it lies.
    python = os.environ.get("APP_PYTHON", str(APP_ROOT / ".venv/bin/python"))
    corpus = os.environ.get("APP_CORPUS", str(ROOT / "corpus"))
    # False: without the look-up of the lemma that the page makes beside the save.
    lemmas = True
    database = os.environ.get("APP_DATABASE_URL", "")

    @property
    def env(self) -> dict[str, str]:
        env = {"DATA_DIR": str(self.home / "var"), "LOG_LEVEL": "WARNING"}
        return {**env, "DATABASE_URL": self.database} if self.database else env

    def manage(self, *argv: str) -> float:
        """Run a command of manage.py; answers how long it took, the start of Python included."""
        t = time.perf_counter()
        done = subprocess.run(
            [self.python, "manage.py", *argv],
            cwd=self.root,
            env={**os.environ, **self.env},
            text=True,
            capture_output=True,
            check=False,
        )
        if done.returncode:
            raise SystemExit(f"{argv}: {done.stdout[-800:]}{done.stderr[-2000:]}")
        return time.perf_counter() - t

    def start(self) -> Result:
        t0 = time.perf_counter()
        argv = [self.python, "manage.py", "demo", "--port", str(self.port)]
        self.spawn(argv, self.env, self.root, "server.log")
        self.wait_http("/sign-in/")
        return {
            "pid": self.pids[0],
            "pids": self.pids,
            "install_to_running_s": rounded(time.perf_counter() - t0, 2),
            "commands": 1,
            "steps": ["make demo"],
            "base": self.base,
        }

    def import_work(self, work: str) -> Result:
        self.load(work)
        for project in ("gold", "work"):
            self.manage("create_project", project, "--preset", "meta4xnli-es-en")
        self.manage("shell", "-c", ADD_ANNOTATORS)
        with Memory(self.pids) as memory:
            walls = [self.import_dataset("gold", dataset, "gold") for dataset in DATASETS[work]]
        for dataset in DATASETS[work]:
            self.import_dataset("work", dataset, "none")
        predict = self.manage("predict", "work", "--language", "es", "--detector", "crf", "--wait")
        return {
            "work": work,
            "sentences": len(self.sentences),
            "imported": len(self.sentences),
            "format": "published layout, both languages and pairs, with gold",
            "wall_s": rounded(sum(walls), 2),
            "each_s": [rounded(wall, 2) for wall in walls],
            "predict_es_s": rounded(predict, 2),
            **memory.report(),
        }

    def import_dataset(self, project: str, dataset: str, labels: str) -> float:
        return self.manage("import_meta4xnli", project, self.corpus, "--dataset", dataset, "--labels", labels)

    def annotator(self, number: int) -> "Annotator":
        return Annotator(self, f"ann{number}")

    def export_labels(self) -> tuple[dict[str, Labels], int, int, str]:
        out = self.home / f"export-{time.time_ns()}"
        self.manage("export_meta4xnli", "gold", str(out))
        got: dict[str, Labels] = {}
        size = 0
        for name in {sentence.file for sentence in self.sentences}:
            path = next(out.rglob(f"es/{name}.tsv"))
            size += path.stat().st_size
            labels: Labels = []
            number = 0
            for row in path.read_text(encoding="utf-8").split("\n"):
                if row.strip():
                    labels.append(row.split("\t")[1])
                elif labels:
                    got[f"es/{name}:{number}"] = labels
                    number, labels = number + 1, []
        return got, 0, size, "published layout, both languages and pairs"


class Annotator:
    """Somebody with the workspace open."""

    def __init__(self, driver: App, name: str) -> None:
        self.driver, self.client = driver, Client(driver.base)
        self.client.call("login page", "GET", "/sign-in/")
        token = self.client.s.cookies["translatio_csrf"]
        form = {"username": name, "password": ANNOTATOR_PW, "csrfmiddlewaretoken": token}
        referer = {"Referer": driver.base + "/sign-in/"}
        self.client.call("login", "POST", "/sign-in/", data=form, headers=referer)
        project = self.client.need("project", "GET", "/api/v1/projects/work/").json()
        stage = next(one["id"] for one in project["stages"] if one["kind"] == "correct" and one["language"] == "es")
        self.claims = f"/api/v1/projects/work/stages/{stage}/claim/"
        self.exhausted = False
        # The first is the one that is shown.
        self.queue: list[dict[str, Any]] = []
        self.fill_up()

    def post(self, name: str, path: str, body: dict[str, Any]) -> requests.Response:
        headers = {"X-CSRFToken": self.client.s.cookies["translatio_csrf"], "Referer": self.driver.base + "/"}
        return self.client.need(name, "POST", path, json=body, headers=headers)

    def fill_up(self) -> None:
        """Claim more where fewer than half are left behind the shown one, as `static/work/logic/queue.js` does."""
        ahead = len(self.queue) - 1
        if self.exhausted or ahead >= AHEAD / 2:
            return
        asked = min(AHEAD, AHEAD - ahead)
        body = {"held": [item["id"] for item in self.queue], "count": asked, "only": ""}
        found = self.post("claim", self.claims, body).json()["items"]
        self.exhausted = len(found) < asked
        self.queue += found

    def sentence(self, index: int) -> None:
        item = self.queue[0]
        began = time.perf_counter()
        self.driver.pause()
        if self.driver.lemmas:
            self.look_up(item["unit"])
        # The next one is shown before the answer is there.
        self.queue.pop(0)
        self.post(
            "save",
            f"/api/v1/projects/work/assignments/{item['id']}/save/",
            {
                "version": item["annotation"]["version"],
                "content": {"spans": corrected(item, index)},
                "doubt": False,
                "comment": "",
                "done": True,
                "seconds": round(time.perf_counter() - began, 1),
            },
        )
        self.fill_up()

    def look_up(self, unit: dict[str, Any]) -> None:
        # Only content words are looked up.
        first = next((k for k, is_content in enumerate(unit["content_words"]) if is_content), None)
        if first is None:
            return
        query = {"language": "es", "lemma": unit["lemmas"][first]}
        self.client.call("lemma", "GET", "/api/v1/projects/work/lemmas/", params=query)


def corrected(item: dict[str, Any], index: int) -> list[dict[str, Any]]:
    """The spans after the correction; its rule is that of common.edit_for."""
    spans: list[dict[str, Any]] = item["annotation"]["content"]["spans"]
    if spans and index % 2 == 0:
        return spans[1:]
    tokens = item["unit"]["tokens"]
    taken = {token for span in spans for token in span["tokens"]}
    free = [k for k in range(len(tokens)) if k not in taken]
    if not free:
        return spans
    k = max(free, key=lambda k: (len(tokens[k]), -k))
    return [*spans, {"tokens": [k], "label": LABEL, "attributes": {}, "score": None}]
