"""Settings: by options, environment and file, and what is said where one is wrong."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from kasta.cli.serve import in_force
from kasta.cli.serve.settings import TYPES, configured
from kasta.edge.config import Config
from kasta.errors import Unreadable
from support.forked import kasta


@pytest.fixture(autouse=True)
def _nothing_set(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    for key in ("CONFIG", *TYPES):
        monkeypatch.delenv(f"KASTA_{key.upper()}", raising=False)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "usual"))


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "kasta.toml"


def test_an_option_goes_before_the_environment_that_before_the_file_and_that_before_the_default(
    file: Path, monkeypatch: pytest.MonkeyPatch
):
    assert configured() == Config()
    file.write_text("port = 1\nworkers = 2\nhost = '::1'\nlan = true\n")
    monkeypatch.setenv("KASTA_PORT", "3")
    monkeypatch.setenv("KASTA_WORKERS", "4")
    assert configured(str(file), port=5, store=None) == Config(port=5, workers=4, host="::1", lan=True)


def test_a_file_is_named_by_an_option_or_a_variable_or_lies_in_the_usual_place(
    file: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    usual, named = tmp_path / "usual/kasta/kasta.toml", tmp_path / "named.toml"
    usual.parent.mkdir(parents=True)
    for number, path in enumerate((usual, named, file), 1):
        path.write_text(f"port = {number}")
    assert configured().port == 1
    monkeypatch.setenv("KASTA_CONFIG", str(named))
    assert configured().port == 2
    assert configured(str(file)).port == 3


@pytest.mark.parametrize(
    ("name", "text", "value"),
    [
        ("LAN", "true", True),
        ("LAN", "0", False),
        ("ALLOW", "a.example, b.example", ("a.example", "b.example")),
        ("PROXY", "10.0.0.0/8", ("10.0.0.0/8",)),
        ("LOG_FORMAT", "json", "json"),
        ("URL", "https://kasta.example.org/", "https://kasta.example.org"),
        ("PORT", "", 8000),
    ],
)
def test_a_variable_is_read_as_what_it_means_and_an_empty_one_is_none(
    name: str, text: str, value: object, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setenv(f"KASTA_{name}", text)
    assert getattr(configured(), name.lower()) == value


@pytest.mark.parametrize(
    ("text", "code", "where"),
    [
        ("prot = 1", "unknown_setting", "prot in "),
        ("[port]\nnumber = 1", "bad_setting", "port in "),
        ("port = '1'", "bad_setting", "port in "),
        ("port = 65536", "bad_setting", "port in "),
        ("workers = 0", "bad_setting", "workers in "),
        ("proxy = ['nginx']", "bad_setting", "proxy in "),
        ("proxy = '10.0.0.1'", "bad_setting", "proxy in "),
        ("url = 'kasta.example.org'", "bad_setting", "url in "),
        ("url = 'https://example.org/kasta'", "bad_setting", "url in "),
        ("metrics_token = 'short'", "bad_setting", "metrics_token in "),
        ("retention_days = 0", "bad_setting", "retention_days in "),
        ("port = ", "not_toml", ""),
        ("# \xff", "not_toml", ""),
    ],
)
def test_what_is_wrong_in_a_file_is_named_with_the_file(text: str, code: str, where: str, file: Path):
    file.write_bytes(text.encode("latin-1"))
    with pytest.raises(Unreadable) as caught:
        configured(str(file))
    assert caught.value.code == code
    assert f"{where}{file}" in str(caught.value)


def test_a_variable_that_is_none_of_ours_is_refused_and_the_nearest_is_named(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KASTA_TEST_POSTGRES", "is for the tests")
    configured()
    monkeypatch.setenv("KASTA_RETENTION", "30")
    with pytest.raises(
        Unreadable, match=r"^KASTA_RETENTION is not a setting: did you mean KASTA_RETENTION_DAYS\?$"
    ):
        configured()


def test_a_wrong_value_is_told_with_what_is_meant_and_without_the_value(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("KASTA_METRICS_TOKEN", "secret")
    with pytest.raises(Unreadable) as caught:
        configured()
    assert str(caught.value).startswith(
        "KASTA_METRICS_TOKEN cannot be used: Expected `str` of length >= 16. It is "
    )
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize(
    ("args", "said"),
    [
        (["serve", "--port", "99999"], b"--port cannot be used: Expected `int` <= 65535."),
        (["serve", "--log-level", "loud"], b"`debug` (a line for each request), `info`, `warning` or `error`"),
        (["serve", "--config", "missing.toml"], b"missing.toml: No such file or directory."),
        (["serve", "--uds", "missing/kasta.sock"], b"The socket missing/kasta.sock cannot be used: No such file"),
        (["serve", "--host", "203.0.113.1", "--store", "memory:"], b"Port 8000 cannot be used: "),
    ],
)
def test_a_server_that_cannot_be_says_why_in_one_line(args: list[str], said: bytes):
    done = kasta(*args)
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (1, b"", 1)
    assert said in done.stderr


def test_the_commands_for_a_store_take_the_same_one_as_the_server(file: Path):
    file.write_text("store = 'nowhere:'")
    assert b"unknown_store" in kasta("store", "check", environment={"KASTA_CONFIG": str(file)}).stderr


@pytest.mark.parametrize(
    ("settings", "said", "unsaid"),
    [
        (
            {"store": "postgresql://kasta:secret@db.example/kasta?x=secret"},
            "postgresql://db.example/kasta;",
            "secret",
        ),
        ({"store": "memory:"}, "store memory;", "://"),
        ({"store": "sqlite:////var/lib/kasta.sqlite"}, "sqlite:////var/lib/kasta.sqlite;", "on;"),
        ({"url": "https://kasta.example"}, "; https;", "no https"),
        ({"metrics_token": "0123456789abcdef"}, "metrics on;", "0123"),
        (
            {"retention_days": 7, "workers": 3, "proxy": ("10.0.0.1",), "store": "memory:"},
            "workers 3; tables kept 7 days; ",
            "none",
        ),
    ],
)
def test_what_is_in_force_is_said_without_secrets(settings: dict[str, Any], said: str, unsaid: str):
    line = in_force(Config(**settings), "127.0.0.1:8000")
    assert said in line
    assert unsaid not in line
