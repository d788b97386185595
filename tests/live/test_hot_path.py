"""A pick of the page's script takes a shorter way: it is answered, counted and refused as any other post is."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from kasta.app import LONGEST_BODY
from kasta.edge.http import PARTS
from kasta.metrics import ANSWERS
from support.visitors import Phone

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


async def test_of_a_name_that_comes_twice_in_an_address_the_first_counts(visit: Any):  # noqa: ANN401
    client = await visit()
    opened = await client.post("/new/knister", data={"name": ["Anna", "Tim"]})
    table = str(opened.headers["location"])
    await client.post(f"{table}/roll", data={"turn": "0"})
    zero, one, both = [
        (await client.get(f"{table}?{asked}")).text for asked in ("seat=0", "seat=1", "seat=0&seat=1")
    ]
    assert both == zero != one


@pytest.mark.parametrize("accepted", ["", "br, deflate", "gzip"])
async def test_a_page_is_compressed_for_who_can_read_it(visit: Any, accepted: str):  # noqa: ANN401
    client = await visit()
    table = await at_board(client)
    answer = await client.get(table, headers={"accept-encoding": accepted})
    assert answer.headers.get("content-encoding") == (accepted if accepted == "gzip" else None)
    assert answer.text.startswith("<!doctype html>")


def test_a_stream_goes_by_the_first_40_letters_of_its_name(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    anna.roll(table)
    with anna.http.stream("GET", f"/t/{table}/stream", params={"page": 41 * "p"}) as stream:
        lines = stream.iter_lines()
        assert "event: news" in lines
        headers = SCRIPT | {"x-kasta-page": 40 * "p"}
        answer = anna.http.post(f"/t/{table}/play", data=pick("c3"), headers=headers)
        assert not answer.json()["all"], "what its stream has told is not told again"


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
    long = "&".join(f"{name}={value}" for name, value in pick("c3", more="c" * LONGEST_BODY).items())
    assert (await client.post(f"{table}/play", content=long, headers=kind)).status_code == 413
    assert (await client.post(f"{table}/play", data=pick("c3"), headers=SCRIPT)).status_code == 200


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
