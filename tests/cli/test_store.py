"""`kasta store` and `kasta verify`, as the person who hosts uses them."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from pathlib import Path
from subprocess import CompletedProcess

import forked
import pytest

from kasta.core import Over
from kasta.store import open_log
from kasta.table.commands import Play, Roll, Sit
from kasta.table.service import Service


def kasta(*args: str) -> CompletedProcess[str]:
    done = forked.kasta(*args)
    return CompletedProcess(args, done.returncode, done.stdout.decode(), done.stderr.decode())


async def play(url: str, rounds: int) -> str:
    """Anna plays alone for some rounds; the id of her table."""
    async with await open_log(url) as log:
        service = Service(log)
        table = await service.open("anna", "knister")
        table = await service.do(table.id, Sit("anna", "Anna", entropy="my cat"))
        for _ in range(rounds):
            table = await service.do(table.id, Roll("anna", table.turn))
            cell = str(table.game.legal(table.play, 0)[0])
            table = await service.do(table.id, Play("anna", table.turn, 0, 0, cell))
        while isinstance(table.next(), Over) and not table.is_closed:
            table = await service.table(table.id)
        await service.close()
        return table.id


@pytest.fixture
def store(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'kasta.sqlite'}"


def test_a_finished_game_is_exported_and_its_dice_are_verified(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 25))
    record = tmp_path / "game.jsonl"
    record.write_text(kasta("store", "export", table, "--store", store).stdout)
    assert json.loads(kasta("replay", str(record), "--json").stdout)["over"] is True
    done = kasta("verify", str(record), "--json")
    assert done.returncode == 0
    assert json.loads(done.stdout) == {"dice": "proven", "throws": 25, "first_wrong_line": None}
    assert kasta("verify", str(record)).stdout == "proven: 25 throws were fixed before the first of them.\n"

    lines = record.read_text().splitlines()
    roll = json.loads(lines[9])
    lines[9] = json.dumps({"roll": [roll["roll"][0] % 6 + 1, roll["roll"][1]]})
    record.write_text("\n".join(lines))
    done = kasta("verify", str(record), "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout) == {"dice": "wrong", "throws": 25, "first_wrong_line": 10}


def test_a_game_that_goes_on_tells_no_secret_and_is_unproven(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 3))
    record = kasta("store", "export", table, "--store", store).stdout
    assert "secret" not in record
    (tmp_path / "game.jsonl").write_text(record)
    assert kasta("verify", str(tmp_path / "game.jsonl")).stdout.startswith("unproven")


def test_names_are_forgotten_in_every_file(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 3))
    assert kasta("store", "forget", table, "--store", store).stdout == "1 names forgotten.\n"
    assert b"Anna" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    assert "Player 1" in kasta("store", "export", table, "--store", store).stdout
    assert kasta("store", "check", "--store", store).stdout == "All is well.\n"


def test_a_backup_is_for_its_owner_only_is_not_overwritten_and_restores_elsewhere(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 25))
    backup = tmp_path / "backup.jsonl"
    assert kasta("store", "backup", str(backup), "--store", store).returncode == 0
    assert backup.stat().st_mode & 0o777 == 0o600
    assert kasta("store", "backup", str(backup), "--store", store).returncode == 1
    other = f"sqlite:///{tmp_path / 'other.sqlite'}"
    assert kasta("store", "restore", str(backup), "--store", other).stdout == "1 tables restored.\n"
    assert kasta("store", "restore", str(backup), "--store", other).stdout == "0 tables restored.\n"
    exported = [kasta("store", "export", table, "--store", url).stdout for url in (store, other)]
    assert exported[0] == exported[1] != ""


def test_check_finds_an_altered_event_and_says_where(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 3))
    assert kasta("store", "check", "--store", store).returncode == 0
    with sqlite3.connect(tmp_path / "kasta.sqlite") as db:
        db.execute("UPDATE events SET body = replace(body, 'a1', 'e5') WHERE seq = 4")
    db.close()
    done = kasta("store", "check", "--store", store, "--json")
    assert done.returncode == 1
    assert json.loads(done.stdout)["problems"][0]["table"] == table
    assert "event 4" in json.loads(done.stdout)["problems"][0]["problem"]


@pytest.mark.parametrize(
    ("args", "code"),
    [
        (["export", "nowhere"], "no_such_table"),
        (["check", "--store", "mysql://x"], "unknown_store"),
        (["restore", "nowhere.jsonl"], "cannot_open"),
        (["check", "--store", "postgresql://localhost:1/kasta"], "store_failed"),
        (["check", "--store", "sqlite:////proc/nowhere/kasta.sqlite"], "store_failed"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line(args: list[str], code: str, store: str):
    if "--store" not in args:
        args = [*args, "--store", store]
    done = kasta("store", *args)
    assert done.returncode == 1
    assert code in done.stderr
    assert "Traceback" not in done.stderr


def test_a_file_that_is_no_backup_restores_nothing(store: str, tmp_path: Path):
    for number, text in enumerate(("rubbish", "{}", '{"kasta": 1}', '{"kasta_store": 1}\n{"event": {}, "at": 1}')):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(text)
        done = kasta("store", "restore", str(path), "--store", store)
        assert done.returncode == 1, text
        assert "Traceback" not in done.stderr
