# make demo    a sample project in the browser, from nothing but Python 3.11+ and make
# make quick   in a minute: lint, types, the scripts' logic, and the quick tests that need no browser, server or worker
# make test    every checker and every test; with EXTRAS="transformers onnx wordnet" those that need torch, ONNX Runtime or WordNet, too
# make test-postgresql  the tests of what asks the database, on PostgreSQL
# make soak    the tests that wait for servers to fail, then half an hour of saves, jobs and faults on servers of its own
#              (bench/soak); with SOAK="--minutes 5 --seed 7"
# make check   the checkers alone
# make format  code and templates into shape
# make messages  the texts of the pages into the catalogues, and those compiled (needs GNU gettext)

PYTHON ?= python3
PORT ?= 8000
PYTEST_ARGS ?=
EXTRAS ?=
SOAK ?=
BIN := .venv/bin
PIP := PYTHONWARNINGS=ignore $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

# Tests in several processes, but not more than there are long files to share out (tests/conftest.py). In one process, to
# look at a failure: make test PYTEST_ARGS="-n 0 tests/pages"
# What they write is in memory where there is room: every save waits for the disk, and nobody needs it afterwards.
ROOM := $(shell test -w /dev/shm && test "$$(df -Pk /dev/shm | awk 'NR == 2 {print $$4}')" -gt 2000000 && echo TMPDIR=/dev/shm)
PYTEST := $(ROOM) $(BIN)/python -m pytest -n auto --maxprocesses 4 --dist loadscope --no-loadscope-reorder

# What make quick tests: the folders whose tests take milliseconds each, about 45 s of its minute on two idle cores. It tries
# ten examples of a property, the same every time, two parameters of a test (tests/conftest.py), and the first of several
# seeds of what is marked "exhaustive"; make test takes all. It leaves out pages, imports, backups, engines, the API and the
# kinds of work, whose tests make whole rounds of calls. After a change to one of them:
# make quick PYTEST_ARGS=tests/kinds/NAME.
QUICK := $(addprefix tests/,domain formats models work revisions machines releases projects reports dashboard search jobs sample)

# Parses every script of the pages, and looks whether what they import from each other is there.
MODULES := tests/js/modules.test.js

# Hundreds of processes are started, and each would compile all that it imports: kept, away from the sources.
quick test test-postgresql: export PYTHONDONTWRITEBYTECODE :=
quick test test-postgresql: export PYTHONPYCACHEPREFIX := $(CURDIR)/build/pycache

define node
@if command -v node >/dev/null; then node --test --test-reporter=spec $(1); \
else echo "Not installed: nodejs. Skipped therefore: $(1)."; fi
endef

# In the order in which they begin: the longest first.
CHECKS := check-types types check-lint check-templates check-imports check-migrations check-modules

.PHONY: demo quick test test-postgresql soak check format messages programs $(CHECKS)

demo: .venv/installed
	@exec $(BIN)/python manage.py demo --port $(PORT)

quick: export DATA_DIR := $(CURDIR)/build/check
quick: .venv/installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy annotator api mlworkers
	$(call node,$(wildcard tests/js/*.test.js))
	$(PYTEST) -m "not services and not processes and not slow and not exhaustive" --hypothesis-profile=quick --few 2 $(QUICK) $(PYTEST_ARGS)

test: .venv/installed-dev $(EXTRAS:%=.venv/installed-extra-%) programs check
	$(call node,$(filter-out $(MODULES),$(wildcard tests/js/*.test.js)))
	$(PYTEST) -m "not long" $(PYTEST_ARGS)

# Folders whose SQL matters: constraints, jobs, detectors, and new revisions of texts.
ON_POSTGRESQL := $(addprefix tests/,models jobs machines revisions)
test-postgresql: .venv/installed-dev programs
	$(ROOM) $(BIN)/python -m tests.postgresql env $(PYTEST) \
		-m "not services and not processes and not browser and not slow and not long and not exhaustive" $(ON_POSTGRESQL)

soak: .venv/installed-dev programs
	$(PYTEST) -m long
	@exec $(BIN)/python -m bench.soak $(SOAK)

# Two at a time, as most of them take one core. They must not touch anybody's data: they get a folder of their own.
check: export DATA_DIR := $(CURDIR)/build/check
check: .venv/installed-dev
	@$(MAKE) --no-print-directory -j2 $(CHECKS)

check-types:
	$(BIN)/mypy annotator api mlworkers

check-lint:
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

check-templates:
	$(BIN)/djlint --lint --quiet templates annotator/kinds

check-imports:
	$(BIN)/lint-imports

check-migrations:
	$(BIN)/python manage.py makemigrations --check --dry-run

check-modules:
	$(call node,$(MODULES))

include types.mk

format: .venv/installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Sorted by text: in the order of the files, every move of a file would change the catalogue.
CATALOGUE := annotator/locale/es/LC_MESSAGES/django.po
messages: export DATA_DIR := $(CURDIR)/build/check
messages: .venv/installed-dev
	$(BIN)/python manage.py makemessages -l es --no-obsolete --no-location $(addprefix -i ,.venv build var tests bench)
	msgattrib --sort-output -o $(CATALOGUE) $(CATALOGUE)
	$(BIN)/python manage.py compilemessages -l es -i .venv

programs:
	@.ci/programs

.venv/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and \
	"Python 3.11 or later is needed, and this is %s. Say which: make PYTHON=python3.12" % sys.version.split()[0])'
	$(if $(filter file,$(origin PYTHON)),"$$($(PYTHON) .ci/python)",$(PYTHON)) -m venv .venv

.venv/installed: .venv/bin/python pyproject.toml constraints.txt
	$(PIP) -e .
	@touch $@

.venv/installed-dev: .venv/installed
	$(PIP) -e '.[dev]'
	@touch $@

.venv/installed-extra-%: .venv/installed-dev
	$(PIP) -e '.[$*]'
	@touch $@
