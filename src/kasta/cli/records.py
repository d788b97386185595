"""Sheets, records and rules on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any

import typer

from kasta.cli.common import File, GameName, Json, Language, RulesName, open_file, print_json, printable, read_text
from kasta.core import Over, Pick, Throw, places
from kasta.games import find_game
from kasta.i18n import words
from kasta.record import Moment, replay as replay_record
from kasta.rulebook import page_for_terminal


def score(game: GameName, file: File = "-", rules: RulesName = None, *, as_json: Json = False) -> None:
    """What a sheet is worth: hand and points of every line, and the total.

    A sheet is written as docs/notation.md says; where a game has boxes, its dice alone show what each would pay.

    Example: kasta score GAME sheet.txt
    """
    solo = find_game(game, rules).solo
    result = {"game": game, **solo.score(solo.read_sheet(read_text(file)))}
    print_json(result) if as_json else _print_score(result)


def replay(file: File, *, as_json: Json = False) -> None:
    """Check a game record and say how it ends; the first line that breaks the rules is named.

    Example: kasta replay evening.jsonl
    """
    with open_file(file) as source:
        end = replay_record(source)
    result = _standing(end)
    print_json(result) if as_json else _print_standing(end, result)


def verify(file: File, *, as_json: Json = False) -> None:
    """Were the dice those that had been fixed before the game? Proven, wrong, or unproven (own dice).

    Example: kasta verify evening.jsonl
    """
    from kasta.verify import check_dice

    with open_file(file) as source:
        result = check_dice(source)
    if as_json:
        print_json(asdict(result))
    elif result.dice == "wrong":
        typer.echo(f"wrong: line {result.first_wrong_line} does not show the dice that had been fixed.")
    elif result.dice == "proven":
        typer.echo(f"proven: {result.throws} throws were fixed before the first of them.")
    else:
        typer.echo("unproven: own dice, or a game whose secret is not told yet.")
    raise typer.Exit(1 if result.dice == "wrong" else 0)


def rules(game: GameName, lang: Language = "en") -> None:
    """The rules of a game, in our own words.

    Example: kasta rules GAME --lang sv
    """
    said = words(lang)
    typer.echo(page_for_terminal(find_game(game).traits.rules_page(lang), said), nl=False)


def _standing(end: Moment) -> dict[str, Any]:
    """The JSON of `kasta replay`: nobody has a place before the end."""
    totals = [end.game.total(end.table, seat) for seat in range(len(end.header.seats))]
    over = isinstance(end.game.next(end.table), Over)
    ranked = {seat: total for seat, total in enumerate(totals) if not end.game.has_left(end.table, seat)}
    ranks = dict(zip(ranked, places(list(ranked.values())), strict=True)) if over else {}
    seats = [
        {"name": name, "total": totals[seat], "place": ranks.get(seat)}
        for seat, name in enumerate(end.header.seats)
    ]
    return {"game": end.header.game, "rules": end.header.rules, "over": over, "seats": seats}


def _print_standing(end: Moment, result: dict[str, Any]) -> None:
    names = end.header.seats
    match end.game.next(end.table):
        case Throw(_, roller):
            what = f"not over, {printable(names[roller])} throws next"
        case Pick(count):
            what = f"not over, {count} still to act on the last throw"
        case Over():
            what = "over"
    typer.echo(f"{end.header.game}, rules {end.header.rules}: {what}")
    for seat in sorted(result["seats"], key=lambda seat: -seat["total"]):
        place = f"{seat['place']}." if seat["place"] else ""
        typer.echo(f"{place:>4} {seat['total']:>5}  {printable(seat['name'])}")
    if result["over"] and len(names) == 1:
        _print_verdict(end.game.traits.verdicts("en"), result["seats"][0]["total"])


def _print_verdict(verdicts: Mapping[str, int], total: int) -> None:
    """What the sheet says of a total when playing alone, or how much is missing to its first grade."""
    for grade, least in sorted(verdicts.items(), key=lambda verdict: -verdict[1]):
        if total >= least:
            typer.echo(f"Playing alone, that is {_shown(grade)}.")
            return
    for grade, least in list(verdicts.items())[:1]:
        typer.echo(f'{least - total} points to "{_shown(grade)}".')


def _print_score(result: dict[str, Any]) -> None:
    """What stands there part by part, each part's points last; then the sums."""
    for key, value in result.items():
        if isinstance(value, list):
            for row in value:
                texts = [_shown(text) for name, text in row.items() if name not in {"points", "complete"}]
                typer.echo("".join(f"{text:<20}" for text in texts).ljust(24) + f"{_shown(row.get('points')):>5}")
        elif key != "game":
            typer.echo(f"{key:<24}{_shown(value):>5}")


def _shown(value: object) -> str:
    return "-" if value is None else str(value).replace("_", " ")
