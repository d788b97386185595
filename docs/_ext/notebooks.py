"""Notebooks as pages: their text, their code, and the outputs that tools/notebooks.py wrote into them."""  # noqa: INP001 - no package

from __future__ import annotations

import json
from pathlib import PurePosixPath
from typing import Any

from docutils import nodes
from myst_parser.parsers.sphinx_ import MystParser

HEAD = "\n\n{{download}}`Download this notebook <{name}>` to run it in Jupyter.\n"


class NotebookParser(MystParser):
    """Reads a notebook as the Markdown page that it amounts to."""

    supported = ("notebook",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Parse what `page` makes of it."""
        super().parse(page(json.loads(inputstring), PurePosixPath(document["source"]).name), document)


def page(notebook: dict[str, Any], name: str) -> str:
    """Its Markdown; the link to the file follows the first paragraph."""
    parts = [part for cell in notebook["cells"] for part in _parts(cell)]
    title, _, rest = parts[0].partition("\n\n")
    return "\n\n".join([title + HEAD.format(name=name), rest, *parts[1:]]) + "\n"


def _parts(cell: dict[str, Any]) -> list[str]:
    source = "".join(cell["source"])
    if cell["cell_type"] == "markdown":
        return [source]
    return [f"```python\n{source}\n```", *(_output(each) for each in cell["outputs"])]


def _output(output: dict[str, Any]) -> str:
    data = output.get("data", {})
    if "image/svg+xml" in data:
        return f'```{{raw}} html\n<div class="sheet">{"".join(data["image/svg+xml"])}</div>\n```'
    text = "".join(output.get("text") or data["text/plain"]).rstrip("\n")
    return f"```{{code-block}} text\n:class: output\n\n{text}\n```"


def setup(app: Any) -> dict[str, bool]:  # noqa: ANN401 - Sphinx need not be installed to check this file
    """Read notebooks."""
    app.add_source_suffix(".ipynb", "notebook")
    app.add_source_parser(NotebookParser)
    return {"parallel_read_safe": True}
