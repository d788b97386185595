"""Sent twice, done once: double taps, two tabs, and two people at the same moment."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor

import httpx

from support.visitors import Phone, Program

TIMES = 8


def at_once(send: Callable[[int], httpx.Response]) -> Counter[int]:
    with ThreadPoolExecutor(TIMES) as pool:
        return Counter(answer.status_code for answer in pool.map(send, range(TIMES)))


def test_a_throw_sent_twice_is_thrown_once(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    assert at_once(lambda _: anna.post(f"/t/{table}/roll", turn=0))[303] == 1
    assert anna.state(table)["turn"] == 1


def test_a_pick_sent_twice_is_made_once(program: Callable[[], Program]):
    anna = program()
    table = anna.open()
    seat = anna.sit(table, "Anna")
    anna.post(f"/tables/{table}/roll", {"turn": 0})
    body = {"turn": 1, "seat": seat, "step": 0, "do": "c3"}
    assert at_once(lambda _: anna.post(f"/tables/{table}/play", body)) == {200: 1, 409: TIMES - 1}
    assert anna.state(table)["seats"][0]["step"] == 1


def test_picks_of_two_tabs_leave_one_number(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    anna.roll(table)
    at_once(lambda number: anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do=f"a{number % 5 + 1}"))
    sheet = anna.state(table)["seats"][0]["sheet"]
    assert sum(cell != "." for cell in sheet.split()) == 1


def test_a_name_sent_twice_sits_once(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open()
    assert at_once(lambda _: anna.post(f"/t/{table}/sit", name="Anna")) == {303: 1, 422: TIMES - 1}


def test_seats_taken_at_once_get_their_own_numbers(program: Callable[[], Program]):
    """Also with one token for all of them."""
    anna = program()
    table = anna.open()
    with ThreadPoolExecutor(TIMES) as pool:
        bodies = [{"name": f"Name {number}"} for number in range(TIMES)]
        answers = list(pool.map(lambda body: anna.post(f"/tables/{table}/seats", body).json(), bodies))
    names = {seat["seat"]: seat["name"] for seat in anna.state(table)["seats"]}
    assert [names[answer["seat"]] for answer in answers] == [body["name"] for body in bodies]


def test_a_rematch_asked_for_by_all_is_one_table(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    anna.roll(table)
    anna.post(f"/t/{table}/end")
    with ThreadPoolExecutor(TIMES) as pool:
        answers = list(pool.map(lambda _: anna.post(f"/t/{table}/rematch"), range(TIMES)))
    assert len({answer.headers["location"] for answer in answers}) == 1
