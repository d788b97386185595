"""Games of bots as records."""

from __future__ import annotations

from collections.abc import Iterable
from io import BytesIO
from random import Random

from kasta.bots.base import Bot, find_bot, look
from kasta.core import FACES, Over, Throw
from kasta.games import find_game
from kasta.record import Do, Header, Roll, Step, walk, write_record

ALL = 10**6


def play(rules: str, players: list[str], seed: int, most: int = ALL) -> BytesIO:
    """A record of a game of Yatzy, or of its first so many lines."""
    bots = {f"{name} {seat}": find_bot(name, find_game("yatzy")) for seat, name in enumerate(players)}
    return record("yatzy", rules, bots, seed, most)


def record(name: str, rules: str, players: dict[str, Bot], seed: int, most: int = ALL) -> BytesIO:
    """A record of a game of these players, or of its first so many lines."""
    game, rng, steps, bots = find_game(name, rules), Random(seed), list[Step](), list(players.values())
    table = game.start(len(bots))
    while len(steps) < most and not isinstance(expected := game.next(table), Over):
        if isinstance(expected, Throw):
            faces = tuple(rng.choices(FACES, k=expected.dice))
            table = game.throw(table, faces)
            steps.append(Roll(faces))
        else:
            seat = next(filter(expected.is_due, range(len(bots))))
            action = bots[seat].choose(look(game, table, seat), game.legal(table, seat), rng)
            table = game.act(table, seat, action)
            steps.append(Do(seat, str(action)))
    return as_record(Header(name, rules, tuple(players)), steps)


def in_a_line(source: BytesIO) -> str:
    """The throws and actions of one who plays alone on a grid, short enough to be kept: `36 c3 44 (c3)`."""
    words: list[str] = []
    for moment in walk(source):
        match moment.step:
            case Roll(faces):
                words.append("".join(map(str, faces)))
            case Do(_, text):
                words.append(text)
    return " ".join(words)


def out_of_a_line(line: str, name: str, rules: str, player: str) -> BytesIO:
    """The record that was kept in a line."""
    steps = [Roll(tuple(map(int, word))) if word.isdigit() else Do(0, word) for word in line.split()]
    return as_record(Header(name, rules, (player,)), steps)


def as_record(header: Header, steps: Iterable[Step]) -> BytesIO:
    return BytesIO("\n".join(write_record(header, steps)).encode())
