"""The schema of the stores, as numbered steps forward. A step that was released is never changed.

A step is what all files of its number say: each stands where its tables are used, here or in a feature's folder.
"""

from __future__ import annotations

import sqlite3
from collections import defaultdict
from collections.abc import Iterator
from itertools import chain
from pathlib import Path

from kasta.errors import Unavailable
from kasta.sql import Database, Steps

PACKAGE = Path(__file__).parents[2]
FOLDERS = ("db/schema", "results/schema", "features/*/schema")

_FIRST = "INSERT INTO kasta_notes VALUES ('schema', $1, '', '0', clock_timestamp()) ON CONFLICT DO NOTHING"
_HAVE = "UPDATE kasta_notes SET text = text WHERE kind = 'schema' AND owner = $1 RETURNING text"
_REACHED = "UPDATE kasta_notes SET text = $2 WHERE kind = 'schema' AND owner = $1"


def steps(kind: str, have: int) -> list[tuple[int, str]]:
    """The steps from the version a store has to the newest; one that is newer than this program is refused."""
    found = _numbered(chain.from_iterable(PACKAGE.glob(f"{folder}/{kind}/*.sql") for folder in FOLDERS))
    newest = max(found)
    if have > newest:
        raise Unavailable("store_newer", have=have, newest=newest)
    return [(number, script) for number, script in found.items() if number > have]


async def bring_up_to_date(db: Database, feature: str, schema: Path) -> None:
    """Make or change the tables of a feature from another package, which counts its steps by itself."""
    found = {} if schema.is_relative_to(PACKAGE) else _numbered((schema / db.kind).glob("*.sql"))
    if not found:
        return

    def migration() -> Steps[None]:
        yield _FIRST, feature
        ((have,),) = yield _HAVE, feature  # whoever else is at it waits here
        for number, script in found.items():
            if number > int(have):
                yield from ((statement,) for statement in statements(script))
                yield _REACHED, feature, str(number)

    await db.transaction(migration)


def statements(script: str) -> Iterator[str]:
    """The statements of a script one by one."""
    text = ""
    for line in script.splitlines(keepends=True):
        text += line
        if sqlite3.complete_statement(text):
            yield text
            text = ""


def _numbered(files: Iterator[Path]) -> dict[int, str]:
    """Steps in their order, by the four digits with which their files' names begin."""
    found = defaultdict[int, str](str)
    for path in sorted(files, key=lambda path: path.name):
        found[int(path.name[:4])] += path.read_text("utf-8")
    return found
