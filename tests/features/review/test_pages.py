"""Reviews on the page and for programs: of games that are over, for those whose they are or who are shown them."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator, Iterator
from random import Random
from typing import Any

import httpx
import msgspec
import pytest

from kasta.app import create_app
from kasta.coach import reviewed
from kasta.coach.moments import lessons
from kasta.coach.process import Coach, moments
from kasta.coach.review import GHOST, SeatGame
from kasta.coach.reviewed import ReviewedMove, ReviewedSeat
from kasta.core import Faces, Over, Pick, Throw
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.limits import Rate, RateLimit
from kasta.errors import Unavailable
from kasta.feature import Site
from kasta.games.traits import AnyGame
from kasta.i18n import LANGUAGES
from kasta.record import Do, Roll as Rolled
from kasta.results.review_store import ReviewStore
from kasta.results.reviews import Reviews
from kasta.results.store import Results
from kasta.tables.commands import Close, Play, Roll, Sit
from kasta.tables.state import Table
from support.sites import new_site

ORIGIN = "http://kasta.test"


class Evening:
    """An app, and the site behind it: so no game needs a request for each move."""

    def __init__(self, log: MemoryLog, site: Site, app: Any) -> None:  # noqa: ANN401
        self.log, self.site, self.app = log, site, app

    async def visitor(self) -> tuple[httpx.AsyncClient, str]:
        """A browser, and the device that it is known by."""
        transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
        headers = {"origin": ORIGIN, "accept-language": "en"}
        client = httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers, timeout=120)
        await client.get("/")
        token = next(value for value in client.cookies.values() if value and "." in value)
        return client, token.partition(".")[0]

    async def play(self, game: str, *devices: str, seed: int = 1, rounds: int = 99) -> Table:
        """A game in which everybody does anything, or only its first rounds."""
        rng, table = Random(seed), await self.site.service.open(devices[0], game)
        for number, device in enumerate(devices):
            table = await self.site.service.do(table.id, Sit(device, f"P{number}"))
        while not isinstance(expected := table.next(), Over):
            match expected:
                case Throw(_, roller):
                    if table.game.hides_picks and table.turn == rounds:
                        return table
                    by = table.places[roller].device if table.turn else table.host
                    table = await self.site.service.do(table.id, Roll(by, table.turn))
                case Pick(_, is_due):
                    seat = next(filter(is_due, sorted(table.places)))
                    do = str(rng.choice(table.game.legal(table.play, seat)))
                    act = Play(table.places[seat].device, table.turn, seat, table.step(seat), do)
                    table = await self.site.service.do(table.id, act)
        return table

    async def end(self, table: Table) -> Table:
        return await self.site.service.do(table.id, Close(table.host))

    async def keep(self, table: Table, *seats: int) -> None:
        """Reviews as if the coach had made them, of a figure for every choice that there was."""
        for seat in seats:
            played = await self.site.reviews.game_of(table, max(seat, 0))
            made = tuple(_moves(played))
            body = ReviewedSeat(
                values="",
                spread=10.0,
                total=table.game.total(table.play, max(seat, 0)),
                worth=50.0,
                expected=60.0,
                luck=4.0,
                luck_error=1.0,
                lost=15.0,
                lost_error=0.5,
                early=0.0,
                drift=1.0,
                error_rate=0.6,
                class_="casual",
                course=tuple(60.0 - i for i in range(max(move.round for move in made))),
                moves=made,
                is_done=True,
            )
            await ReviewStore(self.log.db).keep(table.id, seat, reviewed.encode(body))


def _moves(played: SeatGame) -> Iterator[ReviewedMove]:
    """Of every choice the last is the best; each one before it is worth half a point less."""
    before: Any = None
    roll: Faces = ()
    round_ = 0
    for moment in moments(played):
        match moment.step:
            case Rolled(faces):
                round_, roll = round_ + 1, faces
            case Do(seat, text) if seat == played.seat:
                legal = [str(each) for each in moment.game.legal(before, seat)][::-1]
                options = tuple((do, 60 - i / 2, 0.1) for i, do in enumerate(legal))
                lost = legal.index(text) / 2
                mark = "very_bad" if lost > 2 else "lucky" if round_ == 3 else None
                yield ReviewedMove(moment.line, round_, roll, text, legal[0], lost, 0.1, 2.5, mark, options)
        before = moment.table


@pytest.fixture
async def real_evening(monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Evening]:
    async with MemoryLog() as log:
        site = new_site(log)
        monkeypatch.setattr("kasta.app.Site", lambda *_, **__: site)
        yield Evening(log, site, await create_app(log, Config(allow=("kasta.test",))))
        await site.close()


@pytest.fixture
async def evening(real_evening: Evening, monkeypatch: pytest.MonkeyPatch) -> Evening:
    """Its reviews are kept beforehand: the coach is not needed, and its process would take seconds to begin."""

    async def values(_coach: Coach, _game: AnyGame) -> str:
        return ""

    monkeypatch.setattr(Coach, "values", values)
    return real_evening


async def test_a_game_that_is_not_over_has_no_review(evening: Evening):
    """A pick of an open round is nobody else's business, and what is best is nobody's."""
    client, me = await evening.visitor()
    table = await evening.play("knister", me, "tim", rounds=2)
    await evening.site.service.do(
        table.id, Roll(table.places[getattr(table.next(), "roller", 0)].device, table.turn)
    )
    for address in (f"/t/{table.id}/review", f"/api/tables/{table.id}/review"):
        answer = await client.get(address)
        assert answer.status_code == 422, answer.text
        assert "not over yet" in answer.text


@pytest.mark.parametrize("game", ["knister", "knaster", "yatzy", "yatzy15", "maxi"])
async def test_every_game_has_a_page_for_each_decision_in_every_language(evening: Evening, game: str):
    client, me = await evening.visitor()
    table = await evening.play(game, me, "tim")
    await evening.keep(table, 0, *([-1] if table.game.hides_picks else []))
    page = (await client.get(f"/t/{table.id}/review?step=2")).text
    assert "2 of " in page
    assert 'rel="prev"' in page
    assert 'rel="next"' in page
    assert re.search(r"class=\"place shade\d", page)
    assert page.count("<polyline") == 1 + table.game.hides_picks
    assert ("What others made of the same throws" in page) == table.game.hides_picks
    for language in LANGUAGES:
        answer = await client.get(f"/t/{table.id}/review?step=3", headers={"accept-language": language})
        assert answer.status_code == 200
        assert f'<html lang="{language}"' in answer.text


async def test_praise_comes_first_then_three_lessons_at_most_then_the_figures(evening: Evening):
    """Also for somebody who did anything: of fifteen bad choices three are told."""
    client, me = await evening.visitor()
    for game in ("knister", "yatzy"):
        table = await evening.play(game, me)
        await evening.keep(table, 0, *([-1] if table.game.hides_picks else []))
        page = (await client.get(f"/t/{table.id}/review")).text
        places = [page.index(f'id="{each}"') for each in ("proud-title", "lessons-title", "step", "numbers")]
        assert places == sorted(places)
        assert "Better" not in page[places[0] : places[1]], "nothing is praised and bettered at once"
        told = re.findall(r'id="moment-(\d+)"', page)
        assert len(told) == len(set(told)) == 6, "three of each, and none is both"
        assert page.count('class="miniature"') == 6
        words = re.sub("<details.*?</details>", "", page[: places[-1]], flags=re.DOTALL)
        assert "Given away" not in words
        assert "±" not in words


async def test_who_looks_again_while_it_grows_sees_the_same_decision(evening: Evening):
    client, me = await evening.visitor()
    table = await evening.end(await evening.play("knister", me, rounds=3))
    await evening.keep(table, 0)  # the ghost still plays
    page = (await client.get(f"/t/{table.id}/review?seat=0&step=2")).text
    assert re.search(r'href="\?seat=0&amp;step=2">Refresh', page)
    assert re.search(r'href="\?seat=0">Refresh', (await client.get(f"/t/{table.id}/review")).text)


async def test_the_first_lesson_is_shown_and_a_step_too_far_is_the_last(evening: Evening):
    client, me = await evening.visitor()
    table = await evening.play("knister", me)
    await evening.keep(table, 0, -1)
    kept = reviewed.decode(await ReviewStore(evening.log.db).find(table.id, 0) or b"")
    assert kept
    first = kept.moves.index(lessons(kept.moves)[0]) + 1
    assert f"{first} of 25" in (await client.get(f"/t/{table.id}/review")).text
    assert "25 of 25" in (await client.get(f"/t/{table.id}/review?step=999")).text


async def test_others_see_a_review_only_while_it_is_shown(evening: Evening):
    anna, anna_device = await evening.visitor()
    tim, tim_device = await evening.visitor()
    stranger, _ = await evening.visitor()
    table = await evening.play("yatzy", anna_device, tim_device)
    await evening.keep(table, 0, 1)
    address = f"/t/{table.id}/review?seat=0"
    seen = [(await who.get(address)).status_code for who in (anna, tim, stranger)]
    assert seen == [200, 422, 422]
    assert (await tim.post(f"/t/{table.id}/review", data={"seat": "0", "shown": "1"})).status_code == 422
    assert (await anna.post(f"/t/{table.id}/review", data={"seat": "0", "shown": "1"})).status_code == 303
    seen = [(await who.get(address)).status_code for who in (anna, tim, stranger)]
    assert seen == [200, 200, 422]
    own = (await tim.get(f"/t/{table.id}/review")).text
    assert own.count("<polyline") == 2, "all who share are in one graph"
    assert (await anna.post(f"/t/{table.id}/review", data={"seat": "0", "shown": "0"})).status_code == 303
    assert (await tim.get(address)).status_code == 422


async def test_programs_are_told_what_the_notation_states(evening: Evening):
    client, me = await evening.visitor()
    tim, tim_device = await evening.visitor()
    table = await evening.play("knister", me, tim_device)
    await evening.keep(table, 0, 1)
    answer = await client.get(f"/api/tables/{table.id}/review")
    assert answer.status_code == 200
    (seat,) = answer.json()["seats"]
    assert list(seat) == [
        "name", "total", "expected", "luck", "lost", "early", "drift", "error_rate", "class", "moves",
    ]  # fmt: skip
    assert list(seat["moves"][0]) == ["line", "round", "roll", "do", "best", "lost", "error", "luck", "mark"]
    assert (seat["name"], len(seat["moves"])) == ("P0", 25)
    assert (
        await tim.post(f"/api/tables/{table.id}/show-review", json={"seat": 1, "shown": True})
    ).status_code == 200
    told = (await client.get(f"/api/tables/{table.id}/review")).json()
    assert [seat["name"] for seat in told["seats"]] == ["P0", "P1"]
    stranger, _ = await evening.visitor()
    assert (await stranger.get(f"/api/tables/{table.id}/review")).json() == {"seats": []}


async def test_the_coach_makes_a_review_keeps_it_and_makes_it_again_when_values_change(real_evening: Evening):
    """With the real values: first a 202, then the figures that add up."""
    evening = real_evening
    client, me = await evening.visitor()
    table = await evening.play("yatzy", me)
    await evening.site.collector.take(table.id)
    first = await client.get(f"/api/tables/{table.id}/review")
    assert first.status_code == 202
    assert int(first.headers["retry-after"]) > 0
    while (answer := await client.get(f"/api/tables/{table.id}/review")).status_code == 202:
        await evening.site.coach.values(table.game)  # busy elsewhere: a while passes
    (seat,) = answer.json()["seats"]
    assert seat["total"] == pytest.approx(
        seat["expected"] + seat["luck"] - seat["lost"] + seat["early"] + seat["drift"]
    )
    for part in ("luck", "lost"):
        assert seat[part] == pytest.approx(sum(move[part] for move in seat["moves"]))
    kept = reviewed.decode(await ReviewStore(evening.log.db).find(table.id, 0) or b"")
    assert kept
    assert kept.is_done
    (result,) = await Results(evening.log.db).of_device(me, 1)
    assert (result.luck, result.lost) == (kept.luck, kept.lost)
    assert "data-growing" not in (await client.get(f"/t/{table.id}/review")).text
    other = msgspec.structs.replace(kept, values="by older values", total=999)
    await ReviewStore(evening.log.db).keep(table.id, 0, reviewed.encode(other))
    reviews = Reviews(evening.log, evening.site.service.record, evening.site.coach)  # as after a restart
    await reviews.get_or_start(table, 0)
    while (
        (found := await reviews.get_or_start(table, 0)) is None
        or found.values == "by older values"
        or not found.is_done
    ):
        await evening.site.coach.values(table.game)
    assert found.total == kept.total
    await reviews.close()


async def test_a_review_that_could_not_be_kept_is_shown_and_fails_nobody_later(real_evening: Evening):
    evening = real_evening
    client, me = await evening.visitor()
    table = await evening.play("yatzy", me)
    await evening.log.db.execute("ALTER TABLE kasta_reviews RENAME TO kasta_lost")  # nothing can be kept
    with pytest.raises(Unavailable, match="cannot be used"):
        await evening.site.reviews.get_or_start(table, 0)
    evening.site.reviews._want(table, 0)  # noqa: SLF001 - it was asked for before the store failed
    while evening.site.reviews._wanted:  # noqa: SLF001
        await evening.site.coach.values(table.game)
    await evening.log.db.execute("ALTER TABLE kasta_lost RENAME TO kasta_reviews")
    found = await evening.site.reviews.get_or_start(table, 0)
    assert found
    assert found.is_done
    assert (await client.get(f"/api/tables/{table.id}/review")).status_code == 200


async def test_an_address_has_so_many_reviews_made_and_sees_those_that_are_there(
    evening: Evening, monkeypatch: pytest.MonkeyPatch
):
    """Each is kept as long as its table: nobody makes the store grow by asking."""
    begun = list[int]()
    monkeypatch.setattr(evening.site.reviews, "_want", lambda _table, seat: begun.append(seat))
    evening.site.joining._reviews = RateLimit(Rate(1, 1e-3))  # noqa: SLF001
    client, me = await evening.visitor()
    first, second = [await evening.end(await evening.play("yatzy", me)) for _ in range(2)]
    answers = [await client.get(f"/api/tables/{table.id}/review") for table in (first, second)]
    assert [answer.status_code for answer in answers] == [202, 429]
    assert begun == [0]
    await evening.keep(second, 0)
    assert [seat["name"] for seat in (await client.get(f"/api/tables/{second.id}/review")).json()["seats"]] == [
        "P0"
    ]


async def test_a_review_is_kept_packed_and_one_that_was_kept_before_is_read(evening: Evening):
    table = await evening.end(await evening.play("yatzy", "anna"))
    await evening.keep(table, 0)
    ((body,),) = await evening.log.db.fetch("SELECT body FROM kasta_reviews")
    told = await ReviewStore(evening.log.db).find(table.id, 0)
    assert told
    assert 3 * len(body) < len(told)
    await evening.log.db.execute("UPDATE kasta_reviews SET body = $1", told)  # as versions before kept it
    assert await ReviewStore(evening.log.db).find(table.id, 0) == told
    assert reviewed.decode(told)


async def test_the_picture_to_share_is_about_the_player_alone(evening: Evening):
    client, me = await evening.visitor()
    table = await evening.end(await evening.play("knister", me, rounds=3))
    before = (await client.get(f"/t/{table.id}/sheet/0.svg")).text
    await evening.keep(table, GHOST)
    assert (await client.get(f"/t/{table.id}/sheet/0.svg")).text == before


async def test_a_game_that_was_ended_early_is_reviewed_up_to_there(evening: Evening):
    client, me = await evening.visitor()
    table = await evening.end(await evening.play("knister", me, rounds=3))
    await evening.keep(table, 0, -1)
    page = (await client.get(f"/t/{table.id}/review?step=1")).text
    assert "1 of 3" in page
    assert "ended early" in page


async def test_a_room_of_thirty_and_a_hall(evening: Evening):
    client, me = await evening.visitor()
    for seats in (30, 31):
        table = await evening.end(await evening.play("knister", me, *(f"d{i}" for i in range(1, seats)), rounds=2))
        await evening.keep(table, 0, 1, -1)
        page = (await client.get(f"/t/{table.id}/review")).text
        assert page.count("<polyline") == 2
        assert ("P29" in page) == (seats == 30), "totals are common, but not in a hall"
        assert ("Show my review" in page) == (seats == 30)
        assert (await client.get(f"/t/{table.id}/review?seat=1")).status_code == 422


async def test_the_end_of_a_game_and_its_proof_lead_to_the_review(evening: Evening):
    client, me = await evening.visitor()
    table = await evening.play("yatzy", me, "tim")
    link = f'href="/t/{table.id}/review"'
    assert link in (await client.get(f"/t/{table.id}")).text
    assert link in (await client.get(f"/t/{table.id}/proof")).text
    stranger, _ = await evening.visitor()
    assert link not in (await stranger.get(f"/t/{table.id}")).text


def test_what_another_version_kept_is_made_again():
    assert reviewed.decode(b'{"total": 1}') is None
