"""What pages offer, to whom, and in which words; and that they play whole games without a script."""

from __future__ import annotations

import re
from collections.abc import Callable
from html import unescape

import pytest

from kasta.games import OURS
from kasta.i18n import LANGUAGES
from support.visitors import Phone

MOST_STEPS = 300  # of a game alone


def text(html: str) -> str:
    """What is read on a page, without what is hidden in its tags."""
    html = re.sub(r"<(script|style|svg)\b.*?</\1>", " ", html, flags=re.DOTALL)
    return re.sub(r"\s+", " ", unescape(re.sub(r"<[^>]*>", " ", html)))


def page_of(phone: Phone, table: str, query: str = "") -> str:
    return phone.get(f"/t/{table}{query}").text


def part(html: str, name: str) -> str:
    """The list entry or section with this id, to the end of it."""
    found = re.search(rf'<(li|section|details)\b[^>]*\bid="{name}".*?</\1>', html, re.DOTALL)
    assert found, name
    return found[0]


def test_what_cannot_be_undone_is_asked_about_first(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", "Tim", room="1", bots="1")
    anna.roll(table)
    page = page_of(anna, table)
    assert not re.search(r'action="[^"]*/(end|leave|remove-recent)"', page)
    for wish, says in (("end", "The points so far count."), ("leave?seat=0", "You cannot come back")):
        assert f'href="/t/{table}/ask/{wish}"' in page
        assert says in text(anna.get(f"/t/{table}/ask/{wish}").text)
    assert len(anna.state(table)["seats"]) == 3
    assert anna.state(table)["next"] == "pick"


def test_a_bots_seat_offers_nothing_that_is_for_people(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", bots="1")
    for turn in range(2):
        offered = text(part(page_of(anna, table), "p-1"))
        assert "bot, medium" in offered
        assert re.search("Rename.*How strong.*Change", offered)
        assert not re.search("person|Leave|device|take over|Make host", offered)
        if not turn:
            anna.roll(table)


@pytest.mark.parametrize("language", LANGUAGES)
def test_rule_sets_have_names_that_people_use(phone: Callable[[], Phone], language: str):
    anna = phone()
    anna.http.headers["accept-language"] = language
    for game in OURS:
        read = text(anna.get(f"/new/{game}").text) + text(anna.get(f"/rules/{game}").text)
        assert not re.search(r"[a-z]_[a-z]|--rules", read)


@pytest.mark.parametrize("game", OURS)
def test_rules_have_pictures_with_something_to_say(phone: Callable[[], Phone], game: str):
    figures = re.findall(r"<figure>.*?</figure>", phone().get(f"/rules/{game}").text, re.DOTALL)
    assert len(figures) > 3
    assert all("<svg" in each and text(each).strip() for each in figures)


def test_lines_to_be_served_tell_their_hand_and_how_many_circles(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", game="knaster", dice="own")
    for turn, cell in enumerate(("a3", "b3", "d3", "e3", "c1", "c2", "c4", "c5", "(c1)", "c3")):
        anna.roll(table, turn, faces="34")
        anna.post(f"/t/{table}/play", turn=turn + 1, seat=0, step=0, do=cell)
    page = page_of(anna, table)
    boxes = [text(each) for each in re.findall(r'<a class="serve".*?</a>', page, re.DOTALL)]
    assert len(boxes) == 2
    assert all(re.search(r"five of a kind.*\d to circle: begin here", each) for each in boxes)


def test_a_lobby_shows_code_link_and_share_button(phone: Callable[[], Phone]):
    anna = phone()
    page = page_of(anna, anna.open("Anna", room="1"))
    assert re.search(r'<strong class="code">\w{3}&nbsp;\w{3}<', page)
    assert "data-copy" in page
    assert "data-share" in page
    assert 'class="qr"' in page


def test_only_a_room_waits_until_all_are_here(phone: Callable[[], Phone]):
    anna = phone()
    told = [
        text(part(page_of(anna, anna.open(*names, bots="1", **form)), "status"))
        for names, form in ((("Anna", "Tim"), {}), (("Anna",), {}), (("Anna", "Tim"), {"room": "1"}))
    ]
    assert "Anna throws" in told[0]
    assert "Your turn to throw" in told[1]
    assert "Begin when all are here" in told[2]


def test_all_columns_of_a_block_stand_side_by_side_and_a_box_worth_nothing_invites_less(
    phone: Callable[[], Phone],
):
    anna = phone()
    table = anna.open("Anna", "Tim", game="yatzy", dice="own")
    anna.roll(table, faces="12346")
    mine = part(page_of(anna, table), "mine")
    assert 'class="blocks several"' in mine
    names = re.findall(r'<thead class="names">.*?</thead>', mine, re.DOTALL)
    assert all(re.search("Anna.*Tim", text(each)) for each in names)
    assert names
    worth = dict(re.findall(r'id="b-0-(\w+)" class="([\w ]+)"', mine))
    assert (worth["sixes"], worth["yatzy"]) == ("pay", "pay nil")


def test_whoever_is_missing_is_named(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna", room="1")
    tim.sit(table, "Tim")
    anna.roll(table)
    anna.post(f"/t/{table}/play", turn=1, seat=0, step=0, do="c3")
    assert "Still to pick: Tim" in text(part(page_of(anna, table), "status"))


def test_sheets_are_compared_with_all_that_makes_up_a_total(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna", "Tim", game="yatzy", dice="own")
    for turn, box in enumerate(("yatzy", "yatzy", "sixes", "sixes", "chance", "chance")):
        faces = "66666" if turn != 1 else "12345"
        anna.roll(table, turn, faces=faces)
        anna.post(f"/t/{table}/play", turn=turn + 1, seat=turn % 2, step=0, do=f"fill {box}")
    anna.post(f"/t/{table}/end")
    compared = re.search(r'class="compare slip".*?</table>', page_of(anna, table), re.DOTALL)
    assert compared
    read = text(compared[0])
    assert "Chance 30 30" in read
    assert "Upper total 30 30" in read
    assert "Joker marks" in read


# ---- whole games without a script


def choices(page: str) -> list[str]:
    """What the buttons of one's own sheet would do."""
    buttons = re.findall(r'<button form="play" name="do" value="([^"]+)"([^>]*)>', page)
    return [unescape(do) for do, rest in buttons if "disabled" not in rest]


def hidden(page: str, field: str) -> str:
    found = re.search(rf'id="play".*?name="{field}" value="(\d+)"', page, re.DOTALL)
    assert found
    return found[1]


def step(phone: Phone, table: str) -> str:
    """Do what the page offers first, as a browser without a script does it, and give the page that follows."""
    page = page_of(phone, table)
    if 'id="roll"' in page:
        turn = re.search(r'action="[^"]*/roll".*?name="turn" value="(\d+)"', page, re.DOTALL)
        assert turn
        phone.roll(table, int(turn[1]))
    else:
        served = re.search(r'class="serve" href="([^"]+)"', page)
        if served and not choices(page):
            page = page_of(phone, table, unescape(served[1]))
        fields = {field: hidden(page, field) for field in ("turn", "seat", "step")}
        assert phone.post(f"/t/{table}/play", **fields, do=choices(page)[0]).status_code == 303
    return page_of(phone, table)


@pytest.mark.parametrize("game", OURS)
def test_a_whole_game_is_played_without_a_script(phone: Callable[[], Phone], game: str):
    anna = phone()
    table = anna.open("Anna", game=game)
    for _ in range(MOST_STEPS):
        if 'id="crown"' in step(anna, table):
            break
    assert re.search(r"\d+ points|!|Your best yet", text(part(page_of(anna, table), "finish")))
    assert anna.get(f"/t/{table}/record").status_code == 200


@pytest.mark.parametrize(
    ("game", "examples"), [("knister", "c3, line 2, totals"), ("maxi", "keep 3 3, fill twos, totals")]
)
def test_the_command_field_names_what_can_be_said_in_this_game(
    phone: Callable[[], Phone], game: str, examples: str
):
    anna = phone()
    table = anna.open("Anna", game=game)
    assert f"such as {examples}" in text(page_of(anna, table))
