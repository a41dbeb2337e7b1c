# Two images of one file: `base` (web, worker) and `gpu` (worker-gpu, with torch and transformers).

FROM python:3.11-slim AS build
WORKDIR /app
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
RUN python -m venv /venv
# What pip needs to know the dependencies, first: they are installed anew only when they change.
COPY pyproject.toml constraints.txt README.md LICENSE NOTICE ./
COPY annotator/__init__.py annotator/__init__.py
RUN /venv/bin/pip install -c constraints.txt -e '.[s3]'

FROM build AS build-gpu
RUN /venv/bin/pip install -c constraints.txt -e '.[s3,transformers]'

FROM python:3.11-slim AS app
# pg_dump and pg_restore of the version that docker-compose.yml starts: site backups need them.
RUN apt-get update \
    && apt-get install --yes --no-install-recommends ca-certificates postgresql-common \
    && /usr/share/postgresql-common/pgdg/apt.postgresql.org.sh -y \
    && apt-get install --yes --no-install-recommends postgresql-client-16 \
    && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --home-dir /data --create-home translatio
WORKDIR /app
ENV PATH=/venv/bin:$PATH DATA_DIR=/data MALLOC_ARENA_MAX=2 PYTHONUNBUFFERED=1 PYTHONDONTWRITEBYTECODE=1
COPY . .
VOLUME /data
USER translatio
EXPOSE 8000
CMD ["gunicorn", "--config", "python:annotator.gunicorn_conf", "--bind", "0.0.0.0:8000", "annotator.wsgi"]

FROM app AS gpu
COPY --from=build-gpu /venv /venv
CMD ["celery", "-A", "annotator", "worker", "--queues", "ml-gpu", "--concurrency", "1"]

FROM app AS base
COPY --from=build /venv /venv
