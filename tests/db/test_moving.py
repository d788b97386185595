"""Moving from SQLite to PostgreSQL by the line that docs/recipes.md gives."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from kasta.db import admin, open_log
from kasta.tables.log import SIGNING

ROOT = Path(__file__).parents[2]
MOVE = re.compile(r"^    (kasta store backup - .*\| kasta store restore - .*)$", re.MULTILINE)


def move(source: str, target: str) -> None:
    (line,) = MOVE.findall((ROOT / "docs/recipes.md").read_text("utf-8"))
    line = re.sub(r"sqlite:///\S+", f"'{source}'", line)
    line = re.sub(r"postgresql://\S+", f"'{target}'", line)
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    command = ["bash", "-o", "pipefail", "-c", line]
    subprocess.run(command, env={**os.environ, "PATH": path}, check=True, timeout=120)


async def test_an_old_file_moves_to_postgres_by_one_line(sqlite_url: str, postgres_url: str):
    shutil.copy(ROOT / "tests/db/old/sqlite-5.db", sqlite_url.removeprefix("sqlite:///"))
    move(sqlite_url, postgres_url)
    async with await open_log(sqlite_url) as old, await open_log(postgres_url) as new:
        tables = sorted(await old.tables())
        assert len(tables) == 3
        assert sorted(await new.tables()) == tables
        assert await new.key(SIGNING, b"another") == await old.key(SIGNING, b"another")
        for name in tables:
            assert await new.read(name) == await old.read(name)
        assert [problem async for problem in admin.check(new)] == []
