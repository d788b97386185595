"""Three phones in a room, and everything that goes wrong in the worst five minutes of an evening."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from support.browsing import NewPhone, Server, cell, end_game, open_table, roll, said, sit, tap, turn, write


def seat_three(server: Server, phone: NewPhone) -> tuple[Page, Page, Page]:
    sarah, tim, anna = phone(), phone(viewport={"width": 320, "height": 640}), phone(color_scheme="dark")
    link = open_table(sarah, server.url, "knister", "Sarah", room=True)
    expect(sarah.locator("img.qr")).to_be_visible()
    tim.goto(server.url)
    tim.get_by_label("Room code").fill(sarah.locator("strong.code").inner_text().lower())
    tim.get_by_role("button", name="Join").tap()
    sit(tim, "Tim")
    anna.goto(link)
    sit(anna, "Anna")
    for page in (sarah, tim, anna):
        expect(page.locator("#players .who")).to_have_text(["Sarah", "Tim", "Anna"])
    return sarah, tim, anna


def test_an_evening_with_three_phones(site: Server, new_phone: NewPhone):
    sarah, tim, anna = phones = seat_three(site, new_phone)

    # One throw for all. Picks stay hidden until the next one; who is still to pick is told.
    roll(sarah)
    thrown = sarah.locator("#dice .sum").inner_text()
    for page in phones:
        expect(page.locator("#dice .sum")).to_have_text(thrown)
        expect(said(page)).to_have_text("Your turn")
        expect(page).to_have_title(f"{thrown.split()[-1]} · Your turn · Kasta")
    write(sarah, "c3")
    expect(said(sarah)).to_have_text("Still to pick: Tim, Anna")
    expect(tim.locator("#others [aria-label^='c3: free']")).to_have_count(2)

    # A late reload.
    tim.reload()
    expect(said(tim)).to_have_text("Your turn")
    write(tim, "a1")
    expect(said(sarah)).to_have_text("Still to pick: Anna")

    # A lost connection: the pick stays pending, may still move, and is sent when the phone is back.
    anna.context.set_offline(True)
    cell(anna, "b2").tap()
    expect(anna.locator("#mine .cell.pending")).to_have_count(1)
    expect(anna.locator("#trouble")).to_contain_text("Not sent yet")
    anna.wait_for_timeout(450)  # no double tap
    cell(anna, "b4").tap()
    expect(anna.locator("#mine .cell.pending button")).to_have_attribute("id", "c-2-b4")
    expect(said(sarah)).to_have_text("Still to pick: Anna")
    anna.context.set_offline(False)
    expect(cell(anna, "b4")).not_to_have_text("")
    expect(cell(anna, "b2")).to_have_text("")
    expect(anna.locator("#trouble")).to_be_hidden()
    expect(said(sarah)).to_have_text("Tim throws")

    # A pick taken back holds the table up, and says so.
    tap(tim, tim.get_by_role("button", name="Take back"))
    expect(said(sarah)).to_have_text("Still to pick: Tim")
    write(tim, "d4")
    expect(said(tim)).to_have_text("Your turn to throw")
    roll(tim)
    expect(sarah.locator("#others [aria-label^='c3: free']")).to_have_count(2)
    expect(sarah.locator("#others [aria-label^='d4: free']")).to_have_count(1)

    # The host's computer dies in the middle. Every phone plays on when it is back.
    write(sarah, "a1")
    site.kill()
    for page in phones:
        expect(page.locator("#trouble")).to_contain_text(re.compile("computer does not answer"))
        expect(page.locator("#trouble")).to_be_in_viewport()
    cell(anna, "e5").tap()
    expect(anna.locator("#mine .cell.pending")).to_have_count(1)
    site.start()
    expect(cell(anna, "e5")).not_to_have_text("")
    expect(said(anna)).to_have_text("Still to pick: Tim")
    for page in phones:
        expect(page.locator("#trouble")).to_be_hidden()
    write(tim, "e1")
    expect(said(anna)).to_have_text("Your turn to throw")
    roll(anna)
    for page in phones:
        expect(said(page)).to_have_text("Your turn")
        assert turn(page) == 3


def test_a_rematch_takes_everybody_along(site: Server, new_phone: NewPhone):
    sarah, tim, anna = phones = seat_three(site, new_phone)
    roll(sarah)
    for page in phones:
        write(page, "a1")
    roll(tim)
    expect(said(anna)).to_have_text("Your turn")
    end_game(sarah)
    for page in phones:
        expect(page.locator("#over .places li")).to_have_count(3)
    old = tim.url
    tim.get_by_role("button", name="Play again").tap()
    expect(tim).not_to_have_url(old)
    for page in phones:
        expect(page).to_have_url(tim.url)
        expect(page.locator("#players .who")).to_have_text(["Sarah", "Tim", "Anna"])
    roll(sarah)
    for page in phones:
        write(page, "c3")
    expect(said(tim)).to_have_text("Your turn to throw")


def test_a_latecomer_watches(site: Server, new_phone: NewPhone):
    sarah, late = new_phone(), new_phone()
    link = open_table(sarah, site.url, "knister", "Sarah", room=True)
    roll(sarah)
    late.goto(link)
    expect(late.get_by_text("You are watching.")).to_be_visible()
    expect(late.locator("#others .grid")).to_be_visible()
    write(sarah, "c3")
    roll(sarah)
    expect(late.locator("#others [aria-label^='c3: free']")).to_have_count(0)
    expect(late.locator("button.big, .cell button")).to_have_count(0)


def test_the_same_name_twice_is_refused_with_another_offered(site: Server, new_phone: NewPhone):
    sarah, other = new_phone(), new_phone()
    link = open_table(sarah, site.url, "knister", "Sarah", room=True)
    other.goto(link)
    other.locator("#sit-name").fill("sarah")
    other.get_by_role("button", name="Sit down").tap()
    expect(other.locator("#trouble")).to_contain_text("2")
    expect(other.locator("#sit-name")).to_have_value("sarah")
    sit(other, "Sara")
    expect(other.locator("#trouble")).to_be_hidden()
    expect(sarah.locator("#players .who")).to_have_text(["Sarah", "Sara"])


def test_each_phone_has_its_own_language(site: Server, new_phone: NewPhone):
    sarah, tim = new_phone(locale="sv"), new_phone(locale="de")
    link = open_table(sarah, site.url, "knister", "Sarah", room=True)
    tim.goto(link)
    assert sarah.locator("html").get_attribute("lang") == "sv"
    assert tim.locator("html").get_attribute("lang") == "de"
    tim.locator(".language select").select_option("nb")
    expect(tim.locator("html")).to_have_attribute("lang", "nb")
    assert tim.url == link
