"""Settings of the web server: gunicorn -c python:annotator.gunicorn_conf annotator.wsgi"""

import os
from pathlib import Path

# Loaded before the workers are forked, so that they share unchanged memory.
preload_app = True
workers = int(os.environ.get("WEB_WORKERS", "2"))
worker_class = "gthread"
# A slow client occupies a thread, but not the database. Eight threads are enough behind a proxy that reads whole
# requests (WEB_THREADS=8). Each can keep a connection to PostgreSQL.
threads = int(os.environ.get("WEB_THREADS", "64"))
# Longer than usual pauses of people: a call fails if its connection closes at the same moment.
keepalive = 75
# Folder for gunicorn's heartbeats, in memory: on a disk workers would wait for it.
MEMORY = "/dev/shm"  # noqa: S108 -- gunicorn makes files there whose names cannot be guessed
worker_tmp_dir = MEMORY if Path(MEMORY).is_dir() else None
