"""Names are text, never markup, on every kind of page; what would hide or turn text round is no name."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from html import unescape
from html.parser import HTMLParser

import pytest

from support.visitors import Phone, Program

MARKUP = [
    "<script>x()</script>"[:20],
    "<img src=x onerror=y",
    "\"><b id='k'>&amp;",
    "'onfocus='x()' a='",
    "</title><b>kasta",
    "{{7*7}}{%x%}{name}",
    "%(name)s %s {0}",
    "]]><!--kasta-->",
    "\\u003cb\\u003e",
]
TROUBLE = {
    "bidi": ["\u202eanna", "an\u2066na", "\u200fanna", "\u061canna", "\u202aa"],
    "zero width": ["an\u200bna", "an\u200dna", "\ufeffanna", "\u2060a", "\u00ada"],
    "control": ["an\x00na", "an\x07na", "an\x7fna", "an\x9fna", "\x1b[31m"],
    "blank": ["", " ", "\u3164", "\u115f", "\u2800", "\u200b", "\u00a0"],
    "private": ["\ue000", "\U000f0000", "\U000e0041"],
    "long": ["a" * 21, "e" + "\u0301" * 100],
    "a tower": ["e" + "\u0301" * 78, "Anna e" + "\u0301\u0316" * 3],
}


class Tags(HTMLParser):
    """The elements, attributes and texts of a page."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.attributes: set[str] = set()
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.attributes |= {name for name, _ in attrs}


def pages(host: Phone, guest: Phone, table: str) -> dict[str, str]:
    """Every kind of page that shows a table, to the host and to somebody else."""
    found = {}
    for who, seen_by in ((host, "host"), (guest, "guest")):
        for page in ("", "/proof", "/seat"):
            found[f"{page} {seen_by}"] = who.get(f"/t/{table}{page}").text
        found[f"parts {seen_by}"] = "".join(who.get(f"/t/{table}/parts").json()["parts"])
    found["totals"] = host.post(f"/t/{table}/command", do="totals").text
    for fields in ({"name": "<b>", "seat": 99}, {"name": host.state(table)["seats"][0]["name"], "seat": 1}):
        found[f"error {fields}"] = host.post(f"/t/{table}/rename", **fields).text
    return found


@pytest.mark.parametrize("game", ["knister", "yatzy"])
def test_markup_in_names_stays_text_on_every_page(game: str, phone: Callable[[], Phone]):
    """The same tags and attributes as with plain names, in every phase of a game."""
    host, guest, lost = phone(), phone(), phone()
    drawn: dict[str, list[tuple[list[str], set[str]]]] = {}
    for names in ([f"Name {n}" for n in range(len(MARKUP))], MARKUP):
        table = host.open(game=game)
        for name in names:
            host.sit(table, name)
        for language in ("en", "fr"):
            host.http.headers["accept-language"] = language
            assert host.get(f"/t/{table}").text.count("Name" if names is not MARKUP else "kasta") > 0
        host.http.headers["accept-language"] = "en"
        phases = [pages(host, guest, table)]
        host.roll(table)
        lost.post(f"/t/{table}/claim", seat=1)
        phases.append(pages(host, guest, table))
        host.post(f"/t/{table}/end")
        phases.append(pages(host, guest, table))
        for number, phase in enumerate(phases):
            for kind, page in phase.items():
                tags = Tags(page)
                drawn.setdefault(f"{number} {kind.partition('{')[0]}", []).append((tags.tags, tags.attributes))
    for kind, (plain, *others) in drawn.items():
        assert plain in others or all(same(plain, other) for other in others), kind


def same(one: tuple[list[str], set[str]], two: tuple[list[str], set[str]]) -> bool:
    return sorted(set(one[0])) == sorted(set(two[0])) and one[1] == two[1]


@pytest.mark.parametrize("name", MARKUP)
def test_a_name_is_shown_as_it_was_typed(name: str, phone: Callable[[], Phone], program: Callable[[], Program]):
    host = phone()
    table = host.open(name)
    page = host.get(f"/t/{table}").text
    assert name in unescape(page)
    assert not re.search(r"<(?:img [^c]|b[ >]|script>)", page)
    assert host.state(table)["seats"][0]["name"] == name
    record = program().get(f"/api/tables/{table}/record").text
    assert json.loads(record.splitlines()[0])["seats"] == [name]
    taken = host.post(f"/t/{table}/sit", name=name)
    assert taken.status_code in {400, 422}
    assert not re.search(r"<(?:img [^c]|b[ >]|script>)", taken.text)


@pytest.mark.parametrize("kind", TROUBLE)
def test_what_hides_or_turns_text_is_no_name(
    kind: str, phone: Callable[[], Phone], program: Callable[[], Program]
):
    host, client = phone(), program()
    table, other = host.open("Anna"), client.open()
    for name in TROUBLE[kind]:
        assert host.post(f"/t/{table}/sit", name=name).status_code == 400, ascii(name)
        assert host.post(f"/t/{table}/rename", seat=0, name=name).status_code == 400, ascii(name)
        answer = client.post(f"/tables/{other}/seats", {"name": name})
        assert answer.status_code == 400, ascii(name)


@pytest.mark.parametrize(
    "body", [b'{"name": "\\ud800"}', b'{"name": "\xff"}', b'{"name": "\\u0000"}', b"\xff\xfe{"]
)
def test_broken_text_is_unreadable(body: bytes, program: Callable[[], Program]):
    client = program()
    table = client.open()
    headers = {"content-type": "application/json"}
    assert client.http.post(f"/api/tables/{table}/seats", content=body, headers=headers).status_code == 400


def test_what_is_asked_for_is_never_markup_in_an_answer(phone: Callable[[], Phone]):
    eve, bad = phone(), "<b id=k>"
    table = eve.open("Eve")
    eve.roll(table)
    answers = [
        eve.get(f"/?error={bad}"),
        eve.get(f"/{bad}"),
        eve.get(f"/t/{bad}"),
        eve.get(f"/t/{bad}/seat"),
        eve.get(f"/new/{bad}"),
        eve.post(f"/new/{bad}"),
        eve.post("/new/knister", rules=bad),
        eve.post("/join", code=bad),
        eve.get(f"/t/{table}?seat={bad}&serve={bad}"),
        eve.post(f"/t/{table}/play", turn=1, seat=0, step=0, do=bad),
        eve.post(f"/t/{table}/command", turn=1, seat=0, step=0, do=bad),
        eve.post(f"/t/{table}/command", turn=1, seat=0, step=0, do=f"line {bad}"),
        eve.get(f"/api/tables/{bad}"),
        eve.get(f"/api/rooms/{bad}"),
    ]
    for answer in answers:
        is_html = answer.headers["content-type"].startswith("text/html")
        assert bad not in answer.text or not is_html, answer.url
