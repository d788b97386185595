"""Many records reviewed: what each seat made of each game, and what each player gives away over all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from io import BytesIO
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from kasta.coach.report import html_report
from kasta.coach.review import review
from kasta.errors import KastaError, Unreadable
from kasta.games.traits import find_reviewer
from kasta.i18n import Words, words
from kasta.jobs.job import Job
from kasta.record import walk

RECORDS = "*.jsonl"


class ReviewTask(NamedTuple):
    """A record to be reviewed, wherever that is done; with a page, if one is wanted."""

    file: str
    content: bytes
    language: str
    page: bool


def review_job(folder: Path, language: str, *, pages: bool = False) -> Job[ReviewTask]:
    """All records of a folder, those of its folders, too; each of them is a chunk."""
    files = sorted(folder.rglob(RECORDS))
    if not files:
        raise Unreadable("no_records", path=str(folder))
    try:
        contents = [file.read_bytes() for file in files]
    except OSError as error:
        raise Unreadable("cannot_open", path=error.filename, reason=error.strerror) from None
    names = [file.relative_to(folder).as_posix() for file in files]
    chunks = [ReviewTask(name, content, language, pages) for name, content in zip(names, contents, strict=True)]
    digest = sha256(repr([(chunk.file, sha256(chunk.content).hexdigest()) for chunk in chunks]).encode())
    about = {"records": len(chunks), "digest": digest.hexdigest(), "language": language, "pages": pages}
    return Job("review", about, review_record, chunks)


def review_record(record: ReviewTask) -> dict[str, Any]:
    """What `kasta review --json` says of it, or what is wrong with it, and the page."""
    said = words(record.language)
    try:
        moments = list(walk(BytesIO(record.content)))
        game = moments[0].game
        valuer = find_reviewer(game)
        seats = review(moments, valuer=valuer)
    except KastaError as error:
        about = {"kind": error.kind, "code": error.code, "line": error.line, "message": said.error(error)}
        return {"file": record.file, "error": about}
    from kasta.coach.reviewed import told_review

    told = [told_review(one, game, valuer.spread) for one in seats]
    page = {"page": html_report(game, seats, valuer.spread, said)} if record.page else {}
    return {"file": record.file, "game": game.name, "rules": game.rules, "seats": told, **page}


def lines(found: Iterable[dict[str, Any]], said: Words) -> Iterator[str]:
    """Each seat of each game in a line, then each player of each game over all of theirs."""
    players: dict[tuple[str, str, str], list[dict[str, Any]]] = {}
    for record in found:
        if "error" in record:
            line = record["error"]["line"]
            yield f"{record['file']}{f':{line}' if line else ''}: {record['error']['message']}"
        for seat in record.get("seats", ()):
            yield f"{record['file']}: {_split(seat['name'], [seat], said)}"
            players.setdefault((record["game"], record["rules"], seat["name"]), []).append(seat)
    for (game, rules, name), seats in sorted(players.items()):
        games = said.count("{number} game", "{number} games", len(seats))
        yield f"{game}, {rules}, {games}: {_split(name, seats, said)}"


def _split(name: str, seats: Sequence[dict[str, Any]], said: Words) -> str:
    total, expected, luck, lost = (
        fmean(seat[key] for seat in seats) for key in ("total", "expected", "luck", "lost")
    )
    return said.say(
        "{name} {total}; expected {expected}, luck {luck}, given away {lost}",
        name=name,
        total=f"{total:.2f}",
        expected=f"{expected:.2f}",
        luck=f"{luck:+.2f}",
        lost=f"{lost:.2f}",
    )
