"""Playing the throws of the day: the try that counts, and those for fun."""

from __future__ import annotations

from kasta.errors import Illegal
from kasta.features.day.service import Days
from kasta.series.play import SeriesPlay
from kasta.tables.service import Service
from kasta.tables.state import Table


async def play_day(service: Service, days: Days, by: str, game: str, day: str, name: str) -> Table:
    """Begin a device's counted try, or go on with it. Once that is over, play the same throws for fun.

    Of a day that has passed only what has begun is played, until its secret is told: then anybody may, for fun.
    """
    play, dice = SeriesPlay(service, days.tries), (await days.dice(day, game)).given
    today = await days.today()
    if not dice.is_told:
        if (counted := await play.counted(dice, by, name, begin=day == today)) is not None:
            return counted
        if day != today:
            raise Illegal("day_closed")
    return await play.for_fun(dice, by, name)
