"""The commands that know what is best: solve, advise, review, simulate. `cli` registers them."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import Annotated, Any, BinaryIO

import typer

from kasta.coach import Advice, Review, find_valuer, seat_to_act
from kasta.core import Seat
from kasta.errors import Illegal, Unreadable
from kasta.notation import Moment, replay, walk
from kasta.registry import find_game
from kasta.values import Option, Progress

Game = Annotated[str, typer.Argument(help="knister, knaster or yatzy")]
Record = Annotated[str, typer.Argument(metavar="FILE", help="a game record, - for standard input")]
Rules = Annotated[str, typer.Option(help="the rule set")]
AsJson = Annotated[bool, typer.Option("--json", help="print JSON")]

SHOWN = 10  # options, unless all are wanted


def solve(
    game: Game = "yatzy",
    rules: Rules = "sheet",
    totals: Annotated[bool, typer.Option(help="also the exact distribution of the best player's totals")] = False,
    as_json: AsJson = False,
) -> None:
    """The best player's expected total, exactly, and the files that advice comes from.

    Example: kasta solve yatzy --rules sheet
    """
    from kasta.solve.yatzy import solution_of

    with progress_bar(f"solving {game}") as progress:
        solved = solution_of(find_game(game, rules), progress)
    with progress_bar("measuring the spread"):
        answer: dict[str, Any] = {
            "rules": rules,
            "value": solved.start,
            "sd": solved.sd,
            "seconds": solved.seconds,
            "states": solved.states,
        }
    lines = [
        f"Rules {rules}: the best player expects {solved.start:.10f} points (standard deviation {solved.sd:.4f}).",
        f"{solved.states:,} states, solved in {solved.seconds:.2f} s. Kept in {solved.home.parent}.",
    ]
    if totals:
        from kasta.simulate import PERCENTS
        from kasta.solve.yatzy_odds import distribution

        with progress_bar("following all games") as progress:
            found = distribution(solved, progress=progress)
        answer["percentiles"] = {str(percent): found.percentile(percent) for percent in PERCENTS}
        answer["chances"] = dict(zip(map(int, found.totals), map(float, found.chances), strict=True))
        lines += [f"{percent:>3} % of games end with at most {found.percentile(percent)}." for percent in PERCENTS]
        lines += [f"{100 * found.at_least(wanted):.4f} % reach {wanted}." for wanted in range(200, 601, 100)]
    _print(answer if as_json else lines)


def advise(
    game: Game,
    file: Record,
    seat: Annotated[int | None, typer.Option(help="whose choice, where several seats have to act")] = None,
    reach: Annotated[int | None, typer.Option(help="play for this total: values are chances (Yatzy)")] = None,
    win: Annotated[bool, typer.Option(help="play to win: values are chances (Yatzy)")] = False,
    as_json: AsJson = False,
) -> None:
    """What every legal action leads to, best first, in the position after a record.

    Example: kasta advise yatzy game.jsonl
    """
    from kasta.solve.yatzy import solution_of

    with opened(file) as source:
        moment = replay(source)
    if moment.header.game != game:
        raise Unreadable("other_game", found=moment.header.game, game=game)
    whose = seat_to_act(moment, None if seat is None else Seat(seat))
    with progress_bar("thinking") as progress:
        valuer = find_valuer(game, moment.game, progress)
        sheet = moment.game.sheet(moment.table, whose)
        if reach is None and not win:
            options = valuer.options(sheet)
        else:
            solved = solution_of(moment.game)
            options = _to_win(moment, solved, whose) if win else _to_reach(solved, sheet, reach or 0, progress)
    advice = Advice(whose, options)
    if as_json:
        actions = [
            {"do": str(option.action), "value": option.value, "error": option.error} for option in advice.options
        ]
        _print({"seat": advice.seat, "actions": actions})
        return
    name, chance = moment.header.seats[whose], win or reach is not None
    _print(
        [
            f"{name}: {_what(reach, win=win)}",
            *(_line(option, advice.options[0], chance=chance) for option in options[:SHOWN]),
        ]
    )
    if len(options) > SHOWN:
        _print([f"and {len(options) - SHOWN} more, with --json"])


def _to_reach(valuer: Any, sheet: Any, total: int, progress: Progress) -> list[Option[Any]]:  # noqa: ANN401
    from kasta.solve.yatzy_aim import rank_chances, reaching

    turn = reaching(valuer.book, sheet, total, progress)
    return rank_chances(turn.options(sheet), valuer.options(sheet))


def _to_win(moment: Moment, valuer: Any, seat: Seat) -> list[Option[Any]]:  # noqa: ANN401
    from kasta.bots import look
    from kasta.solve.yatzy_win import Winner

    view = look(moment.game, moment.table, seat)
    return list(Winner(valuer).options(view.sheet, view.others))


def _what(reach: int | None, *, win: bool) -> str:
    if win:
        return "chance to win"
    return "expected final total" if reach is None else f"best chance of at least {reach}"


def _line(option: Option[Any], best: Option[Any], *, chance: bool) -> str:
    scale, unit = (100, " %") if chance else (1, "")
    lost = (best.value - option.value) * scale
    error = f" ± {option.error * scale:.2f}" if option.error else ""
    return f"  {option.action!s:<22} {option.value * scale:9.3f}{unit}{error}" + (
        f"   -{lost:.3f}" if lost > 0 else ""
    )


def review(
    file: Record,
    seat: Annotated[int | None, typer.Option(help="only this seat")] = None,
    as_json: AsJson = False,
) -> None:
    """What every decision gave away, and how lucky the dice were, seat by seat.

    Example: kasta review game.jsonl
    """
    from kasta.coach import review as review_all

    with opened(file) as source, progress_bar("reviewing") as progress:
        reviews = review_all(walk(source), lambda first: find_valuer(first.header.game, first.game, progress))
    if seat is not None:
        if not 0 <= seat < len(reviews):
            raise Illegal("no_such_seat", seat=seat, last=len(reviews) - 1)
        reviews = [reviews[seat]]
    if as_json:
        _print({"seats": [_review_as_json(one) for one in reviews]})
    else:
        for one in reviews:
            _print(_review_as_text(one))


def _review_as_json(one: Review) -> dict[str, Any]:
    keys = ("name", "total", "expected", "luck", "lost")
    return {key: getattr(one, key) for key in keys} | {"moves": [asdict(move) for move in one.moves]}


def _review_as_text(one: Review) -> list[str]:
    dear = sorted((move for move in one.moves if move.lost > 0), key=lambda move: -move.lost)[:SHOWN]
    split = f"{one.expected:.2f} expected {one.luck:+.2f} luck -{one.lost:.2f} given away"
    return [
        f"{one.name}: {one.total} points = {split}",
        *(f"  line {move.line:>4}: {move.do:<22} instead of {move.best:<22} -{move.lost:.2f}" for move in dear),
    ]


def simulate(
    game: Game,
    bot: Annotated[str, typer.Option(help="which bot plays")] = "best",
    games: Annotated[int, typer.Option(help="how many games")] = 1000,
    seed: Annotated[int, typer.Option(help="the same seed gives the same games")] = 0,
    rules: Rules = "sheet",
    as_json: AsJson = False,
) -> None:
    """How high a bot scores.

    Example: kasta simulate yatzy --bot best --games 100000 --seed 1
    """
    from kasta.simulate import simulate as play

    if games < 1:
        raise Unreadable("no_games")
    with progress_bar(f"{games:,} games") as progress:
        summary, _ = play(game, rules, bot, games=games, seed=seed, progress=progress)
    if as_json:
        _print(asdict(summary))
        return
    ranks = "  ".join(f"{percent} %: {total}" for percent, total in summary.percentiles.items())
    _print(
        [
            f"{game}, {bot}: {games:,} games, seed {seed}",
            f"mean {summary.mean:.3f} ± {summary.se:.3f}, standard deviation {summary.sd:.2f}",
            f"at most  {ranks}",
        ]
    )


@contextmanager
def opened(file: str) -> Iterator[BinaryIO]:
    """A record to read."""
    try:
        with nullcontext(sys.stdin.buffer) if file == "-" else Path(file).open("rb") as source:
            yield source
    except OSError as error:
        raise Unreadable("cannot_open", path=file, reason=error.strerror) from None


@contextmanager
def progress_bar(what: str) -> Iterator[Progress]:
    """A bar on a terminal's standard error, as soon as there is progress; nothing elsewhere."""
    from rich.console import Console
    from rich.progress import Progress as Bar

    console = Console(stderr=True)
    with Bar(console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, of: bar.update(task, completed=done, total=of)


def _print(answer: dict[str, Any] | list[str]) -> None:
    typer.echo(json.dumps(answer, ensure_ascii=False) if isinstance(answer, dict) else "\n".join(answer))
