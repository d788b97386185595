"""Games of others: the docs' example with more rule sets, in turns, and without a word about numbers."""

from __future__ import annotations

from kasta_trappa import Sheet, Trappa

from kasta.env.bounds import Bounds
from kasta.env.coding import Coding, code_fields
from kasta.games.composers import InTurn, Shared
from kasta.games.traits import Composer, Traits


def coding(solo: Trappa) -> Coding[Sheet, int]:
    return code_fields(solo, range(1, solo.size + 1), {"boxes": 7, "die": 7}, thrown="die")


def bounds(solo: Trappa) -> Bounds:
    return Bounds(0, solo.size - 1, actions=solo.size, throws=solo.size)


class Bare(Traits[Trappa, Sheet, int]):
    name = "bare"
    composer: Composer = Shared
    rule_sets = {"six": Trappa(6), "three": Trappa(3)}  # noqa: RUF012 - as games have it


class AtOnce(Bare):
    name = "stairs"
    coding = "stairs:coding"
    bounds = "stairs:bounds"


class ByTurns(AtOnce):
    name = "by_turns"
    composer: Composer = InTurn


BARE, STAIRS, BY_TURNS = Bare(), AtOnce(), ByTurns()
