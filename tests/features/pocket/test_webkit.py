"""Games in the pocket in WebKit, the engine of every iPhone."""

from __future__ import annotations

import pytest
from selenium.common import TimeoutException

from features.pocket.playing import PLAY
from kasta.games import OURS
from support.browsing import Server
from support.relays import Relay
from support.tapping import Phone

BEGUN = "return Boolean(document.querySelector('#roll'))"
WRITTEN = "return document.querySelectorAll('#mine .cell svg:not(.pale)').length"


def wait(phone: Phone, question: str) -> None:
    """Python in a browser on a busy machine takes its time."""
    for _ in range(8):
        try:
            phone.until(lambda: phone.ask(question))
        except TimeoutException:
            continue
        return
    raise AssertionError(question)


TO_THE_END = (
    f"const done = arguments[arguments.length - 1]; ({PLAY})(3000).then(done, error => done(String(error)))"
)
LONGEST = 900  # seconds


@pytest.mark.prove
@pytest.mark.parametrize("game", OURS)
def test_a_whole_game_is_played_without_a_server(iphone: Phone, site: Server, game: str):
    line = Relay(site.port)
    line.mend()
    iphone.visit(f"{line.url}/pocket?game={game}&alone=1")
    wait(iphone, BEGUN)
    line.cut()
    iphone.driver.set_script_timeout(LONGEST)
    assert iphone.driver.execute_async_script(TO_THE_END) is True
    line.mend()
    iphone.visit(site.url)
    line.cut()


def test_a_game_is_begun_without_a_server_and_gone_on_with(iphone: Phone, site: Server):
    line = Relay(site.port)
    line.mend()
    iphone.visit(f"{line.url}/pocket?game=knister&alone=1")
    wait(iphone, BEGUN)
    line.cut()  # all that it needs is there
    iphone.listen()
    iphone.act(iphone.taps()["throws"][0], iphone.seen())
    iphone.until(lambda: iphone.taps()["picks"])
    iphone.act(iphone.taps()["picks"][12], iphone.seen())
    assert iphone.ask(WRITTEN) == 1
    assert not iphone.is_too_wide()
    line.mend()
    iphone.visit(iphone.driver.current_url)
    wait(iphone, BEGUN)
    assert iphone.ask(WRITTEN) == 1
    iphone.visit(site.url)
    line.cut()
