"""A real nginx or Caddy with the sample of deploy/ before a real `kasta serve`, all of it on loopback."""

from __future__ import annotations

import os
import re
import shutil
import socket
import ssl
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path

import httpx

from support.visitors import Server, free_port

DEPLOY = Path(__file__).parents[2] / "deploy"
NAME = "kasta.example.org"
MAKE_CERTIFICATE = (
    "openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 "
    "-subj /CN=localhost -addext subjectAltName=DNS:localhost -keyout key.pem -out certificate.pem"
)
NGINX = """\
{user}
pid {folder}/nginx.pid;
daemon off;
events {{ worker_connections 256; }}
http {{
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
    include {folder}/kasta.conf;
}}
"""
CADDY = """\
{{
    admin off
    default_bind 127.0.0.1
    http_port {proxy.plain}
    https_port {proxy.port}
    skip_install_trust
    storage file_system {folder}/caddy
}}
import {folder}/kasta.caddy
"""


class SocketServer(Server):
    """`kasta serve` at a Unix socket instead of a port."""

    @property
    def path(self) -> Path:
        return self.folder / "kasta.sock"

    def is_healthy(self) -> bool:
        with closing(socket.socket(socket.AF_UNIX)) as line:
            return line.connect_ex(str(self.path)) == 0


@dataclass(frozen=True)
class Proxy:
    """Where a proxy listens, with and without https, and the server behind it."""

    folder: Path
    port: int
    plain: int
    server: Server

    @property
    def url(self) -> str:
        return f"https://localhost:{self.port}"

    def upstream(self, scheme: str) -> str:
        """Where the proxy finds the server; proxies write sockets in ways of their own."""
        if isinstance(self.server, SocketServer):
            return f"{scheme}{self.server.path}"
        return f"127.0.0.1:{self.server.port}"

    @property
    def trust(self) -> ssl.SSLContext:
        """Believes our own certificate and no other."""
        return ssl.create_default_context(cafile=self.folder / "certificate.pem")


def nginx(proxy: Proxy) -> list[str]:
    """Its command, after its settings were written: the sample, with this machine's ports and names."""
    sample = replaced(
        re.sub(r".*listen \[::\].*\n", "", (DEPLOY / "nginx.conf").read_text("utf-8")),
        {
            "listen 80;": f"listen 127.0.0.1:{proxy.plain};",
            "listen 443": f"listen 127.0.0.1:{proxy.port}",
            "server 127.0.0.1:8000": f"server {proxy.upstream('unix:')}",
            f"/etc/letsencrypt/live/{NAME}/fullchain.pem": f"{proxy.folder}/certificate.pem",
            f"/etc/letsencrypt/live/{NAME}/privkey.pem": f"{proxy.folder}/key.pem",
            "/var/log/nginx/kasta.log": f"{proxy.folder}/kasta.log",
            f"server_name {NAME}": "server_name localhost",
        },
    )
    user = "user root;" if os.geteuid() == 0 else ""  # the folders of tests are for their owner alone
    (proxy.folder / "kasta.conf").write_text(sample)
    (proxy.folder / "nginx.conf").write_text(NGINX.format(folder=proxy.folder, user=user))
    return ["nginx", "-e", "stderr", "-p", str(proxy.folder), "-c", str(proxy.folder / "nginx.conf")]


def caddy(proxy: Proxy) -> list[str]:
    """Likewise. Certificates of strangers cannot be had here, so it is told of ours."""
    certificate = f"tls {proxy.folder}/certificate.pem {proxy.folder}/key.pem"
    sample = replaced(
        (DEPLOY / "Caddyfile").read_text("utf-8"),
        {
            ":127.0.0.1:8000}": f":{proxy.upstream('unix/')}}}",
            f"\n{NAME} {{": f"\nlocalhost {{\n\t{certificate}",
        },
    )
    (proxy.folder / "kasta.caddy").write_text(sample)
    (proxy.folder / "Caddyfile").write_text(CADDY.format(folder=proxy.folder, proxy=proxy))
    return ["caddy", "run", "--adapter", "caddyfile", "--config", str(proxy.folder / "Caddyfile")]


PROXIES: dict[str, Callable[[Proxy], list[str]]] = {"nginx": nginx, "caddy": caddy}


def replaced(text: str, changes: dict[str, str]) -> str:
    for old, new in changes.items():
        assert old in text, old
        text = text.replace(old, new)
    return text


@contextmanager
def behind(kind: str, folder: Path, *, by_socket: bool = False) -> Iterator[Proxy]:
    """A server and its proxy, both gone afterwards."""
    subprocess.run(MAKE_CERTIFICATE.split(), cwd=folder, capture_output=True, check=True)
    server = SocketServer(folder) if by_socket else Server(folder)
    proxy = Proxy(folder, free_port(), free_port(), server)
    way = ("--uds", str(folder / "kasta.sock")) if by_socket else ("--proxy", "127.0.0.1")
    server.options = ("--url", proxy.url, *way)
    server.start()
    command = PROXIES[kind](proxy)
    with (
        (folder / "proxy.txt").open("wb") as output,
        subprocess.Popen(command, stdout=output, stderr=output) as process,
    ):
        try:
            _wait(proxy, process)
            yield proxy
        finally:
            server.stop()
            process.terminate()
            process.wait(60)


def _wait(proxy: Proxy, process: subprocess.Popen[bytes]) -> None:
    deadline = time.monotonic() + 60
    while True:
        printed = (proxy.folder / "proxy.txt").read_text("utf-8", "replace")
        assert process.poll() is None, printed
        assert time.monotonic() < deadline, printed
        try:
            httpx.get(proxy.url, verify=proxy.trust)
        except httpx.TransportError:
            time.sleep(0.1)
        else:
            return


def missing(kind: str) -> str | None:
    """What keeps a proxy from being tried here."""
    return next(
        (f"{program} is not installed" for program in (kind, "openssl") if not shutil.which(program)), None
    )
