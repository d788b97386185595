"""Times of a person's day: when it is night where they are, and when their daily notice is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

NIGHT, MORNING = 22, 8  # hours between which only what was asked for at that hour is told


def zone_of(name: str) -> tzinfo:
    """A time zone by its name; UTC where this machine does not know it."""
    try:
        return ZoneInfo(name)
    except (OSError, ValueError, KeyError):
        return UTC


def is_night(zone: str, now: float) -> bool:
    hour = datetime.fromtimestamp(now, zone_of(zone)).hour
    return hour >= NIGHT or hour < MORNING


def next_time(hour: int, zone: str, now: float) -> float:
    """When it is that hour there the next time."""
    here = datetime.fromtimestamp(now, zone_of(zone))
    due = here.replace(hour=hour, minute=0, second=0, microsecond=0)
    if due.timestamp() <= now:
        due = (here + timedelta(days=1)).replace(hour=hour, minute=0, second=0, microsecond=0)
    return due.timestamp()
