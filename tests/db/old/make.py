"""Makes the stores of the newest schema that test_old_stores.py and test_old_rows.py keep.

Run it once, when a schema has changed and before that version is released; see CONTRIBUTING.md. It writes four
files and their checksums. A file that is there is never written again.
"""

from __future__ import annotations

import asyncio
import gzip
import random
import re
import secrets
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from db.test_old_rows import KEPT
from db.test_old_stores import CODES, OLD
from features.notices.test_pages import subscription
from kasta.db import open_log
from kasta.db.schema import steps
from kasta.dice import day_of, new_secret
from kasta.tables.commands import Sit
from kasta.tables.events import Settings
from kasta.tables.log import SIGNING
from support.fixtures.stores import database
from support.pinned import pinned
from support.play import random_record
from support.sites import served_site
from support.stores.finishing import play_turns
from support.stores.pg_server import Server as Postgres
from support.visitors import Phone, Server

SEATS = {"anna": "Anna", "tim": "Tim", "linus": "Linus"}
TURNS = 8
PATIENCE = 300.0  # seconds, for a review or a bot's game on a busy machine
DROPPED = re.compile(r"--|\\|SET (?!check_function_bodies)|SELECT pg_catalog\.set_config|$")


# ---- three tables in the middle of a game


async def in_the_middle(url: str) -> None:
    async with await open_log(url) as log, served_site(log) as site:
        await log.key(SIGNING, new_secret())
        for code, game in CODES.items():
            table = await site.service.open("host", game, settings=Settings(listed=game == "knister"))
            for device, name in SEATS.items():
                table = await site.service.do(table.id, Sit(device, name))
            await play_turns(site.service, table, TURNS)
            await log.claim_code(table.id, code)


# ---- rows of every feature, through the pages of a running server


async def with_rows(url: str) -> None:
    await asyncio.to_thread(_with_rows, url)


def _with_rows(url: str) -> None:
    with tempfile.TemporaryDirectory() as folder:
        server = Server(Path(folder), ("--store", url))
        server.start()
        anna, tim = Phone(server), Phone(server)
        for part in (games, days, puzzles, circle, challenge, pocket, notices):
            part(anna, tim)
        anna.close()
        tim.close()
        server.stop()


def games(anna: Phone, tim: Phone) -> None:
    """Knister for two, Yatzy alone with its review, and a token."""
    table = anna.open("Anna", game="knister")
    tim.sit(table, "Tim")
    play_out(table, anna, tim)
    alone = anna.open("Anna", game="yatzy")
    play_out(alone, anna)
    until(lambda: anna.get(f"/api/tables/{alone}/review").status_code == 200)
    assert anna.post("/tokens", name="Rosie").status_code == 200


def days(anna: Phone, tim: Phone) -> None:
    for phone in (anna, tim):
        table = place(phone.post(f"/day/knister/{day_of(time.time())}"))
        play_out(table, phone)


def puzzles(anna: Phone, _tim: Phone) -> None:
    assert anna.post("/puzzle/yatzy/1", do="fill three_of_a_kind").status_code == 303


def circle(anna: Phone, tim: Phone) -> None:
    """Two members, and a game that is counted."""
    made = place(anna.post("/circles", circle="Kitchen table", name="Anna", mark=0))
    link = str(anna.get(f"/api/circles/{made}").json()["link"])
    assert tim.post(urlsplit(link).path, name="Tim", mark=1).status_code == 303
    table = place(anna.post(f"/circle/{made}/play", game="yatzy15/sheet"))
    place(tim.post(f"/circle/{made}/sit", table=table))
    play_out(table, anna, tim)
    until(lambda: len(anna.get(f"/api/circles/{made}/games").json()["played"]) == 2)


def challenge(anna: Phone, _tim: Phone) -> None:
    """One finished try, and what a bot made of the same throws."""
    made = place(anna.post("/challenge", game="knister", name="Anna", games=1, days=3))
    play_out(place(anna.post(f"/challenge/{made}", name="Anna", leg=1)), anna)

    def leg() -> dict[str, Any]:
        anna.get(f"/challenge/{made}")
        return dict(anna.get(f"/api/challenges/{made}").json()["legs"][0])

    until(lambda: leg()["total"] is not None and leg()["best"] is not None)


def pocket(anna: Phone, _tim: Phone) -> None:
    record = "\n".join(random_record("knister", "sheet", 1, 1))
    game = {"id": secrets.token_urlsafe(20), "record": record, "finished": time.time() - 60}
    assert anna.http.post("/api/pocket/games", json=game).status_code == 201


def notices(anna: Phone, _tim: Phone) -> None:
    """Without the daily notice: whoever opens the store later would send it."""
    assert anna.post("/notices", **subscription(kind=["turn", "invited"])).status_code == 303


def play_out(table: str, *phones: Phone) -> None:
    rng = random.Random(5)
    while True:
        for phone in phones:
            state = phone.state(table)
            mine = next(seat for seat in state["seats"] if seat["mine"])
            if state["next"] == "over":
                return
            if state["next"] == "throw" and state["roller"] in {None, mine["seat"]}:
                phone.post(f"/t/{table}/roll", turn=state["turn"])
            elif mine["due"]:
                fills = [each for each in mine["legal"] if each.startswith("fill")]
                do = rng.choice(fills or mine["legal"])
                phone.post(f"/t/{table}/play", turn=state["turn"], seat=mine["seat"], step=mine["step"], do=do)


def place(answer: Any) -> str:  # noqa: ANN401 - of httpx
    """The last part of where an answer leads."""
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).rpartition("/")[2]


def until(is_done: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not is_done():
        assert time.monotonic() < deadline
        time.sleep(0.5)


# ---- as files


async def sqlite(folder: Path, fill: Callable[[str], Any]) -> bytes:
    path = folder / f"{fill.__name__}.db"
    await fill(f"sqlite:///{path}")
    assert not path.with_name(f"{path.name}-wal").exists(), "it was not closed"
    return path.read_bytes()


async def postgres(server: Postgres, fill: Callable[[str], Any]) -> bytes:
    """As SQL that asyncpg runs at once: nothing is set in its connection, and nothing is meant for psql."""
    async with database(server.url) as url:
        await fill(url)
        lines = server.dump(url).splitlines(keepends=True)
    return "".join(line for line in lines if not DROPPED.match(line)).encode()


async def made() -> dict[Path, bytes]:
    number = {kind: max(version for version, _ in steps(kind, 0)) for kind in ("sqlite", "postgres")}
    server = Postgres()
    try:
        with tempfile.TemporaryDirectory() as folder:
            return {
                OLD / f"sqlite-{number['sqlite']}.db": await sqlite(Path(folder), in_the_middle),
                OLD / f"postgres-{number['postgres']}.sql": await postgres(server, in_the_middle),
                KEPT / f"sqlite-{number['sqlite']}.db.gz": packed(await sqlite(Path(folder), with_rows)),
                KEPT / f"postgres-{number['postgres']}.sql.gz": packed(await postgres(server, with_rows)),
            }
    finally:
        server.remove()


def packed(content: bytes) -> bytes:
    return gzip.compress(content, mtime=0)


def stores(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.iterdir()) if "-" in path.name)


def main() -> None:
    for folder in (OLD, KEPT):
        assert pinned(stores(folder)) == (folder / "SHA256SUMS").read_text(), "a store was changed"
    for path, content in asyncio.run(made()).items():
        with path.open("xb") as file:
            file.write(content)
        (path.parent / "SHA256SUMS").write_text(pinned(stores(path.parent)))
        print(path.name, len(content))


if __name__ == "__main__":
    main()
