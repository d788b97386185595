"""Every page of every feature: what people typed is text there, and browsers are told to load nothing else."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import httpx

from kasta.edge.middleware import HEADERS, POLICY, POLICY_NAME
from kasta.features.pocket.pages import PYTHON_POLICY
from support.addresses import every_address
from support.visitors import device_of

NAME = """<b onload='a'>"&amp;"""  # as long as a name may be
TITLE = """</title><script src=//x.y></script>"""
INLINE = r"<style|<[^>]*\son\w+\s*=|<[^>]*\sstyle=|<iframe|<object|<base"
SCRIPT = r"""<script(?![^>]* src="/static/)"""
ELSEWHERE = r"""(?:src|href|action)="(?:javascript:|(?:https?:)?//(?!kasta\.test))"""


async def made(client: httpx.AsyncClient) -> dict[str, str]:
    """A circle, a challenge that is played, and a table with a game in it, all with names that are markup."""
    await device_of(client)
    circle = (await client.post("/circles", data={"circle": TITLE, "name": NAME, "mark": "1"})).headers["location"]
    page = (await client.get(f"{circle}/link")).text
    secret = re.search(r"/circles/join/([\w-]+)", page)
    wish = {"game": "knister", "name": NAME, "days": "1"}
    challenge = (await client.post("/challenge", data=wish)).headers["location"]
    begun = (await client.post(challenge, data={"name": NAME, "leg": "1"})).headers["location"]
    for turn in range(25):
        await client.post(f"{begun}/roll", data={"turn": turn})
        pick = {"turn": turn + 1, "seat": 0, "step": 0, "do": f"{'abcde'[turn % 5]}{turn // 5 + 1}"}
        await client.post(f"{begun}/play", data=pick)
    table = (await client.post(f"{circle}/play", data={"game": "knister/sheet"})).headers["location"]
    await client.post(f"{table}/roll", data={"turn": 0})
    assert secret
    return {
        "circle": circle.rpartition("/")[2],
        "secret": secret[1],
        "challenge": challenge.rpartition("/")[2],
        "table": table.rpartition("/")[2],
        "game": "knister",
        "seat": "0",
        "number": "1",
    }


async def test_no_page_of_any_feature_takes_a_name_for_markup_or_loads_anything_from_elsewhere(
    visit: Callable[..., Any],
):
    anna, mallory = await visit(), await visit()
    await device_of(mallory)
    filled = await made(anna)
    shown = set[str]()
    addresses = [each.path for each in every_address(filled) if each.method == "GET" and not each.is_stream]
    addresses += [f"/challenge?table={filled['table']}", f"/challenge/{filled['challenge']}?in=de&with=0"]
    theirs = [path for path in addresses if any(name in path for name in filled.values() if len(name) > 9)]
    for client, paths in ((anna, addresses), (mallory, theirs)):
        for path in paths:
            answer = await client.get(path)
            assert answer.status_code < 500, path
            check_headers(path, answer)
            if answer.headers.get("content-type", "").startswith("text/html"):
                check_page(path, answer.text)
                shown |= {path} if "&lt;b onload" in answer.text or "&lt;/title" in answer.text else set()
    assert len(shown) > 8, "there are pages that show them"


def check_headers(path: str, answer: httpx.Response) -> None:
    policy = PYTHON_POLICY if path == "/pocket/worker.js" else POLICY
    assert answer.headers.get_list(POLICY_NAME.decode()) == [policy], path
    for name in HEADERS.keys() - {POLICY_NAME.decode()}:
        assert answer.headers.get_list(name) == [HEADERS[name]], (path, name)


def check_page(path: str, text: str) -> None:
    for wrong in (NAME, TITLE, "<b onload"):
        assert wrong not in text, path
    bare = re.sub(r'"[^"<>]*"', '""', text)
    for pattern, within in ((INLINE, bare), (SCRIPT, text), (ELSEWHERE, text)):
        assert not (found := re.search(pattern, within)), (path, found)
