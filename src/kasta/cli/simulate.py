"""kasta simulate: how bots do over many games."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from kasta.cli.common import Cluster, GameName, Json, Processes, Resume, RulesName, echo_all, print_json
from kasta.cli.output.localised import figure
from kasta.cli.output.plotting import histogram
from kasta.cli.output.progress import progress_bar
from kasta.cli.output.terminal import own_words
from kasta.errors import Unreadable
from kasta.i18n import Words

if TYPE_CHECKING:
    from kasta.lab.simulate import Summary


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
    echo_all((*_summary(summary, said), "", *histogram(chances)))


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
