"""The service worker and the manifest, as browsers are given them."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest

from kasta.edge import assets
from support.visitors import Phone

NewPhone = Callable[[], Phone]


def test_the_worker_is_of_this_version_and_asked_for_anew(phone: NewPhone):
    anna = phone()
    answer = anna.get("/worker.js")
    assert answer.headers["cache-control"] == "no-cache"
    assert answer.headers["content-type"].startswith("text/javascript")
    assert f"kasta-shell-{assets.version()}" in answer.text
    files = re.findall(r"'(/static/[^']*)'\.split", answer.text)[0].split(" ")
    assert len(files) == 6
    assert all(anna.get(each).status_code == 200 for each in files)


def test_the_page_without_a_network_says_in_which_language_it_is(phone: NewPhone):
    answer = phone().get("/offline", headers={"accept-language": "de"})
    assert answer.headers["content-language"] == "de"
    assert "Keine Verbindung" in answer.text


def test_the_manifest_has_icons_that_are_there(phone: NewPhone):
    anna = phone()
    manifest = anna.get("/manifest.webmanifest", headers={"accept-language": "fr"}).json()
    assert (manifest["display"], manifest["start_url"], manifest["lang"]) == ("standalone", "/", "fr")
    assert all(anna.get(icon["src"]).status_code == 200 for icon in manifest["icons"])


@pytest.mark.parametrize("is_table", [False, True])
def test_a_first_visit_costs_less_than_60_kb_with_all_that_the_worker_keeps(phone: NewPhone, is_table: bool):  # noqa: FBT001
    anna = phone()
    page = anna.get(f"/t/{anna.open('Anna')}" if is_table else "/")
    linked = re.findall(r'(?:href|src)="(/static/[^"]*)"', page.text)
    kept = re.findall(r"'(/static/[^']*)'\.split", anna.get("/worker.js").text)[0].split(" ")
    others = {*linked, *kept, "/worker.js", "/offline", "/manifest.webmanifest"}
    assert len(others) > 6
    assert page.num_bytes_downloaded + sum(anna.get(each).num_bytes_downloaded for each in others) < 60_000
