"""Settings, all of them from the environment, with defaults for a laptop.

A malformed value stops the start with the variable's name (`environment.py`).
docs/reference/settings.md lists the variables.
"""

from __future__ import annotations

import os
import sys
import tempfile
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from django.utils.translation import gettext_lazy as _

from annotator import environment
from annotator.static_version import static_version

# Before NumPy is loaded: on small tables its threads wait for one another longer than they compute, and workers have
# processes for all cores. Agreement with intervals took 6.3 s of a processor with them, and 1.7 without.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

BASE_DIR = Path(__file__).resolve().parent.parent
# Pages and what belongs to them: beside the package in the repository, and inside it where a wheel was installed.
_INSTALLED = BASE_DIR / "annotator" / "site"
FILES_DIR = _INSTALLED if _INSTALLED.is_dir() else BASE_DIR
MANUAL_DIR = FILES_DIR / "docs" / "manual"
EXAMPLES_DIR = FILES_DIR / "docs" / "examples"
CHANGELOG = FILES_DIR / "CHANGELOG.md"

TESTING = "pytest" in sys.modules
DEBUG = environment.flag("DEBUG")
# Tests get a folder of their own, so that they cannot touch what people made.
DATA_DIR = (
    Path(tempfile.mkdtemp(prefix="translatio-tests-"))
    if TESTING
    else environment.folder("DATA_DIR", (Path.cwd() if FILES_DIR == _INSTALLED else BASE_DIR) / "var")
)

SECRET_KEY = environment.secret_key("SECRET_KEY", DATA_DIR / "secret_key")
ALLOWED_HOSTS = environment.hosts("ALLOWED_HOSTS", ["localhost", "127.0.0.1", "[::1]"])
CSRF_TRUSTED_ORIGINS = environment.origins("CSRF_TRUSTED_ORIGINS")

# Packages of kinds of work; the module `spec` of each says what it brings (docs/kinds.md).
KINDS = [
    "annotator.kinds.labels",
    "annotator.kinds.projection_review",
    "annotator.kinds.pair_tags",
    "annotator.protocols.meta4xnli",
    "annotator.kinds.write_pair",
    "annotator.kinds.validate",
    "annotator.kinds.categories",
    "annotator.protocols.mabl",
    "annotator.kinds.substitution",
    "annotator.protocols.munch",
    "annotator.kinds.impli",
    "annotator.protocols.impli",
    "annotator.kinds.rating",
]


def folders_of_kinds(name: str, kinds: Iterable[str]) -> list[Path]:
    """The folders of this name that the packages of `kinds` have. The packages themselves are not imported yet."""
    specs = [spec for kind in kinds if (spec := find_spec(kind)) is not None]
    folders = [Path(place) / name for spec in specs for place in spec.submodule_search_locations or ()]
    return [folder for folder in folders if folder.is_dir()]


INSTALLED_APPS = [
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "django_htmx",
    "allauth",
    "allauth.account",
    "rest_framework",
    "drf_spectacular",
    "drf_spectacular_sidecar",
    "annotator.apps.AnnotatorConfig",
    "api.apps.ApiConfig",
    "mlworkers.apps.MlworkersConfig",
]

MIDDLEWARE = [
    "annotator.web.health.HealthMiddleware",
    # Before all that adds headers of pages to an answer.
    "annotator.web.static_files.StaticFilesMiddleware",
    # Before all that can refuse a request, since Django's pages of errors read its body.
    "annotator.web.middleware.BodyMiddleware",
    "annotator.web.middleware.ContentSecurityPolicyMiddleware",
    "django.middleware.security.SecurityMiddleware",
    "annotator.web.ranges.RangeMiddleware",
    # Around all that writes bodies.
    "annotator.web.middleware.CompressionMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    # Pages need a sign-in unless they say otherwise; the API's views exempt themselves and answer 401. Before the check
    # of form tokens, which reads the body.
    "django.contrib.auth.middleware.LoginRequiredMiddleware",
    "annotator.web.middleware.MadeForMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    # Gives allauth's parts the request; it asks the database nothing.
    "allauth.account.middleware.AccountMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "annotator.web.middleware.ArchivedMiddleware",
    "annotator.web.middleware.FormAddressMiddleware",
]

ROOT_URLCONF = "annotator.urls"
WSGI_APPLICATION = "annotator.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [FILES_DIR / "templates", *folders_of_kinds("templates", KINDS)],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "django.template.context_processors.i18n",
            ],
            "builtins": ["annotator.templatetags.made_for"],
        },
    },
]

DATABASES = {"default": environment.database("DATABASE_URL", DATA_DIR / "db.sqlite3")}
if DATABASES["default"]["ENGINE"] == environment.SQLITE:
    # A file and not memory, so that tests can start worker processes that see it.
    DATABASES["default"]["TEST"] = {"NAME": str(DATA_DIR / "test.sqlite3")}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

# Counts of failed sign-ins, and sessions beside the database, which all web processes share. Not in the database,
# which would be written for each try, and on SQLite saves of annotations would wait.
CACHES = (
    {name: {"BACKEND": "django.core.cache.backends.locmem.LocMemCache"} for name in ("default", "sessions")}
    if TESTING
    else environment.caches("CACHE_URL", DATA_DIR / "cache")
)

# Read from the cache, and written to both.
SESSION_CACHE_ALIAS = "sessions"
SESSION_ENGINE = "django.contrib.sessions.backends.cached_db"

AUTH_USER_MODEL = "annotator.User"
AUTHENTICATION_BACKENDS = ["annotator.accounts.queries.AccountBackend"]
LOGIN_URL = "sign-in"
LOGIN_REDIRECT_URL = "projects"
LOGOUT_REDIRECT_URL = "sign-in"

# django-allauth: what is not set here is not used, such as its table of e-mail addresses: `User.email` is the one home.
ACCOUNT_ADAPTER = "annotator.accounts.forms.adapter.AccountAdapter"
ACCOUNT_LOGIN_METHODS = {"username", "email"}
ACCOUNT_SIGNUP_FIELDS = ["username*", "email", "password1*", "password2*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
# Nothing is sent to addresses that nobody here has, and no page tells which ones somebody has.
ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS = False
ACCOUNT_PASSWORD_RESET_TOKEN_GENERATOR = "django.contrib.auth.tokens.PasswordResetTokenGenerator"  # noqa: S105  # a class
PASSWORD_RESET_TIMEOUT = 24 * 60 * 60
ACCOUNT_SESSION_REMEMBER = True
# How often in how long, by address ("ip"), by account ("user"), or by what is tried ("key": a name at an address, or
# the e-mail of a reset). A whole class may share an address.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "60/15m/ip,10/15m/key",
    "reset_password": "60/h/ip,5/h/key",
    "reset_password_from_key": "60/h/ip",
    "change_password": "10/15m/user",
    "signup": "60/h/ip",
}
# Whether anybody may make an account; else it takes an invitation, a manager or a site admin.
OPEN_REGISTRATION = environment.flag("OPEN_REGISTRATION")
INVITATION_DAYS = 14

# Without a mail server nothing is sent, and the pages say so.
_mail = environment.mail_server("EMAIL_URL")
SENDS_MAIL = bool(_mail)
EMAIL_HOST, EMAIL_PORT = _mail.get("EMAIL_HOST", ""), _mail.get("EMAIL_PORT", 25)
EMAIL_HOST_USER, EMAIL_HOST_PASSWORD = _mail.get("EMAIL_HOST_USER") or "", _mail.get("EMAIL_HOST_PASSWORD") or ""
EMAIL_USE_TLS, EMAIL_USE_SSL = _mail.get("EMAIL_USE_TLS", False), _mail.get("EMAIL_USE_SSL", False)
# Somebody waits for the page meanwhile.
EMAIL_TIMEOUT = 10
DEFAULT_FROM_EMAIL = environment.text("EMAIL_FROM", f"translatio@{ALLOWED_HOSTS[0].lstrip('.*') or 'localhost'}")
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""

AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}"}
    for name in (
        "UserAttributeSimilarityValidator",
        "MinimumLengthValidator",
        "CommonPasswordValidator",
        "NumericPasswordValidator",
    )
]
if TESTING:
    # Slow on purpose elsewhere; tests make hundreds of users.
    PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]

LANGUAGE_CODE = "en"
LANGUAGES = [("en", _("English")), ("es", _("Spanish"))]
LOCALE_PATHS = [BASE_DIR / "annotator" / "locale"]
TIME_ZONE = environment.time_zone("TIME_ZONE", "UTC")
USE_I18N = True
FORMAT_MODULE_PATH = ["annotator.date_formats"]
USE_TZ = True

# The site may be below a path of a host. Gunicorn reads the same variable, and takes it off the paths of requests.
FORCE_SCRIPT_NAME = environment.sub_path("SCRIPT_NAME") or None
STATICFILES_DIRS = [FILES_DIR / "static", *folders_of_kinds("static", KINDS)]
# Files that somebody is writing keep their address, and browsers ask for them again.
_VERSION = "" if DEBUG else f"{static_version(STATICFILES_DIRS)}/"
WHITENOISE_STATIC_PREFIX = f"/static/{_VERSION}"
# Whole: Django would add the path of the first request, or of none where pages are prepared before there is one.
STATIC_URL = f"{FORCE_SCRIPT_NAME or ''}{WHITENOISE_STATIC_PREFIX}"
STATIC_ROOT = DATA_DIR / "staticfiles"
# WhiteNoise warns when it is not there.
STATIC_ROOT.mkdir(exist_ok=True)
WHITENOISE_USE_FINDERS = True
WHITENOISE_MAX_AGE = 0
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_IMMUTABLE_FILE_TEST = f"^{WHITENOISE_STATIC_PREFIX}" if _VERSION else "^$"
if TESTING:
    # Files are looked up when they are asked for; elsewhere once at the start, which every test client is.
    WHITENOISE_AUTOREFRESH = True

# Who may create projects: everybody with an account, or those for whom a site admin ticked it (`permissions.py`).
PROJECT_CREATORS = environment.choice("PROJECT_CREATORS", ("everybody", "chosen"))

# Files of releases, uploads, models, backups and exports, under names that are the same in both (`core/files/`). No
# address leads to them: views decide who gets one.
MEDIA_ROOT = DATA_DIR
STORAGES = {
    "default": environment.storage("STORAGE_URL", DATA_DIR / "copies"),
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
# What is read of a form without files: from everybody, from people who are signed in (in a project: from its members),
# and from managers.
SHORT_BODY_BYTES, BODY_BYTES, LONG_BODY_BYTES = 64 * 1024, 1024 * 1024, 5 * 1024 * 1024
# Text that is pasted into an import.
DATA_UPLOAD_MAX_MEMORY_SIZE = 20 * 1024 * 1024
# A form has some fields for each file of an import, which may have 10,000.
DATA_UPLOAD_MAX_NUMBER_FIELDS = DATA_UPLOAD_MAX_NUMBER_FILES = 100_000
FILE_UPLOAD_HANDLERS = ["annotator.core.files.uploaded.OneFileUploadHandler"]
IMPORT_MAX_BYTES = environment.positive("IMPORT_MAX_BYTES", 200 * 1024 * 1024)
ARCHIVE_MAX_BYTES = environment.positive("ARCHIVE_MAX_BYTES", 2 * 1024 * 1024 * 1024)
# How much an account may keep in drafts, projects, backups and releases, and all accounts together; and how many
# projects it may create. Site admins are held by the second alone (`core/files/room.py`).
ACCOUNT_MAX_BYTES = environment.positive("ACCOUNT_MAX_BYTES", 500 * 1024 * 1024)
SITE_MAX_BYTES = environment.positive("SITE_MAX_BYTES", 20 * 1024 * 1024 * 1024)
ACCOUNT_MAX_PROJECTS = environment.positive("ACCOUNT_MAX_PROJECTS", 25)

# Cookies of a host are sent to all that runs on it: Django's own names would be another tool's, too, and whoever signs
# in there would be signed out here. Below a path they are named after it, since those of the host come there as well.
_COOKIES = "translatio" + (FORCE_SCRIPT_NAME or "").replace("/", "_")
SESSION_COOKIE_NAME = f"{_COOKIES}_session"
CSRF_COOKIE_NAME = f"{_COOKIES}_csrf"
LANGUAGE_COOKIE_NAME = f"{_COOKIES}_language"
SESSION_COOKIE_PATH = CSRF_COOKIE_PATH = LANGUAGE_COOKIE_PATH = FORCE_SCRIPT_NAME or "/"
MESSAGES_COOKIE_NAME = f"{_COOKIES}_messages"
MESSAGE_STORAGE = "annotator.web.middleware.Messages"

# HTTPS is the proxy's; HTTPS=true makes cookies and redirects insist on it.
HTTPS = environment.flag("HTTPS")
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SECURE_SSL_REDIRECT = HTTPS
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if HTTPS else None
SECURE_HSTS_SECONDS = 31536000 if HTTPS else 0
SECURE_CONTENT_TYPE_NOSNIFF = True
X_FRAME_OPTIONS = "DENY"

# What tells parts of speech and phrases where pairs are made by rule; and what parses for it, in a process of its own.
PARSER = environment.parser("PARSER")
PARSES = "mlworkers.engines.registry.parses"
# Checkpoints of transformers, by folder or hub ID, that managers can choose when they run a job.
CHECKPOINTS = environment.names("CHECKPOINTS")

REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        # The first one names the challenge of a 401; sessions alone would answer 403 to strangers.
        "api.authentication.ScopedTokenAuthentication",
        "api.authentication.UnreadSessionAuthentication",
    ],
    "DEFAULT_PARSER_CLASSES": ["api.parsers.LimitedJSONParser"],
    "DEFAULT_PERMISSION_CLASSES": [
        "rest_framework.permissions.IsAuthenticated",
        "api.permissions.MadeForThem",
        "api.permissions.WithinScope",
    ],
    "DEFAULT_SCHEMA_CLASS": "drf_spectacular.openapi.AutoSchema",
    "EXCEPTION_HANDLER": "api.errors.exception_handler",
    "DEFAULT_THROTTLE_RATES": {"token": "10/min"},
    # Whose address counts when tries are counted: anybody can write an X-Forwarded-For, a proxy appends to it.
    "NUM_PROXIES": 1 if HTTPS else 0,
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Translatio API",
    "DESCRIPTION": "What the workspaces use, and scripts may use too.",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "POSTPROCESSING_HOOKS": [
        "drf_spectacular.hooks.postprocess_schema_enums",
        "api.v1.schema_hooks.complete",
    ],
    "SWAGGER_UI_DIST": "SIDECAR",
    "SWAGGER_UI_FAVICON_HREF": "SIDECAR",
}

CELERY_BROKER_URL = environment.broker("CELERY_BROKER_URL")
CELERY_TASK_IGNORE_RESULT = True
CELERY_TASK_DEFAULT_QUEUE = "default"
CELERY_TASK_SERIALIZER = "json"
CELERY_ACCEPT_CONTENT = ["json"]
# A message is done with when its step is. One whose process died comes again.
CELERY_TASK_ACKS_LATE = True
CELERY_TASK_REJECT_ON_WORKER_LOST = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_SEND_TASK_EVENTS = CELERY_TASK_SEND_SENT_EVENT = CELERY_BROKER_URL != environment.FILES_BROKER
CELERY_WORKER_ENABLE_REMOTE_CONTROL = CELERY_BROKER_URL != environment.FILES_BROKER
CELERY_WORKER_HIJACK_ROOT_LOGGER = CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
# A worker waits for its broker, however long that takes.
CELERY_BROKER_CONNECTION_MAX_RETRIES = None
CELERY_BROKER_CONNECTION_TIMEOUT = 1.5
# What is looked after every now and then: seconds. What nobody took for ten minutes is dropped; that is told by the
# clock of the worker, which may be minutes ahead.
CELERY_BEAT_SCHEDULE = {
    name: {"task": f"annotator.tasks.{name}", "schedule": seconds, "options": {"expires": max(seconds, 600)}}
    for name, seconds in (
        ("sweep_jobs", 5),
        ("send_webhooks", 5),
        ("watch_trainings", 10),
        ("sweep_files", 3600),
        ("look_at_tables", 3600),
    )
}
# Its times are not kept: each is looked after when the clock starts.
CELERY_BEAT_SCHEDULER = "celery.beat:Scheduler"
CELERY_BROKER_TRANSPORT_OPTIONS = environment.broker_options(CELERY_BROKER_URL, DATA_DIR / "broker")
if CELERY_BROKER_URL == environment.FILES_BROKER:
    CELERY_BROKER_TRANSPORT = "annotator.core.processes.broker:Transport"
# What names no priority goes first (`celery.priority`): the looks every now and then.
CELERY_TASK_QUEUE_MAX_PRIORITY = 9
CELERY_TASK_DEFAULT_PRIORITY = 9 if CELERY_BROKER_URL.startswith(("amqp", "pyamqp")) else 0

LOGGING: dict[str, Any] = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {"plain": {"format": "{asctime} {levelname} {name}: {message}", "style": "{"}},
    "filters": {
        "one_line": {"()": "django.utils.log.CallbackFilter", "callback": environment.one_line},
        "once_per_fault": {"()": "annotator.core.faults.OncePerFault"},
    },
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": "plain"}},
    "root": {"handlers": ["console"], "level": environment.log_level("LOG_LEVEL", "INFO")},
    "loggers": {
        # It warns that the embedded broker has no host name.
        "kombu.connection": {"level": "ERROR"},
        "django.security.DisallowedHost": {"filters": ["one_line"]},
        # A filter holds for the logger that is written to, and not for those below it.
        **{
            name: {"filters": ["once_per_fault"]}
            for name in (
                *("django.request", "annotator.core.redis_cache", "annotator.jobs.steps", "annotator.jobs.workers"),
                *("celery.app.trace", "celery.beat", "celery.worker.consumer.consumer", "celery.worker.request"),
            )
        },
    },
}
