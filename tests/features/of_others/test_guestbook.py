"""The docs' example feature: installed beside ours, in a browser and on every store."""

from __future__ import annotations

import io
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from support.browsing import Server
from support.others import EXAMPLES, install_example, run, with_packages

ROOT = Path(__file__).parents[3]
EXAMPLE = EXAMPLES / "guestbook"
USED = """
import asyncio, sys
from kasta.app import all_features
from kasta.db import open_log
from kasta.db.personal import delete_all, delete_idle, move_all
from kasta.feature import personal_data, prepare
from kasta_guestbook.store import Entries, Entry

async def main():
    async with await open_log(sys.argv[1]) as log, await open_log(sys.argv[1]) as other:
        features = all_features()
        await asyncio.gather(prepare(log, features), prepare(other, features))
        await prepare(log, features)
        entries, personal = Entries(log.db), personal_data(features)
        for entry in (Entry("anna", 1.0, "Hi"), Entry("tim", 2.0, "Ho")):
            await entries.add(entry)
        await move_all(log.db, personal, "anna", "lena")
        await delete_all(log.db, personal, "tim")
        print(await Entries(other.db).newest(9) == [Entry("lena", 1.0, "Hi")])
        await delete_idle(log.db, personal, 1.5)
        print(await entries.newest(9) == [])

asyncio.run(main())
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return install_example(tmp_path_factory.mktemp("packages"), EXAMPLE)


@pytest.fixture(scope="module")
def site(installed: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    server = Server(tmp_path_factory.mktemp("server"), path=installed)
    (server.folder / "kasta.toml").write_text("guestbook_entries = 2\n")
    server.start("--config", str(server.folder / "kasta.toml"))
    yield server
    server.kill()


def test_the_page_of_the_docs_shows_the_package_as_it_is():
    page = (ROOT / "docs/adding-a-feature.md").read_text("utf-8")
    shown = re.findall(r"^```\w+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    files = [path for path in EXAMPLE.rglob("*") if path.suffix in {".py", ".toml", ".sql", ".html", ".css"}]
    assert len(files) == 11
    for path in files:
        assert path.read_text("utf-8") in shown, path.name
    assert (EXAMPLE / "src/kasta_guestbook/i18n/sv.po").read_text("utf-8") in shown


def test_nothing_in_our_source_knows_it():
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in {".py", ".html", ".js", ".css", ".po", ".sql"}:
            assert "guestbook" not in path.read_text("utf-8").lower(), path


def test_programs_read_and_write_it_and_are_told_how(site: Server):
    with httpx.Client(base_url=site.url) as program:
        token = program.post("/api/tables", json={"game": "knister"}).json()["token"]
        own = {"authorization": f"Bearer {token}"}
        told = program.post("/api/guestbook", json={"text": "  From a   program "}, headers=own)
        assert told.json()[0]["text"] == "From a program"
        assert program.get("/api/guestbook").json() == told.json()
        refused = program.post("/api/guestbook", json={"text": " "}, headers=own)
        assert (refused.status_code, refused.json()["error"]["code"]) == (422, "bad_guestbook_entry")
        described = program.get("/api/openapi.json").json()
        assert {"get", "post"} <= described["paths"]["/api/guestbook"].keys()


def test_a_guest_has_it_exported_and_deleted_with_all_else(site: Server):
    with httpx.Client(base_url=site.url, headers={"origin": site.url}, follow_redirects=True) as guest:
        guest.post("/guestbook", data={"text": "Anna was here"})
        packed = zipfile.ZipFile(io.BytesIO(guest.get("/games/export").content))
        assert json.loads(packed.read("guestbook.jsonl"))["text"] == "Anna was here"
        guest.post("/games/delete")
        assert "Anna was here" not in guest.get("/guestbook").text


def test_every_store_keeps_it_and_moves_deletes_and_forgets_it(installed: Path, durable_url: str):
    done = subprocess.run(
        [sys.executable, "-c", USED, durable_url],
        env=with_packages(installed),
        text=True,
        capture_output=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("True\nTrue\n", "")


def test_a_backup_brings_it_into_another_store(installed: Path, site: Server, tmp_path: Path):
    with httpx.Client(base_url=site.url, headers={"origin": site.url}) as guest:
        guest.post("/guestbook", data={"text": "To be kept"})
    saved, other = tmp_path / "saved.jsonl", f"sqlite:///{tmp_path / 'other.db'}"
    run(installed, "kasta", "store", "backup", saved, "--store", f"sqlite:///{site.folder / 'kasta.db'}")
    assert '"guestbook":"To be kept"' in saved.read_text("utf-8")
    run(installed, "kasta", "store", "restore", saved, "--store", other)
    again = run(installed, "kasta", "store", "backup", "-", "--store", other)
    assert '"guestbook":"To be kept"' in again
