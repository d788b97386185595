"""What a device has played to the end."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.my_games.api import API
from kasta.features.my_games.home import BestTotals
from kasta.features.my_games.own_reviews import OwnReviews
from kasta.features.my_games.pages import PAGES
from kasta.features.my_games.service import MyGames
from kasta.messages import Note
from kasta.page.navigation import Destination
from kasta.results.strength import WISHES

PAD = '<path d="M5 4h14v12a4 4 0 0 1-4 4H5zM5 8h14M9 12h6M9 16h3"/>'


def _start(site: Site) -> Mapping[str, object]:
    reviews = OwnReviews(site.log, site.coach)
    site.closing.append(reviews.close)
    site.home.append(BestTotals(site.results).home_section)
    return {"my_games": MyGames(site.results, reviews, site.service, site.personal, site.log.db)}


FEATURE = Feature(
    "my_games",
    Path(__file__).parent,
    pages=PAGES,
    api=API,
    start=_start,
    personal=[WISHES],
    brings=Destination("own", Note("My games"), "/games", PAD),
    place="own",
)
