"""The directive `sheet`: a sheet in our notation, drawn as the library draws it."""  # noqa: INP001 - no package

from __future__ import annotations

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kasta import draw, find_game


class Sheet(SphinxDirective):
    """Takes a game's name, and the sheet as its body; without a body the sheet is empty."""

    required_arguments = 1
    has_content = True

    def run(self) -> list[nodes.Node]:
        """Draw the sheet into the page."""
        game = find_game(self.arguments[0])
        sheet = game.solo.read_sheet("\n".join(self.content)) if self.content else game.solo.start()
        return [nodes.raw("", f'<div class="sheet">{draw.svg(game, sheet)}</div>', format="html")]


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directive."""
    app.add_directive("sheet", Sheet)
    return {"parallel_read_safe": True}
