"""Starting the web app: a port that somebody else has, and how many may come."""

from __future__ import annotations

import resource
import socket
import subprocess
import sys
from pathlib import Path

from kasta.cli.serve import allow_files

KASTA = Path(sys.executable).parent / "kasta"


def serve(port: int) -> subprocess.CompletedProcess[str]:
    command: list[str | Path] = [KASTA, "serve", "--port", str(port), "--store", "memory:"]
    return subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)


def test_a_taken_port_is_told_in_one_line_and_no_address_is_given():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = serve(port)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr == f"Port {port} cannot be used: Address already in use. (unavailable: port_taken)\n"


def test_a_port_that_cannot_be_is_told_in_one_line():
    done = serve(70_000)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (1, "", 1)
    assert "port_taken" in done.stderr


def test_a_server_may_open_as_many_files_as_the_system_allows():
    few, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (min(most, 512), most))
        allow_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (most, most)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (few, most))
