"""kasta solve: the best player's expected total, exactly."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from kasta.cli.common import GameName, Json, RulesName, print_json
from kasta.cli.output.localised import figure, plus_minus
from kasta.cli.output.plotting import RARE, histogram
from kasta.cli.output.progress import progress_bar
from kasta.cli.output.terminal import own_words
from kasta.errors import Unreadable
from kasta.games import find_game
from kasta.games.traits import AnyGame, load
from kasta.i18n import Words


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
