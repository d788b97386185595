"""Pads to print."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from kasta.cli.common import GameName, Language, RulesName, write_file
from kasta.cli.output.terminal import language_of_terminal
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.i18n import words
from kasta.paper.pads import MOST_PAGES, PAPERS

Paper = Annotated[str, typer.Option(metavar="P", help="The paper: a4 or letter.")]
Pages = Annotated[int, typer.Option(min=1, max=MOST_PAGES, metavar="N", help="How many pages.")]
Out = Annotated[str, typer.Option("--out", "-o", metavar="FILE", help="The file, or - for standard output.")]
Url = Annotated[str, typer.Option(metavar="URL", help="Your server: a QR code opens a table with own dice there.")]


def sheet(
    game: GameName,
    lang: Language = None,
    paper: Paper = "a4",
    pages: Pages = 1,
    out: Out = "pads.pdf",
    url: Url = "",
    rules: RulesName = None,
) -> None:
    """Pads to print, as a PDF: several on a page, with the hands and their points.

    Example: kasta sheet GAME --lang sv --pages 4 -o pads.pdf
    """
    from kasta.paper.pdf import pads_pdf

    if paper not in PAPERS:
        raise Unreadable("unknown_paper", text=paper, known=", ".join(PAPERS))
    content = pads_pdf(find_game(game, rules), words(lang or language_of_terminal()), paper, pages, url)
    if out == "-":
        sys.stdout.buffer.write(content)
    else:
        write_file(Path(out), content)
