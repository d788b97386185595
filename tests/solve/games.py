"""Games of bots as records."""

from __future__ import annotations

from io import BytesIO
from random import Random

from kasta.bots.base import find_bot, look
from kasta.core import FACES, Over, Throw
from kasta.games import find_game
from kasta.record import Do, Header, Roll, Step, write_record


def play(rules: str, players: list[str], seed: int, most: int = 10**6) -> BytesIO:
    """A record of a game of Yatzy, or of its first so many lines."""
    game, rng, steps = find_game("yatzy", rules), Random(seed), list[Step]()
    table = game.start(len(players))
    while len(steps) < most and not isinstance(expected := game.next(table), Over):
        if isinstance(expected, Throw):
            faces = tuple(rng.choices(FACES, k=expected.dice))
            table = game.throw(table, faces)
            steps.append(Roll(faces))
        else:
            seat = next(filter(expected.is_due, range(len(players))))
            bot = find_bot(players[seat], game)
            action = bot.choose(look(game, table, seat), game.legal(table, seat), rng)
            table = game.act(table, seat, action)
            steps.append(Do(seat, str(action)))
    header = Header("yatzy", rules, tuple(f"{name} {seat}" for seat, name in enumerate(players)))
    return BytesIO("\n".join(write_record(header, steps)).encode())
