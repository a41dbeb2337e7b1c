"""Workers as real processes: killed, stopped, sharing."""

from __future__ import annotations

import signal

import pytest

from tests.conftest import on_servers
from tests.site import Site, wait_until

# So many that a job is still in its middle when its worker is killed; fewer where nobody interrupts it.
SENTENCES, FEW = 240, 40


MAKE = """
from annotator.models import Segment, Sentence
from tests.factories import make_project
project = make_project("corpus", languages=["es"])
text = "El tiempo vuela cuando nadie mira el reloj de la plaza"
segments = Segment.objects.bulk_create(
    Segment(project=project, uid=f"set:prem:{{n}}", role="prem", dataset="set", group=str(n), position=n)
    for n in range({sentences})
)
Sentence.objects.bulk_create(
    Sentence(project=project, segment=segment, language="es", tokens=text.split(), token_count=len(text.split()))
    for segment in segments
)
"""
PREDICT = ("predict", "corpus", "--language", "es", "--chunk", "8")


def make_corpus(site: Site, sentences: int = SENTENCES) -> None:
    site.python(MAKE.format(sentences=sentences))


def job_state(site: Site) -> str:
    return str(site.value("SELECT state FROM annotator_job ORDER BY id DESC LIMIT 1"))


def assert_every_sentence_once(site: Site, sentences: int = SENTENCES) -> None:
    assert job_state(site) == "done", site.value("SELECT error FROM annotator_job") + site.logs()
    assert site.value("SELECT COUNT(*) FROM annotator_suggestion") == sentences
    assert site.value("SELECT COUNT(DISTINCT unit_id) FROM annotator_suggestion WHERE is_current") == sentences
    assert site.value("SELECT done FROM annotator_job") == sentences
    assert site.value("SELECT COUNT(*) FROM annotator_jobchunk WHERE state <> 'done'") == 0
    result = site.python(
        "import json; from annotator.models import Job; job = Job.objects.get(); print(json.dumps(job.result))"
    )
    assert result["sentences"] == sentences
    assert result["skipped"] == {}


def test_a_killed_workers_job_is_finished_by_the_next_one(any_site: Site) -> None:
    make_corpus(any_site)
    worker = any_site.worker()
    any_site.command(*PREDICT)

    wait_until(lambda: any_site.value("SELECT done FROM annotator_job"), what="the first sentences")
    worker.kill()
    worker.wait()

    done = any_site.value("SELECT done FROM annotator_job")
    assert 0 < done < SENTENCES, "the worker was not killed in the middle of the job"
    assert any_site.value("SELECT COUNT(*) FROM annotator_suggestion") == done
    assert job_state(any_site) == "running"

    any_site.worker()
    wait_until(lambda: job_state(any_site) != "running", what=any_site.logs())
    assert_every_sentence_once(any_site)


TRAINING = """
from django.db import transaction
from annotator.models import Project
from tests.factories import make_member, make_project
from tests.tasks.test_train import labelled
with transaction.atomic():
    project = make_project("learning", languages=["es"])
    labelled(project, make_member(project), 400)
"""


@on_servers
def test_a_killed_training_is_done_by_the_next_worker_once(any_site: Site) -> None:
    any_site.python(TRAINING)
    worker = any_site.worker()
    any_site.command("train_detector", "--project", "learning", "--language", "es")

    # A training has only begun when it is taken: the process that learns is not there yet.
    wait_until(lambda: any_site.value("SELECT COUNT(*) FROM annotator_jobchunk WHERE state = 'running'"))
    worker.kill()
    worker.wait()
    assert job_state(any_site) == "running", "the worker was not killed in the middle of the training"
    any_site.worker()
    wait_until(lambda: job_state(any_site) != "running", what=any_site.logs())

    assert job_state(any_site) == "done", any_site.value("SELECT error FROM annotator_job") + any_site.logs()
    assert any_site.value("SELECT COUNT(*) FROM annotator_job WHERE done = 5 AND total = 5") == 1
    assert any_site.value("SELECT COUNT(*) FROM annotator_traineddetector WHERE active") == 1
    assert len(list((any_site.folder / "models").glob("*/*/model.json"))) == 1


def test_a_worker_that_is_stopped_gives_back_what_it_held_and_leaves(site: Site) -> None:
    make_corpus(site)
    worker = site.worker()
    site.command(*PREDICT)
    wait_until(lambda: site.value("SELECT done FROM annotator_job"))

    worker.send_signal(signal.SIGTERM)
    assert worker.wait(timeout=20) == 0, site.logs()

    assert job_state(site) == "running"
    assert site.value("SELECT COUNT(*) FROM annotator_jobchunk WHERE state = 'running'") == 0
    assert site.value("SELECT COUNT(*) FROM annotator_worker") == 0

    site.worker()
    wait_until(lambda: job_state(site) != "running", what=site.logs())
    assert_every_sentence_once(site)


def test_a_cancelled_job_stops_and_goes_on_when_it_is_retried(site: Site) -> None:
    make_corpus(site)
    site.worker()
    site.command(*PREDICT)
    wait_until(lambda: site.value("SELECT done FROM annotator_job"))

    act = "from annotator.models import Job; from annotator.jobs.actions import cancel_job, retry_job; "
    site.python(act + "cancel_job(job=Job.objects.get(), by=None)")

    assert job_state(site) == "cancelled"
    done = site.value("SELECT done FROM annotator_job")
    assert 0 < done < SENTENCES
    assert site.value("SELECT COUNT(*) FROM annotator_suggestion") == done

    site.python(act + "retry_job(job=Job.objects.get(), by=None)")
    wait_until(lambda: job_state(site) == "done", what=site.logs())
    assert_every_sentence_once(site)


def test_a_message_that_got_lost_delays_a_job_and_no_more(site: Site) -> None:
    make_corpus(site, FEW)
    site.command(*PREDICT)
    for message in (site.folder / "broker" / "messages").iterdir():
        message.unlink()

    site.worker()

    wait_until(lambda: job_state(site) == "done", what=site.logs())
    assert_every_sentence_once(site, FEW)


def test_a_command_that_waits_follows_a_living_worker(site: Site) -> None:
    make_corpus(site, FEW)
    site.worker()

    answer = site.manage(*PREDICT, "--wait")

    assert f"{FEW} of {FEW}" in answer.stdout
    assert "No worker" not in answer.stderr
    assert_every_sentence_once(site, FEW)


def test_a_command_that_waits_does_the_work_itself_when_no_worker_is_there(site: Site) -> None:
    make_corpus(site, FEW)

    answer = site.manage(*PREDICT, "--wait")

    assert 'No worker listens to the queue "ml": running Pre-label #1 in this process.' in answer.stderr
    assert_every_sentence_once(site, FEW)


def test_a_command_that_was_killed_goes_on_when_it_is_given_again(site: Site) -> None:
    make_corpus(site)
    command = site.start(*PREDICT, "--wait")
    wait_until(lambda: site.value("SELECT done FROM annotator_job"))
    command.kill()
    command.wait()
    assert 0 < site.value("SELECT done FROM annotator_job") < SENTENCES

    answer = site.manage(*PREDICT, "--wait")

    assert "Continuing with it" in answer.stderr
    assert site.value("SELECT COUNT(*) FROM annotator_job") == 1
    assert_every_sentence_once(site)


@pytest.mark.parametrize(
    ("detector", "sentence"),
    [("nonesuch", "Unknown detector “nonesuch”"), ("crf:/nowhere", "/nowhere")],
)
def test_a_detector_that_cannot_be_loaded_fails_the_job_in_words(site: Site, detector: str, sentence: str) -> None:
    make_corpus(site, FEW)
    site.worker()

    answer = site.manage(*PREDICT, "--wait", "--detector", detector, check=False)

    assert answer.returncode == 1
    assert sentence in answer.stderr
    assert "Traceback" not in answer.stderr
    assert job_state(site) == "failed"
    assert sentence in site.value("SELECT error FROM annotator_job")
    assert site.value("SELECT COUNT(*) FROM annotator_suggestion") == 0


SHARE = """
import json, threading
from django.db import connection
from annotator.jobs.running import run_job
from annotator.models import Job
errors = []
def run(name):
    try:
        run_job(Job.objects.get().pk, worker=name)
    except BaseException as error:
        errors.append(repr(error))
    finally:
        connection.close()
run_job(Job.objects.get().pk, worker="0", stop=lambda: True)
threads = [threading.Thread(target=run, args=(str(number),)) for number in range(4)]
[thread.start() for thread in threads]
[thread.join() for thread in threads]
attempts = list(Job.objects.get().chunks.values_list("attempts", flat=True))
print(json.dumps({"errors": errors, "attempts": sorted(set(attempts))}))
"""


@on_servers
def test_workers_never_take_the_same_part_on_postgresql(any_site: Site) -> None:
    make_corpus(any_site)
    any_site.command(*PREDICT)

    assert any_site.python("exec(" + repr(SHARE) + ")") == {"errors": [], "attempts": [1]}

    assert_every_sentence_once(any_site)
