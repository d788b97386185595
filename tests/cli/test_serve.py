"""Starting the web app: where it listens, and what it warns of."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from kasta.cli.serve import IN_THE_OPEN, allow_files, warn
from kasta.cli.serve.listen import opened
from kasta.edge.config import Config
from kasta.errors import Unavailable
from support.forked import kasta

KASTA = Path(sys.executable).parent / "kasta"


def serve(port: int) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [KASTA, "serve", "--port", str(port), "--store", "memory:"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


@pytest.mark.parametrize(
    ("option", "value", "code"),
    [
        ("--host", "\xf6..x", "no_such_host"),
        ("--host", "x" * 70, "no_such_host"),
        ("--store", "postgresql://[x", "unknown_store"),
        ("--store", "postgresql://u@h:port/x", "unknown_store"),
    ],
)
def test_what_can_be_no_address_is_told_in_one_line(option: str, value: str, code: str):
    done = kasta("serve", "--port", "0", "--store", "memory:", option, value)
    assert done.returncode == 1
    assert done.stderr.count(b"\n") == 1
    assert code in done.stderr.decode()


def test_a_taken_port_is_told_in_one_line_and_no_address_is_given():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve(port)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"Port {port} cannot be used: Address already in use. (unavailable: port_taken)\n"


def test_a_socket_that_was_left_behind_is_replaced_and_goes_with_the_server(tmp_path: Path):
    path = tmp_path / "kasta.sock"
    with closing(socket.socket(socket.AF_UNIX)) as crashed:
        crashed.bind(str(path))
    with opened(Config(uds=str(path))), closing(socket.socket(socket.AF_UNIX)) as visitor:
        visitor.connect(str(path))
    assert not path.exists()


def test_a_file_that_is_no_socket_is_left_alone(tmp_path: Path):
    path = tmp_path / "kasta.sock"
    path.write_text("mine")
    with pytest.raises(Unavailable, match="Address already in use"), opened(Config(uds=str(path))):
        pass
    assert path.read_text() == "mine"


def test_an_ipv6_address_can_be_listened_on():
    with opened(Config(host="::1", port=0)) as listener:
        assert listener.getsockname()[0] == "::1"


@pytest.mark.parametrize(
    ("settings", "is_open"),
    [
        ({}, False),
        ({"host": "localhost"}, False),
        ({"host": "::1"}, False),
        ({"lan": True}, True),
        ({"host": "::"}, True),
        ({"host": "192.0.2.7"}, True),
        ({"host": "kasta.example"}, True),
        ({"lan": True, "uds": "kasta.sock"}, False),
    ],
)
def test_what_is_open_to_others_without_https_is_warned_of(
    caplog: pytest.LogCaptureFixture, *, settings: dict[str, Any], is_open: bool
):
    warn(Config(**settings))
    assert (IN_THE_OPEN in caplog.messages) is is_open
    caplog.clear()
    warn(Config(url="https://kasta.example", **settings))
    assert IN_THE_OPEN not in caplog.messages


def test_a_server_may_open_as_many_files_as_the_system_allows():
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 512), most))
        allow_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
