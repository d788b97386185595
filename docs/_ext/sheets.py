"""The directive `sheet`: a sheet in our notation, drawn as the library draws it."""  # noqa: INP001 - no package

from __future__ import annotations

from docutils import nodes
from docutils.parsers.rst import directives
from sphinx.application import Sphinx
from sphinx.util.docutils import SphinxDirective

from kasta.i18n import DEFAULT, words
from kasta.rulebook import read_picture


class Sheet(SphinxDirective):
    """A worked example of a rules page: `kasta.rulebook` tells what it can hold."""

    required_arguments = 1
    optional_arguments = 1
    has_content = True
    option_spec = dict.fromkeys(("throw", "do", "caption", "tells", "only"), directives.unchanged)

    def run(self) -> list[nodes.Node]:
        """Draw the sheet into the page."""
        picture = read_picture(" ".join(self.arguments), self.options, "\n".join(self.content))
        drawn = f'<div class="sheet">{picture.svg(words(DEFAULT))}</div>'
        return [nodes.raw("", drawn, format="html"), nodes.paragraph(text=picture.caption)]


def setup(app: Sphinx) -> dict[str, bool]:
    """Offer the directive."""
    app.add_directive("sheet", Sheet)
    return {"parallel_read_safe": True}
