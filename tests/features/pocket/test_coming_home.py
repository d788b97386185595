"""Games that were played without the server come home: once, checked, to their owner alone, on no board."""

from __future__ import annotations

import asyncio
import io
import json
import re
import time
import zipfile
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from secrets import token_urlsafe
from typing import Any

import httpx
import pytest

from kasta.app import all_features
from kasta.db.backup import backup, restore
from kasta.db.personal import delete_all, delete_idle, move_all
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.edge.identity import Signer
from kasta.errors import Conflict, Illegal, KastaError
from kasta.feature import backup_parts, personal_data
from kasta.features.pocket.coming_home import (
    OLDEST,
    ComingHome,
    PocketGame,
    PocketSettings,
    results_of_game,
    table_of,
)
from kasta.games import OURS, find_game
from kasta.i18n import LANGUAGES
from kasta.record import Do, Header, Leave, Step, replay as replay_record, write_record
from kasta.results.model import POCKET, Board, Result
from kasta.results.store import Results
from kasta.tables.log import Log
from support.play import random_game, random_record
from support.visitors import Phone, Program, device_of

Visits = Callable[..., Any]
PATH = "/api/pocket/games"
PERSONAL = personal_data(all_features())


def new_id() -> str:
    return token_urlsafe(20)


@cache
def text_of(game: str = "knister", seats: int = 1, seed: int = 1) -> str:
    rules = find_game(game).rules
    return "".join(f"{line}\n" for line in random_record(game, rules, seats, seed))


def with_bots(game: str, seats: int, bots: Sequence[int], **header: Any) -> str:  # noqa: ANN401 - fields of it
    """The record of a game in which bots played for some seats."""
    steps = [step for _, step in random_game(find_game(game), seats, 2) if step]
    marked = [replace(step, by_bot=True) if isinstance(step, Do) and step.seat in bots else step for step in steps]
    return written(game, marked, seats, **header)


def written(game: str, steps: Sequence[Step], seats: int, **header: Any) -> str:  # noqa: ANN401 - fields of it
    names = tuple(f"Person {seat}" for seat in range(seats))
    head = Header(game, find_game(game).rules, names, **header)
    return "\n".join(write_record(head, steps))


def told(record: str, seat: int | None = None, finished: float = 0.0) -> PocketGame:
    return PocketGame(new_id(), record, finished, seat)


def home(log: Log, **settings: int) -> ComingHome:
    return ComingHome(log, Signer(b"key"), PocketSettings(**settings))


async def mine(log: Log, device: str = "anna") -> list[Result]:
    return await Results(log.db).of_device(device, 100)


# ---- what is kept


async def test_a_game_is_kept_once_with_its_own_sheet_for_whoever_sends_it(log: Log):
    for game in OURS:
        sent = told(text_of(game, 3), seat=1, finished=time.time() - 60)
        assert await home(log).take(f"phone of {game}", "here", sent)
        assert not await home(log).take(f"phone of {game}", "here", sent)
        (kept,) = await mine(log, f"phone of {game}")
        check_kept(kept, game, sent)


def check_kept(kept: Result, game: str, sent: PocketGame) -> None:
    record = sent.record
    end = replay_record(io.BytesIO(record.encode()))
    assert (kept.kind, kept.table, kept.seat) == (POCKET, table_of(sent.id), 1)
    assert (kept.game, kept.rules, kept.seats) == (game, find_game(game).rules, 3)
    assert kept.total == end.game.total(end.table, 1)
    assert kept.ended == sent.finished
    own = replay_record(io.BytesIO(kept.lines().encode()))
    assert own.game.total(own.table, 0) == kept.total
    assert "Tim" not in kept.lines()


async def test_on_a_phone_that_is_passed_round_everybody_has_a_result_and_bots_have_none(log: Log):
    await home(log).take("anna", "here", told(with_bots("yatzy", 4, [1, 3])))
    results = await mine(log)
    assert sorted(result.seat for result in results) == [0, 2]
    assert {(result.seats, result.bots) for result in results} == {(4, 2)}
    assert len({result.place for result in results}) == 2
    assert not any(result.is_helped for result in results)


async def test_who_was_coached_or_helped_was_and_who_left_has_no_result(log: Log):
    coming = home(log)
    await coming.take("anna", "here", told(with_bots("knister", 2, [], coached=(1,)), seat=1))
    await coming.take("anna", "here", told(with_bots("yatzy", 2, [1]), seat=0))
    assert [result.is_helped for result in await mine(log)] == [False, True]
    alone = [Leave(1), *(step for _, step in random_game(find_game("yatzy"), 1, 4) if step)]
    with pytest.raises(KastaError) as refused:
        await coming.take("anna", "here", told(written("yatzy", alone, 2), seat=1))
    assert refused.value.code == "pocket_nobody"
    assert await coming.take("anna", "here", told(written("yatzy", alone, 2)))


@pytest.mark.parametrize(
    ("finished", "is_believed"),
    [(-60.0, True), (60.0, False), (1e12, False), (-OLDEST - 60, False), (-1e12, False), (-OLDEST + 60, True)],
)
async def test_the_time_of_a_wrong_clock_is_that_of_coming_home(finished: float, is_believed: bool):  # noqa: FBT001
    async with MemoryLog() as log:
        now = await log.now()
        await home(log).take("anna", "here", told(text_of(), finished=now + finished))
        (kept,) = await mine(log)
        assert kept.ended == pytest.approx(now + finished if is_believed else now, abs=30)
        assert kept.ended <= await log.now()


# ---- what is refused


@pytest.mark.parametrize(
    ("record", "code"),
    [
        ("", "empty"),
        ("hello", "not_json"),
        ("\ud800", "not_utf8"),
        ('{"kasta": 2}', "unknown_version"),
        (text_of().replace("knister", "chess"), "unknown_game"),
        (text_of().rpartition('{"roll"')[0], "pocket_not_over"),
        (text_of().partition("\n")[0], "pocket_not_over"),
        (text_of() + '{"roll": [1, 1]}\n', "game_over"),
        (text_of().replace('"do": "', '"do": "z', 1), "unknown_cell"),
        (text_of("yatzy", 2).replace('"seat": 0', '"seat": 1', 1), "not_your_turn"),
        (text_of() + "\n" * 200_000, "pocket_too_large"),
        (json.dumps({"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["x"] * 31}), "pocket_too_large"),
        (with_bots("knister", 2, [0, 1]), "pocket_nobody"),
    ],
    ids=lambda part: part if isinstance(part, str) and len(part) < 20 else "record",
)
async def test_what_is_not_a_whole_legal_game_is_refused(record: str, code: str):
    async with MemoryLog() as log:
        with pytest.raises(KastaError) as refused:
            await home(log).take("anna", "here", told(record))
        assert refused.value.code == code
        assert await mine(log) == []


@pytest.mark.parametrize("seat", [-1, 1, 2, 10**9])
async def test_a_seat_of_a_bot_or_nobody_is_nobody_s_own(seat: int):
    async with MemoryLog() as log:
        with pytest.raises(Illegal, match="Nobody"):
            await home(log).take("anna", "here", told(with_bots("knister", 2, [1]), seat=seat))


async def test_nobody_takes_or_changes_the_game_of_another(log: Log):
    coming, sent = home(log), told(text_of(seed=1))
    await coming.take("anna", "here", sent)
    before = await mine(log)
    with pytest.raises(Conflict) as refused:
        await coming.take("eve", "there", replace(sent, record=text_of(seed=2)))
    assert refused.value.code == "pocket_taken"
    assert not await coming.take("anna", "here", replace(sent, record=text_of(seed=2)))
    assert await mine(log) == before
    assert await mine(log, "eve") == []


async def test_of_two_who_send_the_same_game_at_once_one_has_it(log: Log):
    coming, sent = home(log), told(text_of())
    answers = await asyncio.gather(
        *(coming.take(f"phone {number}", "here", sent) for number in range(4)), return_exceptions=True
    )
    assert sum(answer is True for answer in answers) == 1
    assert sum(isinstance(answer, Conflict) for answer in answers) == 3
    assert sum([len(await mine(log, f"phone {number}")) for number in range(4)]) == 1


async def test_a_device_and_an_address_bring_so_many_a_day_and_what_is_kept_does_not_count(
    log: Log,
):
    coming = home(log, pocket_games_a_device=2, pocket_games_an_address=3)
    sent = [told(text_of()) for _ in range(4)]
    for game in (*sent[:2], *sent[:2]):
        await coming.take("anna", "here", game)
    await coming.take("tim", "here", sent[2])
    for device in ("anna", "tim"):
        with pytest.raises(Illegal) as refused:
            await coming.take(device, "here", sent[3])
        assert refused.value.code == "too_many_pocket_games"
        assert 86_000 < int(str(refused.value.params["seconds"])) <= 86_400
    assert [len(await mine(log, device)) for device in ("anna", "tim")] == [2, 1]


# ---- where it belongs


async def test_no_board_and_no_table_s_results_know_of_it(log: Log):
    table = "x" * 26
    await home(log).take("anna", "here", replace(told(text_of()), id=table))
    results = Results(log.db)
    assert await results.distribution(Board("table", "knister", "sheet")) == {}
    assert await results.ranking(Board("table", "knister", "sheet"), 10) == []
    assert await results.owner(table) is None, "a table of that name could still keep its results"


async def test_it_moves_is_deleted_and_is_forgotten_with_all_other_games(log: Log):
    coming = home(log)
    for number in range(3):
        await coming.take(f"phone {number}", "here", told(text_of(), finished=await log.now() - number * 1_000))
    await move_all(log.db, PERSONAL, "phone 0", "new")
    assert [len(await mine(log, device)) for device in ("phone 0", "new")] == [0, 1]
    await delete_all(log.db, PERSONAL, "phone 1")
    assert await mine(log, "phone 1") == []
    await delete_idle(log.db, PERSONAL, await log.now() - 1_500)
    assert [len(await mine(log, device)) for device in ("new", "phone 2")] == [1, 0]


def _never(damage: KastaError) -> None:
    raise damage


async def test_a_backup_has_it(log: Log):
    coming, sent, parts = home(log), told(text_of("yatzy", 2), seat=1), backup_parts(all_features())
    await coming.take("anna", "here", sent)
    lines = [line.encode() async for line in backup(log, _never, parts)]
    async with MemoryLog() as other:
        await restore(other, lines, parts, "replace")
        assert await mine(other) == await mine(log)
        assert not await home(other).take("anna", "here", sent)


# ---- over the wire


async def send(client: httpx.AsyncClient, **fields: Any) -> httpx.Response:  # noqa: ANN401
    body = {"id": new_id(), "record": text_of(), "finished": time.time(), "seat": 0}
    return await client.post(PATH, json=body | fields)


async def test_a_page_sends_a_game_and_my_games_shows_it(visit: Visits, app_log: MemoryLog):
    client, other = await visit(), await visit()
    me = await device_of(client)
    sent = new_id()
    first, again = await send(client, id=sent), await send(client, id=sent)
    assert (first.status_code, first.json()) == (201, {"game": sent, "kept": True})
    assert (again.status_code, again.json()) == (200, {"game": sent, "kept": True})
    page = (await client.get("/games")).text
    assert "played without a network" in page
    assert f'href="/games/{table_of(sent)}/0/review"' in page
    assert 'href="/t/' not in page
    archive = zipfile.ZipFile(io.BytesIO((await client.get("/games/export")).content))
    listed = json.loads(archive.read("games.jsonl"))
    assert (listed["kind"], listed["total"]) == (POCKET, (await mine(app_log, me))[0].total)
    assert sent not in json.dumps(listed)
    assert "<time" not in (await other.get("/games")).text
    assert (await send(other, id=sent)).status_code == 409
    await client.post("/games/delete")
    assert await mine(app_log, me) == []


async def test_who_is_unknown_or_only_acts_for_a_device_keeps_nothing(visit: Visits, app_log: MemoryLog):
    stranger, client = await visit(), await visit()
    assert (await send(stranger)).status_code == 401
    me = await device_of(client)
    token = Signer(await app_log.key("signing", b"")).token(me)
    program = await visit(headers={"authorization": f"Bearer {token}"})
    assert (await send(program)).status_code == 201
    assert len(await mine(app_log, me)) == 1
    named = (await program.post("/api/tokens", json={"name": "Rosie"})).json()["token"]
    bot = await visit(headers={"authorization": f"Bearer {named}"})
    refused = await send(bot)
    assert (refused.status_code, refused.json()["error"]["code"]) == (422, "named_token")
    elsewhere = await client.post(PATH, json={}, headers={"origin": "http://evil.test"})
    assert elsewhere.status_code == 403


@pytest.mark.parametrize(
    ("fields", "status"),
    [
        ({"id": "short"}, 400),
        ({"id": "x" * 65}, 400),
        ({"id": "../../../../../../etc/passwd"}, 400),
        ({"record": 7}, 400),
        ({"finished": "yesterday"}, 400),
        ({"seat": "zero"}, 400),
        ({"record": text_of().rpartition('{"roll"')[0]}, 422),
        ({"record": "x" * 200_001}, 400),
        ({"record": "x" * 500_000}, 413),
    ],
    ids=str,
)
async def test_what_does_not_fit_is_refused_with_a_code(visit: Visits, fields: dict[str, Any], status: int):
    client = await visit()
    await device_of(client)
    answer = await send(client, **fields)
    assert answer.status_code == status
    assert answer.json()["error"]["code"]


async def test_too_many_are_told_when_to_come_again(visit: Visits):
    client = await visit(Config(of_features=(PocketSettings(pocket_games_a_device=1),)))
    await device_of(client)
    assert (await send(client)).status_code == 201
    refused = await send(client)
    assert (refused.status_code, refused.json()["error"]["code"]) == (429, "too_many_pocket_games")
    assert int(refused.headers["retry-after"]) > 86_000


@pytest.mark.parametrize("language", LANGUAGES)
async def test_it_is_said_in_every_language(visit: Visits, language: str):
    client = await visit(headers={"accept-language": language, "origin": "http://kasta.test"})
    await device_of(client)
    await send(client)
    about = re.search(r'class="about">([^<]+)<', (await client.get("/games")).text)
    refused = (await send(client, record=text_of().partition("\n")[0])).json()["error"]["message"]
    assert about is not None
    assert (about[1] == "played without a network") == (language == "en")
    assert (refused == "This game is not over: only finished games can be kept.") == (language == "en")


# ---- its review


async def reviewed(client: httpx.AsyncClient, address: str, **headers: str) -> str:
    """The page of a review, once it is whole."""
    async with asyncio.timeout(120):
        while "data-growing" in (page := (await client.get(address, headers=headers)).text):
            await asyncio.sleep(0.05)
    return page


async def test_the_own_sheet_is_reviewed_for_its_owner_alone(visit: Visits, app_log: MemoryLog):
    client, other = await visit(), await visit()
    me = await device_of(client)
    await device_of(other)
    sent = new_id()
    await send(client, id=sent, record=text_of("yatzy15", 2), seat=1)
    address = f"/games/{table_of(sent)}/1/review"
    page = await reviewed(client, address)
    (kept,) = await mine(app_log, me)
    assert f"<h1>Your {kept.total}, seen again</h1>" in page
    assert 'href="/games"' in page
    assert "/t/" not in page
    assert kept.lost is not None
    assert f"<dd>{-kept.lost:.1f}</dd>".replace("-", "\N{MINUS SIGN}") in re.sub(r"</?b>|\s*</dd>", "</dd>", page)
    steps = re.findall(r'href="\?seat=0&amp;step=(\d+)"', page)
    assert steps
    assert (await client.get(f"{address}?seat=0&step={steps[0]}")).status_code == 200
    assert (await other.get(address)).status_code == 404
    assert (await client.get(address.replace("/1/", "/0/"))).status_code == 404
    assert (await client.get(f"/games/{'x' * 26}/0/review")).status_code == 404
    await client.post("/games/delete")
    assert (await client.get(address)).status_code == 404


# ---- a real server


def test_a_game_comes_home_to_a_real_server_by_cookie_and_by_token(
    phone: Callable[[], Phone], program: Callable[..., Program]
):
    anna, bot = phone(), program()
    sent = {"id": new_id(), "record": text_of("knaster", 2), "finished": time.time(), "seat": None}
    assert anna.http.post(PATH, json=sent).json() == {"game": sent["id"], "kept": True}
    assert anna.http.post(PATH, json=sent).status_code == 200
    assert anna.get("/games").text.count("played without a network") == 2
    assert bot.post("/pocket/games", sent).status_code == 401
    bot.hold(anna.token)
    assert bot.post("/pocket/games", sent | {"id": new_id()}).status_code == 201
    assert anna.get("/games").text.count("played without a network") == 4


async def test_records_are_checked_one_at_a_time(log: Log, monkeypatch: pytest.MonkeyPatch):
    """Each takes up to a fifth of a second of a thread, which those who play would wait for."""
    at_once, most = 0, 0

    def checked(device: str, game: PocketGame) -> list[Result]:
        nonlocal at_once, most
        at_once += 1
        most = max(most, at_once)
        time.sleep(0.02)
        at_once -= 1
        return results_of_game(device, game)

    monkeypatch.setattr("kasta.features.pocket.coming_home.results_of_game", checked)
    coming = home(log)
    await asyncio.gather(*(coming.take(f"d{number}", f"{number % 2}", told(text_of())) for number in range(8)))
    assert most == 1
