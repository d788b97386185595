"""Where a page shows a table, bots play at a person's pace; whoever does not want to watch them skips that."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from itertools import pairwise

import pytest

from kasta.core import Over, Throw
from kasta.db.sqlite.memory import MemoryLog
from kasta.errors import Illegal
from kasta.games import find_game
from kasta.i18n import words
from kasta.jobs.bots import BotProcesses
from kasta.live.subscriber import Subscriber
from kasta.live.viewer import Viewer
from kasta.page.table_page import table_page
from kasta.tables import events as e
from kasta.tables.autoplay import BEGIN, KEPT, LOOK, TAKE_BACK, is_bots_turn, own_move, seconds_before
from kasta.tables.commands import Command, Play, Roll, Sit, TakeBack, decide
from kasta.tables.log import Log
from kasta.tables.rights import SERVICE, all_present
from kasta.tables.service import Service
from kasta.tables.state import Table, evolve
from kasta.tables.view import MOST_LISTED

SLOWLY = 1_000.0  # a pace at which no bot does anything while a test runs, unless its clock is set
PATIENCE = 30


class Clock:
    """The steady clock, set ahead by whoever tests."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ahead, steady = 0.0, time.monotonic
        monkeypatch.setattr(time, "monotonic", lambda: steady() + self.ahead)

    async def passes(self, seconds: float) -> None:
        """So many seconds of a bot's time."""
        self.ahead += seconds * SLOWLY
        await asyncio.sleep(0.02)  # let it be noticed


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


@pytest.fixture
async def log() -> AsyncIterator[MemoryLog]:
    async with MemoryLog() as log:
        yield log


@pytest.fixture
async def service(log: MemoryLog) -> AsyncIterator[Service]:
    served = Service(log, auto_seconds=0, bot_pace=SLOWLY)
    yield served
    await served.close()


@pytest.fixture(autouse=True)
def keeps_one_die_and_fills_in_order(monkeypatch: pytest.MonkeyPatch) -> None:
    """What every bot here does: it throws as often as it may, and so each turn has all its steps."""

    async def choose(_self: BotProcesses, _bot: str, _sight: object, legal: list[object], _host: str) -> str:
        return next(
            (str(each) for each in legal if str(each).count(" ") == 1 and "keep" in str(each)), str(legal[0])
        )

    monkeypatch.setattr(BotProcesses, "choose", choose)


async def against_pixel(service: Service, game: str = "yatzy") -> Table:
    """Anna and a bot; she has thrown."""
    table = await service.open("anna", game)
    await service.do(table.id, Sit("anna", "Anna"))
    await service.do(table.id, Sit("anna", "Pixel", bot="greedy"))
    return await service.do(table.id, Roll("anna", 0))


async def anna_fills(service: Service, table: Table, box: str = "chance") -> Table:
    return await service.do(table.id, Play("anna", table.turn, 0, table.step(0), f"fill {box}"))


async def until_annas_turn(service: Service, table: Table) -> Table:
    async with asyncio.timeout(PATIENCE):
        while is_bots_turn(now := await service.table(table.id)):
            await asyncio.sleep(0.01)
    return now


def times_of(service: Service) -> list[tuple[str, float]]:
    """Fills itself with what happens at tables, and when, in a bot's seconds."""
    happened: list[tuple[str, float]] = []

    def note(kind: type[e.Event]) -> None:
        async def hear(_table: Table) -> None:
            happened.append((kind.__name__, time.monotonic() / SLOWLY))

        service.on(kind, hear)

    for kind in (e.Rolled, e.Acted):
        note(kind)
    return happened


async def test_nothing_waits_where_no_page_shows_the_table(service: Service):
    table = await against_pixel(service)
    await anna_fills(service, table)
    now = await until_annas_turn(service, table)
    assert (now.turn, now.next()) == (4, Throw(5, 0))


async def test_a_bot_does_not_throw_while_somebody_may_take_back(service: Service, clock: Clock):
    table = await against_pixel(service)
    with service.presence.watching(table.id):
        filled = await anna_fills(service, table)
        await clock.passes(TAKE_BACK - 0.1)
        await service.do(table.id, TakeBack("anna", filled.turn, 0, filled.step(0)))
        await clock.passes(TAKE_BACK)
        now = await service.table(table.id)
        assert (now.turn, now.is_due(0)) == (1, True), "she still thinks"
        await anna_fills(service, now, "ones")
        await clock.passes(TAKE_BACK - 0.1)
        assert (await service.table(table.id)).turn == 1
        await clock.passes(0.2)
        async with asyncio.timeout(PATIENCE):
            while (now := await service.table(table.id)).turn == 1:
                await asyncio.sleep(0.01)
        assert now.is_due(1)


async def test_each_step_of_a_bot_is_seen_before_the_next(service: Service, clock: Clock):
    table, happened = await against_pixel(service), times_of(service)
    with service.presence.watching(table.id):
        await anna_fills(service, table)
        for _ in range(1_000):  # no timeout: it would go by this clock
            if not is_bots_turn(await service.table(table.id)):
                break
            await clock.passes(0.15)
    kinds = [kind for kind, _ in happened]
    assert kinds == ["Acted", "Rolled", "Acted", "Rolled", "Acted", "Rolled", "Acted"]
    waited = [after - before for (_, before), (_, after) in pairwise(happened)]
    assert all(
        each >= least for each, least in zip(waited, (TAKE_BACK, LOOK, KEPT, LOOK, KEPT, LOOK), strict=True)
    )


async def test_a_tap_skips_to_ones_own_turn_at_any_node(log: MemoryLog, service: Service, clock: Clock):
    other = Service(log, bot_pace=SLOWLY)
    table = await against_pixel(service)
    with service.presence.watching(table.id):
        filled = await anna_fills(service, table)
        with pytest.raises(Illegal):
            await other.autoplay.skip(table.id, "eve")
        assert filled.turn == (await service.table(table.id)).turn
        skipped = await other.autoplay.skip(table.id, "anna")
        assert (skipped.turn, skipped.next()) == (4, Throw(5, 0))
        assert await service.table(table.id) == skipped
        assert await other.autoplay.skip(table.id, "anna") == skipped, "a second tap is no error"
        await clock.passes(2 * TAKE_BACK)
        thrown = await service.do(table.id, Roll("anna", 4))
        await anna_fills(service, thrown, "ones")
        await clock.passes(TAKE_BACK - 0.1)
        assert (await service.table(table.id)).turn == 5, "what was skipped makes no later turn shorter"
    await other.close()


async def test_a_bot_goes_on_after_a_restart(log: MemoryLog, service: Service, clock: Clock):
    table = await against_pixel(service)
    with service.presence.watching(table.id):
        await anna_fills(service, table)
    await service.close()
    again = Service(log, bot_pace=SLOWLY)
    await again.table(table.id)
    await clock.passes(TAKE_BACK)
    await until_annas_turn(again, table)
    await again.close()


async def test_where_a_throw_is_for_all_bots_pick_at_once_and_throw_after_a_pause(service: Service, clock: Clock):
    table = await against_pixel(service, "knister")
    with service.presence.watching(table.id):
        async with asyncio.timeout(PATIENCE):
            while (now := await service.table(table.id)).owing > 1:
                await asyncio.sleep(0.01)
        assert now.is_due(0)
        await service.do(table.id, Play("anna", 1, 0, 0, "c3"))
        await clock.passes(TAKE_BACK - 0.1)
        assert (await service.table(table.id)).turn == 1
        assert (await service.autoplay.skip(table.id, "anna")).turn == 2


async def test_a_page_at_another_node_is_watched_too(logs: tuple[Log, Log]):
    here, there = (Service(log, bot_pace=SLOWLY) for log in logs)
    table = await against_pixel(here)
    with there.presence.watching(table.id):
        async with asyncio.timeout(PATIENCE):
            while not here.presence.is_watched(table.id):
                await here.node.refresh(table.id)
        await anna_fills(here, table)
        await asyncio.sleep(0.1)
        assert (await here.table(table.id)).turn == 1
    for service in (here, there):
        await service.close()


# -- without a service ----------------------------------------------------------------------------------------


def yatzy(*bots: str) -> Table:
    game = find_game("yatzy15")
    table = evolve(None, e.OpenedEvent("t", game.name, game.rules, e.Settings(), "anna", ""))
    table = evolve(table, e.SeatedEvent(0, "Anna", "anna"))
    for seat, bot in enumerate(bots, 1):
        table = evolve(table, e.SeatedEvent(seat, bot, "anna", bot="greedy"))
    return table


def does(table: Table, command: Command) -> tuple[Table, float]:
    return evolve(table, decide(table, command)), seconds_before(table, command)


@pytest.mark.parametrize("throws", [1, 2, 3])
def test_a_bots_turn_takes_two_to_five_seconds(throws: int):
    table = evolve(yatzy("Pixel"), e.Rolled(1, (1, 2, 3, 4, 6)))
    table, waited = does(table, Play("anna", 1, 0, 0, "fill chance"))
    assert waited == 0, "people take what time they like"
    seconds = []
    for number in range(throws):
        count = 5 - number
        assert own_move(table) == Roll(SERVICE, table.turn)
        table, waited = does(table, Roll(SERVICE, table.turn, (6,) * count))
        seconds.append(waited)
        do = "keep " + " ".join("6" * (number + 1)) if number < throws - 1 else "fill sixes"
        table, waited = does(table, Play(SERVICE, table.turn, 1, 0, do))
        seconds.append(waited)
    assert seconds[0] == TAKE_BACK
    assert 2 <= sum(seconds[1:]) <= 4.8
    assert all(each >= 0.6 for each in seconds)


def test_nobody_waits_for_a_bot_after_a_bot_as_long_as_for_a_person():
    table = evolve(yatzy("Pixel", "Dot"), e.Rolled(1, (1, 2, 3, 4, 6)))
    for seat in (0, 1):
        table = evolve(table, e.Acted(table.turn, seat, 0, "fill chance"))
        waited = seconds_before(table, Roll(SERVICE, table.turn))
        assert waited == (BEGIN if seat else TAKE_BACK)
        table = evolve(table, e.Rolled(table.turn + 1, (1, 2, 3, 4, 6)))


def test_a_crowd_waits_for_no_bot():
    table = yatzy(*(f"Bot {number}" for number in range(MOST_LISTED)))
    table = evolve(evolve(table, e.Rolled(1, (1, 2, 3, 4, 6))), e.Acted(1, 0, 0, "fill chance"))
    assert not isinstance(table.next(), Over)
    assert not is_bots_turn(table)


@pytest.mark.parametrize(
    ("language", "keeps", "again", "fills"),
    [
        ("en", "Pixel keeps 6 6", "Pixel throws all again", "Pixel fills sixes: 30"),
        ("sv", "Pixel sparar 6 6", "Pixel kastar om alla", "Pixel fyller i sexor: 30"),
        ("nb", "Pixel beholder 6 6", "Pixel kaster alle på nytt", "Pixel fører seksere: 30"),
        ("de", "Pixel behält 6 6", "Pixel würfelt alle neu", "Pixel trägt Sechser ein: 30"),
        ("fr", "Pixel garde 6 6", "Pixel relance tout", "Pixel remplit «\u00a0Six\u00a0»\u00a0: 30"),
    ],
)
def test_all_read_what_a_bot_does(language: str, keeps: str, again: str, fills: str):
    table = evolve(evolve(yatzy("Pixel"), e.Rolled(1, (1, 2, 3, 4, 6))), e.Acted(1, 0, 0, "fill chance"))
    table = evolve(table, e.Rolled(2, (6, 1, 6, 2, 2)))

    def page(after: e.AnyEvent) -> tuple[str, str, list[tuple[int, bool]]]:
        shown = table_page(evolve(table, after), "anna", words(language), all_present)
        return shown.status, shown.hint, [(die.face, die.is_kept) for die in shown.dice.places]

    lying = [(6, True), (1, False), (6, True), (2, False), (2, False)]
    assert page(e.Acted(2, 1, 0, "keep 6 6")) == (keeps, "", lying)
    assert page(e.Acted(2, 1, 0, "keep"))[0] == again
    table = evolve(evolve(table, e.Acted(2, 1, 0, "keep 6 6")), e.Rolled(3, (6, 6, 6)))
    assert page(e.Acted(3, 1, 0, "fill sixes"))[1] == fills


@pytest.mark.parametrize(("first", "shown"), [(0, None), (1, None), (2, 1)])
def test_a_page_stays_with_a_sheet_while_a_bot_plays(first: int, shown: int | None):
    table = evolve(yatzy(), e.SeatedEvent(1, "Tim", "anna"))
    table = evolve(table, e.SeatedEvent(2, "Pixel", "anna", bot="greedy"))
    table = evolve(evolve(table, e.Configured(e.Settings(first=first))), e.Rolled(1, (1, 2, 3, 4, 6)))
    page = Subscriber("page", Viewer("anna", words("en"), "", seat=1))
    page.look_at_due_sheet(table)
    assert page.viewer.seat == shown
