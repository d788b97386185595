"""The command speaks the language of the terminal: its help, its complaints, and what it tells."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from kasta import cli
from kasta.cli import app, main
from kasta.cli.output.localised import figure, reworded
from kasta.cli.output.terminal import language_of_terminal
from kasta.errors import Unavailable
from kasta.i18n import DEFAULT, LANGUAGES, words
from kasta.messages import Note
from support.forked import kasta

SOURCE = Path(cli.__file__).parent
RECORD = '{"kasta": 1, "game": "knister", "rules": "sheet", "seats": ["Åsa"]}\n{"roll": [1, 2]}\n'
WRONG = [
    ["nosuch"],
    ["reviw"],
    ["--nope"],
    ["rules"],
    ["bridge", "--engine", "x"],
    ["rules", "knister", "extra"],
    ["rules", "knister", "--la"],
    ["simulate", "knister", "--games"],
    ["simulate", "knister", "--json=3"],
    ["simulate", "knister", "--games", "x"],
    ["sheet", "knister", "--pages", "0"],
    ["sheet", "knister", "--pages", "1000"],
    ["match", "quick", "quick", "--seconds", "x"],
    ["match", "quick", "quick", "--seconds", "0"],
    ["store", "backup"],
    ["replay", "nowhere"],
    ["replay", "."],
    ["advise", "nowhere"],
]


def _commands(group: Any, *path: str) -> Iterator[tuple[tuple[str, ...], Any]]:  # noqa: ANN401 - Typer's
    yield path, group
    for name, command in getattr(group, "commands", {}).items():
        yield from _commands(command, *path, name)


def _in(language: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LANG", f"{language}_XX.UTF-8")


@pytest.mark.parametrize("language", LANGUAGES)
def test_help_is_in_the_language_of_the_terminal(
    language: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    _in(language, monkeypatch)
    kasta, gettext = get_command(app), words(language).catalog.gettext
    commands = list(_commands(kasta))
    assert len(commands) > 20
    for path, command in commands:
        kasta.main([*path, "--help"], "kasta", standalone_mode=False)
        shown = "".join(capsys.readouterr().out.split())
        for text in (*command.english, "Options:", "Show this message and exit."):
            assert "".join(gettext(text).split()) in shown, (path, text)
        for text in command.english:
            assert (gettext(text) == text) == (language == DEFAULT), (path, text)


@pytest.mark.parametrize("args", WRONG, ids=" ".join)
def test_what_is_wrong_is_said_in_the_language_of_the_terminal(
    args: list[str], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    said = {}
    for language in (DEFAULT, "sv"):
        _in(language, monkeypatch)
        monkeypatch.setattr("sys.argv", ["kasta", *args])
        with pytest.raises(SystemExit) as ended:
            main()
        assert ended.value.code in {1, 2}
        said[language] = capsys.readouterr().err.splitlines()
    assert "Usage" in said[DEFAULT][0] or len(said[DEFAULT]) == 1
    for english, swedish in zip(said[DEFAULT], said["sv"], strict=True):
        assert not english or english != swedish
        assert not re.search(r"\b(Input|should|such|for|takes?|Error|Try|Usage)\b", swedish)


def test_a_sentence_of_others_that_nobody_foresaw_stays_as_it_is(monkeypatch: pytest.MonkeyPatch):
    _in("sv", monkeypatch)
    assert reworded("The moon is full.") == "The moon is full."
    about = {"number": 3, "count": 9, "reason": Unavailable("engine_ended")}
    assert reworded(Note("position {number} of {count}: {reason}", **about)) == (
        "ställning 3 av 9: Programmet har avslutats av sig självt."
    )


def test_numbers_are_written_as_the_language_does(monkeypatch: pytest.MonkeyPatch):
    assert figure(-1234.5, 2) == "-1,234.50"
    _in("de", monkeypatch)
    assert figure(1234.5, 2, sign=True) == "+1.234,50"
    _in("fr", monkeypatch)
    assert figure(1234.5, 2) == "1\N{NO-BREAK SPACE}234,50"


@pytest.mark.parametrize(
    ("locale", "language"),
    [("sv_SE.UTF-8", "sv"), ("nn_NO", "nb"), ("C", "en"), ("POSIX", "en"), ("fi_FI", "en"), ("fr", "fr")],
)
def test_the_locale_chooses_as_gettext_would(locale: str, language: str, monkeypatch: pytest.MonkeyPatch):
    for variable in ("LANG", "LC_MESSAGES", "LC_ALL"):  # the stronger ones later
        monkeypatch.setenv(variable, locale)
        assert language_of_terminal() == language
        monkeypatch.setenv(variable, "de_DE")
        assert language_of_terminal() == "de"


def test_people_are_answered_in_their_language_and_programs_alike_in_all():
    told = kasta("replay", "-", given=RECORD, environment={"LANG": "sv_SE.UTF-8"}).stdout.decode()
    assert told.startswith("knister, regler sheet: inte slut, 1 har inte valt")
    error = kasta("replay", "nowhere", "--json", environment={"LANG": "sv_SE.UTF-8"}).stdout
    assert json.loads(error)["error"]["message"] == "nowhere: No such file or directory."


@pytest.mark.parametrize("path", sorted(SOURCE.glob("*.py")), ids=lambda path: path.stem)
def test_nothing_is_told_that_translators_do_not_see(path: Path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        tells = isinstance(node, ast.Call) and ast.unparse(node.func) in {"typer.echo", "typer.BadParameter"}
        if tells or isinstance(node, ast.Yield):
            assert not [text for text in _literals(node) if re.search(r"[A-Za-z]{3}", text)], ast.unparse(node)


def _literals(node: ast.AST) -> Iterator[str]:
    """The texts that are told as they stand: not those given to a function, nor keys and formats."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Constant) and isinstance(child.value, str):
            if "kasta" not in child.value:  # the command itself
                yield child.value
        elif isinstance(child, ast.JoinedStr | ast.BinOp | ast.IfExp | ast.FormattedValue):
            yield from _literals(child)
