"""Web servers that run no program: `python -m http.server` and nginx, with files in a folder of theirs."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx

from support.visitors import free_port

BELOW = "dice/games"  # where the files are, as the server sees it
NGINX = """\
{user}
pid {folder}/nginx.pid;
daemon off;
events {{ worker_connections 64; }}
http {{
    types {{
        text/html html;
        text/css css;
        text/javascript js;
        image/svg+xml svg;
        image/png png;
        application/manifest+json webmanifest;
    }}
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    server {{
        listen 127.0.0.1:{port};
        root {folder}/root;
    }}
}}
"""


def _python(folder: Path, port: int) -> list[str]:
    return [
        sys.executable,
        "-m",
        "http.server",
        str(port),
        "--bind",
        "127.0.0.1",
        "--directory",
        str(folder / "root"),
    ]


def _nginx(folder: Path, port: int) -> list[str]:
    user = "user root;" if os.geteuid() == 0 else ""  # the folders of tests are for their owner alone
    config = folder / "nginx.conf"
    config.write_text(NGINX.format(folder=folder, port=port, user=user))
    return ["nginx", "-e", "stderr", "-p", str(folder), "-c", str(config)]


SERVERS = {"python": _python, "nginx": _nginx}


@contextmanager
def served(kind: str, files: Path, folder: Path) -> Iterator[str]:
    """The address of the files while they are served."""
    place = folder / "root" / BELOW
    place.parent.mkdir(parents=True)
    place.symlink_to(files)
    port = free_port()
    with (folder / "printed.txt").open("wb") as output:
        process = subprocess.Popen(SERVERS[kind](folder, port), stdout=output, stderr=output)
    try:
        url = f"http://127.0.0.1:{port}/{BELOW}/"
        _wait(url)
        yield url
    finally:
        process.terminate()
        process.wait(30)


def _wait(url: str) -> None:
    deadline = time.monotonic() + 30
    while True:
        try:
            httpx.get(url, timeout=5).raise_for_status()
        except httpx.TransportError:
            assert time.monotonic() < deadline
            time.sleep(0.05)
        else:
            return
