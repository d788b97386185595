"""Open tables are found from the home page while somebody may sit down there."""

from __future__ import annotations

from collections.abc import Callable

from support.visitors import Phone


def test_a_listed_table_is_found_from_the_home_page_and_nobody_is_named(phone: Callable[[], Phone]):
    anna, bo = phone(), phone()
    table = anna.open("Annabella", listed="on")
    home = bo.get("/").text
    assert f'href="/t/{table}"' in home
    assert "1 sits there" in home
    assert "Annabella" not in home
    anna.roll(table)
    assert f'href="/t/{table}"' not in bo.get("/").text
