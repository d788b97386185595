"""Plays a whole game alone with a generated client: `generated_player.py URL GAME`."""

from __future__ import annotations

import json
import sys

from generated_client import AuthenticatedClient, Client
from generated_client.api.default import games, open_table, play, roll, sit, state
from generated_client.models import NewPlay, NewRoll, NewSeat, NewTable, TableState


def main(url: str, game: str) -> None:
    stranger = Client(base_url=url)
    assert game in {each.name for each in games.sync(client=stranger).games}
    opened = open_table.sync(client=stranger, body=NewTable(game=game))
    program = AuthenticatedClient(base_url=url, token=opened.token)
    table = opened.state.table
    now = sit.sync(table, client=program, body=NewSeat(name="Gen")).state
    while now.next_ != "over":
        if "throw" in now.may:
            now = roll.sync(table, client=program, body=NewRoll(turn=now.turn))
        else:
            own = now.seats[0]
            do = NewPlay(turn=now.turn, seat=own.seat, step=own.step, do=own.legal[-1])
            now = play.sync(table, client=program, body=do)
        assert isinstance(now, TableState), now
    refused = roll.sync(table, client=program, body=NewRoll(turn=now.turn))
    assert state.sync(table, client=program).seats[0].total == now.seats[0].total
    print(json.dumps({"table": table, "total": now.seats[0].total, "refused": refused.error.code}))


if __name__ == "__main__":
    main(*sys.argv[1:])
