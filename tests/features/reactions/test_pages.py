"""The forms and the API: what they take, what they refuse, and what a stream tells."""

from __future__ import annotations

from collections.abc import Callable

import httpx

from support.visitors import Phone, Program, Server


def test_a_reaction_works_without_a_script(phone: Callable[[], Phone]):
    anna, tim, guest = phone(), phone(), phone()
    table = anna.open("Anna", room="1")
    assert '/react"' not in anna.get(f"/t/{table}").text, "nobody else is there"
    tim.sit(table, "Tim")
    page = anna.get(f"/t/{table}").text
    assert page.count('name="reaction"') == 6
    assert 'aria-label="Good luck"' in page
    assert '/react"' not in guest.get(f"/t/{table}").text
    answer = anna.post(f"/t/{table}/react", reaction="luck")
    assert (answer.status_code, answer.headers["location"]) == (303, f"/t/{table}")
    assert anna.post(f"/t/{table}/react", reaction="<script>").status_code == 400
    assert guest.post(f"/t/{table}/react", reaction="luck").status_code == 422
    assert anna.post(f"/t/{table}/nudge").status_code == 422


def test_the_host_switches_them_off_and_on_for_the_table(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna", room="1")
    tim.sit(table, "Tim")
    anna.roll(table)
    assert anna.post(f"/t/{table}/settings", reactions="off").status_code == 303
    assert '/react"' not in tim.get(f"/t/{table}").text
    assert "switched off" in tim.post(f"/t/{table}/react", reaction="luck").text
    anna.post(f"/t/{table}/settings", reactions="on")
    assert tim.post(f"/t/{table}/react", reaction="luck").status_code == 303


def test_a_flood_ends_at_the_device_and_costs_the_table_nothing(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna", room="1")
    tim.sit(table, "Tim")
    answers = [tim.post(f"/t/{table}/react", reaction="ouch").status_code for _ in range(40)]
    assert answers == [303] * 4 + [429] * 36
    anna.roll(table)


def test_programs_react_and_hear_it_if_they_ask(server: Server, program: Callable[[], Program]):
    anna, tim = program(), program()
    table = anna.open(room=True)
    anna.sit(table, "Anna")
    tim.sit(table, "Tim")
    address = f"/api/tables/{table}/stream"
    for more in ({}, {"throws": 1}):
        with (
            httpx.Client(base_url=server.url, timeout=30) as client,
            client.stream("GET", address, params={"signals": 1, **more}) as stream,
        ):
            lines = stream.iter_lines()
            next(lines)
            assert tim.post(f"/tables/{table}/react", {"reaction": "well_done"}).status_code == 204
            heard = next(line for line in lines if '"kind": "reaction"' in line)
            assert heard == 'data: {"kind": "reaction", "given": [{"seat": 1, "reaction": "well_done"}]}'
    assert tim.post(f"/tables/{table}/react", {"reaction": "free text"}).status_code == 400
    assert tim.post(f"/tables/{table}/nudge").json()["error"]["code"] == "nobody_waits"
    assert anna.state(table)["settings"]["reactions"] is True
