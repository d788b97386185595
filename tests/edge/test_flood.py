"""One visitor cannot stall the others: what comes too often is refused, and who asks least is served first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.fair_queue import FairQueue, FairSlots
from kasta.edge.limits import Limits, Rate, RateLimit
from kasta.errors import Illegal
from kasta.i18n import LANGUAGES, words
from kasta.tables import commands
from kasta.tables.commands import Close, Configure, Leave, Play, Roll, Sit
from kasta.tables.events import Configured, Settings
from kasta.tables.log import PIECE, Seq, change
from kasta.tables.records import Records, nobody
from kasta.tables.service import Service

Visits = Callable[..., Any]
NEVER = 0.001  # a second


async def opened(client: Any, *names: str) -> str:  # noqa: ANN401 - a client
    answer = await client.post("/new/knister", data={"name": list(names)})
    assert answer.status_code == 303, answer.text
    return str(answer.headers["location"]).removeprefix("/t/")


async def test_forty_thousand_settings_are_not_taken_in_a_stroke(visit: Visits):
    limits = Limits(commands_a_device=Rate(1_000, NEVER), changes_a_table=Rate(300, NEVER))
    host = await visit(Config(limits=limits))
    table = await opened(host, "Anna")
    path = f"/api/tables/{table}/settings"
    answers = [await host.post(path, json={"pace": 5 + number}) for number in range(400)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 100
    assert {answer.status_code for answer in answers} == {200, 429}
    assert refused[0].json()["error"]["code"] == "too_many_requests"
    assert int(refused[0].headers["retry-after"]) >= 1


async def test_a_change_too_many_hinders_neither_play_nor_other_tables(visit: Visits):
    host = await visit(Config(limits=Limits(changes_a_table=Rate(2, NEVER))))
    table, other = await opened(host, "Anna"), await opened(host, "Anna")
    answers = [await host.post(f"/t/{table}/settings", data={"pace": 9 + number}) for number in range(3)]
    assert [answer.status_code for answer in answers] == [303, 303, 429]
    assert (await host.post(f"/t/{table}/roll", data={"turn": 0})).status_code == 303
    pick = {"turn": 1, "seat": 0, "step": 0, "do": "c3"}
    assert (await host.post(f"/t/{table}/play", data=pick)).status_code == 303
    assert (await host.post(f"/t/{other}/settings", data={"pace": 9})).status_code == 303


@pytest.mark.parametrize(
    "path",
    [
        "/t/{}/record",
        "/t/{}/proof",
        "//t//{}/record/",
        "/api/tables/{}/record",
        "/t/{}/sheet/0.png",
        "/print/pads.pdf?game=knister",
    ],
)
async def test_what_is_dear_to_read_is_not_read_at_any_rate(visit: Visits, path: str):
    config = Config(limits=Limits(dear_reads_a_device=Rate(3, NEVER)))
    anna, tim = await visit(config), await visit(config, "127.0.0.2")
    table = await opened(anna, "Anna")
    await anna.post(f"/t/{table}/roll", data={"turn": 0})
    await anna.post(f"/t/{table}/end")
    asked = "http://kasta.test" + path.format(table)
    assert [(await anna.get(asked)).status_code for _ in range(5)] == [200] * 3 + [429] * 2
    assert (await anna.get(f"/t/{table}")).status_code == 200
    await tim.get("/")
    assert (await tim.get(asked)).status_code == 200


async def test_few_pictures_are_drawn_at_once_and_who_asked_for_least_comes_next():
    slots, drawn, at_once = FairSlots(2), list[str](), 0

    async def draw(party: str) -> None:
        nonlocal at_once
        async with slots.of(party):
            at_once += 1
            assert at_once <= 2
            await asyncio.sleep(0)
            at_once -= 1
            drawn.append(party)

    flood = [asyncio.create_task(draw("eve")) for _ in range(100)]
    await asyncio.sleep(0)
    flood[50].cancel()
    await asyncio.gather(draw("anna"), draw("tim"))
    assert len(drawn) < 10
    await asyncio.gather(*flood, return_exceptions=True)
    assert len(drawn) == 101
    await draw("eve")


async def test_no_cookie_and_bad_tokens_are_counted_by_address_and_people_with_a_seat_are_not(visit: Visits):
    config = Config(limits=Limits(requests_an_address=Rate(20, NEVER)))
    anna, eve, there = await visit(config), await visit(config), await visit(config, "127.0.0.2")
    table = await opened(anna, "Anna")
    page, shown = f"/t/{table}", f"/api/tables/{table}"
    for headers in ({}, {"authorization": "Bearer "}, {"authorization": "Bearer x.y"}, {"cookie": "kasta=x"}):
        for _ in range(5):
            await eve.get(shown, headers=headers)
            eve.cookies.clear()
    assert (await eve.get(shown)).status_code == 429
    assert (await eve.get(shown, headers={"authorization": "Bearer "})).status_code == 429
    for _ in range(30):
        assert (await anna.get(page)).status_code == 200
    assert (await there.get(page)).status_code == 200


async def test_a_refusal_is_said_in_the_visitors_language_and_hangs_up(visit: Visits):
    client = await visit(Config(limits=Limits(reads_a_device=Rate(1, NEVER))))
    await client.get("/")
    await client.get("/")
    for language in LANGUAGES:
        for accept in ("text/html", "*/*"):
            answer = await client.get("/", headers={"accept-language": language, "accept": accept})
            assert answer.status_code == 429
            seconds = int(answer.headers["retry-after"])
            said = words(language).error(Illegal("too_many_requests", seconds=seconds))
            assert said.replace("'", "&#39;") in answer.text or said in answer.text
            assert answer.headers["connection"] == "close"
            assert answer.headers["content-security-policy"]
    assert len({words(language).error(Illegal("too_many_requests", seconds=3)) for language in LANGUAGES}) == 5


def test_a_rate_gives_back_what_was_taken():
    rates = RateLimit(Rate(3, 2))
    assert [rates.take("a", 10.0) for _ in range(5)] == [0, 0, 0, 1, 1]
    assert rates.take("b", 10.0) == 0
    assert [rates.take("a", 10.6) for _ in range(2)] == [0, 1]
    assert [rates.take("a", 99.0) for _ in range(4)] == [0, 0, 0, 1]


def test_rates_forget_who_has_long_been_quiet(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr("kasta.edge.limits.MOST_IDLE", 10)
    rates = RateLimit(Rate(1, 1))
    for number in range(100):
        assert rates.take(str(number), 10.0 * number) == 0
    assert len(rates) <= 12


async def test_a_flood_waits_for_itself_and_who_asks_least_comes_next():
    queue, served = FairQueue(), list[str]()

    async def ask(party: str) -> None:
        await queue.wait(party)
        served.append(party)

    flood = [asyncio.create_task(ask("eve")) for _ in range(100)]
    while len(served) < 10:
        await asyncio.sleep(0)
    await asyncio.gather(ask("anna"), ask("tim"), ask("anna"))
    assert len(served) < 20
    await asyncio.gather(*flood)
    assert served.count("eve") == 100


async def test_what_is_dear_leaves_rounds_to_moves_that_are_under_way():
    queue, rounds = FairQueue(), 0
    await queue.wait("anna")
    queue.moves = 1
    dear = [asyncio.create_task(queue.wait("eve", 5)) for _ in range(10)]
    while not all(task.done() for task in dear):
        await asyncio.sleep(0)
        rounds += 1
    assert rounds >= 9 * 5


async def test_who_gave_up_waiting_holds_nobody_up():
    queue = FairQueue()
    waiting = [asyncio.create_task(queue.wait("eve")) for _ in range(5)]
    await asyncio.sleep(0)
    for task in waiting[1:4]:
        task.cancel()
    await asyncio.gather(*waiting, return_exceptions=True)
    async with asyncio.timeout(30):
        await queue.wait("anna")
    assert len(queue) == 0


class CountingLog(MemoryLog):
    """Counts how often it is read, and how much at once."""

    def __init__(self) -> None:
        super().__init__()
        self.read_at_once: list[int] = []

    async def read(self, table: str, after: Seq = Seq(0), most: int = 10**9) -> Any:  # noqa: ANN401
        found = await super().read(table, after, most)
        self.read_at_once.append(len(found))
        return found


async def long_table(log: MemoryLog, length: int) -> str:
    service = Service(log)
    table = await service.do((await service.open("host", "knister")).id, Sit("anna", "Anna"))
    for number in range(length):
        made = change(table, Configured(Settings(pace=5 + number)))
        await log.append(made)
        table = made.after
    await service.close()
    return table.id


async def test_a_long_log_is_read_in_pieces_once_for_all_who_ask_and_others_go_on_meanwhile():
    async with CountingLog() as log:
        table, rounds = await long_table(log, 40 * PIECE), 0
        log.read_at_once.clear()
        service = Service(log)

        async def others() -> None:
            nonlocal rounds
            while True:
                await asyncio.sleep(0)
                rounds += 1

        going_on = asyncio.create_task(others())
        first = await asyncio.gather(*(service.table(table) for _ in range(8)))
        assert len({id(each) for each in first}) == 1
        assert rounds >= 40
        assert max(log.read_at_once) == PIECE
        records = await asyncio.gather(*(service.record(table) for _ in range(8)))
        assert rounds >= 80
        assert len({each.text for each in records}) == 1
        assert sum(log.read_at_once) < 3 * 41 * PIECE, "one load, and one record"
        going_on.cancel()
        await service.close()


async def test_a_record_that_is_kept_goes_when_the_game_goes_on():
    async with MemoryLog() as log:
        service = Service(log)
        table = (await service.open("anna", "knister")).id
        await service.do(table, Sit("anna", "Anna"))
        before = await service.record(table)
        assert (await service.record(table)) is before
        await service.do(table, Roll("anna", 0))
        assert (await service.record(table)).text.count(b"\n") == before.text.count(b"\n") + 1
        records = Records(log, nobody, nobody)
        for _ in range(9):
            await records.get((await service.open("anna", "knister")).id, Seq(1))
        assert len(records) == 4
        await service.close()


async def test_a_table_that_was_changed_very_often_can_only_be_played(monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setattr(commands, "MOST_CHANGES", 6)
    async with MemoryLog() as log:
        service = Service(log)
        table = (await service.open("anna", "knister")).id
        await service.do(table, Sit("anna", "Anna"))
        await service.do(table, Sit("tim", "Tim"))
        for number in range(4):
            await service.do(table, Configure("anna", Settings(pace=9 + number)))
        for refused in (Configure("anna", Settings(pace=99)), Sit("eve", "Eve")):
            with pytest.raises(Illegal, match="only be played"):
                await service.do(table, refused)
        await service.do(table, Roll("anna", 0))
        await service.do(table, Play("anna", 1, 0, 0, "c3"))
        await service.do(table, Leave("tim", 1))
        assert (await service.do(table, Close("anna"))).is_closed
        await service.close()
