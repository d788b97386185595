"""Proof of the dice of a table, and the game as a record."""

from __future__ import annotations

from dataclasses import dataclass, replace
from io import BytesIO

from litestar import Response, get
from litestar.params import FromPath

from kasta.dice import CHALLENGE, DAY, is_series
from kasta.edge.http import Visit, html, spoken
from kasta.edge.templates import render
from kasta.live.dependencies import TheService
from kasta.record import Header, Roll
from kasta.tables import review_rights
from kasta.verify import series_numbers

SLOW = (r"/t/[^/]+/(?:record|proof)",)


@dataclass(frozen=True, slots=True)
class ProofPage:
    """proof/page.html; `rolls` are all throws in their order, with their `numbers` where many play them.

    A game that is over can be reviewed.
    """

    table: str
    header: Header
    rolls: list[tuple[int, ...]]
    is_over: bool
    numbers: list[int]

    @property
    def series(self) -> str:
        """Of which throws that many play these are."""
        fixed = self.header.dice
        return fixed.table if fixed is not None and is_series(fixed.table) else ""

    @property
    def day(self) -> bool:
        return self.series.startswith(DAY)

    @property
    def challenge(self) -> bool:
        return self.series.startswith(CHALLENGE)


@get("/t/{table:str}/proof")
async def proof_page(request: Visit, table: FromPath[str], service: TheService) -> Response[str]:
    found, is_over = await service.record(table), review_rights.over(await service.table(table)) is None
    rolls = [step.faces for step in found.steps if isinstance(step, Roll)]
    page = ProofPage(table, found.header, rolls, is_over, [])
    if page.series:
        page = replace(page, numbers=series_numbers(BytesIO(found.text)))
    return html(render(spoken(request), "proof/page.html", page))


@get("/t/{table:str}/record")
async def record_file(table: FromPath[str], service: TheService) -> Response[bytes]:
    text = (await service.record(table)).text
    headers = {"content-disposition": 'attachment; filename="kasta.jsonl"', "cache-control": "no-store"}
    return Response(text, media_type="application/jsonl; charset=utf-8", headers=headers)


PAGES = [proof_page, record_file]
