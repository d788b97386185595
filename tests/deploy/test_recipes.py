"""What can be checked of containers, units and workflows without running them."""

from __future__ import annotations

import re
import shlex
from itertools import pairwise
from pathlib import Path
from typing import Any

import httpx
import pytest
import yaml  # type: ignore[import-untyped]
from typer.main import get_command

from kasta.app import create_app
from kasta.cli import app
from kasta.db.sqlite.memory import MemoryLog

ROOT = Path(__file__).parents[2]
DEPLOY = ROOT / "deploy"
CONTAINERFILE = (DEPLOY / "Containerfile").read_text("utf-8")
COMPOSE: dict[str, Any] = yaml.safe_load((DEPLOY / "compose.yaml").read_text("utf-8"))
WORKFLOWS = sorted((ROOT / ".github/workflows").glob("*.yml"))


def commands() -> dict[str, list[str]]:
    """Every command line of `kasta` in deploy/."""
    found = {"compose": list(COMPOSE["services"]["kasta"]["command"])}
    (command,) = re.findall(r"^CMD \[(.*)\]$", CONTAINERFILE, re.MULTILINE)
    found["Containerfile"] = yaml.safe_load(f"[{command}]")
    for file in DEPLOY.iterdir():
        for pattern in (r"^ExecStart=\S+/kasta (.*)$", r"^#   kasta (.*)$"):
            for line in re.findall(pattern, file.read_text("utf-8"), re.MULTILINE):
                found[file.name] = shlex.split(line)
    return found


@pytest.mark.parametrize("name", commands())
def test_every_command_has_only_options_that_there_are(name: str):
    command: Any = get_command(app)
    args = commands()[name]
    while hasattr(command, "commands"):
        command = command.commands[args.pop(0)]
    command.make_context("kasta", args)


def test_the_commands_of_all_recipes_are_found():
    assert commands().keys() >= {"compose", "Containerfile", "kasta.service", "kasta-backup.service", "nginx.conf"}


def test_the_container_is_built_with_hashes_and_runs_as_nobody_in_particular():
    assert re.search(r"pip install .*--require-hashes -r requirements/run.txt", CONTAINERFILE)
    (user,) = re.findall(r"^USER (\d+)$", CONTAINERFILE, re.MULTILINE)
    assert int(user) > 0


async def test_the_container_asks_for_its_health_where_the_server_tells_it():
    (path,) = re.findall(r"http://127.0.0.1:8000(/\w+)", CONTAINERFILE)
    async with MemoryLog() as log:
        transport = httpx.ASGITransport(await create_app(log))
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            assert (await client.get(path)).status_code == 200


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_containers_gain_no_rights(name: str):
    service = COMPOSE["services"][name]
    assert "no-new-privileges:true" in service["security_opt"]
    if name != "db":  # its image begins as root, to give the files to its user
        assert service["read_only"] is True
        assert service["cap_drop"] == ["ALL"]
    assert name == "caddy" or "ports" not in service, "the rest is reached through the proxy alone"


def test_the_proxy_that_is_believed_is_the_one_that_is_there():
    caddy = COMPOSE["services"]["caddy"]["networks"]["inside"]["ipv4_address"]
    assert f"--proxy={caddy}" in COMPOSE["services"]["kasta"]["command"]


def test_no_password_stands_in_a_recipe():
    values = [service.get("environment", {}) for service in COMPOSE["services"].values()]
    passwords = [value for each in values for key, value in each.items() if "PASSWORD" in key]
    assert len(passwords) == 2
    assert all(value.startswith("${DB_PASSWORD:?") for value in passwords)


def test_every_python_that_we_claim_is_tried_and_no_other():
    claimed = re.findall(r"Python :: (3\.\d+)", (ROOT / "pyproject.toml").read_text("utf-8"))
    told = yaml.safe_load((ROOT / ".github/workflows/test.yml").read_text("utf-8"))
    assert told["jobs"]["test"]["strategy"]["matrix"] == {"python": claimed}


@pytest.mark.parametrize("workflow", WORKFLOWS, ids=lambda path: path.name)
def test_workflows_may_only_read_and_run_only_what_is_pinned(workflow: Path):
    told = yaml.safe_load(workflow.read_text("utf-8"))
    assert told["permissions"] == {"contents": "read"}
    for job in told["jobs"].values():
        if "permissions" in job:  # it publishes what another job has made, and does nothing else
            assert job["permissions"] == {"pages": "write", "id-token": "write"}
            assert [step["uses"].partition("@")[0] for step in job["steps"]] == ["actions/deploy-pages"]
            assert job["if"] == "github.ref == 'refs/heads/main'"
    steps = [step for job in told["jobs"].values() for step in job["steps"]]
    uses = [step for step in steps if "uses" in step]
    assert uses
    for step in uses:
        assert re.fullmatch(r"[\w./-]+@[0-9a-f]{40}", step["uses"])
        if step["uses"].startswith("actions/checkout@"):
            assert step["with"]["persist-credentials"] is False


def test_a_backup_that_a_shell_writes_is_for_its_owner_only():
    for page in (ROOT / "docs").glob("*.md"):
        lines = page.read_text("utf-8").splitlines()
        for before, line in pairwise(lines):
            assert not re.search(r"store backup - .*>", line) or before.strip() == "umask 077", page
