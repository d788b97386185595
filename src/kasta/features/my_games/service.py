"""Where all is that is kept of a device."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from kasta.db.personal import PersonalData
from kasta.features.my_games.own_reviews import OwnReviews
from kasta.results.store import Results
from kasta.results.strength import Strengths
from kasta.sql import Database
from kasta.tables.service import Service


@dataclass(frozen=True, slots=True)
class MyGames:
    """Results, reviews of them, tables as long as they last, and what features keep."""

    results: Results
    reviews: OwnReviews
    tables: Service
    personal: Sequence[PersonalData]
    db: Database

    @property
    def strengths(self) -> Strengths:
        return Strengths(self.db)
