"""One page of every kind, for what must hold on all of them; and scenes of the pages around the table."""

from __future__ import annotations

import re
import sqlite3
import time
from contextlib import closing
from functools import partial

from playwright.sync_api import BrowserContext

from browser.scenes import FOUR, Scene, Setting, Stage, path
from kasta.coach.puzzles import puzzles_of
from kasta.games import GAMES, OURS, find_game
from support.browsing import CELLS, Hands, Server

LONGEST_REVIEW = 300  # seconds
LONG = "Wolfeschlegelsteinha"  # twenty characters without a gap


def _tokens(context: BrowserContext, url: str) -> str:
    """The page for tokens, with one on it."""
    page = f"{url}/tokens"
    context.request.get(page)
    assert context.request.post(page, form={"name": LONG}, headers={"origin": url}).ok
    return page


def _insert(store: sqlite3.Connection, table: str, *row: object) -> None:
    store.execute(f"INSERT INTO {table} VALUES ({', '.join('?' * len(row))})", row)  # noqa: S608


def circle_pages(context: BrowserContext, other: BrowserContext, server: Server) -> dict[str, str]:
    """The pages of a circle of two, which has played, and whose host waits for the other at a table."""
    url, own = server.url, {"origin": server.url}
    name = f"{LONG}s {LONG[:18]}"
    form: dict[str, str | float | bool] = {"circle": name, "name": LONG, "mark": "3"}
    circle = context.request.post(f"{url}/circles", form=form, headers=own).url
    link = re.search(r'value="([^"]*/circles/join/[^"]*)"', context.request.get(f"{circle}/link").text())
    assert link
    other.request.post(link[1], form={"name": "Tim", "mark": "1"}, headers=own)
    with closing(sqlite3.connect(server.folder / "kasta.db", timeout=60, isolation_level=None)) as store:
        query = "SELECT circle, id FROM circle_members WHERE circle = ? ORDER BY joined"
        members = store.execute(query, (circle.rpartition("/")[2],)).fetchall()
        game, at = ("knister", "sheet"), time.time()
        for (name, member), total in zip(members, (104, 98), strict=True):
            won = int(total > 100)
            _insert(store, "circle_games", name, "a table", 0, member, 1, *game, at, total, won, 0)
            score = (3, 3 * won, 3 * total, total, at, 3 * won, 3 * won)
            for season in (0, 1):
                _insert(store, "circle_scores", name, season, *game, member, *score)
        (circle_id, eva), (_, tim) = members
        _insert(store, "circle_pairs", circle_id, 0, *game, eva, tim, 3, 3, 0)
    context.request.post(f"{circle}/season", headers=own)
    other.request.post(f"{circle}/play", form={"game": "yatzy/sheet"}, headers=own)
    pages = {f"circle {page}": f"{circle}/{page}" for page in ("evenings", "people", "link")}
    member_page = f"{circle}/member/{eva}"
    return pages | {"circle": circle, "circles": f"{url}/circles", "circle member": member_page}


def challenge_page(context: BrowserContext, other: BrowserContext, url: str) -> str:
    """A challenge that both have played, the one with the longest name last."""
    own = {"origin": url}
    page = ""
    for each, name in ((other, "Tim"), (context, LONG)):
        page = (
            page or each.request.post(f"{url}/challenge", form={"game": "yatzy15", "name": LONG}, headers=own).url
        )
        table = each.request.post(page, form={"name": name}, headers=own).url.rpartition("/")[2]
        hands = Hands(each.request, url, f"{url}/t/{table}")
        while (state := each.request.get(f"{url}/api/tables/{table}").json())["next"] != "over":
            hands.post("roll", turn=str(state["turn"]))
            legal = each.request.get(f"{url}/api/tables/{table}").json()["seats"][0]["legal"]
            do = next(each for each in legal if each.startswith("fill"))
            hands.post("play", turn=str(state["turn"] + 1), seat="0", step="0", do=do)
    return page


def every_kind(context: BrowserContext, other: BrowserContext, server: Server) -> dict[str, str]:
    """Addresses by kind, as the first context sees them; the second one sits in its rooms."""
    url = server.url
    pages = {
        "home": f"{url}/",
        "error": f"{url}/nothing/here",
        "print": f"{url}/print",
        "new challenge": f"{url}/challenge",
        "challenge": challenge_page(context, other, url),
        "tokens": _tokens(context, url),
        "notices": f"{url}/notices",
        "offline": f"{url}/offline",
        "pocket": f"{url}/pocket",
        "api": f"{url}/api/docs",
    }
    for game in OURS:
        pages |= {f"new {game}": f"{url}/new/{game}", f"rules {game}": f"{url}/rules/{game}"}

    def hands() -> Hands:
        return Hands(context.request, url)

    def joined(table: str, name: str) -> None:
        Hands(other.request, url, table).post("sit", name=name)

    lobby = hands()
    pages["lobby"] = lobby.open("knister", LONG, bots="1", room="1")
    more = {"a question": "ask/leave?seat=0", "seat link": "seat", "remote": "remote"}
    pages |= {kind: f"{lobby.table}/{path}" for kind, path in more.items()}
    joined(lobby.table, "Tim")

    knister = hands()
    pages["knister"] = knister.open("knister", "Sarah", dice="own", pace="3600")
    for faces, name in zip(
        ("34", "22", "66", "56", "25", "61"), ("a1", "b1", "c1", "d1", "e1", "c3"), strict=True
    ):
        knister.roll(faces)
        knister.play(name)
    knister.roll("34")

    knaster = hands()
    pages["knaster"] = knaster.open("knaster", "Sarah", dice="own")
    for name in ("a3", "b3", "d3", "e3", "c1", "c2", "c4", "c5", "(c1)", "c3"):
        knaster.roll("34")
        knaster.play(name)
    pages["knaster serving"] = f"{knaster.table}?serve=3"

    pages["dice to type"] = hands().open("knister", "Sarah", dice="own")

    yatzy = hands()
    pages["yatzy"] = yatzy.open("yatzy", LONG, dice="own")
    for box in ("yatzy", "sixes"):
        yatzy.roll("66666")
        yatzy.play(f"fill {box}")
    yatzy.roll("12344")

    family = hands()
    pages["one device, own dice"] = family.open("knister", LONG, "Tim", "Eva", dice="own")
    family.roll("34")

    room = hands()
    pages["room"] = room.open("knister", "Sarah", room="1")
    joined(room.table, LONG)
    room.roll()
    room.play("c3")

    over = hands()
    pages["over"] = over.open("knister", "Sarah", "Tim", room="1")
    joined(over.table, LONG)
    over.roll()
    over.post("end")
    pages |= {"evening": f"{over.table}/evening", "proof": f"{over.table}/proof"}

    pages |= my_pages(hands(), server) | day_pages(context, other, url) | circle_pages(context, other, server)

    theirs = Hands(other.request, url)
    pages["watching"] = theirs.open("knaster", LONG)
    theirs.roll()
    theirs.play("c3")
    theirs.roll()
    pages["claim"] = theirs.table
    Hands(context.request, url, theirs.table).post("claim", seat="0")
    return pages


def my_pages(alone: Hands, server: Server) -> dict[str, str]:
    """My games, once there is one; a review has found luck and errors in it."""
    alone.open("knister", "Sarah", dice="own")
    for name in CELLS:
        alone.roll("34")
        alone.play(name)
    table, deadline = alone.table.rpartition("/")[2], time.monotonic() + 60
    with closing(sqlite3.connect(server.folder / "kasta.db", timeout=60, isolation_level=None)) as store:
        query = "UPDATE results SET luck = -3.5, lost = 12.25 WHERE name = ?"
        while not store.execute(query, (table,)).rowcount and time.monotonic() < deadline:
            time.sleep(0.05)  # results are written just after the end
    return {"my games": f"{alone.url}/games", "bring my games": f"{alone.url}/games/take"}


def played_day(context: BrowserContext, url: str, day: str) -> str:
    """The table of a try that is over."""
    hands = Hands(context.request, url, context.request.post(day, headers={"origin": url}).url)
    hands.refresh()
    for box in find_game("yatzy15").solo.boxes:
        hands.roll()
        hands.play(f"fill {box}")
    return hands.table


def day_pages(context: BrowserContext, other: BrowserContext, url: str) -> dict[str, str]:
    """The throws of the day: all games, one that is not begun, one that is over, with its picture and board."""
    today = context.request.get(f"{url}/api/days").json()[-1]["day"]
    day = f"{url}/day/yatzy15/{today}"
    played_day(other, url, day)
    other.request.post(f"{day}/name", form={"name": LONG}, headers={"origin": url})
    table = played_day(context, url, day)
    puzzle = f"{url}/puzzle/yatzy15"
    do = puzzles_of(GAMES["yatzy15"])[1].obvious
    context.request.post(f"{puzzle}/1", form={"do": do}, headers={"origin": url})
    asked = {"puzzles": f"{url}/puzzle", "a puzzle": f"{puzzle}/0", "an answered puzzle": f"{puzzle}/1"}
    return asked | {
        "days": f"{url}/day",
        "day to play": f"{url}/day/knaster/{today}",
        "day over": day,
        "day's table": table,
    }


def today(stage: Stage) -> str:
    return str(stage.hands.request.get(f"{stage.url}/api/days").json()[-1]["day"])


def reviewed(stage: Stage, name: str, game: str, kind: str = "review") -> Scene:
    """A game that was played badly enough to learn from, once the coach has seen all of it."""
    stage.open(game)
    table = stage.play(5, answered=True)
    stage.hands.refresh()
    stage.hands.post("end")
    api = f"{stage.url}/api/tables/{table.rpartition('/')[2]}/review"
    until = time.monotonic() + LONGEST_REVIEW
    while stage.hands.request.get(api).status == 202 and time.monotonic() < until:
        time.sleep(0.2)
    return Scene(name, f"{table}/{kind}", is_long=True)


def puzzle(stage: Stage, name: str, game: str, do: str = "") -> Scene:
    address = f"{stage.url}/puzzle/{game}/1"
    if do:
        asked = puzzles_of(GAMES[game])[1]
        answer = asked.best if do == "best" else asked.obvious
        stage.hands.request.post(address, form={"do": answer}, headers={"origin": stage.url})
    return Scene(name, address, is_long=True)


def day(stage: Stage, name: str, *, is_over: bool) -> Scene:
    address = f"{stage.url}/day/yatzy15/{today(stage)}"
    if is_over:
        table = played_day(stage.page.context, stage.url, address)
        return Scene(name, table if name.endswith("table") else address, is_long=True)
    return Scene(name, address, is_long=True)


def my_games(stage: Stage, name: str) -> Scene:
    for game in ("knister", "knister", "yatzy"):
        stage.open(game)
        stage.play(999)
    return Scene(name, f"{stage.url}/games", is_long=True)


def hosted(stage: Stage, name: str, kind: str) -> Scene:
    """A page beside a table of four that has begun."""
    table = stage.open("knister", *FOUR, room="1").table
    stage.play(3)
    return Scene(name, f"{table}/{kind}", is_long=True)


def evening(stage: Stage, name: str) -> Scene:
    table = stage.open("knister", *FOUR).table
    stage.play(999)
    return Scene(name, f"{table}/evening", is_long=True)


def invited(stage: Stage, name: str) -> Scene:
    """What somebody sees who was sent a link."""
    other = Stage(stage.browser, stage.url)
    return Scene(name, other.open("knister", "Sarah", room="1").table, is_long=True)


PAGE_SCENES: dict[str, Setting] = {
    "learn": partial(path, path="learn"),
    "print": partial(path, path="print"),
    "tokens": partial(path, path="tokens"),
    "notices": partial(path, path="notices"),
    "offline": partial(path, path="offline"),
    "pocket": partial(path, path="pocket"),
    "practice-knister": partial(path, path="practice/knister"),
    "practice-yatzy": partial(path, path="practice/yatzy"),
    "puzzles": partial(path, path="puzzle"),
    "puzzle-knister": partial(puzzle, game="knister"),
    "puzzle-yatzy": partial(puzzle, game="yatzy"),
    "puzzle-right": partial(puzzle, game="knaster", do="best"),
    "puzzle-missed": partial(puzzle, game="maxi", do="obvious"),
    "review-knister": partial(reviewed, game="knister"),
    "review-yatzy": partial(reviewed, game="yatzy"),
    "quiz": partial(reviewed, game="knaster", kind="quiz"),
    "days": partial(path, path="day"),
    "day-open": partial(day, is_over=False),
    "day-over": partial(day, is_over=True),
    "my-games": my_games,
    "evening": evening,
    "remote": partial(hosted, kind="remote"),
    "invited": invited,
}
"""By name, as `SCENES`."""
