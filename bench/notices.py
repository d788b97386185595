"""What a pick takes while a thousand notices are sent, beside picks while none are: blocks in turn.

The push service is a process of its own on loopback, without TLS. Each notice is looked up, noted, encrypted,
signed and posted, as to any service. A pick is decided and durable in an SQLite file.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median, quantiles

from cryptography.hazmat.primitives.asymmetric import ec

from kasta.app import OURS
from kasta.db import open_log
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.feature import Site
from kasta.features.notices.encryption import point, unpadded
from kasta.features.notices.sender import Sender
from kasta.features.notices.store import Subscription, Subscriptions
from kasta.live.notices import Notice
from kasta.tables.commands import Play, Roll, Sit

SERVICE = """
import asyncio
async def answer(reader, writer):
    head = await reader.readuntil(b"\\r\\n\\r\\n")
    await reader.readexactly(int(head.lower().split(b"content-length: ")[1].split(b"\\r")[0]))
    writer.write(b"HTTP/1.1 201 Created\\r\\ncontent-length: 0\\r\\n\\r\\n")
    await writer.drain()
    writer.close()
async def main():
    server = await asyncio.start_server(answer, "127.0.0.1", 0, backlog=1000)
    print(server.sockets[0].getsockname()[1], flush=True)
    await server.serve_forever()
asyncio.run(main())
"""
NOON = 1_779_969_600.0  # in UTC: at night nothing would be sent


async def picks(site: Site, games: int) -> list[float]:
    """Seconds of each pick in so many games."""
    found = []
    for _ in range(games):
        table = (await site.service.open("host", "knister")).id
        await site.service.do(table, Sit("host", "Anna", entropy=""))
        for turn, cell in enumerate(f"{column}{row}" for row in "12345" for column in "abcde"):
            await site.service.do(table, Roll("host", turn))
            began = time.perf_counter()
            await site.service.do(table, Play("host", turn + 1, 0, 0, cell))
            found.append(time.perf_counter() - began)
    return found


async def subscribe(store: Subscriptions, origin: str, number: int) -> None:
    public = unpadded(point(ec.generate_private_key(ec.SECP256R1()).public_key()))
    secret = base64.urlsafe_b64encode(bytes(16)).decode().rstrip("=")
    for device in range(number):
        wish = f"{origin}/{device}", public, secret, "en", "UTC", "turn", None, None, NOON
        await store.put(Subscription(f"d{device}", *wish))


def said(_words: object) -> str:
    return "Your turn"


async def measure(folder: Path, port: int, number: int, blocks: int, games: int) -> None:
    origin = f"http://127.0.0.1:{port}"
    async with await open_log(f"sqlite:///{folder / 'kasta.db'}") as log:
        site = Site(log, Config(), Signer(bytes(32)), OURS, auto_seconds=0)
        store = Subscriptions(log.db)
        sender = Sender(store, bytes(32), "mailto:a@b.c", (origin,), lambda: NOON)
        await subscribe(store, origin, number)
        await picks(site, 2)
        quiet, busy, left = list[float](), list[float](), list[int]()
        for block in range(blocks):
            quiet += await picks(site, games)
            for device in range(number):
                sender.send(Notice("turn", f"d{device}", "t", str(block), said, said, "/t/x"))
            busy += await picks(site, games)
            left.append(sender.waiting)
            await sender.settled()
        await sender.close()
        await site.close()
    print("| picks | while | median ms | 99 % ms |\n| --- | --- | --- | --- |")
    for name, each in (("nothing is sent", quiet), (f"{number:,} notices are sent", busy)):
        print(f"| {len(each)} | {name} | {1000 * median(each):.2f} | {1000 * quantiles(each, n=100)[-1]:.2f} |")
    print(f"\nmedian of the second to the first: {median(busy) / median(quiet):.2f}")
    print(f"notices that still waited when a block of picks was done: {left}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true")
    quick = parser.parse_args().quick
    service = subprocess.Popen([sys.executable, "-c", SERVICE], stdout=subprocess.PIPE, text=True)
    assert service.stdout  # noqa: S101 - it is a pipe
    try:
        with tempfile.TemporaryDirectory() as folder:
            port = int(service.stdout.readline())
            sizes = (50, 1, 1) if quick else (1_000, 5, 12)
            asyncio.run(measure(Path(folder), port, *sizes))
    finally:
        service.kill()
        service.wait()


if __name__ == "__main__":
    main()
