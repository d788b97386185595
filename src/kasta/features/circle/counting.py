"""The kept counts of a circle: written with the results of a game, and anew where a person moves or is forgotten.

Everything here runs in a transaction that has locked the circle: counts are read, changed and written back.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from kasta.core import Seat
from kasta.features.circle.model import ALL_TIME, CircleGame, CircleScore
from kasta.results.model import Result
from kasta.sql import Many, Steps, insert
from kasta.tables.names import folded
from kasta.tables.state import Table

LEAST_MEMBERS = 2  # of a game that counts
MOST_PAIRED = 30  # of a game that tells who beat whom: pairs grow with the square
GAME_COLUMNS = "circle, name, seat, member, season, game, rules, ended, total, is_won, is_helped"
SCORE_COLUMNS = "circle, season, game, rules, member, games, wins, points, best, best_at, run, longest"
PAIR_COLUMNS = "circle, season, game, rules, member, other, games, wins, losses"

_LOCK = "UPDATE kasta_circles SET season = season WHERE id = $1 RETURNING season"
_DEVICES = """
SELECT d.device, m.id, m.name FROM kasta_circle_devices AS d
    JOIN kasta_circle_members AS m ON m.circle = d.circle AND m.id = d.member
    WHERE d.circle = $1 AND m.gone IS NULL
"""
_NAMES = "SELECT id, name FROM kasta_circle_members WHERE circle = $1 AND gone IS NULL"
_SCORES = """
SELECT game, rules, member, games, wins, points, best, best_at, run, longest FROM kasta_circle_scores
    WHERE circle = $1 AND season = $2 AND game = $3 AND rules = $4 AND member = ANY($5)
"""
_PUT_SCORE = f"""
INSERT INTO kasta_circle_scores ({SCORE_COLUMNS}) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12)
    ON CONFLICT (circle, season, game, rules, member) DO UPDATE SET games = excluded.games, wins = excluded.wins,
    points = excluded.points, best = excluded.best, best_at = excluded.best_at, run = excluded.run,
    longest = excluded.longest
"""  # noqa: S608 - names of ours
_PAIRS = """
INSERT INTO kasta_circle_pairs AS p (circle, season, game, rules, member, other, games, wins, losses)
    SELECT a.circle, {season}, a.game, a.rules, a.member, b.member, count(*),
        sum(CASE WHEN a.total > b.total THEN 1 ELSE 0 END), sum(CASE WHEN a.total < b.total THEN 1 ELSE 0 END)
    FROM kasta_circle_games AS a JOIN kasta_circle_games AS b
        ON b.circle = a.circle AND b.name = a.name AND b.member <> a.member
    WHERE a.circle = $1 AND {which} = $2
        AND (SELECT count(*) FROM kasta_circle_games AS c WHERE c.circle = a.circle AND c.name = a.name) <= {most}
    GROUP BY 1, 2, 3, 4, 5, 6
    ON CONFLICT (circle, member, other, season, game, rules) DO UPDATE
        SET games = p.games + excluded.games, wins = p.wins + excluded.wins, losses = p.losses + excluded.losses
"""
_PLAYED = """
SELECT name, seat, member, season, game, rules, ended, total, is_won, is_helped FROM kasta_circle_games
    WHERE circle = $1 AND member = $2 ORDER BY ended
"""


def lock(circle: str) -> Steps[int | None]:
    """Let nobody else count in a circle until the transaction ends: its season, None if there is none."""
    rows = yield _LOCK, circle
    return rows[0][0] if rows else None


def taken(table: Table, results: Sequence[Result]) -> Steps[None]:
    """Count a game whose results are just being written, if its table is a circle's."""
    rows = yield "SELECT circle FROM kasta_circle_tables WHERE name = $1", table.id
    if not rows:
        return
    circle = str(rows[0][0])
    season = yield from lock(circle)
    yield "UPDATE kasta_circle_tables SET is_over = 1 WHERE name = $1", table.id
    members = yield from _members(circle, table, results)
    if season is not None and len(members) >= LEAST_MEMBERS:
        yield from count(circle, list(games_of(members, season)))


def _members(circle: str, table: Table, results: Sequence[Result]) -> Steps[dict[str, Result]]:
    """What each member made of the game."""
    devices = yield _DEVICES, circle
    named = yield _NAMES, circle
    return who_played(
        {device: member for device, member, _ in devices},
        {folded(name): member for member, name in named},
        {seat: place.name for seat, place in table.places.items()},
        results,
    )


def who_played(
    devices: dict[str, str], names: dict[str, str], seats: dict[Seat, str], results: Sequence[Result]
) -> dict[str, Result]:
    """The results of members, by member.

    A seat is that of the member whose device it is. Where several people share a device, their names tell who is
    who: then each may be any member.
    """
    sharing: defaultdict[str, int] = defaultdict(int)
    for result in results:
        sharing[result.device] += 1
    found: dict[str, Result] = {}
    for result in results:
        owner = devices.get(result.device)
        if owner is None:
            continue
        member = owner if sharing[result.device] == 1 else names.get(folded(seats.get(result.seat, "")))
        if member is not None:
            found.setdefault(member, result)
    return found


def games_of(members: dict[str, Result], season: int) -> Iterable[CircleGame]:
    """The rows of a game, won by whoever has most points among the members."""
    most = max(result.total for result in members.values())
    for member, result in sorted(members.items()):
        yield CircleGame(
            name=result.table,
            seat=result.seat,
            member=member,
            season=season,
            game=result.game,
            rules=result.rules,
            ended=result.ended,
            total=result.total,
            is_won=int(result.total == most),
            is_helped=int(result.is_helped),
        )


def count(circle: str, games: Sequence[CircleGame]) -> Steps[None]:
    """Add the rows of one game to all counts."""
    yield insert("kasta_circle_games", GAME_COLUMNS, [game_row(circle, game) for game in games])
    table, first = games[0].name, games[0]
    for season in (ALL_TIME, first.season):
        known = yield _SCORES, circle, season, first.game, first.rules, [game.member for game in games]
        before = {row[2]: CircleScore(*row[3:]) for row in known}
        rows = [
            (
                circle,
                season,
                game.game,
                game.rules,
                game.member,
                *before.get(game.member, CircleScore()).after(game),
            )
            for game in games
        ]
        yield Many(_PUT_SCORE, rows)
    yield from add_pairs(circle, "a.name", table)


def game_row(circle: str, game: CircleGame) -> tuple[object, ...]:
    return circle, *game


def add_pairs(circle: str, which: str, value: str) -> Steps[None]:
    """Add the pairs of some games, `a` and `b` being the rows of two members, to what is counted."""
    for season in (str(ALL_TIME), "a.season"):
        yield _PAIRS.format(season=season, which=which, most=MOST_PAIRED), circle, value


def recount(circle: str, member: str) -> Steps[None]:
    """Make all counts of a member anew from the games that are kept."""
    yield from recount_scores(circle, member)
    yield "DELETE FROM kasta_circle_pairs WHERE circle = $1 AND member = $2", circle, member
    yield "DELETE FROM kasta_circle_pairs WHERE circle = $1 AND other = $2", circle, member
    yield from add_pairs(circle, "a.member", member)
    yield from add_pairs(circle, "b.member", member)


def recount_scores(circle: str, member: str) -> Steps[None]:
    """The same without pairs."""
    yield "DELETE FROM kasta_circle_scores WHERE circle = $1 AND member = $2", circle, member
    scores: defaultdict[tuple[int, str, str], CircleScore] = defaultdict(CircleScore)
    for row in (yield _PLAYED, circle, member):
        game = CircleGame(*row)
        for season in (ALL_TIME, game.season):
            key = season, game.game, game.rules
            scores[key] = scores[key].after(game)
    if scores:
        yield Many(_PUT_SCORE, [(circle, *key, member, *score) for key, score in sorted(scores.items())])


def forget_table(table: str, seat: Seat | None) -> Steps[None]:
    """Take a table out of all that is counted, or one seat of it."""
    rows = yield "SELECT circle, member, seat FROM kasta_circle_games WHERE name = $1", table
    gone = [(circle, member) for circle, member, at in rows if seat in {None, at}]
    if seat is None:
        yield "DELETE FROM kasta_circle_tables WHERE name = $1", table
    for circle, member in gone:
        yield from lock(circle)
        yield (
            "DELETE FROM kasta_circle_games WHERE circle = $1 AND name = $2 AND member = $3",
            circle,
            table,
            member,
        )
    for circle, member in gone:
        yield from recount(circle, member)
