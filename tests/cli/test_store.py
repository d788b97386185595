"""`kasta store` and `kasta verify`, as the person who hosts uses them."""

from __future__ import annotations

import asyncio
import json
import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from subprocess import CompletedProcess
from urllib.parse import quote

import pytest

from kasta.cli.backup_file import new_file
from kasta.core import Over
from kasta.db import open_log
from kasta.db.trash import Trash
from kasta.dice import new_secret
from kasta.tables.commands import Play, Roll, Sit
from kasta.tables.service import Service
from support import forked

OLD = Path(__file__).parents[1] / "db/old"


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
    assert kasta("store", "restore", str(backup), "--store", other).stdout.startswith("1 tables restored, 0 were")
    assert kasta("store", "restore", str(backup), "--store", other).stdout.startswith("0 tables restored, 1 were")
    exported = [kasta("store", "export", table, "--store", url).stdout for url in (store, other)]
    assert exported[0] == exported[1] != ""


def test_a_backup_is_on_the_disk_before_it_gets_its_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """Seen by the order of calls: what a disk does when the power goes cannot be tried here."""
    path, synced, fsync = tmp_path / "backup.jsonl", list[tuple[str, str]](), os.fsync

    def sync(file: int) -> None:
        name = Path(f"/proc/self/fd/{file}").readlink().name
        synced.append((name, (tmp_path / name).read_text()))
        assert not path.exists()
        fsync(file)

    monkeypatch.setattr(os, "fsync", sync)
    with new_file(path) as file:
        file.write("all of it")
    assert synced == [(".backup.jsonl.part", "all of it")]
    assert [(each.name, each.read_text()) for each in tmp_path.iterdir()] == [("backup.jsonl", "all of it")]


@pytest.mark.parametrize("version", [3, 7, 12])
def test_check_reads_an_older_store_and_leaves_it_to_older_versions(version: int, tmp_path: Path):
    path = tmp_path / "old # store.sqlite"
    path.write_bytes((OLD / f"sqlite-{version}.db").read_bytes())
    path.chmod(0o600)
    before = path.read_bytes()
    done = kasta("store", "check", "--store", f"sqlite:///{quote(str(path))}")
    assert (done.returncode, done.stdout) == (0, "All is well.\n"), done.stderr
    assert path.read_bytes() == before
    assert [each.name for each in tmp_path.iterdir()] == [path.name]


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
        (["export", "nowhere"], "no_such_store"),
        (["check"], "no_such_store"),
        (["check", "--store", "memory:"], "no_such_store"),
        (["backup", "new.jsonl"], "no_such_store"),
        (["backup", "--to", "backups"], "no_such_store"),
        (["forget", "nowhere"], "no_such_store"),
        (["undelete"], "no_such_store"),
        (["check", "--store", "mysql://x"], "unknown_store"),
        (["restore", "nowhere.jsonl"], "cannot_open"),
        (["check", "--store", "postgresql://localhost:1/kasta"], "store_failed"),
        (["restore", "/dev/null", "--store", "sqlite:////proc/nowhere/kasta.sqlite"], "store_failed"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_line_and_makes_nothing(
    args: list[str], code: str, store: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.chdir(tmp_path)
    if "--store" not in args:
        args = [*args, "--store", store]
    done = kasta("store", *args)
    assert done.returncode == 1
    assert code in done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_is_no_backup_restores_nothing(store: str, tmp_path: Path):
    for number, text in enumerate(("rubbish", "{}", '{"kasta": 1}', '{"kasta_store": 1}\n{"event": {}, "at": 1}')):
        path = tmp_path / f"{number}.jsonl"
        path.write_text(text)
        done = kasta("store", "restore", str(path), "--store", store)
        assert done.returncode == 1, text
        assert "Traceback" not in done.stderr


def test_a_file_that_is_no_store_is_left_alone(tmp_path: Path):
    path = tmp_path / "other.sqlite"
    path.touch()
    done = kasta("store", "check", "--store", f"sqlite:///{path}")
    assert (done.returncode, "no_such_store" in done.stderr) == (1, True)
    assert path.read_bytes() == b""


def test_there_is_no_such_table(store: str):
    asyncio.run(play(store, 1))
    done = kasta("store", "export", "nowhere", "--store", store)
    assert (done.returncode, "no_such_table" in done.stderr) == (1, True)


def test_a_folder_keeps_the_newest_backups_and_those_of_a_wrong_clock(store: str, tmp_path: Path):
    asyncio.run(play(store, 3))
    folder = tmp_path / "backups"
    folder.mkdir()
    old = [f"kasta-2020010{day}-120000.jsonl" for day in range(1, 6)]
    for name in (*old, "kasta-29990101-120000.jsonl", "kasta-mine.jsonl", ".kasta-20200101-110000.jsonl.part"):
        (folder / name).touch()
    done = kasta("store", "backup", "--to", str(folder), "--keep", "3", "--store", store)
    assert (done.returncode, done.stderr) == (0, "1 tables written.\n3 old files removed.\n")
    names = {path.name for path in folder.iterdir()}
    (new,) = names - {*old[3:], "kasta-29990101-120000.jsonl", "kasta-mine.jsonl"}
    assert (folder / new).stat().st_mode & 0o777 == 0o600
    assert kasta("store", "restore", str(folder / new), "--store", f"{store}-2").returncode == 0


def test_a_backup_that_fails_leaves_no_file_and_removes_none(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 3))
    with sqlite3.connect(tmp_path / "kasta.sqlite") as db:
        db.execute("UPDATE events SET body = replace(body, 'a1', 'e5') WHERE seq = 4")
    db.close()
    old = tmp_path / "kasta-20200101-120000.jsonl"
    old.touch()
    done = kasta("store", "backup", "--to", str(tmp_path), "--keep", "1", "--store", store)
    assert (done.returncode, "backup_partial" in done.stderr) == (1, True)
    assert old.exists()
    assert table not in done.stderr, "who knows a table's id can go there"


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("command", [["backup", "-"], ["backup", "/dev/full/x"]])
def test_a_full_disk_is_said_in_a_sentence(store: str, command: list[str]):
    asyncio.run(play(store, 3))
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kasta", "store", *command, "--store", store],
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert "cannot_write" in done.stderr
    assert "Traceback" not in done.stderr
    assert "Exception" not in done.stderr


@pytest.mark.parametrize("args", [["backup"], ["backup", "x", "--to", "y"], ["backup", "x", "--keep", "2"]])
def test_a_backup_says_where_to_in_one_way(args: list[str], store: str):
    done = kasta("store", *args, "--store", store)
    assert done.returncode == 2
    assert "--to DIR" in done.stderr


def test_restore_says_what_it_did_with_the_key(store: str, tmp_path: Path):
    asyncio.run(play(store, 3))
    asyncio.run(sign(store))
    other, backup = f"sqlite:///{tmp_path / 'other.sqlite'}", str(tmp_path / "backup.jsonl")
    kasta("store", "backup", backup, "--store", store)
    asyncio.run(sign(other))
    done = kasta("store", "restore", backup, "--store", other)
    assert "signs with the backup's key: restart what serves it" in done.stdout, "it had no tables"
    asyncio.run(play(other, 3))
    assert "signs with the same key" in kasta("store", "restore", backup, "--store", other).stdout

    third = f"sqlite:///{tmp_path / 'third.sqlite'}"
    asyncio.run(play(third, 3))
    asyncio.run(sign(third))
    done = kasta("store", "restore", backup, "--store", third)
    assert (done.returncode, "other_key" in done.stderr) == (1, True)
    assert "keeps its own key" in kasta("store", "restore", backup, "--store", third, "--keep-key").stdout
    assert (
        "signs with the backup's key"
        in kasta("store", "restore", backup, "--store", third, "--replace-key").stdout
    )


async def sign(url: str) -> None:
    """What serving a store does first."""
    async with await open_log(url) as log:
        await log.key("signing", new_secret())


def test_a_hidden_table_is_listed_and_brought_back(store: str):
    table = asyncio.run(play(store, 3))
    assert kasta("store", "undelete", "--store", store).stdout == "Nothing is hidden.\n"
    assert kasta("store", "undelete", table, "--store", store).returncode == 1

    async def hide() -> None:
        async with await open_log(store) as log:
            await Trash(log.db).hide(1_000_000_000.0, await log.now() + 60)

    asyncio.run(hide())
    assert kasta("store", "export", table, "--store", store).returncode == 1
    assert kasta("store", "undelete", "--store", store).stdout == f"{table}  hidden since 2001-09-09 01:46 UTC\n"
    assert kasta("store", "undelete", table, "--store", store).stdout == f"{table} is back.\n"
    assert kasta("store", "export", table, "--store", store).returncode == 0


def test_the_name_of_one_seat_is_forgotten_and_the_record_is_still_proven(store: str, tmp_path: Path):
    table = asyncio.run(play(store, 25))
    assert kasta("store", "forget", table, "--seat", "0", "--store", store).stdout == "1 names forgotten.\n"
    assert b"Anna" not in b"".join(path.read_bytes() for path in tmp_path.iterdir())
    record = tmp_path / "game.jsonl"
    record.write_text(kasta("store", "export", table, "--store", store).stdout)
    assert '"Player 1"' in record.read_text()
    assert kasta("verify", str(record)).stdout.startswith("proven")
    assert kasta("store", "forget", table, "--seat", "1", "--store", store).returncode == 1


def test_a_new_store_is_for_its_owner_only_and_an_open_one_is_pointed_out(store: str, tmp_path: Path):
    asyncio.run(play(store, 3))
    path = tmp_path / "kasta.sqlite"
    assert path.stat().st_mode & 0o777 == 0o600
    assert kasta("store", "check", "--store", store).stderr == ""
    path.chmod(0o644)
    done = kasta("store", "check", "--store", store)
    assert (done.returncode, done.stdout) == (0, "All is well.\n")
    assert f"chmod o= {path}" in done.stderr


def test_a_refused_restore_leaves_no_store_behind_and_memory_keeps_nothing(tmp_path: Path):
    wrong = tmp_path / "wrong.jsonl"
    wrong.write_text("{}\n")
    done = kasta("store", "restore", str(wrong), "--store", f"sqlite:///{tmp_path / 'new.sqlite'}")
    assert "not_a_backup" in done.stderr
    assert [each.name for each in tmp_path.iterdir()] == [wrong.name]
    assert "unknown_store" in kasta("store", "restore", str(wrong), "--store", "memory:").stderr
