"""What is said of the end, and what is told to others of a day: kind, true, and no hint for those who play."""

from __future__ import annotations

import re

import pytest

from kasta.games import OURS, find_game
from kasta.i18n import LANGUAGES, words
from kasta.i18n.dates import day_noted, day_said
from kasta.page.end.book import last_ten
from kasta.page.end.finish import EndFeast, OwnTotal, finish_alone, finish_together
from kasta.page.end.past import Past
from kasta.page.end.pattern import SQUARES, DayShare, day_total, pattern
from kasta.page.table_page import table_page
from kasta.tables.commands import Close
from kasta.tables.rights import SERVICE, all_present
from support.play import random_game
from support.room import HOST, SECRET, Room

KNISTER = find_game("knister")
ENGLISH = words("en")
MAY = Past((41, 54), 54, "2026-05-03", "2026-11-18")


def test_a_bad_day_is_neither_ranked_nor_scolded():
    end = finish_alone(KNISTER, OwnTotal(12, "three of a kind (3)", MAY), ENGLISH)
    assert end.heading == "12 points"
    assert end.said == ("Some days the dice sulk.", "The best of it: three of a kind (3).")
    assert end.feast == EndFeast.NONE
    assert end.praise == end.said  # whoever listens has heard the total


def test_a_grade_that_was_nearly_reached_is_told():
    assert finish_alone(KNISTER, OwnTotal(47, "", MAY), ENGLISH).said == ("Only 3 points to “good”.",)


def test_the_best_so_far_is_told_with_its_day():
    end = finish_alone(KNISTER, OwnTotal(62, "", MAY), ENGLISH)
    assert (end.heading, end.feast) == ("Your best yet", EndFeast.SOME)
    assert end.said == ("62 points: your best so far, 8 more than on 3 May.", "Good.")
    assert finish_alone(KNISTER, OwnTotal(54, "", MAY), ENGLISH).heading == "Good!"  # as good as it was


def test_what_is_outstanding_has_the_largest_feast():
    end = finish_alone(KNISTER, OwnTotal(158, "", MAY), ENGLISH)
    assert (end.heading, end.feast) == ("Outstanding!", EndFeast.ALL)
    assert finish_alone(KNISTER, OwnTotal(158), words("fr")).heading == "Spectaculaire\N{NO-BREAK SPACE}!"


def test_together_the_lead_and_ones_own_best_are_told():
    end = finish_together("Anna wins!", [62, 68], OwnTotal(62, "", MAY), KNISTER, ENGLISH)
    assert end.said == ("Ahead by 6 points.", "62 points: your best so far, 8 more than on 3 May.")
    assert finish_together("Anna wins!", [12, 12], OwnTotal(12), KNISTER, ENGLISH).said == ()


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("game", OURS)
def test_every_game_and_rule_set_has_names_for_totals(game: str, language: str):
    traits = find_game(game).traits
    for rules in traits.rule_sets:
        verdicts = traits.verdicts(language, rules)
        assert len(verdicts) == 3
        assert list(verdicts.values()) == sorted(set(verdicts.values()))


def test_the_last_totals_are_drawn_with_the_grades_among_them():
    ten = last_ten(KNISTER, (41, 54, 62), ENGLISH)
    assert ten
    assert ten.listed == "41, 54, 62"
    assert [each.text for each in ten.grades] == ["good 50"]
    assert [dot.y for dot in ten.dots] == sorted((dot.y for dot in ten.dots), reverse=True)
    assert last_ten(KNISTER, (41,), ENGLISH) is None


FIRST = {
    "sv": "Kasta 18 nov. · Knister 62",
    "nb": "Kasta 18. nov. · Knister 62",
    "de": "Kasta 18. Nov. · Knister 62",
    "fr": "Kasta 18 nov. · Knister 62",
    "en": "Kasta 18 Nov · Knister 62",
}


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_day_is_told_with_its_date_total_and_link(language: str):
    share = day_total(KNISTER, "2026-11-18", 62, "https://kasta.example", words(language))
    assert str(share) == f"{FIRST[language]}\nhttps://kasta.example/day/knister/2026-11-18"


@pytest.mark.parametrize("game", OURS)
def test_a_pattern_has_a_square_for_each_line_or_box_and_no_figure(game: str):
    found = find_game(game)
    *_, (table, _) = random_game(found, 1, 29)
    sheet = found.sheet(table, 0)
    drawn = str(pattern(found, sheet, ENGLISH))
    assert set(drawn) <= {*SQUARES, " "}
    assert len(drawn.replace(" ", "")) == (len(found.solo.boxes) if hasattr(found.solo, "boxes") else 12)
    told = str(DayShare("Kasta", pattern(found, sheet, ENGLISH), "link"))
    assert not re.search(r"\d", told)


def test_days_are_said_as_each_language_does():
    said = {language: day_said(words(language), "2026-05-01") for language in LANGUAGES}
    assert said == {"sv": "1 maj", "nb": "1. mai", "de": "1. Mai", "fr": "1er mai", "en": "1 May"}
    assert day_said(ENGLISH, "2025-05-03", "2026-11-18") == "3 May 2025"
    assert day_noted(words("de"), "2026-12-24") == "24. Dez."


def test_others_are_challenged_with_a_games_throws_once_all_of_them_are_revealed():
    """Before, the page of a challenge would refuse: so the link is not there."""

    def are_known(device: str = "anna") -> bool:
        ending = table_page(room.table, device, ENGLISH, all_present).ending
        return ending is not None and ending.are_throws_known

    room = Room("Anna", game="yatzy15")
    for box in legal_fills(room):
        room.roll(1, 2, 3, 4, 6)
        room.play(0, box)
    assert not are_known(), "a moment after the last pick its dice are not revealed yet"
    room.do(Close(SERVICE, SECRET.hex()))
    assert are_known()
    assert not are_known(HOST), "who has not played"

    room = Room("Anna", game="yatzy15")
    room.roll(1, 2, 3, 4, 6)
    room.do(Close(HOST, SECRET.hex()))
    assert not are_known(), "a game that was ended early"


def legal_fills(room: Room) -> list[str]:
    solo = room.table.game.solo
    sheet = solo.throw(solo.start(), (1, 2, 3, 4, 6))
    return [do for action in solo.legal(sheet) if (do := repr(action)).startswith("fill")]
