"""The review of a finished game."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.review.own_sheet import OwnSheetReviews
from kasta.features.review.routes import API, PAGES


def _start(site: Site) -> Mapping[str, object]:
    own_reviews = OwnSheetReviews(site.log, site.coach)
    site.closing.append(own_reviews.close)
    return {"own_reviews": own_reviews}


FEATURE = Feature("review", Path(__file__).parent, pages=PAGES, api=API, start=_start, place="learn")
