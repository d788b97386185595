"""What lies in the tray, and how it is marked."""

from __future__ import annotations

from kasta.games import find_game
from kasta.i18n import words
from kasta.page.models import thrown_dice
from kasta.tables import events as e
from kasta.tables.state import replay

DEVICE = "device"


def test_kept_dice_are_marked_until_the_turn_is_over():
    opened = e.OpenedEvent("t", "yatzy", find_game("yatzy").rules, e.Settings(), DEVICE, "")
    turn: list[e.AnyEvent] = [
        opened,
        e.SeatedEvent(0, "Anna", DEVICE),
        e.SeatedEvent(1, "Bo", "other"),
        e.Rolled(1, (6, 6, 3, 2, 1)),
        e.Acted(1, 0, 0, "keep 6 6"),
        e.Rolled(2, (5, 4, 1)),
    ]
    during = thrown_dice(replay(turn), words("en"))
    after = thrown_dice(replay([*turn, e.Acted(2, 0, 0, "fill sixes")]), words("en"))
    assert (during.kept, after.kept) == ((6, 6), ())
    assert "6 6, new 5 4 1" in after.told  # whoever listens hears what was kept
