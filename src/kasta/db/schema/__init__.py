"""The schema of the stores, as numbered steps forward. A step that was released is never changed."""

from __future__ import annotations

from importlib.resources import files

from kasta.errors import Unavailable


def steps(kind: str, have: int) -> list[tuple[int, str]]:
    """The steps from the version a store has to the newest; one that is newer than this program is refused."""
    folder = files("kasta.db.schema") / kind
    found = sorted((int(file.name[:4]), file.read_text("utf-8")) for file in folder.iterdir())
    newest = found[-1][0]
    if have > newest:
        raise Unavailable("store_newer", have=have, newest=newest)
    return [step for step in found if step[0] > have]
