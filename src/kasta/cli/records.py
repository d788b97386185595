"""Sheets, records and rules on the command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

import typer

from kasta.cli.common import (
    File,
    GameName,
    Json,
    Language,
    RulesName,
    echo_all,
    open_file,
    print_json,
    printable,
    read_text,
)
from kasta.cli.output.terminal import language_of_terminal, own_words
from kasta.core import Over, Pick, Throw, places
from kasta.games import find_game
from kasta.games.traits import AnyTraits
from kasta.i18n import Words, words
from kasta.record import Moment, replay as replay_record

if TYPE_CHECKING:
    from kasta.verify import Verdict


def score(game: GameName, file: File = "-", rules: RulesName = None, *, as_json: Json = False) -> None:
    """What a sheet is worth: hand and points of every line, and the total.

    A sheet is written as docs/notation.md says; where a game has boxes, its dice alone show what each would pay.

    Example: kasta score GAME sheet.txt
    """
    found = find_game(game, rules)
    result = {"game": game, **found.solo.score(found.solo.read_sheet(read_text(file)))}
    print_json(result) if as_json else _print_score(found.traits, result)


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
    else:
        typer.echo(_verified(result))
    raise typer.Exit(1 if result.dice == "wrong" else 0)


def _verified(found: Verdict) -> str:
    said = own_words()
    if found.dice == "wrong":
        line = found.first_wrong_line
        return said.say("wrong: line {line} does not show the dice that had been fixed.", line=line)
    if found.dice == "proven":
        return said.say("proven: {throws} throws were fixed before the first of them.", throws=found.throws)
    return said.say("unproven: own dice, or a game whose secret has not been revealed yet.")


def rules(game: GameName, lang: Language = None) -> None:
    """The rules of a game, in our own words.

    Example: kasta rules GAME --lang sv
    """
    from kasta.cli.output.pages import page_for_terminal

    said = words(lang or language_of_terminal())
    typer.echo(page_for_terminal(find_game(game).traits.rules_page(said.language), said), nl=False)


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
    said, names = own_words(), end.header.seats
    match end.game.next(end.table):
        case Throw(_, roller):
            what = said.say("not over, {name} throws next", name=printable(names[roller]))
        case Pick(count):
            what = said.say("not over, {count} still to act on the last throw", count=count)
        case Over():
            what = said.say("over")
    typer.echo(f"{end.header.game}, {said.say('rules {rules}', rules=end.header.rules)}: {what}")
    for seat in sorted(result["seats"], key=lambda seat: -seat["total"]):
        place = f"{seat['place']}." if seat["place"] else ""
        typer.echo(f"{place:>4} {seat['total']:>5}  {printable(seat['name'])}")
    if result["over"] and len(names) == 1:
        _print_verdict(end.game.traits.verdicts(said.language, end.game.rules), result["seats"][0]["total"], said)


def _print_verdict(verdicts: Mapping[str, int], total: int, said: Words) -> None:
    """What the sheet says of a total when playing alone, or how much is missing to its first grade."""
    for grade, least in sorted(verdicts.items(), key=lambda verdict: -verdict[1]):
        if total >= least:
            typer.echo(said.say("Playing alone, that is {grade}.", grade=grade))
            return
    for grade, least in list(verdicts.items())[:1]:
        typer.echo(said.say("{points} points to “{grade}”.", points=least - total, grade=grade))


def _print_score(traits: AnyTraits, result: dict[str, Any]) -> None:
    """What stands there part by part, each part's points last; then the sums."""
    said = own_words()
    sums = {
        "upper": said.say("Upper total"),
        "bonus": said.say("Bonus"),
        "jokers": said.say("Joker marks"),
        "saved": said.say("Saved throws"),
        "circles": said.say("Circles"),
        "total": said.say("Total"),
    }
    for key, value in result.items():
        if isinstance(value, list):
            echo_all(_part(traits, row, said) for row in value)
        elif key != "game":
            typer.echo(f"{sums.get(key, key):<24}{_points(value):>5}")


def _part(traits: AnyTraits, row: dict[str, Any], said: Words) -> str:
    codes = [code for name, code in row.items() if name not in {"points", "complete"}]
    texts = ["-" if code is None else traits.word(said, str(code)) for code in codes]
    return "".join(f"{text:<20}" for text in texts).ljust(24) + f"{_points(row.get('points')):>5}"


def _points(value: int | None) -> str:
    return "-" if value is None else str(value)
