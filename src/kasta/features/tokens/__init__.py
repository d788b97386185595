"""Named tokens for programs."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from kasta.feature import Feature, Site
from kasta.features.tokens import api, pages
from kasta.features.tokens.service import Tokens


def _start(site: Site) -> Mapping[str, object]:
    tokens = site.tokens = Tokens(site.log, site.signer)
    return {"tokens": tokens}


FEATURE = Feature("tokens", Path(__file__).parent, pages=pages.PAGES, api=api.API, start=_start)
