"""The throws of the day: what pages and programs are told of them, and what they are not told early."""

from __future__ import annotations

import asyncio
import json
import re
import time
from collections.abc import Callable
from typing import Any

import httpx
import pytest

from kasta import dice
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.features.day import DaySettings, pages as day
from kasta.features.day.store import DayStore
from kasta.games import OURS, find_game
from kasta.games.traits import find_valuer
from kasta.series.ghost import GhostGame, Ghosts, ghost_game
from support.sites import days_of, new_site
from support.spying import in_all_ways, look_around
from support.visitors import Phone, Program, Server

BOXES = find_game("yatzy15").solo.boxes
CELLS = [column + row for row in "12345" for column in "abcde"]


def begin(phone: Phone, game: str = "knister") -> tuple[str, str]:
    """Begin today's try: its table, and which day it is."""
    today = phone.get("/api/days").json()[-1]["day"]
    answer = phone.post(f"/day/{game}/{today}")
    assert answer.status_code == 303, answer.text
    return answer.headers["location"].removeprefix("/t/"), today


def play_out(phone: Phone, table: str) -> None:
    """A game of boxes, each filled after the first throw."""
    while (state := phone.state(table))["next"] != "over":
        phone.roll(table, state["turn"])
        legal = phone.state(table)["seats"][0]["legal"]
        box = next(do for do in legal if do.startswith("fill"))
        phone.post(f"/t/{table}/play", turn=state["turn"] + 1, seat=0, step=0, do=box)


def secret_of(server: Server, today: str, game: str) -> bytes:
    return bytes(server.stored(f"SELECT secret FROM days WHERE day = '{today}' AND game = '{game}'")[0])  # noqa: S608


def test_the_fingerprints_of_today_and_tomorrow_are_published_and_no_secret(
    server: Server, phone: Callable[[], Phone]
):
    anna = phone()
    told = anna.get("/api/days").json()
    today, tomorrow = sorted({each["day"] for each in told})
    assert {(each["day"], each["game"]) for each in told} == {(d, g) for d in (today, tomorrow) for g in OURS}
    page = anna.get("/day").text
    for each in told:
        secret = secret_of(server, each["day"], each["game"])
        assert each["commitment"] == dice.commitment(secret)
        assert each["secret"] is None
        assert each["table"] == f"day/{each['day']}/{each['game']}"
        assert each["commitment"] in page
        assert secret.hex() not in page


def test_neither_the_secret_nor_a_later_throw_is_in_any_answer(
    server: Server, phone: Callable[[], Phone], program: Callable[[], Program]
):
    """Anna is in the middle of her game, Tim has given up and plays for fun: nobody is told what comes next."""
    anna, tim = phone(), phone()
    table, today = begin(anna)
    for turn, cell in enumerate(CELLS[:3]):
        anna.roll(table, turn)
        anna.post(f"/t/{table}/play", turn=turn + 1, seat=0, step=0, do=cell)
    fun = begin(tim)[0]
    tim.roll(fun)
    tim.post(f"/t/{fun}/end")
    again = begin(tim)[0]
    assert again != fun
    secret = secret_of(server, today, "knister")
    pages = [f"/day/knister/{today}", "/day", "/day/knister", "/", f"/api/days/knister/{today}", "/api/days"]
    told = "".join(text for who in (anna, program()) for text in look_around(who, table))
    told += "".join(who.get(page).text for who in (anna, tim, program()) for page in pages)
    told += "".join(text for text in look_around(tim, fun)) + server.printed()
    assert not [way for way in in_all_ways(secret) if way in told]
    salt = dice.salt(f"day/{today}/knister", [])
    fell = [dice.throw(secret, salt, 256 * n, 2) for n in range(25)]
    record = [json.loads(line) for line in anna.get(f"/t/{table}/record").text.splitlines()]
    assert [tuple(step["roll"]) for step in record if "roll" in step] == fell[:3]
    state = anna.state(table)
    assert (tuple(state["faces"]), state["turn"], state["secret"]) == (fell[2], 3, None)
    later = [json.dumps(list(faces)).replace(" ", "") for faces in fell[3:] if faces not in fell[:3]]
    assert later
    assert not [faces for faces in later if f'"roll":{faces}' in told.replace(" ", "")]
    assert not [faces for faces in later if f'"faces":{faces}' in told.replace(" ", "")]


def test_a_counted_try_is_finished_and_compared(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    assert "This try counts." in anna.get(f"/t/{begin(anna, 'knaster')[0]}").text
    before = anna.get("/day/yatzy15").text
    assert "Play the throws of the day" in before
    assert "All totals" not in before, "nothing of the others' before one has played"
    for who in (anna, tim):
        table, today = begin(who, "yatzy15")
        play_out(who, table)
    told = anna.get(f"/api/days/yatzy15/{today}").json()
    deadline = time.monotonic() + 60  # results are written just after the end
    while sum(told["totals"].values()) < 2 and time.monotonic() < deadline:
        time.sleep(0.05)
        told = anna.get(f"/api/days/yatzy15/{today}").json()
    page = anna.get(f"/day/yatzy15/{today}").text
    assert sum(told["totals"].values()) >= 2
    assert told["place"] >= 1
    assert f'<title id="spread-said">How the totals are spread: yours is {told["total"]}' in page
    assert "(including you)" in page
    assert "Once more, for fun" in page
    assert "1 day in a row" not in page
    fun, _ = begin(anna, "yatzy15")
    assert "This one is for fun." in anna.get(f"/t/{fun}").text


@pytest.mark.parametrize(
    "path", ["/day/nothing", "/day/knister/2026-13-01", "/day/knister/yesterday", "/day/knister/1999-01-01"]
)
def test_days_that_are_none_are_said_to_be_none(path: str, phone: Callable[[], Phone]):
    assert phone().get(path).status_code in {400, 404}


def test_at_a_day_s_table_nobody_else_sits_and_no_bot_helps(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table, _ = begin(anna, "yatzy")
    assert tim.post(f"/t/{table}/sit", name="Tim").status_code == 422
    assert anna.post(f"/t/{table}/bot", strength="best").status_code == 422
    assert anna.post(f"/t/{table}/replace", seat=0, bot=1, strength="best").status_code == 422
    assert anna.post(f"/t/{table}/settings", dice="own").status_code == 422
    assert anna.post(f"/t/{table}/settings", pace=5).status_code == 422
    assert anna.post(f"/t/{table}/settings", thrower="auto").status_code == 303
    anna.post(f"/t/{table}/end")
    assert anna.post(f"/t/{table}/rematch").status_code == 422


def test_programs_play_a_day_too(program: Callable[[], Program]):
    robot = program()
    today = robot.get("/api/days").json()[-1]["day"]
    answer = robot.post(f"/days/yatzy/{today}", {"name": "Robot"})
    assert answer.status_code == 201
    robot.hold(answer.json()["token"])
    again = robot.post(f"/days/yatzy/{today}", {"name": "Robot"}).json()
    assert again["table"] == answer.json()["table"]
    assert again["state"]["may"], "the throw is the robot's"


async def play_today(client: httpx.AsyncClient) -> tuple[str, str]:
    """A whole counted try, each box filled after the first throw: its table's path, and which day it is."""
    today = (await client.get("/api/days")).json()[-1]["day"]
    table = (await client.post(f"/day/yatzy15/{today}")).headers["location"]
    for turn, box in enumerate(BOXES):
        await client.post(f"{table}/roll", data={"turn": turn})
        await client.post(f"{table}/play", data={"turn": turn + 1, "seat": 0, "step": 0, "do": f"fill {box}"})
    return table, today


async def test_the_strongest_bot_plays_the_same_throws_and_is_not_on_the_shared_picture(
    visit: Callable[..., Any], app_log: MemoryLog
):
    client: httpx.AsyncClient = await visit()
    table, today = await play_today(client)
    page = (await client.get(f"/day/yatzy15/{today}")).text
    assert f'href="{table}/review"' in page
    assert "The strongest bot is still playing" in page
    async with asyncio.timeout(120):
        while (found := await DayStore(app_log.db).find(today, "yatzy15")) is None or found.best is None:
            await asyncio.sleep(0.05)
    assert (
        f"The strongest bot made {found.best} points with the same throws."
        in (await client.get(f"/day/yatzy15/{today}")).text
    )
    assert "bot" not in (await client.get(f"{table}/sheet/0.svg")).text
    valuer = find_valuer(find_game("yatzy15"))

    async def best(sheet: object) -> object:
        return valuer.options(sheet)[0].action

    assert (await ghost_game(found.given, best)).total == found.best


async def test_a_bot_that_has_played_a_day_is_not_kept_in_memory(app_log: MemoryLog):
    site = new_site(app_log)
    days, ghosts = days_of(site), Ghosts(app_log, site.coach)
    dice = await days.dice(await days.today(), "yatzy")

    async def keep(played: GhostGame) -> None:
        await days.book.set_best(dice.day, dice.game, played.total)

    ghosts.ask(dice.given, keep)
    assert len(ghosts._playing) == 1  # noqa: SLF001
    async with asyncio.timeout(120):
        while ghosts._playing:  # noqa: SLF001
            await asyncio.sleep(0.05)
    assert (await days.dice(await days.today(), "yatzy")).best is not None
    await ghosts.close()
    await site.close()


async def test_names_are_on_the_board_only_if_the_server_allows_it_and_the_player_asks(visit: Callable[..., Any]):
    for allowed in (False, True):
        client: httpx.AsyncClient = await visit(Config(of_features=(DaySettings(names_on_boards=allowed),)))
        _, today = await play_today(client)
        page = (await client.get(f"/day/yatzy15/{today}")).text
        assert ("Show my name" in page) == allowed
        answer = await client.post(f"/day/yatzy15/{today}/name", data={"name": "Anna"})
        assert answer.status_code == (303 if allowed else 422)
        page = (await client.get(f"/day/yatzy15/{today}")).text
        assert (">Leaderboard<" in page, "<span>Anna</span>" in page) == (allowed, allowed)
        if allowed:
            await client.post(f"/day/yatzy15/{today}/name", data={"name": ""})
            assert "Anna" not in (await client.get(f"/day/yatzy15/{today}")).text


@pytest.mark.parametrize(
    ("days", "now", "longest"),
    [
        ([], 0, 0),
        (["2026-11-17"], 1, 1),
        (["2026-11-16"], 1, 1),
        (["2026-11-15"], 0, 1),
        (["2026-11-17", "2026-11-16", "2026-11-14", "2026-11-13", "2026-11-12"], 2, 3),
        (["2026-03-01", "2026-02-28"], 0, 2),
    ],
)
def test_a_streak_is_days_in_a_row_up_to_today_or_yesterday(days: list[str], now: int, longest: int):
    assert day.streak(days, "2026-11-17") == day.DayStreak(now, longest)


def test_the_home_page_shows_how_far_one_is_with_each_game(phone: Callable[[], Phone]):
    anna = phone()
    begin(anna, "knaster")
    home = re.sub(r"\s+", " ", anna.get("/").text)
    assert '<span class="cell">Go on</span> Knaster' in home
    assert '<span class="cell">Play</span> Knister' in home
