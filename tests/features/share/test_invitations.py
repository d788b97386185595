"""What a messenger shows of an invitation, and that every page answers to HEAD."""

from __future__ import annotations

import re
from collections.abc import Callable

import httpx
import pytest

from kasta.games import OURS
from kasta.i18n import LANGUAGES, words
from support.visitors import Phone

PAGES = ["/", "/day", "/learn", "/games", "/new/knister", "/rules/maxi", "/puzzle", "/print", "/offline"]


def told(page: str) -> dict[str, str]:
    """The preview in a page's head."""
    return dict(re.findall(r'<meta (?:property|name)="((?:og:)?\w+)" content="([^"]*)">', page))


def path_of(address: str) -> str:
    return httpx.URL(address).raw_path.decode()


@pytest.mark.parametrize("language", LANGUAGES)
def test_an_invitation_is_told_in_the_inviters_language_and_names_nobody(
    phone: Callable[[], Phone], language: str
):
    anna, messenger = phone(), phone()
    anna.post("/language", language=language)
    table = anna.open("Annabella", room="1")
    link = re.search(r'data-share="([^"]+)"', anna.get(f"/t/{table}").text)
    assert link
    page = messenger.get(path_of(link[1])).text
    preview = told(page)
    assert preview["og:title"] == words(language).say("You are invited: {game}", game="Knister")
    assert preview["og:description"] == preview["description"]
    assert not any("Annabella" in each for each in preview.values())
    picture = messenger.get(path_of(preview["og:image"]))
    assert picture.headers["content-type"] == "image/png"
    size = picture.content[16:24]
    assert (int.from_bytes(size[:4]), int.from_bytes(size[4:])) == (1200, 630)


def test_an_invitation_says_who_invites_while_the_host_wants_it_to(phone: Callable[[], Phone]):
    anna, bo, messenger = phone(), phone(), phone()
    anna.post("/language", language="fr")
    table = anna.open("Annabella", room="1")
    link = re.search(r'data-share="([^"]+)"', anna.get(f"/t/{table}").text)
    assert link
    anna.post(f"/t/{table}/settings", signed="on")
    bo.post(f"/t/{table}/settings", signed="off")  # only the host may
    assert (
        told(messenger.get(path_of(link[1])).text)["og:title"]
        == "Annabella vous invite\N{NO-BREAK SPACE}: Knister"
    )
    anna.post(f"/t/{table}/settings", signed="off")
    assert "Annabella" not in str(told(messenger.get(path_of(link[1])).text))


def test_there_is_a_picture_of_every_game_and_of_nothing_else(phone: Callable[[], Phone]):
    bo = phone()
    for game in OURS:
        assert bo.get(f"/invitation/{game}.fr.png").status_code == 200
    for wrong in ("chess.fr.png", "knister.xx.png", "knister.fr.svg"):
        assert bo.get(f"/invitation/{wrong}").status_code == 404


def test_head_is_answered_as_get_without_a_body_on_every_page(phone: Callable[[], Phone]):
    anna = phone()
    table = anna.open("Anna")
    for path in (*PAGES, f"/t/{table}", f"/t/{table}/qr.svg", "/invitation/knister.sv.png"):
        got, head = anna.get(path), anna.http.head(path)
        assert (head.status_code, head.content) == (200, b""), path
        assert head.headers["content-type"] == got.headers["content-type"]
        if got.headers["content-type"].startswith("text/html"):
            assert told(got.text)["description"], path
    assert anna.http.head("/nothing/here").status_code == 404
    assert anna.http.head(f"/t/{table}/stream").status_code == 405
