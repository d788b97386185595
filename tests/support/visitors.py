"""What the web tests share: a real `kasta serve`, phones that post as our pages do, and clients of the API."""

from __future__ import annotations

import itertools
import re
import signal
import socket
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import httpx

KASTA = Path(sys.executable).with_name("kasta")
_numbers = itertools.count(2)


def free_port() -> int:
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def own_address() -> str:
    """Another address of this machine's loopback for every visitor, so that limits by address count them apart."""
    number = next(_numbers)
    return f"127.{1 + number // 60_000}.{number // 250 % 250}.{1 + number % 250}"


@dataclass
class Server:
    """`kasta serve` as people start it. What it prints is kept."""

    folder: Path
    options: tuple[str, ...] = ()
    port: int = field(default_factory=free_port)
    process: subprocess.Popen[bytes] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def database(self) -> Path:
        return self.folder / "kasta.db"

    def start(self) -> None:
        command: list[str | Path] = [
            KASTA,
            "serve",
            "--port",
            str(self.port),
            "--store",
            f"sqlite:///{self.database}",
        ]
        with self._output.open("ab") as output:
            self.process = subprocess.Popen([*command, *self.options], stdout=output, stderr=output)
        deadline = time.monotonic() + 90
        while not self.is_healthy():
            assert time.monotonic() < deadline, self.printed()
            time.sleep(0.1)

    def stop(self) -> None:
        """Ask it to end, and wait until it has."""
        assert self.process
        self.process.send_signal(signal.SIGTERM)
        self.process.wait(60)

    def is_healthy(self) -> bool:
        try:
            return httpx.get(f"{self.url}/health", timeout=5).status_code == 200
        except httpx.TransportError:
            return False

    def streams(self) -> int:
        return int(httpx.get(f"{self.url}/health").json()["streams"])

    def printed(self) -> str:
        return self._output.read_text("utf-8", "replace")

    def stored(self, query: str) -> list[Any]:
        with closing(sqlite3.connect(f"file:{self.database}?mode=ro", uri=True)) as store:
            return [row[0] for row in store.execute(query)]

    def raw(self, data: bytes, seconds: float = 5) -> bytes:
        """What the server answers to bytes as they are."""
        with closing(socket.create_connection(("127.0.0.1", self.port), timeout=seconds)) as line:
            with suppress(ConnectionError):  # it hangs up while we are still sending
                line.sendall(data)
            return read_all(line)

    @property
    def _output(self) -> Path:
        return self.folder / "printed.txt"


@contextmanager
def faultless(folder: Path) -> Iterator[Server]:
    """A server that must never have a fault, and be well at the end, whatever was done to it."""
    server = Server(folder)
    server.start()
    yield server
    assert server.is_healthy()
    server.stop()
    assert "fault" not in server.printed()
    assert "Traceback" not in server.printed()


def read_all(line: socket.socket) -> bytes:
    found = b""
    try:
        while part := line.recv(65_536):
            found += part
    except (TimeoutError, ConnectionError):
        pass
    return found


class Place(Protocol):
    """Where a server is reached: at its own port, or through a proxy."""

    @property
    def url(self) -> str: ...


class Visitor:
    """Somebody at an address of their own. Everything that was answered is kept."""

    def __init__(self, server: Place, headers: dict[str, str]) -> None:
        transport = httpx.HTTPTransport(verify=False, local_address=own_address())
        self.heard: list[httpx.Response] = []
        self.http = httpx.Client(
            base_url=server.url,
            headers={"accept-language": "en", **headers},
            transport=transport,
            timeout=30,
            event_hooks={"response": [self.heard.append]},
        )

    def close(self) -> None:
        self.http.close()

    def get(self, path: str, **options: Any) -> httpx.Response:  # noqa: ANN401
        return self.http.get(path, **options)


class Phone(Visitor):
    """A browser without its screen: it keeps its cookie, and posts as our own pages do."""

    def __init__(self, server: Place) -> None:
        super().__init__(server, {"origin": server.url})
        self.get("/")

    @property
    def cookie(self) -> tuple[str, str]:
        return next((name, value) for name, value in self.http.cookies.items() if value and "." in value)

    @property
    def token(self) -> str:
        return self.cookie[1]

    @property
    def device(self) -> str:
        return self.token.partition(".")[0]

    def post(self, path: str, **fields: Any) -> httpx.Response:  # noqa: ANN401
        return self.http.post(path, data=fields)

    def open(self, *names: str, game: str = "knister", **fields: Any) -> str:  # noqa: ANN401
        answer = self.post(f"/new/{game}", name=list(names), **fields)
        assert answer.status_code == 303, answer.text
        return str(answer.headers["location"]).removeprefix("/t/")

    def sit(self, table: str, name: str) -> None:
        assert self.post(f"/t/{table}/sit", name=name).status_code == 303

    def roll(self, table: str, turn: int = 0, **fields: Any) -> None:  # noqa: ANN401
        assert self.post(f"/t/{table}/roll", turn=turn, **fields).status_code == 303

    def state(self, table: str) -> dict[str, Any]:
        return dict(self.get(f"/api/tables/{table}").json())

    def seat_link(self, table: str, seat: int = 0) -> str:
        """The secret in the link that moves one of one's own seats."""
        found = re.search(rf"/seat#({seat}\.[^\"]+)\"", self.post(f"/t/{table}/seat-link", seat=seat).text)
        assert found
        return found[1]


class Program(Visitor):
    """A client of the API. Without a token it is a stranger."""

    def __init__(self, server: Server, token: str | None = None) -> None:
        super().__init__(server, {"authorization": f"Bearer {token}"} if token else {})

    def hold(self, token: str) -> None:
        self.http.headers["authorization"] = f"Bearer {token}"

    def post(self, path: str, body: Any = None, **headers: str) -> httpx.Response:  # noqa: ANN401
        return self.http.post(f"/api{path}", json={} if body is None else body, headers=headers)

    def open(self, game: str = "knister", **fields: Any) -> str:  # noqa: ANN401
        answer = self.post("/tables", {"game": game, **fields})
        assert answer.status_code == 201, answer.text
        self.hold(answer.json()["token"])
        return str(answer.json()["table"])

    def sit(self, table: str, name: str) -> int:
        answer = self.post(f"/tables/{table}/seats", {"name": name})
        assert answer.status_code == 201, answer.text
        self.hold(answer.json()["token"])
        return int(answer.json()["seat"])

    def state(self, table: str) -> dict[str, Any]:
        return dict(self.get(f"/api/tables/{table}").json())


async def device_of(client: httpx.AsyncClient) -> str:
    """The device that a browser is, once it has a cookie."""
    await client.get("/")
    return next(value.partition(".")[0] for value in client.cookies.values() if "." in value)
