"""A process that serves a store for a moment, by whatever clock it is given: `evening.py URL [GAME]...`.

Each game is played on; "new" begins one. Then the clock is looked at, as a server does every hour. It says in JSON
which games were played, which tables are there, and which are hidden.
"""

from __future__ import annotations

import asyncio
import json
import sys

from kasta.app import OURS
from kasta.db import open_log
from kasta.db.trash import Trash
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.feature import Site
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.service import Service

LOOKS = 3


async def main(url: str, *games: str) -> None:
    async with await open_log(url) as log:
        site = Site(log, Config(), Signer(bytes(32)), OURS)
        played = [await _play(site.service, game) for game in games]
        for _ in range(LOOKS):
            await site.retention.sweep()
        hidden = list(await Trash(log.db).hidden())
        print(json.dumps({"played": played, "tables": await log.tables(), "hidden": hidden}))
        await site.close()


async def _play(service: Service, game: str) -> str:
    if game == "new":
        game = (await service.open("anna", "knister")).id
        await service.do(game, Sit("anna", "Anna"))
    table = await service.table(game)
    if table.owing:
        table = await service.do(game, Play("anna", table.turn, 0, 0, str(table.game.legal(table.play, 0)[0])))
    await service.do(game, Roll("anna", table.turn))
    return game


if __name__ == "__main__":
    asyncio.run(main(*sys.argv[1:]))
