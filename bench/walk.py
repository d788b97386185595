"""The walk of one pick: through how many files and calls it goes, and how often from one folder to another.

Plays Knister alone at a table in an SQLite file, by the forms that a browser posts, with the page's stream open.
Counts what runs of Kasta from the request until the page is told, in the thread that writes, too; a step of a
coroutine or generator that goes on counts as a call. The interpreter says which tree is walked through, also an
older one: `../other/.venv/bin/python bench/walk.py`.
"""

from __future__ import annotations

import asyncio
import json
import os
import statistics
import sys
import tempfile
import threading
from collections import Counter
from contextlib import suppress
from itertools import chain
from operator import ne
from pathlib import Path
from types import FrameType
from typing import Any

import kasta

try:
    from kasta.app import create_app
    from kasta.db import open_log
except ImportError:  # as it was called up to version 0.2
    from kasta.store import open_log  # type: ignore[import-not-found,no-redef]
    from kasta.web.app import create_app  # type: ignore[import-not-found,no-redef]

SOURCE = f"{Path(kasta.__file__).parent}{os.sep}"
CELLS = [f"{column}{row}" for row in range(1, 6) for column in "abcde"]
FORM = [
    (b"content-type", b"application/x-www-form-urlencoded"),
    (b"accept", b"application/vnd.kasta.parts+json"),
    (b"x-kasta-page", b"walk"),
]
JSON = [(b"content-type", b"application/json")]

Headers = list[tuple[bytes, bytes]]


class Walk:
    """The files of the functions that were called since it was begun, in their order."""

    def __init__(self) -> None:
        self.files: list[str] | None = None
        threading.setprofile(self._note)  # those that begin from now on
        sys.setprofile(self._note)

    def _note(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call" and self.files is not None:
            file = frame.f_code.co_filename
            if file.startswith(SOURCE):
                self.files.append(file.removeprefix(SOURCE))


def figures(files: list[str]) -> tuple[int, int, int]:
    """Files, calls and changes of folder."""
    folders = [file.rpartition(os.sep)[0] for file in files]
    return len(set(files)), len(files), sum(map(ne, folders, folders[1:]))


class Browser:
    """Asks the app without a server: only what Kasta does itself is counted."""

    def __init__(self, app: Any) -> None:  # noqa: ANN401 - an ASGI app
        self._app, self._key = app, b""

    async def ask(self, method: str, path: str, body: bytes = b"", headers: Headers = FORM) -> bytes:
        answer, left = bytearray(), [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> dict[str, Any]:
            return left.pop() if left else await asyncio.Future()

        async def send(message: Any) -> None:  # noqa: ANN401 - an ASGI message
            if message.get("status", 200) >= 300:
                raise RuntimeError(message)
            answer.extend(message.get("body", b""))

        await self._app(self._scope(method, path, body, headers), receive, send)
        return bytes(answer)

    async def call(self, path: str, wish: dict[str, Any]) -> Any:  # noqa: ANN401 - JSON
        answer = json.loads(await self.ask("POST", f"/api/tables{path}", json.dumps(wish).encode(), JSON))
        self._key = answer.get("token", "").encode() or self._key
        return answer

    def _scope(self, method: str, path: str, body: bytes, headers: Headers) -> dict[str, Any]:
        path, _, query = path.partition("?")
        known = [(b"authorization", b"Bearer " + self._key)] if self._key else []
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(b"host", b"localhost"), (b"content-length", b"%d" % len(body)), *known, *headers],
            "client": ("127.0.0.1", 1),
            "server": ("127.0.0.1", 80),
        }


async def play(browser: Browser, walk: Walk) -> list[list[str]]:
    """One game: the files of each pick."""
    table, walks = (await browser.call("", {"game": "knister"}))["table"], []
    await browser.call(f"/{table}/seats", {"name": "Anna"})
    stream = asyncio.create_task(browser.ask("GET", f"/t/{table}/stream?page=walk"))
    await asyncio.sleep(0.1)
    for turn, cell in enumerate(CELLS):
        await browser.ask("POST", f"/t/{table}/roll", b"turn=%d" % turn)
        await asyncio.sleep(0.02)
        walk.files = []
        await browser.ask("POST", f"/t/{table}/play", f"turn={turn + 1}&seat=0&step=0&do={cell}".encode())
        await asyncio.sleep(0.02)  # for what is done after the answer
        walks.append(walk.files)
        walk.files = None
    stream.cancel()
    with suppress(asyncio.CancelledError):
        await stream
    return walks


async def main() -> None:
    walk = Walk()
    with tempfile.TemporaryDirectory() as folder:
        async with await open_log(f"sqlite:///{folder}/kasta.db") as log:
            browser = Browser(await create_app(log))
            await play(browser, walk)  # so that all is loaded
            walks = (await play(browser, walk))[:-1]  # the last pick ends the game
    sys.setprofile(None)
    files, calls, changes = (statistics.median(each) for each in zip(*map(figures, walks), strict=True))
    print("| one pick | median |\n| --- | --- |")
    print(f"| files | {files:.0f} |\n| calls | {calls:,.0f} |\n| changes of folder | {changes:.0f} |")
    print("\n| file | calls |\n| --- | --- |")
    for file, count in Counter(chain.from_iterable(walks)).most_common(20):
        print(f"| {file} | {count / len(walks):.1f} |")


if __name__ == "__main__":
    asyncio.run(main())
