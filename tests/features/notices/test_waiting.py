"""Without a push: a hidden tab calls back whoever others wait for, by its title, the badge and a sound."""

from __future__ import annotations

from collections.abc import Callable

from playwright.sync_api import expect

from support.browsing import Hands, NewPhone, Server
from support.visitors import Phone

SPY = """
window.isAway = false;
window.called = [];
Object.defineProperty(document, 'hidden', { get: () => window.isAway });
navigator.setAppBadge = async () => called.push('badge');
navigator.clearAppBadge = async () => called.push('no badge');
const wait = window.setTimeout;
window.setTimeout = (act, pause, ...more) => wait(act, pause >= 5_000 ? 50 : pause, ...more);
const { createOscillator } = BaseAudioContext.prototype;
BaseAudioContext.prototype.createOscillator = function () {
  called.push('sound');
  return createOscillator.call(this);
};
"""
AWAY = "isAway => { window.isAway = isAway; document.dispatchEvent(new Event('visibilitychange')); }"


def test_a_hidden_tab_says_whose_turn_it_is_and_calls(new_phone: NewPhone, server: Server):
    anna = new_phone()
    hands = Hands(anna.context.request, server.url)
    hands.open("knister", "Anna", room="1")
    tim = new_phone()
    tim.add_init_script(SPY)
    Hands(tim.context.request, server.url, hands.table).post("sit", name="Tim")
    tim.goto(hands.table)
    tim.locator("summary", has_text="Help and settings").tap()
    tim.locator("#call").check()
    tim.evaluate(AWAY, arg=True)
    tim.wait_for_timeout(200)  # its stream is closed
    hands.refresh()
    hands.roll()
    tim.wait_for_function("() => document.title.includes('Your turn')")
    tim.wait_for_function("() => called.includes('badge') && called.includes('sound')")
    Hands(tim.context.request, server.url, hands.table).post("play", turn="1", seat="1", step="0", do="c3")
    tim.wait_for_function("() => document.title.includes('Still to pick: Anna')")
    tim.wait_for_function("() => called.at(-1) === 'no badge'")
    assert tim.evaluate("() => called.filter(each => each === 'badge').length") == 1
    tim.evaluate(AWAY, arg=False)
    expect(tim.locator("#status .say strong")).to_have_text("Still to pick: Anna")
    tim.reload()
    expect(tim.locator("#call")).to_be_checked()


def test_only_players_are_told_how_it_stands(phone: Callable[[], Phone]):
    anna, tim, stranger = phone(), phone(), phone()
    table = anna.open("Anna", room="1")
    tim.post(f"/t/{table}/sit", name="Tim")
    anna.roll(table, 0)
    told = tim.get(f"/t/{table}/waits").json()
    assert (told["due"], told["over"]) == (True, False)
    assert told["title"].endswith("· Your turn")
    tim.post(f"/t/{table}/play", turn=1, seat=1, step=0, do="c3")
    told = tim.get(f"/t/{table}/waits").json()
    assert told["due"] is False
    assert told["title"].endswith("· Still to pick: Anna")
    assert stranger.get(f"/t/{table}/waits").status_code == 404
    assert phone().get("/t/nothing/waits").status_code == 404


def test_whoever_plays_alone_is_not_called(phone: Callable[[], Phone]):
    anna, tim = phone(), phone()
    table = anna.open("Anna", room="1")
    assert "waiting.js" not in anna.get(f"/t/{table}").text
    tim.post(f"/t/{table}/sit", name="Tim")
    page = anna.get(f"/t/{table}").text
    assert f'data-ask="/t/{table}/waits"' in page
    assert "data-due" not in page, "nothing has been thrown"
    anna.roll(table, 0)
    assert "data-due" in anna.get(f"/t/{table}").text
