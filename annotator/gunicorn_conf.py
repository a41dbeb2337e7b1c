"""Settings of the web server: gunicorn -c python:annotator.gunicorn_conf annotator.wsgi"""

import os
from pathlib import Path

# Loaded before the workers are forked, which share what they do not change.
preload_app = True
workers = int(os.environ.get("WEB_WORKERS", "2"))
worker_class = "gthread"
# A client that sends or reads slowly holds a thread, and no more than that: it asks the database nothing meanwhile.
# Where a proxy reads requests before it passes them on, eight are enough (WEB_THREADS=8). Each may keep a connection of
# PostgreSQL.
threads = int(os.environ.get("WEB_THREADS", "64"))
# Connections are kept open longer than people pause: one that closes just as a call begins is a call that fails.
keepalive = 75
# Where gunicorn's workers say that they live: on a disk they would wait for it.
MEMORY = "/dev/shm"  # noqa: S108 -- gunicorn makes files there whose names cannot be guessed
worker_tmp_dir = MEMORY if Path(MEMORY).is_dir() else None
