"""What the home page says without a browser."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from kasta.features.home.pages import choices
from kasta.games import GAMES, OURS
from kasta.i18n import LANGUAGES, words
from support.visitors import Phone


@pytest.mark.parametrize("language", LANGUAGES)
def test_games_of_a_family_are_one_choice_in_every_language(language: str):
    found = choices([GAMES[name] for name in OURS], words(language))
    assert [len(choice.kinds) for choice in found] == [1, 1, 3]
    assert all(kind.title and kind.size for kind in found[-1].kinds)
    nordic = language in {"sv", "nb"}
    assert found[-1].chosen == found[-1].kinds[1 if nordic else 0]


def test_a_wrong_code_is_answered_on_the_home_page_with_what_was_typed(phone: Callable[[], Phone]):
    answer = phone().post("/join", code='<b>"&')
    assert answer.status_code == 400
    assert 'value="&lt;b&gt;&#34;&amp;"' in answer.text
    assert 'role="alert"' in answer.text


def test_what_was_chosen_is_opened_without_a_script(phone: Callable[[], Phone]):
    anna = phone()
    assert anna.get("/new?game=maxi").headers["location"] == "/new/maxi"
    assert anna.get("/new?game=chess").status_code == 404
    table = anna.post("/new", game="maxi", alone="1").headers["location"]
    assert "Maxi Yatzy" in anna.get(table).text
    assert anna.post("/new", game="chess", alone="1").status_code == 400
