"""Steps by which somebody leaves a circle, is forgotten in it, or becomes one with another member."""

from __future__ import annotations

from kasta.features.circle.counting import lock, recount
from kasta.sql import Steps

_PRESENT = """
SELECT id, is_host FROM kasta_circle_members WHERE circle = $1 AND gone IS NULL ORDER BY joined, id
"""
_LEAVE = "UPDATE kasta_circle_members SET gone = $3, is_host = 0 WHERE circle = $1 AND id = $2 AND gone IS NULL"
_TWICE = """
DELETE FROM kasta_circle_games WHERE circle = $1 AND member = $2
    AND name IN (SELECT name FROM kasta_circle_games WHERE circle = $1 AND member = $3)
"""
_STANDING = "SELECT is_host, gone FROM kasta_circle_members WHERE circle = $1 AND id = $2"
_STAY = "UPDATE kasta_circle_members SET gone = NULL, is_host = $3 WHERE circle = $1 AND id = $2"


def settle(circle: str) -> Steps[None]:
    """Delete a circle when the last member has left, and give the host's role on: to who came first."""
    present = yield _PRESENT, circle
    if not present:
        yield "DELETE FROM kasta_circles WHERE id = $1", circle
    elif not any(is_host for _, is_host in present):
        yield "UPDATE kasta_circle_members SET is_host = 1 WHERE circle = $1 AND id = $2", circle, present[0][0]


def leave(circle: str, member: str, at: float) -> Steps[None]:
    """What the member played is kept."""
    yield from lock(circle)
    yield _LEAVE, circle, member, at
    yield from settle(circle)


def forget(circle: str, member: str) -> Steps[None]:
    """Delete a member with all that was kept of them; games of the others stay."""
    yield from lock(circle)
    yield "UPDATE kasta_circle_tables SET member = NULL WHERE circle = $1 AND member = $2", circle, member
    yield "DELETE FROM kasta_circle_members WHERE circle = $1 AND id = $2", circle, member
    yield from settle(circle)


def merge(circle: str, member: str, into: str) -> Steps[None]:
    """Make two members one, who were the same person at two devices."""
    yield from lock(circle)
    yield _TWICE, circle, member, into
    yield "UPDATE kasta_circle_games SET member = $3 WHERE circle = $1 AND member = $2", circle, member, into
    yield "UPDATE kasta_circle_devices SET member = $3 WHERE circle = $1 AND member = $2", circle, member, into
    yield "UPDATE kasta_circle_tables SET member = $3 WHERE circle = $1 AND member = $2", circle, member, into
    ((is_host, gone),) = yield _STANDING, circle, member
    ((other_is_host, _),) = yield _STANDING, circle, into
    if gone is None:
        yield _STAY, circle, into, max(is_host, other_is_host)
    yield "DELETE FROM kasta_circle_members WHERE circle = $1 AND id = $2", circle, member
    yield from recount(circle, into)
    yield from settle(circle)
