"""A pick of the page's script takes a shorter way: it is answered, counted and refused as any other post is."""

from __future__ import annotations

import re
from typing import Any

import pytest

from kasta.edge.http import PARTS
from kasta.live.hot_path import LONGEST_FORM
from kasta.metrics import ANSWERS

SCRIPT = {"accept": PARTS}


async def at_board(client: Any) -> str:  # noqa: ANN401 - of httpx
    """The address of a table at which the client has thrown."""
    opened = await client.post("/new/knister", data={"alone": "1"})
    table = str(opened.headers["location"])
    await client.post(f"{table}/roll", data={"turn": "0"})
    return table


def pick(cell: str, **other: str) -> dict[str, str]:
    return {"turn": "1", "seat": "0", "step": "0", "do": cell, **other}


async def test_a_pick_is_answered_with_parts_or_the_page_as_the_sender_wants(visit: Any):  # noqa: ANN401
    client = await visit()
    for headers, status in ((SCRIPT, 200), ({}, 303)):
        table = await at_board(client)
        answer = await client.post(f"{table}/play", data=pick("c3"), headers=headers)
        assert answer.status_code == status
        assert answer.headers["cache-control"] == "no-store"
        assert re.search(r'class="cell taken fresh"><button[^>]* id="c-0-c3"', (await client.get(table)).text)
        if headers:
            assert any('id="t-0-c3"' in part for part in answer.json()["parts"])


async def test_a_link_that_was_pasted_with_more_slashes_leads_to_its_table(visit: Any):  # noqa: ANN401
    client = await visit()
    table = await at_board(client)
    for path in (f"{table}/", f"{table}//", table.replace("/t/", "/t//"), f"{table}?seat=0&seat=7&serve="):
        assert (await client.get(path)).status_code == 200


@pytest.mark.parametrize(
    ("fields", "status"),
    [(pick("z9"), 400), (pick("c3", turn="7"), 409), (pick("c3", seat="5"), 404), ({"do": "c3"}, 400)],
)
async def test_a_pick_is_refused_with_the_same_words_whichever_way_it_took(
    visit: Any,  # noqa: ANN401
    fields: dict[str, str],
    status: int,
):
    client = await visit()
    table = await at_board(client)
    short = await client.post(f"{table}/play", data=fields, headers=SCRIPT)
    files = {name: (None, value) for name, value in fields.items()}  # multipart: the other way
    long = await client.post(f"{table}/play", files=files, headers=SCRIPT)
    assert (short.status_code, short.text) == (long.status_code, long.text)
    assert short.status_code == status


async def test_forms_that_are_too_long_or_no_text_are_refused(visit: Any):  # noqa: ANN401
    client = await visit()
    table = await at_board(client)
    kind = SCRIPT | {"content-type": "application/x-www-form-urlencoded"}
    assert (await client.post(f"{table}/play", content=b"do=\xff", headers=kind)).status_code == 400
    for length in (LONGEST_FORM, 100 * LONGEST_FORM):
        answer = await client.post(f"{table}/play", content=b"do=" + b"c" * length, headers=kind)
        assert 400 <= answer.status_code < 500


def counted() -> dict[tuple[str, ...], float]:
    return {tuple(labels.values()): count for _, labels, count in ANSWERS.samples()}


async def test_a_pick_is_counted_with_all_other_posts_of_the_page(visit: Any):  # noqa: ANN401
    client = await visit()
    table = await at_board(client)
    before = counted()
    await client.post(f"{table}/play", data=pick("c3"), headers=SCRIPT)
    await client.post(f"{table}/take-back", data={"turn": "1", "seat": "0", "step": "1"}, headers=SCRIPT)
    grown = {key for key, count in counted().items() if count != before.get(key, 0)}
    assert len(grown) == 1
