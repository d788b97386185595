"""A table of four: what a move costs the server, and how many bytes it sends, pages and streams as in browsers.

Prints processor time of the server and traffic for each throw or pick. A page that is told only that something is
new, as before version 0.2, fetches its parts, as its script did.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from contextlib import closing, suppress
from dataclasses import dataclass, field
from pathlib import Path

CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
ACCEPT = "application/vnd.kasta.parts+json, text/vnd.kasta.parts"


@dataclass
class Phone:
    """One player's browser: a connection for requests, and one for the stream."""

    port: int
    cookie: str = ""
    bytes: int = 0
    fetched: int = 0
    page: str = ""
    tasks: set[asyncio.Task[None]] = field(default_factory=set)

    async def ask(self, method: str, path: str, body: str = "", accept: str = "text/html") -> tuple[str, str]:
        """The answer's head and body."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\norigin: http://127.0.0.1:{self.port}\r\n"
            f"cookie: {self.cookie}\r\naccept: {accept}\r\naccept-encoding: gzip\r\nx-kasta-page: {self.page}\r\n"
            f"content-type: application/x-www-form-urlencoded\r\ncontent-length: {len(body)}\r\n"
            f"connection: close\r\n\r\n{body}".encode()
        )
        data = await reader.read()
        writer.close()
        self.bytes += len(data)
        head, _, rest = data.partition(b"\r\n\r\n")
        if found := re.search(rb"set-cookie: ((?:__Host-)?kasta-[0-9a-f]{8}=[^;]+)", head, re.IGNORECASE):
            self.cookie = found[1].decode()
        if not re.match(rb"HTTP/1.1 (200|303)", head):
            raise RuntimeError(data[:500])
        return head.decode(), rest.decode("utf-8", "replace")

    async def follow(self, table: str) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        writer.write(
            f"GET {table}/stream?page={self.page} HTTP/1.1\r\nhost: 127.0.0.1:{self.port}\r\n"
            f"cookie: {self.cookie}\r\n\r\n".encode()
        )
        with closing(writer):
            while data := await reader.read(65_536):
                self.bytes += len(data)
                if b"event: news" in data and b'"parts"' not in data:  # an older server
                    self.fetched += 1
                    task = asyncio.create_task(self._fetch(table))
                    self.tasks.add(task)
                    task.add_done_callback(self.tasks.discard)

    async def _fetch(self, table: str) -> None:
        await self.ask("GET", f"{table}/parts", accept=ACCEPT)


async def play(port: int, games: int, turns: int) -> tuple[int, list[Phone]]:
    """So many games of Knister, of so many turns, at a table of four; how many moves there were."""
    moves, phones = 0, [Phone(port) for _ in range(4)]
    for _ in range(games):
        for phone in phones:
            await phone.ask("GET", "/")
        head, _ = await phones[0].ask("POST", "/new/knister", "name=P0&thrower=host")
        table = re.search(r"location: (/t/[\w-]+)", head, re.IGNORECASE)[1]  # type: ignore[index]
        for number, phone in enumerate(phones[1:], 1):
            await phone.ask("POST", f"{table}/sit", f"name=P{number}")
        streams = []
        for number, phone in enumerate(phones):
            phone.page = f"page{number}"
            await phone.ask("GET", table)
            streams.append(asyncio.create_task(phone.follow(table)))
        await asyncio.sleep(0.3)
        for turn, cell in enumerate(CELLS[:turns]):
            await phones[0].ask("POST", f"{table}/roll", f"turn={turn}", ACCEPT)
            await asyncio.sleep(0.02)
            for seat, phone in enumerate(phones):
                body = f"turn={turn + 1}&seat={seat}&step=0&do={cell}"
                await phone.ask("POST", f"{table}/play", body, ACCEPT)
                await asyncio.sleep(0.02)
            moves += 1 + len(phones)
        await asyncio.sleep(0.3)
        for stream in streams:
            stream.cancel()
    return moves, phones


def processor_seconds(process: subprocess.Popen[bytes]) -> float:
    fields = Path(f"/proc/{process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / 100


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=4)
    parser.add_argument("--quick", action="store_true", help="one short run, to see that it works")
    options = parser.parse_args()
    turns = 3 if options.quick else len(CELLS)
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    with tempfile.TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "kasta", "serve", "--port", str(port), "--store"]
        with subprocess.Popen([*command, f"sqlite:///{folder}/kasta.db"], stdout=subprocess.DEVNULL) as server:
            try:
                for _ in range(300):
                    with suppress(OSError):
                        urllib.request.urlopen(f"http://127.0.0.1:{port}/health").close()
                        break
                    time.sleep(0.1)
                asyncio.run(play(port, 1, turns))  # warm
                begun = processor_seconds(server)
                moves, phones = asyncio.run(play(port, 1 if options.quick else options.games, turns))
                used = processor_seconds(server) - begun
            finally:
                server.terminate()
    sent = sum(phone.bytes for phone in phones)
    print("| per move at a table of four | |\n| --- | --- |")
    print(f"| processor time of the server | {1e3 * used / moves:.2f} ms |")
    print(f"| sent to all four phones | {sent / moves / 1e3:.1f} KB |")
    print(f"| requests beside the move itself | {sum(phone.fetched for phone in phones) / moves:.2f} |")


if __name__ == "__main__":
    main()
