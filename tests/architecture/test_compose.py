"""What docker-compose.yml promises: settings, limits, and who may do what. No container is started."""

from __future__ import annotations

import re
from typing import Any

import yaml

from tests.architecture.test_docs import SETTINGS
from tests.forks import ROOT

COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: service for name, service in SERVICES.items() if "build" in service}
# The image says where data is, and nobody develops in a container.
SET_ELSEWHERE = {"DATA_DIR", "DEBUG"}


def test_each_setting_is_passed_on() -> None:
    table = SETTINGS.partition("| variable |")[2].partition("\n\n")[0]
    named = {name for line in table.splitlines() for name in re.findall(r"`([A-Z_]{5,})`", line.split("|")[1:2][0])}

    assert named - SET_ELSEWHERE <= {*SERVICES["web"]["environment"]}


def test_one_service_migrates_and_all_others_wait_for_it() -> None:
    assert [name for name, service in SERVICES.items() if "migrate" in str(service.get("command"))] == ["migrate"]
    assert SERVICES["web"]["depends_on"]["migrate"] == {"condition": "service_completed_successfully"}
    for name in OURS.keys() - {"migrate", "web"}:
        assert SERVICES[name]["depends_on"] == {"web": {"condition": "service_healthy"}}, name


def test_memory_and_logs_are_limited() -> None:
    for name, service in SERVICES.items():
        assert service["mem_limit"], name
        assert service["logging"]["options"].keys() == {"max-size", "max-file"}, name


def test_images_of_others_are_exact() -> None:
    for name in SERVICES.keys() - OURS.keys():
        assert re.fullmatch(r"[\w./-]+:\d+(\.\d+)+", SERVICES[name]["image"]), name


def test_only_the_proxy_is_published_and_on_this_machine_alone() -> None:
    published = {name: service["ports"] for name, service in SERVICES.items() if "ports" in service}

    assert published == {"proxy": ["${ADDRESS:-127.0.0.1}:${PORT:-8000}:8080"]}


def test_nothing_runs_as_root() -> None:
    stages = re.split(r"^FROM ", (ROOT / "Dockerfile").read_text(), flags=re.MULTILINE)[1:]
    users = {}
    for stage in stages:
        base, name = stage.split()[0], stage.split()[2]
        users[name] = (re.findall(r"^USER (\w+)", stage, re.MULTILINE) or [users.get(base, "root")])[-1]

    assert {users[service["build"]["target"]] for service in OURS.values()} == {"translatio"}


def test_gpus_are_a_profile() -> None:
    with_profile = {name: service["profiles"] for name, service in SERVICES.items() if "profiles" in service}

    assert with_profile == {"worker-gpu": ["gpu"]}
    [device] = SERVICES["worker-gpu"]["deploy"]["resources"]["reservations"]["devices"]
    assert (device["driver"], device["capabilities"]) == ("nvidia", ["gpu"])
