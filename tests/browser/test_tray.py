"""The tray: dice that are thrown and keep their places, what is heard, what is celebrated, and time that runs."""

from __future__ import annotations

import json
import random
import re
from statistics import median

import pytest
from playwright.sync_api import Browser, Page, expect

from support.browsing import (
    Hands,
    NewPhone,
    Server,
    cell,
    correct_dice,
    enter_dice,
    live,
    open_table,
    play_now,
    roll,
    said,
    sit,
    tap,
    turn,
    write,
)
from support.page_checks import OPEN_ALL

# The faces as they are seen from left to right, and where.
DICE = """() => [...document.querySelectorAll('#dice .spot')]
    .map(spot => [spot.getBoundingClientRect().x, spot.querySelector('.cube').dataset.face])
    .sort(([one], [other]) => one - other)"""
FACES = "() => [...document.querySelectorAll('#dice .cube')].map(cube => cube.dataset.face ?? '')"
KEPT = "() => [...document.querySelectorAll('#dice [data-kept]')].map(cube => cube.dataset.face)"
COUNT_FLIGHTS = """window.flown = 0;
    const { animate } = Element.prototype;
    Element.prototype.animate = function (...all) {
        window.flown += Number(this.matches('.cube'));
        return animate.apply(this, all);
    };"""
COUNT_SOUNDS = """window.heard = { contexts: 0, noises: 0, notes: 0 };
    const { createBufferSource, createOscillator } = BaseAudioContext.prototype;
    BaseAudioContext.prototype.createBufferSource = function () {
        heard.noises += 1;
        return createBufferSource.call(this);
    };
    BaseAudioContext.prototype.createOscillator = function () {
        heard.notes += 1;
        return createOscillator.call(this);
    };
    window.AudioContext = class extends AudioContext {
        constructor() {
            super();
            heard.contexts += 1;
        }
    };"""


def again(page: Page) -> None:
    """Throw the dice that are not ticked, and wait until they have fallen."""
    before = turn(page)
    page.locator("#again").tap()
    expect(page.locator("#dice")).to_have_attribute("data-turn", str(before + 1))


@pytest.mark.parametrize("turns", [4, pytest.param(13, marks=pytest.mark.prove)])  # the others are like these
def test_yatzy_keeps_dice_in_place(new_phone: NewPhone, site: Server, turns: int):
    page, chance = new_phone(reduced_motion="reduce"), random.Random(7)
    play_now(page, site.url, "yatzy")
    for _ in range(turns):
        roll(page)
        kept: set[int] = set()
        for _ in range(2):
            before = page.evaluate(DICE)
            wanted = set(chance.sample(range(5), chance.randint(1, 4)))
            for place in kept ^ wanted:
                page.mouse.click(before[place][0] + 20, page.locator("#dice").bounding_box()["y"] + 25)  # type: ignore[index]
            again(page)
            after = page.evaluate(DICE)
            assert [x for x, _ in after] == [x for x, _ in before]
            assert all(after[place] == before[place] for place in wanted)
            assert sorted(page.evaluate(KEPT)) == sorted(before[place][1] for place in wanted)
            kept = wanted
        tap(page, page.locator("#mine .pay").first)
    expect(page.locator("#status")).to_have_attribute("data-phase", "over" if turns == 13 else "throw")


def test_a_yatzy_table_of_four_on_two_devices_shows_every_throw_to_both(new_phone: NewPhone, site: Server):
    anna, cilla = new_phone(), new_phone()
    table = open_table(anna, site.url, "yatzy", "Anna", "Bo", room=True)
    cilla.goto(table)
    sit(cilla, "Cilla")
    Hands(cilla.context.request, site.url, table).post("sit", name="Dan")
    expect(anna.locator("#players .who")).to_have_text(["Anna", "Bo", "Cilla", "Dan"])
    for name, own, other in (
        ("Anna", anna, cilla),
        ("Bo", anna, cilla),
        ("Cilla", cilla, anna),
        ("Dan", cilla, anna),
    ):
        expect(own.locator("#roll")).to_be_visible()
        roll(own)
        for throw in (1, 2):
            expect(said(other)).to_have_text(f"{name} picks")
            expect(other.locator("#status .hint")).to_contain_text(f"Throw {throw} of 3")
            assert other.evaluate(FACES) == own.evaluate(FACES)
            assert len(other.evaluate(KEPT)) == throw - 1
            own.locator("#dice .spot:not(:has(:checked))").first.tap()
            again(own)
        expect(other.locator("#status .hint")).to_contain_text("Throw 3 of 3")
        assert other.evaluate(FACES) == own.evaluate(FACES)
        tap(own, own.locator("#mine .pay").first)


def heard(page: Page) -> tuple[int, int]:
    sounds = page.evaluate("heard")
    return sounds["noises"], sounds["notes"]


def settle(page: Page) -> None:
    """Let what the page still has to do be done: sounds come after what is seen."""
    page.evaluate("new Promise(done => setTimeout(done, 50))")


def test_sounds_are_made_where_something_is_done_and_others_throws_only_where_switched_on(
    new_phone: NewPhone, site: Server
):
    sarah, tim = new_phone(), new_phone()
    for page in (sarah, tim):
        page.context.add_init_script(COUNT_SOUNDS)
    tim.goto(open_table(sarah, site.url, "knister", "Sarah", room=True))
    sit(tim, "Tim")
    expect(sarah.locator("#players .who")).to_have_count(2)
    sarah.wait_for_function("heard.contexts")  # made while nobody waits, not in a tap
    assert heard(sarah) == (0, 0)  # none before the first tap on this page
    roll(sarah)
    sarah.wait_for_function("heard.noises")
    assert sarah.evaluate("heard.contexts") == 1
    expect(said(tim)).to_have_text("Your turn")
    settle(tim)
    assert heard(tim) == (0, 0)

    settle(sarah)
    before = heard(sarah)
    write(tim, "a1")
    tim.wait_for_function("heard.noises")  # the pencil
    expect(said(sarah)).to_have_text("Your turn")
    settle(sarah)
    assert heard(sarah) == before

    sarah.locator("#mute").tap()
    expect(sarah.locator("#mute")).to_have_attribute("aria-pressed", "true")
    write(sarah, "a1")
    sarah.reload()
    expect(sarah.locator("#mute")).to_have_attribute("aria-pressed", "true")
    sarah.evaluate(OPEN_ALL)
    sarah.locator("#hear").check()
    roll(tim)
    expect(said(sarah)).to_have_text("Your turn")
    settle(sarah)
    assert heard(sarah) == (0, 0)  # mute is mute
    sarah.locator("#mute").tap()
    for page in (tim, sarah):
        write(page, "b2")
    tap(sarah, sarah.locator("#roll"))
    tim.evaluate(OPEN_ALL)
    tim.locator("#hear").check()
    for page in (sarah, tim):
        write(page, "c3")
    settle(sarah)
    before = heard(sarah)
    roll(tim)
    sarah.wait_for_function("before => heard.noises > before", arg=before[0])  # now others' throws are heard


def longest_task(trace: bytes) -> float:
    """Milliseconds of processor time that the longest task of a page took: waiting for one does not count."""
    events = json.loads(trace)["traceEvents"]
    threads = {
        (each["pid"], each["tid"])
        for each in events
        if each["name"] == "thread_name" and each["args"]["name"] == "CrRendererMain"
    }
    longest: float = max(
        each["tdur"] / 1_000
        for each in events
        if each["name"] == "RunTask" and "tdur" in each and (each["pid"], each["tid"]) in threads
    )
    return longest


@pytest.mark.parametrize("game", ["knister", "yatzy"])
def test_a_throw_makes_no_long_task(page: Page, browser: Browser, site: Server, game: str):
    page.add_init_script(COUNT_FLIGHTS)
    play_now(page, site.url, game)
    longest = []
    for _ in range(3):
        before = page.evaluate("flown")
        browser.start_tracing(page=page, categories=["disabled-by-default-devtools.timeline"])
        tap(page, page.locator("#roll"))
        assert page.evaluate("flown") > before
        longest.append(longest_task(browser.stop_tracing()))
        tap(page, page.locator("#mine .pay").first if game == "yatzy" else live(page).first)
    assert median(longest) < 50, longest


def test_the_last_throw_is_announced_to_all(new_phone: NewPhone, site: Server):
    sarah, guest = new_phone(), new_phone()
    hands = Hands(sarah.context.request, site.url)
    hands.open("knaster", "Sarah", dice="own")
    cells = [(row, column) for row in range(5) for column in range(5)]
    for row, column in cells[:-1]:  # five numbers, none twice in a line: no hands
        face = (row + 2 * column) % 5 + 1
        hands.roll(f"{face}{face}")
        hands.play(f"{'abcde'[column]}{row + 1}")
    for page in (sarah, guest):
        page.goto(hands.table)
    enter_dice(sarah, "66")
    write(sarah, "e5")
    for page in (sarah, guest):
        expect(said(page)).to_have_text("Sarah has filled the grid: one last throw!")
        expect(page.locator("#announce")).to_contain_text("Sarah has filled the grid: one last throw!")
    enter_dice(sarah, "11")
    expect(sarah.locator("#status .hint")).to_have_text("Last throw: write, circle or pass")


def test_a_yatzy_and_a_joker_are_feasts_once(page: Page, site: Server):
    open_table(page, site.url, "yatzy", "Sarah", own_dice=True)
    joy = page.locator("#status .joy")
    enter_dice(page, "66666")
    expect(joy).to_have_text("Yatzy")
    expect(joy).to_be_empty(timeout=2_500)
    tap(page, page.locator("#mine [id$='-yatzy'].pay"))
    expect(joy).to_be_empty()
    enter_dice(page, "66666")
    expect(joy).to_have_text("Joker +100")
    expect(page.locator("#status .hint")).to_contain_text("Joker +100 · must go into “sixes”")


def test_a_correction_closes_when_it_is_done(page: Page, site: Server):
    open_table(page, site.url, "knister", "Sarah", own_dice=True)
    enter_dice(page, "34")
    correct_dice(page, "66")
    expect(page.locator("#fix form")).to_be_hidden()
    expect(page.locator("#dice .sum")).to_contain_text("12")
    page.locator("#fix summary").tap()  # and when it was not needed after all
    write(page, "c3")
    expect(page.locator("#fix form")).to_be_hidden()
    expect(page.locator("#status .act .pad")).to_be_visible()


def test_time_is_seen_running_and_no_warning_covers_more_time(page: Page, site: Server):
    open_table(page, site.url, "knister", "Sarah", "Tim", pace="30")
    roll(page)
    clock = page.locator("#status .clock")
    expect(clock).to_have_text(re.compile("^(30|29)$"))
    expect(clock).to_have_text("28")
    page.reload()
    expect(clock).to_have_text(re.compile("^2[5-8]$"))  # the server knows
    expect(page.locator("#trouble")).to_be_hidden()
    tap(page, cell(page, "c3"))
    expect(page.locator("#c-1-c3")).to_have_text("")  # the next player's sheet


def test_a_table_that_throws_by_itself_says_so_and_counts(page: Page, site: Server):
    play_now(page, site.url, "knister")
    hands = Hands(page.context.request, site.url)
    hands.open("knister", "Sarah", thrower="auto")
    page.goto(hands.table)
    roll(page)
    write(page, "c3")
    expect(said(page)).to_have_text("Automatic throw")
    expect(page.locator("#status .clock")).to_be_visible()
    expect(said(page)).to_have_text("Your turn")
