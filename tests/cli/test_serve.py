"""Starting the web app: a port that somebody else has."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

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
