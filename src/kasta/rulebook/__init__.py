"""Rules pages: Markdown with worked examples, which are sheets in our notation (docs/adding-a-game.md)."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from kasta.core import Faces
from kasta.draw import Svg, picture
from kasta.games import drawing, find_game
from kasta.games.traits import AnyGame
from kasta.i18n import Words

PICTURE = re.compile(r"^```\{sheet\} ([^\n]+)\n(.*?)^```$\n?", re.MULTILINE | re.DOTALL)
OPTION = re.compile(r"^:(\w+): *(.*)\n", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Picture:
    """A worked example: a sheet as it was, the dice thrown on it, and the sheet as it is then.

    `only` are the boxes to draw, if not all. `tells` are the names of what the caption says the numbers of: sums
    and parts of `Solo.score`.
    """

    game: AnyGame
    before: Any
    thrown: Faces
    after: Any
    caption: str
    tells: tuple[str, ...] = ()
    only: tuple[str, ...] = ()

    def svg(self, words: Words) -> Svg:
        """The picture, in which what is new stands out."""
        drawn, before = self._drawing(self.after, words), self._drawing(self.before, words)
        return picture(self.game.traits, drawn, self.said(words), before=before, dice=drawn.dice or self.thrown)

    def said(self, words: Words) -> str:
        """What the picture shows, for those who do not see it."""
        drawn = self._drawing(self.after, words)
        dice = drawn.dice or self.thrown
        thrown = [words.say("Thrown") + ": " + ", ".join(map(str, dice))] if dice else []
        return ". ".join([*thrown, *drawn.sentences(words)]) + "."

    def text(self, words: Words) -> str:
        """The picture for a terminal."""
        drawn = self._drawing(self.after, words)
        rows = [" ".join(f"[{face}]" for face in drawn.dice or self.thrown), *drawing.rows_of_text(drawn)]
        return "\n".join(row.rstrip() for row in rows if row.strip())

    def _drawing(self, sheet: Any, words: Words) -> drawing.Drawing:  # noqa: ANN401 - each game has its own sheets
        drawn = self.game.traits.draw(self.game.solo, sheet, words)
        return drawn.only(self.only) if self.only and isinstance(drawn, drawing.Block) else drawn


def read_page(text: str) -> Iterator[str | Picture]:
    """The parts of a page in their order: Markdown, and pictures."""
    end = 0
    for found in PICTURE.finditer(text):
        yield text[end : found.start()]
        body, end = found[2], found.end()
        yield read_picture(found[1], dict(OPTION.findall(body)), OPTION.sub("", body))
    yield text[end:]


def read_picture(name: str, options: Mapping[str, str], body: str) -> Picture:
    """A picture: the name of a game, perhaps with its rule set, and a sheet as text.

    Options are `throw`, `do` (actions done then, separated by commas), `caption`, `tells` and `only`.
    """
    game = find_game(*name.split())
    solo = game.solo
    before = after = solo.read_sheet(body) if body.strip() else solo.start()
    dice = tuple(int(face) for face in options.get("throw", "").split())
    if dice:
        after = solo.throw(after, dice)
    for action in filter(None, options.get("do", "").split(", ")):
        after = solo.act(after, solo.read_action(action))
    tells, only = (tuple(options.get(key, "").split()) for key in ("tells", "only"))
    return Picture(game, before, dice, after, options.get("caption", ""), tells, only)
