"""The documentation site: `make docs` builds it, and every warning is an error."""  # noqa: INP001 - no package

import sys
from pathlib import Path
from typing import Any

from kasta import __version__

sys.path.append(str(Path(__file__).parent / "_ext"))

project = "Kasta"
author = "The Kasta authors"
version = release = __version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "links", "notebooks", "plain", "sheets"]
exclude_patterns = ["_ext", "screenshots"]
html_theme = "furo"
html_title = f"Kasta {version}"
html_static_path = ["_static"]
html_css_files = ["sheets.css"]
html_show_copyright = False
html_copy_source = False

myst_heading_anchors = 3  # `page.md#a-heading` works as it does in a repository's browser
suppress_warnings = ["myst.header"]  # the rules begin with their own title where they are included

default_role = "code"
autodoc_member_order = "bysource"
autodoc_preserve_defaults = True
autodoc_inherit_docstrings = False  # other packages' words refer to other packages
autodoc_mock_imports = ["stable_baselines3"]  # with PyTorch, for one class
python_maximum_signature_line_length = 120

# What signatures name that has no page: type variables, aliases, and types of other packages.
nitpick_ignore_regex = [
    (r"py:.*", r"(.*\.)?(S|A|T|R|S_contra)"),
    (r"py:class", r"(kasta\.games\.)?(Knister|Knaster|Yatzy)Game"),  # what type checkers know of our games
    (r"py:class", r"(tuple\[str|list\[tuple\[int)"),  # Sphinx splits the types of fields at their commas
    (r"py:class", r"kasta\.games\.composers\.Fullest"),  # a part of tables that no caller needs
    (r"py:class", r"kasta\.games\.badges\.Badge"),  # what sheets earn is no part of the library's interface
    (r"py:.*", r"(collections\.abc|typing|random|gettext|os|pathlib|immutables)\b.*"),
    (r"py:.*", r"(numpy|gymnasium|pettingzoo|stable_baselines3|httpx|msgspec)\b.*"),
    (
        r"py:.*",
        r"kasta\.(wire|tables|solve|client\.connection|env\.(zoo|zoo_table|spaces))\b.*",
    ),  # what has no page is shown by its name
]


def setup(app: Any) -> None:  # noqa: ANN401 - Sphinx need not be installed to check this file
    """Nobody calls a protocol: show it without arguments."""
    app.connect("autodoc-process-signature", _signature)


def _signature(_app: Any, _what: str, _name: str, found: Any, *_rest: object) -> tuple[str, str] | None:  # noqa: ANN401
    return ("", "") if isinstance(found, type) and getattr(found, "_is_protocol", False) else None
