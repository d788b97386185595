"""The ways around the site, the same on every page. Features bring them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from kasta.i18n import Words
from kasta.messages import Note


@dataclass(frozen=True, slots=True)
class Destination:
    """A way in the navigation: its title in English, where it leads, and its drawing on a field of 24 by 24."""

    name: str
    title: Note
    address: str
    drawing: str  # of SVG


@dataclass(frozen=True, slots=True)
class Way:
    """A place as a page shows it; the page is in it if it `is_here`."""

    title: str
    address: str
    drawing: str
    is_here: bool


class Navigation:
    """All places, and in which of them the pages of a feature are."""

    def __init__(self) -> None:
        self._places: tuple[Destination, ...] = ()
        self._of_feature: dict[str, str] = {}

    def bring(self, places: Iterable[Destination], of_feature: Iterable[tuple[str, str]]) -> None:
        """Have these places, and these names of places by the names of features."""
        self._places, self._of_feature = tuple(places), dict(of_feature)

    def ways(self, feature: str, words: Words) -> tuple[Way, ...]:
        """The ways that a page of a feature shows."""
        here = self._of_feature.get(feature)
        return tuple(
            Way(words.say(place.title), place.address, place.drawing, place.name == here) for place in self._places
        )


NAVIGATION = Navigation()
