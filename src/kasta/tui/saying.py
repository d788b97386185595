"""What a terminal says, the same on the screen and line by line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from operator import itemgetter
from typing import Any

from kasta.coach.saying import action_said, figure, plus_minus
from kasta.core import FACES, Throw, places
from kasta.games.drawing import Block, DrawnGrid, rows_of_text
from kasta.games.traits import AnyGame
from kasta.i18n import Words
from kasta.page.end.ending import heading
from kasta.tui.sitting import game_of
from kasta.wire.tables import Choice, SeatState, TableState


def example_of(game: AnyGame) -> str:
    """Something that can be done on a first throw, in notation."""
    solo = game.solo
    expected = solo.next(solo.start())
    faces = (FACES[0],) * (expected.dice if isinstance(expected, Throw) else 0)
    return str(solo.legal(solo.throw(solo.start(), faces))[-1])


def throw_said(state: TableState, sheet: Any, said: Words) -> str:  # noqa: ANN401 - of any game
    """The dice, and their sum where that is what counts; which throw it is, where some may be thrown again."""
    game, faces = game_of(state), " ".join(map(str, state.faces))
    if game.traits.shows == "sum":
        return f"{faces} = {sum(state.faces)}"
    dice = game.traits.draw(game.solo, sheet, said).dice
    kept = tuple((Counter(dice) - Counter(state.faces)).elements())
    return game.traits.announce(game.solo, sheet, kept, tuple(state.faces), said) if dice else faces


def round_said(state: TableState, sheet: Any, said: Words) -> str:  # noqa: ANN401 - of any game
    """Which round it is, where their number is fixed."""
    game = game_of(state)
    rounds, number = game.traits.rounds(game.solo), game.traits.round(game.solo, sheet)
    is_on = rounds and number and number <= rounds
    return said.say("Round {turn} of {rounds}", turn=number, rounds=rounds) if is_on else ""


def totals_said(state: TableState, said: Words) -> str:
    if not state.turn:
        return ", ".join(seat.name for seat in state.seats)
    known = [f"{seat.name} {seat.total}" for seat in state.seats if seat.total is not None]
    return ", ".join(known) or said.say("Points are shown at the end.")


def sheet_said(state: TableState, seat: SeatState, sheet: Any, said: Words) -> Iterator[str]:  # noqa: ANN401
    """A sheet as text, line by line."""
    game = game_of(state)
    if len(state.seats) > 1:
        yield said.say("Sheet of {name}", name=seat.name)
    drawn = game.traits.draw(game.solo, sheet, said)
    if isinstance(drawn, DrawnGrid):
        yield from _with_names(drawn)
    else:
        yield from rows_of_text(drawn)
    if seat.total is not None:
        yield f"{said.say('Total')} {seat.total}"


def _with_names(grid: DrawnGrid) -> Iterator[str]:
    """A grid of letters, with the names of its rows and columns."""
    above, *middle, below = rows_of_text(grid)
    yield "  " + "".join(f"{line.name} ".rjust(5) for line in grid.columns)
    if above.strip():
        yield f"  {above}"
    for line, row in zip(grid.rows, middle, strict=True):
        yield f"{line.name} {row}".rstrip()
    if below.strip():
        yield f"  {below}"


def moves_said(state: TableState, seat: SeatState, sheet: Any, said: Words) -> Iterator[str]:  # noqa: ANN401
    """What a seat may do, in notation: one action a line with its meaning, or the free cells of a row."""
    game = game_of(state)
    drawn = game.traits.draw(game.solo, sheet, said)
    spots = {do: game.traits.spot(game.solo.read_action(do)) for do in seat.legal}
    if isinstance(drawn, DrawnGrid):
        for row in drawn.cells:
            names = {cell.name for cell in row}
            if here := [do for do, spot in spots.items() if spot.cell in names]:
                yield ", ".join(here)
    boxes = drawn.boxes if isinstance(drawn, Block) else {}
    for do, spot in spots.items():
        if spot.box in boxes:
            points = said.count("{number} point", "{number} points", int(boxes[spot.box].pays or 0))
            yield f"{do}: {boxes[spot.box].label}, {points}"
        elif not spot.cell:
            meaning = action_said(game, do, said)
            yield do if meaning == do else f"{do}: {meaning}"


def end_said(state: TableState, said: Words) -> Iterator[str]:
    """Who wins, and in which place everybody is; alone, what a total is called."""
    stayed = [(seat.name, seat.total or 0) for seat in state.seats if not seat.left]
    yield heading(stayed, said)
    if len(stayed) == 1:
        ((_, total),) = stayed
        yield f"{said.say('Total')} {total}"
        game = game_of(state)
        verdicts = game.traits.verdicts(said.language, game.rules)
        yield from [game.traits.say(said, name) for name, least in verdicts.items() if total >= least][-1:]
        return
    ranked = zip(places([total for _, total in stayed]), stayed, strict=True)
    for place, (name, total) in sorted(ranked, key=itemgetter(0)):
        yield f"{place}. {name} {total}"


def hints_said(game: AnyGame, choices: list[Choice], said: Words) -> Iterator[str]:
    """The best choices, each with the total to be expected, and why it is good or worse."""
    yield said.say("What to expect in the end:")
    for choice in choices:
        worth = f"{figure(choice.value, 1, said):>7}{plus_minus(choice.error, 1, said)}"
        yield f"{action_said(game, choice.do, said):<20}{worth}"
        if choice.reason:
            yield f"    {choice.reason}"


def acts_said(state: TableState, seat: SeatState, said: Words) -> str:
    """What is asked of a seat."""
    mine = [each for each in state.seats if each.mine]
    return said.say("Your turn") if len(mine) == 1 else said.say("{name} picks", name=seat.name)


def waiting_said(state: TableState, said: Words) -> str:
    """Whom everybody waits for."""
    if not state.turn:
        return said.say("Waiting for the host to begin")
    if state.next == "throw":
        name = next((seat.name for seat in state.seats if seat.seat == state.roller), "")
        return game_of(state).traits.say(said, "{name} throws", name=name)
    missing = [seat.name for seat in state.seats if seat.due]
    return said.say("Still to pick: {names}", names=", ".join(missing)) if missing else ""
