"""The wall shows what goes on to everybody in the room, and nobody's name who was not told so before."""

from __future__ import annotations

import asyncio
import json
import random
import re
from collections.abc import AsyncIterator, Callable
from typing import Any

import httpx
import pytest

from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.edge.sse import EventQueue
from kasta.features.wall.pages import news_of, wall_page
from kasta.i18n import words
from kasta.live.channel import Channels
from kasta.live.joining import Joining
from kasta.live.viewer import Views
from kasta.page.charts import ROOM, spread
from kasta.tables.commands import Configure, Play, Roll, Sit
from kasta.tables.events import Settings
from kasta.tables.service import Service

Visits = Callable[..., Any]
WAYS = (0, 1, 2, 3, 6, 8, 10, 12, 13, 14, 17, 18)  # to fill sheets in, each with a total of its own


def words_of(answer: httpx.Response) -> str:
    """What people read on a page."""
    assert answer.status_code == 200, answer.text
    main = re.sub(r"<svg.*?</svg>|<table.*?</table>", " ", answer.text.partition("<main")[2], flags=re.DOTALL)
    return " ".join(re.sub(r"<[^>]*>", " ", main.partition(">")[2]).replace("&nbsp;", " ").split())


class Hall:
    """A host at a table, and guests with phones of their own."""

    def __init__(self, visit: Visits) -> None:
        self._visit = visit
        self.guests: list[httpx.AsyncClient] = []
        self.table = ""
        self.turn = 0

    async def open(self, **settings: str) -> Hall:
        self.host = await self._visit(follow_redirects=True)
        form = {"room": "1", "thrower": "host", **settings}
        self.table = (await self.host.post("/new/knister", data=form)).url.path
        return self

    async def sit(self, *names: str) -> None:
        for name in names:
            guest = await self._visit(follow_redirects=True)
            assert (await guest.post(f"{self.table}/sit", data={"name": name})).status_code == 200
            self.guests.append(guest)

    async def round(self, *cells: str) -> None:
        """A throw, and a pick of each of the first guests."""
        assert (await self.host.post(f"{self.table}/roll", data={"turn": self.turn})).status_code == 200
        self.turn += 1
        for seat, cell in enumerate(cells):
            form = {"turn": self.turn, "seat": seat, "step": 0, "do": cell}
            assert (await self.guests[seat].post(f"{self.table}/play", data=form)).status_code == 200

    async def wall(self, query: str = "", language: str = "en") -> httpx.Response:
        """As a television set sees it, which nobody plays at."""
        screen = await self._visit()
        answer: httpx.Response = await screen.get(
            f"{self.table}/wall{query}", headers={"accept-language": language}
        )
        return answer


@pytest.fixture
async def hall(visit: Visits) -> Hall:
    return Hall(visit)


async def test_while_people_come_the_wall_shows_the_way_in_and_how_many_are_here(hall: Hall):
    await (await hall.open(wall="on")).sit("Astrid", "Ole")
    wall = await hall.wall()
    said = words_of(wall)
    assert f'src="{hall.table}/qr.svg"' in wall.text
    assert re.search(r"type the code at kasta\.test Room code \w{3} \w{3}\b", said)
    assert "2 players are here Ole Astrid Names and totals are shown on the wall." in said


async def test_a_throw_shows_its_sum_the_round_and_how_many_are_missing(hall: Hall):
    await (await hall.open(wall="on", pace="60")).sit("Astrid", "Ole", "Per")
    await hall.round("a1")
    wall = await hall.wall()
    said = words_of(wall)
    assert "Round 1 of 25 2 of 3 still to pick" in said
    assert re.search(r'data-waits="[56]\d\.\d"', wall.text)
    thrown = re.findall(r'data-face="(\d)"', wall.text)
    assert f"Sum {sum(map(int, thrown))}" in said
    assert "Points 1 ● Astrid 0 1 ▲ Ole 0 1 ■ Per 0" in said


async def test_no_name_stands_on_a_wall_that_the_host_has_not_switched_on(hall: Hall):
    await (await hall.open()).sit("Astrid", "Ole")
    lobby = words_of(await hall.wall())
    await hall.round("a1", "a1")
    throw = words_of(await hall.wall())
    await hall.host.post(f"{hall.table}/end")
    over = words_of(await hall.wall())
    assert "2 players are here" in lobby
    assert "All have picked" in throw
    assert "The game is over" in over
    for said in (lobby, throw, over):
        assert not re.search("Astrid|Ole", said)
    assert "Points 1 ● Player 1 0 1 ▲ Player 2 0" in throw


async def test_who_sat_down_before_the_wall_was_switched_on_stays_unnamed_also_in_the_next_game(hall: Hall):
    await (await hall.open()).sit("Astrid")
    await hall.host.post(f"{hall.table}/settings", data={"wall": "on"})
    await hall.sit("Ole")
    assert "Ole Names" in words_of(await hall.wall())
    await hall.round("a1", "a1")
    assert "1 ● Player 1 0 1 ▲ Ole 0" in words_of(await hall.wall())
    await hall.host.post(f"{hall.table}/end")
    hall.table = (await hall.guests[0].post(f"{hall.table}/rematch")).url.path
    assert "2 players are here Ole Names" in words_of(await hall.wall())


async def test_who_sat_down_before_agrees_on_their_own_phone_and_nobody_does_it_for_them(hall: Hall):
    await (await hall.open()).sit("Astrid", "Ole")
    astrid, ole = hall.guests
    asked = 'name="wall" value="on"'
    assert asked not in (await astrid.get(hall.table)).text
    await hall.host.post(f"{hall.table}/settings", data={"wall": "on"})
    assert asked in (await astrid.get(hall.table)).text
    assert asked not in (await hall.host.get(hall.table)).text
    for by, seat, name in ((hall.host, 1, "Ole"), (ole, 0, "Astrid"), (astrid, 0, "Astrid")):
        await by.post(f"{hall.table}/rename", data={"seat": str(seat), "name": name, "wall": "on"})
    assert asked not in (await astrid.get(hall.table)).text
    await hall.round("a1", "a1")
    assert "1 ● Astrid 0 1 ▲ Player 2 0" in words_of(await hall.wall())
    await hall.host.post(f"{hall.table}/settings", data={"wall": "off"})
    assert "Astrid" not in words_of(await hall.wall())


async def test_the_host_alone_finds_the_switch_for_names_on_the_wall_itself(hall: Hall):
    await (await hall.open()).sit("Astrid")
    assert "Show names on the wall" not in words_of(await hall.wall())
    own = await hall.host.get(f"{hall.table}/wall?also=de")
    assert "Show names on the wall" in words_of(own)
    form = {"wall": "on", "back": "wall?also=de"}
    assert (await hall.host.post(f"{hall.table}/settings", data=form)).url.path == f"{hall.table}/wall"
    assert "Names and totals are shown on the wall." in words_of(await hall.wall())


async def test_who_came_too_late_is_named_in_the_next_game_if_told_so(hall: Hall, visit: Visits):
    await (await hall.open()).sit("Astrid")
    await hall.round("a1")
    for name, wall in (("Early", "off"), ("Late", "on")):
        await hall.host.post(f"{hall.table}/settings", data={"wall": wall})
        guest = await visit()
        told = "Your name and total are shown on the wall." in (await guest.get(hall.table)).text
        assert told == (wall == "on")
        await guest.post(f"{hall.table}/wait", data={"name": name})
    await hall.host.post(f"{hall.table}/end")
    hall.table = (await hall.guests[0].post(f"{hall.table}/rematch")).url.path
    assert "3 players are here Late Names" in words_of(await hall.wall())


async def test_whoever_comes_in_is_told_of_the_wall_first(hall: Hall, visit: Visits):
    await hall.open()
    guest = await visit()
    told = "Your name and total are shown on the wall."
    assert told not in (await guest.get(hall.table)).text
    await hall.host.post(f"{hall.table}/settings", data={"wall": "on"})
    assert told in (await guest.get(hall.table)).text


async def test_hidden_points_stay_hidden_on_the_wall_until_the_end(hall: Hall):
    await (await hall.open(wall="on", points="end")).sit("Astrid", "Ole")
    await hall.round("a1", "a1")
    said = words_of(await hall.wall())
    assert "Points are shown at the end." in said
    assert "Astrid" not in said
    await hall.host.post(f"{hall.table}/end")
    assert "Astrid 0" in words_of(await hall.wall())


async def test_the_end_shows_a_podium_and_then_the_next_game(hall: Hall):
    await (await hall.open(wall="on")).sit("Astrid", "Ole")
    for column in "abcde":
        await hall.round(f"{column}1", f"{column}1")
    await hall.host.post(f"{hall.table}/end")
    wall = await hall.wall()
    assert "data-waits" not in wall.text
    assert "Points 1 ● Astrid" in words_of(wall)
    following = (await hall.host.post(f"{hall.table}/rematch")).url.path
    assert (await hall.wall("?also=de")).headers["location"] == f"{following}/wall?also=de"


async def test_two_languages_say_everything_twice_but_names_once(hall: Hall):
    await (await hall.open(wall="on")).sit("Astrid")
    await hall.round()
    wall = await hall.wall("?also=de", "sv")
    assert '<html lang="sv"' in wall.text
    assert '<span lang="sv">Omgång 1 av 25</span><span lang="de">Runde 1 von 25</span>' in wall.text
    assert words_of(wall).count("Astrid") == 1
    assert "also=de" in re.findall(r'data-stream="([^"]+)"', wall.text)[0]
    for same in ("?also=sv", "?also=xx"):
        assert 'lang="de"' not in (await hall.wall(same, "sv")).text


async def test_only_the_host_has_a_remote(hall: Hall):
    await (await hall.open()).sit("Astrid")
    for path in ("remote", "remote/stream"):
        assert (await hall.guests[0].get(f"{hall.table}/{path}")).status_code == 422
    assert (await hall.host.get(f"{hall.table}/remote")).status_code == 200


async def test_the_remote_throws_hurries_and_pauses_without_a_script(hall: Hall):
    await (await hall.open(thrower="auto")).sit("Astrid")
    back = {"back": "remote"}
    thrown = await hall.host.post(f"{hall.table}/roll", data={**back, "turn": 0})
    assert thrown.url.path == f"{hall.table}/remote"
    assert re.search(r'id="roll"\s+disabled', thrown.text)
    assert "Astrid" in words_of(thrown)
    hurried = await hall.host.post(f"{hall.table}/settings", data={**back, "pace": 30})
    assert re.search(r'id="hurry"\s+disabled', hurried.text)
    assert 'id="pause"' in hurried.text
    paused = await hall.host.post(f"{hall.table}/settings", data={**back, "pace": "", "thrower": "host"})
    assert 'id="pause"' not in paused.text
    assert "data-waits" not in paused.text


@pytest.fixture
async def channels() -> AsyncIterator[Channels]:
    async with MemoryLog() as log:
        service = Service(log)
        yield Channels(Views(service, Joining(log, service, Signer(b"k" * 32), Config())), Config())
        await service.close()


async def test_the_stream_sends_all_that_is_shown_at_once_and_again_when_dice_fall(channels: Channels):
    service = channels.views.service
    table = await service.open("host", "knister", settings=Settings(thrower="host"))

    async def make(now: Any) -> str:  # noqa: ANN401 - a table
        return f"{now.turn}:{len(now.places)}:{now.settings.wall}"

    news = news_of(channels, table.id, "tv", EventQueue(), make)

    async def shows(what: str) -> Any:  # noqa: ANN401 - what was sent
        async with asyncio.timeout(20):
            async for told in news:
                shown = json.loads(told.decode().partition("data: ")[2])
                if shown["html"] == what:
                    return shown
        pytest.fail("the stream has ended")

    await shows("0:0:False")
    await service.do(table.id, Sit("d0", "Astrid"))
    await service.do(table.id, Sit("d1", "Ole"))
    await shows("0:2:False")
    await service.do(table.id, Roll("host", 0))
    await shows("1:2:False")
    await service.do(table.id, Play("d0", 1, 0, 0, "a1"))
    await service.do(table.id, Configure("host", Settings(thrower="host", wall=True, pace=60)))
    assert 0 < (await shows("1:2:True"))["waits"] <= 60
    await news.aclose()


@pytest.mark.parametrize(("twins", "distinct"), [(1, 10), (2, 5)])
async def test_the_best_ten_have_places_of_their_own_unless_their_totals_are_equal(
    channels: Channels, twins: int, distinct: int
):
    service, seats = channels.views.service, range(twins * len(WAYS))
    settings = Settings(thrower="host", dice="own", wall=True)
    table = await service.open("host", "knister", settings=settings)
    for seat in seats:
        table = await service.do(table.id, Sit(f"d{seat}", f"P{seat}"))
    cells = [column + row for column in "abcde" for row in "12345"]
    dice = random.Random(30)
    ways = [random.Random(WAYS[seat // twins]).sample(cells, len(cells)) for seat in seats]
    for turn in range(len(cells)):
        await service.do(table.id, Roll("host", turn, (dice.randint(1, 6), dice.randint(1, 6))))
        for seat in seats:
            table = await service.do(table.id, Play(f"d{seat}", turn + 1, seat, 0, ways[seat][turn]))
    totals = {f"P{seat}": table.game.total(table.play, seat) for seat in seats}
    best = wall_page(table, (words("en"),), "http://kasta.test", None).best
    assert [each.total for each in best] == sorted(totals.values(), reverse=True)[:10]
    for each in best:
        assert each.total == totals[each.name]
        assert each.place == 1 + sum(total > each.total for total in totals.values())
    assert len({each.place for each in best}) == distinct


@pytest.mark.parametrize(
    ("totals", "step", "told"),
    [
        ({7: 1}, 1, (7, 7, 7)),
        ({0: 3, 10: 2}, 1, (0, 0, 10)),
        ({5: 1, 8: 1, 20: 1, 400: 1}, 20, (5, 20, 400)),
    ],
)
def test_a_chart_of_totals_counts_everybody_once(totals: dict[int, int], step: int, told: tuple[int, int, int]):
    found = spread(totals)
    assert found is not None
    assert sum(column.number for column in found.columns) == sum(totals.values())
    assert found.step == step
    assert (found.least, found.middle, found.most) == told
    assert max(column.height for column in found.columns) == ROOM
