"""What choices are worth, on the command line."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from typing import TYPE_CHECKING, Annotated, Any

import typer

from kasta.cli.common import (
    Cluster,
    GameName,
    Json,
    Processes,
    Resume,
    RulesName,
    open_file,
    print_json,
    printable,
)
from kasta.cli.localised import figure, own_words
from kasta.cli.plotting import RARE, histogram
from kasta.cli.progress import ProgressLines
from kasta.coach.advice import (
    advise as advise_seat,
    chances_to_reach,
    chances_to_win,
    seat_to_act,
)
from kasta.core import Seat
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame, load
from kasta.i18n import Words
from kasta.record import Moment, walk
from kasta.values import Option, Progress

if TYPE_CHECKING:
    from kasta.lab.simulate import Summary

MOST_SHOWN = 10  # of a long list; --json has them all
OVER = 600  # seconds, by which a bar estimates how long the rest takes

SeatNumber = Annotated[int | None, typer.Option("--seat", metavar="N", help="A seat, counted from 0.")]


def solve(
    game: GameName,
    rules: RulesName = None,
    *,
    totals: Annotated[bool, typer.Option("--totals", help="Also the chance of every total.")] = False,
    as_json: Json = False,
) -> None:
    """The best player's expected total, exactly; all further advice comes from the files this leaves.

    Example: kasta solve GAME --rules official
    """
    said, found = own_words(), find_game(game, rules)
    if found.traits.solver is None or (totals and found.traits.distribution is None):
        raise Unreadable("not_solved")
    with progress_bar(said.say("solving")) as progress:
        solution = load(found.traits.solver)(found, progress)
    with progress_bar(said.say("measuring the spread")) as progress:
        sd = solution.find_sd(progress)
    result: dict[str, Any] = {
        "rules": found.rules,
        "value": solution.start,
        "sd": sd,
        "seconds": solution.seconds,
        "states": solution.states,
    }
    lines = [
        said.say(
            "{game}, rules {rules}: the best player expects {value} points, with a spread of {sd}.",
            game=game,
            rules=found.rules,
            value=figure(solution.start, 10),
            sd=figure(sd, 4),
        )
    ]
    states = figure(solution.states)
    if solution.seconds is None:
        lines.append(said.say("{states} states, whose values come with Kasta.", states=states))
    else:
        home = {"seconds": figure(solution.seconds, 2), "folder": solution.home.parent}
        lines.append(
            said.say("{states} states, solved in {seconds} s and kept in {folder}.", states=states, **home)
        )
    if totals:
        chances, told = _totals(found, said)
        result["totals"] = chances
        lines += told
    print_json(result) if as_json else typer.echo("\n".join(lines))


def _totals(game: AnyGame, said: Words) -> tuple[dict[int, float], list[str]]:
    """The chance of every total, and what to say of it."""
    from kasta.lab.simulate import PERCENTS

    with progress_bar(said.say("following all games")) as progress:
        found = load(game.traits.distribution or "")(game, progress)
    lines = [
        f"{percent:>3} % " + said.say("of its games end with at most {total}.", total=found.percentile(percent))
        for percent in PERCENTS
    ]
    reached = {total: found.at_least(total) for total in range(100, int(found.totals[-1]), 100)}
    lines += [
        said.say(
            "It reaches {total} in {percent} of them.",
            total=total,
            percent=f"{figure(100 * chance, 4)} %{plus_minus(100 * found.error(chance), 4)}",
        )
        for total, chance in reached.items()
        if RARE < chance < 1 - RARE
    ]
    chances = dict(zip(map(int, found.totals), map(float, found.chances), strict=True))
    return chances, [*lines, "", *histogram(chances)]


def advise(
    game_or_file: Annotated[
        str, typer.Argument(metavar="[GAME] FILE", help="A record; its game may be named, too.")
    ],
    file: Annotated[str | None, typer.Argument(metavar="", show_default=False)] = None,
    seat: SeatNumber = None,
    reach: Annotated[int | None, typer.Option(metavar="TOTAL", help="Chances of reaching it.")] = None,
    engine: Annotated[
        str | None, typer.Option(metavar="CMD", help="A program of others says what it thinks.")
    ] = None,
    *,
    win: Annotated[bool, typer.Option("--win", help="Chances of winning.")] = False,
    as_json: Json = False,
) -> None:
    """Every legal action in the position after a record, with the final total to be expected, best first.

    With --reach or --win the values are chances, and the best action is the one with the best chance.

    Example: kasta advise evening.jsonl
    """
    game = game_or_file if file is not None else None
    with open_file(file if file is not None else game_or_file) as source:
        moments = list(walk(source))
    moment = moments[-1]
    if game not in {None, moment.header.game}:
        raise Unreadable("other_game", found=moment.header.game, game=game)
    whose = seat_to_act(moment, seat)
    with progress_bar(own_words().say("thinking")) as progress:
        if win:
            options = chances_to_win(moment, whose)
        elif reach is not None:
            options = chances_to_reach(moment, reach, whose, progress)
        elif engine is not None:
            options = opinion(engine, moments, whose)
        else:
            options = advise_seat(moment, whose, progress=progress).options
    if as_json:
        actions = [{"do": str(option.action), "value": option.value, "error": option.error} for option in options]
        print_json({"seat": whose, "actions": actions})
        return
    for line in _advice(printable(moment.header.seats[whose]), options, reach, win=win):
        typer.echo(line)


def _advice(name: str, options: Sequence[Option[Any]], reach: int | None, *, win: bool) -> Iterator[str]:
    said = own_words()
    what = said.say("expected total")
    if win:
        what = said.say("chance of winning")
    elif reach is not None:
        what = said.say("chance of {total} or more", total=reach)
    yield f"{name}: {what}"
    for option in options[:MOST_SHOWN]:
        yield _option(option, options[0], chance=win or reach is not None)
    if len(options) > MOST_SHOWN:
        yield said.say("{number} more with --json", number=len(options) - MOST_SHOWN)


def opinion(command: str, moments: Sequence[Moment], seat: Seat) -> list[Option[Any]]:
    """What an engine thinks that actions are worth; `Unreadable` where it does not say."""
    from kasta.engine.position import position_after
    from kasta.engine.process import EngineProcess

    with EngineProcess(command) as engine:
        answer = engine.ask(position_after(moments, seat), wants_values=True)
    if not answer.options:
        raise Unreadable("engine_no_values", text=str(answer.action))
    return list(answer.options)


def _option(option: Option[Any], best: Option[Any], *, chance: bool) -> str:
    scale, unit = (100, " %") if chance else (1, "")
    lost = (best.value - option.value) * scale
    given_away = f"   {figure(-lost, 3)}" if lost > 0 else ""
    value = f"{figure(option.value * scale, 3):>9}{unit}{plus_minus(option.error * scale)}"
    return f"  {option.action!s:<22}{value}{given_away}"


def plus_minus(error: float, digits: int = 2) -> str:
    return f" ± {figure(error, digits)}" if error else ""


def simulate(
    game: GameName,
    bot: Annotated[str | None, typer.Option(metavar="B", help="Who plays; by default, the strongest.")] = None,
    games: Annotated[int, typer.Option(metavar="N", help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(metavar="S", help="The same seed gives the same games.")] = 0,
    rules: RulesName = None,
    processes: Processes = None,
    cluster: Cluster = None,
    resume: Resume = None,
    *,
    as_json: Json = False,
) -> None:
    """How high a bot scores when it plays alone.

    Example: kasta simulate GAME --bot best --games 100000 --seed 1
    """
    from kasta.lab.simulate import simulate as simulate_games

    said = own_words()
    if games < 1:
        raise Unreadable("no_games")
    with progress_bar(said.say("playing")) as progress:
        summary, totals = simulate_games(
            game,
            rules,
            bot,
            games=games,
            seed=seed,
            processes=processes,
            cluster=cluster,
            resume=resume,
            progress=progress,
        )
    if as_json:
        print_json({name: found for name, found in asdict(summary).items() if found is not None})
        return
    chances = {total: count / len(totals) for total, count in Counter(totals).items()}
    for line in (*_summary(summary, said), "", *histogram(chances)):
        typer.echo(line)


def _summary(found: Summary, said: Words) -> Iterator[str]:
    played = said.say("{games} games from seed {seed}", games=figure(found.games), seed=found.seed)
    yield f"{found.game}, {found.bot}, {played}"
    mean = {"mean": figure(found.mean, 3), "se": figure(found.se, 3), "sd": figure(found.sd, 3)}
    yield said.say("mean {mean} ± {se}, standard deviation {sd}", **mean)
    if found.mean_less_luck is not None and found.se_less_luck is not None:
        mean = {"mean": figure(found.mean_less_luck, 3), "se": figure(found.se_less_luck, 3)}
        yield said.say("less the luck of the dice: mean {mean} ± {se}", **mean)
    for percent, total in found.percentiles.items():
        yield f"{percent:>3} % " + said.say("end with at most {total}", total=total)


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A bar on a terminal's standard error, with the time left; elsewhere a line now and then."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    if not console.is_terminal:
        yield ProgressLines(what, partial(typer.echo, err=True))
        return
    with Bar(console=console, transient=True, speed_estimate_period=OVER) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)
