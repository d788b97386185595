"""Collects every message of the source and brings the .po files up to date: `make messages`."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterator
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.pofile import read_po, write_po
from typer.main import get_command

from kasta.cli import SUMMARIES, app
from kasta.cli.output.localised import EXAMPLE, OF_TYPER, SENTENCES, help_texts
from kasta.games import GAMES, OURS
from kasta.i18n import DEFAULT, GRID, LANGUAGES, MOST_GAMES, OF_GRIDS, ROLLING
from kasta.messages import MESSAGES, REASONS

PACKAGE = Path(__file__).parents[1] / "src/kasta"
CATALOGUES = PACKAGE / "i18n"
PLURALS = {"sv": "n != 1", "nb": "n != 1", "de": "n != 1", "fr": "n > 1"}
HEADER = """\
msgid ""
msgstr ""
"Language: {language}\\n"
"Content-Type: text/plain; charset=utf-8\\n"
"Plural-Forms: nplurals=2; plural=({plural});\\n"

"""
OPTIONS = {"**.html": {"newstyle_gettext": "true", "trimmed": "false", "silent": "false"}}


def collect() -> Catalog:
    """Every message: of templates, of Words in Python, of errors, and the terms of our games."""
    catalog = Catalog(project="kasta", charset="utf-8")
    found = extract_from_dir(PACKAGE, [("**.html", "jinja2")], OPTIONS)
    for file, _, message, _, context in found:
        catalog.add(message, context=context, locations=[_place(Path(file))])
    of_the_command = (*help_texts(get_command(app)), *SUMMARIES.values(), EXAMPLE, *OF_TYPER, *SENTENCES)
    for path, message in _said():
        catalog.add(message, locations=[_place(path)])
    of_errors = [*MESSAGES.values(), *REASONS]
    for place, messages in {"cli": of_the_command, "messages": of_errors}.items():
        for message in messages:
            catalog.add(message, locations=[(place, 0)])
    for text in ROLLING:
        catalog.add(text, context=MOST_GAMES, locations=[("games", 0)])
    for text in OF_GRIDS:
        catalog.add(text, locations=[("games", 0)])
        catalog.add(text, context=GRID, locations=[("games", 0)])
    for game in OURS:
        for text in GAMES[game].terms():
            catalog.add(text, context=game, locations=[(f"games/{game}", 0)])
    return catalog


def _place(file: Path) -> tuple[str, int]:
    """The package that says it, or which feature: translators find together what is seen together."""
    return "/".join(file.parts[: 2 if file.parts[0] == "features" else 1]).removesuffix(".py"), 0


def _said() -> Iterator[tuple[Path, str | tuple[str, str]]]:
    """The literal texts of `words.say(...)`, `words.count(...)` and `Note(...)`, and where they stand."""
    for path in sorted(PACKAGE.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if not isinstance(node, ast.Call):
                continue
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            if not isinstance(node.args[0] if node.args else None, ast.Constant):
                continue  # what is said of a game comes from its terms
            constants = [arg.value for arg in node.args if isinstance(arg, ast.Constant)]
            texts = [value for value in constants if isinstance(value, str)]
            if name in {"say", "Note"} and texts:
                yield path.relative_to(PACKAGE), texts[0]
            elif name == "count" and len(texts) == 2:  # noqa: PLR2004 - one and many
                yield path.relative_to(PACKAGE), (texts[0], texts[1])


def main() -> None:
    template = collect()
    for language in LANGUAGES:
        if language == DEFAULT:
            continue
        path = CATALOGUES / f"{language}.po"
        with path.open("rb") as source:
            catalog = read_po(source, locale=language)
        catalog.update(template, no_fuzzy_matching=True)
        catalog.obsolete.clear()
        with path.open("wb") as target:
            target.write(HEADER.format(language=language, plural=PLURALS[language]).encode())
            write_po(target, catalog, omit_header=True, sort_by_file=True, include_lineno=False, width=110)
        missing = sum(not _is_translated(message.string) for message in catalog if message.id)
        sys.stdout.write(f"{language}: {len(catalog)} messages, {missing} missing\n")


def _is_translated(string: object) -> bool:
    return all(string) if isinstance(string, tuple | list) else bool(string)


if __name__ == "__main__":
    main()
