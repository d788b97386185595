"""Scenes of what people do together: circles, challenges, reactions, strangers."""

from __future__ import annotations

import re
from functools import partial

from browser.kinds import challenge_page, circle_pages
from browser.scenes import Scene, Setting, Stage, path

Form = dict[str, str | float | bool]


def circle(stage: Stage, name: str, kind: str) -> Scene:
    """A page of a circle of two that has played."""
    if stage.server is None:
        raise ValueError("a circle that has played is put into the store of a server")
    pages = circle_pages(stage.page.context, stage.browser.new_context(), stage.server)
    return Scene(name, pages[kind], is_long=True)


def _post(stage: Stage, path: str, form: Form | None = None) -> str:
    return stage.page.request.post(stage.url + path, form=form or {}, headers={"origin": stage.url}).url


def _found(stage: Stage) -> str:
    """A circle that nobody has joined yet: its path."""
    form: Form = {"circle": "Our kitchen table", "name": "Eva", "mark": "3"}
    return _post(stage, "/circles", form).removeprefix(stage.url)


def new_circle(stage: Stage, name: str) -> Scene:
    return Scene(name, stage.url + _found(stage), is_long=True)


def invited_to_a_circle(stage: Stage, name: str) -> Scene:
    host = Stage(stage.browser, stage.url)
    page = host.page.request.get(f"{stage.url}{_found(host)}/link").text()
    link = re.search(r'value="([^"]*/circles/join/[^"]*)"', page)
    assert link
    return Scene(name, link[1], is_long=True)


def left_a_circle(stage: Stage, name: str) -> Scene:
    """The page for those who have left, and whose games are still there."""
    found = circle(stage, name, "circle")
    stage.page.request.post(f"{found.address}/leave", headers={"origin": stage.url})
    return found


def challenge(stage: Stage, name: str) -> Scene:
    """What two people made of it."""
    return Scene(name, challenge_page(stage.page.context, stage.browser.new_context(), stage.url), is_long=True)


def challenge_of_three(stage: Stage, name: str, *, is_guest: bool = False) -> Scene:
    """A series that nobody has begun, as its host or a guest sees it."""
    host = Stage(stage.browser, stage.url) if is_guest else stage
    form: Form = {"game": "knister", "games": "3", "name": "Sarah"}
    return Scene(name, _post(host, "/challenge", form), is_long=True)


def challenge_known(stage: Stage, name: str, *, is_made: bool) -> Scene:
    """A game that is over, as a challenge: about to be made, or as somebody sees it who was sent the link."""
    host = Stage(stage.browser, stage.url) if is_made else stage
    host.open("knister", "Sarah")
    table = host.play(999).rpartition("/")[2]
    address = f"{stage.url}/challenge?table={table}"
    return Scene(name, _post(host, "/challenge", {"table": table}) if is_made else address, is_long=True)


def reactions(stage: Stage, name: str) -> Scene:
    """The row of reactions, and the button that nudges the one for whom the others wait."""
    stage.open("knister", "Sarah", room="1", thrower="host")
    stage.seat_guests(stage.hands.table, 2)
    return Scene(name, stage.play(3), is_long=True)


def strangers(stage: Stage, name: str, **form: str) -> Scene:
    """The home page of a server that brings strangers together, or the table where somebody waits."""
    if form:
        return Scene(name, _post(stage, "/somebody", {"name": "Sarah", **form}), is_long=True)
    Stage(stage.browser, stage.url).open("knister", "Tim", listed="on")
    return Scene(name, f"{stage.url}/", is_long=True)


COMPANY_SCENES: dict[str, Setting] = {
    "circles": partial(circle, kind="circles"),
    "circle": partial(circle, kind="circle"),
    "circle-evenings": partial(circle, kind="circle evenings"),
    "circle-people": partial(circle, kind="circle people"),
    "circle-link": partial(circle, kind="circle link"),
    "circle-member": partial(circle, kind="circle member"),
    "circle-new": new_circle,
    "circle-invited": invited_to_a_circle,
    "circle-left": left_a_circle,
    "circle-device": partial(path, path="circles/device/any"),
    "challenge-form": partial(path, path="challenge"),
    "challenge-over": challenge,
    "challenge-host": challenge_of_three,
    "challenge-guest": partial(challenge_of_three, is_guest=True),
    "challenge-known-form": partial(challenge_known, is_made=False),
    "challenge-known": partial(challenge_known, is_made=True),
    "pocket": partial(path, path="pocket"),
    "reactions": reactions,
    "somebody": strangers,
    "somebody-waits": partial(strangers, game="knaster"),
}
"""By name, as `SCENES`."""
