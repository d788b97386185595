"""Two players against each other, on the command line."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kasta.cli.common import Cluster, Json, Processes, Resume, RulesName, print_json, printable, write_file
from kasta.cli.engine import FIRST, OneGame, Seconds, check_seconds, tell
from kasta.cli.output.localised import figure
from kasta.cli.output.progress import progress_bar
from kasta.cli.output.terminal import own_words
from kasta.errors import Unavailable
from kasta.games import find_game
from kasta.games.traits import AnyGame
from kasta.messages import Note

if TYPE_CHECKING:
    from kasta.engine.match import MatchGame, MatchScore

PlayerText = Annotated[str, typer.Argument(metavar="ENGINE", help="A bot's name, or the command of an engine.")]


def match(
    first: PlayerText,
    second: PlayerText,
    game: OneGame = FIRST,
    rules: RulesName = None,
    games: Annotated[int, typer.Option(metavar="N", help="How many games at most.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same dice.")] = 0,
    seconds: Seconds = 10.0,
    processes: Processes = None,
    cluster: Cluster = None,
    resume: Resume = None,
    records: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Where to write a record of each game.")
    ] = None,
    *,
    to_the_end: Annotated[bool, typer.Option("--all", help="Play all games, also when it is decided.")] = False,
    as_json: Json = False,
) -> None:
    """Which of two players is stronger? They get the same dice, and it ends when that is decided.

    Example: kasta match quick greedy --game GAME --games 1000
    """
    from kasta.engine.match import MatchScore, play_match

    found = find_game(game, rules)
    if cluster is None:
        _greet((first, second), found)
    if records is not None:
        records.mkdir(parents=True, exist_ok=True)
    score = MatchScore()
    with progress_bar(own_words().say("playing")) as progress:
        for score, played in play_match(
            found,
            (first, second),
            games=games,
            seed=seed,
            seconds=check_seconds(seconds),
            to_the_end=to_the_end,
            records=records is not None,
            processes=processes,
            cluster=cluster,
            resume=resume,
            progress=progress,
        ):
            _tell_fault(score, played)
            if records is not None:
                record = "".join(f"{line}\n" for line in played.record)
                write_file(records / f"game-{score.games:05}.jsonl", record)
    result = {"game": found.name, "rules": found.rules, "seed": seed, **for_programs(score)}
    print_json(result) if as_json else _print(result, games)


def _greet(players: tuple[str, str], game: AnyGame) -> None:
    """Engines start and say who they are before anything is played; what takes long is told here, once."""
    from kasta.bots.base import bots_of
    from kasta.engine.process import EngineProcess

    for text in players:
        if text not in bots_of(game).by_name:
            with EngineProcess(text, tell=tell) as engine:
                try:
                    engine.start()
                except Unavailable as error:
                    known = ", ".join(bots_of(game).by_name)
                    raise Unavailable("no_player", text=text, known=known, reason=error) from None


def _tell_fault(score: MatchScore, played: MatchGame) -> None:
    if played.fault:
        about = {"game": score.games, "name": played.names[played.fault[0]], "reason": played.reason}
        tell(Note("Game {game} is lost for {name}: {reason}", **about))


def for_programs(score: MatchScore) -> dict[str, Any]:
    """How a match stands, in the shape that docs/engines.md states."""
    players = []
    for number, name in enumerate(score.names):
        mean, error = score.mean(number)
        about = {"wins": score.wins[number], "faults": score.faults[number]}
        players.append({"name": name, "mean": mean, "se": error, **about})
    by, error = score.difference
    return {
        "games": score.games,
        "players": players,
        "draws": score.games - sum(score.wins),
        "difference": by,
        "se": error,
        "stronger": score.stronger,
    }


def _print(result: dict[str, Any], most: int) -> None:
    said, players = own_words(), result["players"]
    head = said.say("rules {rules}: {games} games from seed {seed}, same dice", **_about(result))
    typer.echo(f"{result['game']}, {head}")
    for player in players:
        told = said.say(
            "mean {mean} ± {se}, won {wins}",
            mean=figure(player["mean"], 2),
            se=figure(player["se"], 2),
            wins=figure(player["wins"]),
        )
        lost = said.say("games lost because it failed: {number}", number=player["faults"])
        lost = f", {lost}" if player["faults"] else ""
        typer.echo(f"  {printable(player['name']):<24}{told}{lost}")
    drawn = said.say(
        "drawn {draws}; difference {by} ± {se} points",
        draws=figure(result["draws"]),
        by=figure(result["difference"], 2, sign=True),
        se=figure(result["se"], 2),
    )
    typer.echo(f"  {drawn}")
    broken = next((player["name"] for player in players if player["faults"] == result["games"]), None)
    if broken is not None:
        typer.echo(said.say("{name} has not played to the end once: nothing is decided.", name=printable(broken)))
    elif result["stronger"] is not None:
        name = printable(players[result["stronger"]]["name"])
        typer.echo(said.say("{name} is stronger: decided.", name=name))
    else:
        typer.echo(said.say("Not decided after {games} of {most} games.", **_about(result), most=figure(most)))


def _about(result: dict[str, Any]) -> dict[str, object]:
    return {"rules": result["rules"], "games": figure(result["games"]), "seed": result["seed"]}
