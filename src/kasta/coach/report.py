"""A review as one page of HTML that needs nothing else: it can be kept, sent, and read without a network."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from kasta import draw
from kasta.bots.base import bots_of
from kasta.coach.marks import BAD_MARKS, class_of, error_rate, mark
from kasta.coach.names import class_name, mark_name
from kasta.coach.reasons.reason import reason
from kasta.coach.review import Move, SeatReview
from kasta.games.traits import AnyGame
from kasta.i18n import Words

WIDTH, HEIGHT, EDGE = 720, 220, 44  # of the graph
SMALL = 0.05  # points that are not worth a figure
CHOICES = 5  # that are listed with a decision
STYLE = """
:root{color-scheme:light dark;--paper:#fffdf8;--ink:#1c2b2e;--soft:#566567;--page:#f6f1e6;--line:#b9b3a3}
:root{--game:#12555c}
@media (prefers-color-scheme:dark){
:root{--paper:#20282b;--ink:#ece7da;--soft:#a9b6b8;--page:#12191b;--line:#445055;--game:#7fd0d8}
}
*{box-sizing:border-box}
body{margin:0 auto;max-width:60rem;padding:1rem;background:var(--page);color:var(--ink)}
body{font:1rem/1.45 system-ui,sans-serif}
h1,h2{color:var(--game);line-height:1.15}
dl{display:grid;grid-template-columns:repeat(auto-fit,minmax(7rem,1fr));gap:.5rem 1rem}
dt{color:var(--soft);font-size:.9rem}
dd{margin:0;font-size:1.4rem;font-weight:800;font-variant-numeric:tabular-nums}
article{display:flex;flex-wrap:wrap;gap:1rem;margin:1rem 0;padding:1rem}
article{border:1px solid var(--line);border-radius:12px;background:var(--paper)}
article>div{flex:1 1 16rem}
article svg{max-width:100%;height:auto;padding:6px;border-radius:8px;background:#fffdf8;color:#12555c}
table{border-collapse:collapse}
th{font-weight:400;text-align:start;padding-inline-end:1.5rem}
td{text-align:end;padding-inline-end:1rem;font-variant-numeric:tabular-nums}
.graph{width:100%;height:auto;color:var(--game)}
.graph text{font:20px system-ui,sans-serif;fill:var(--soft)}
.graph path{fill:none;stroke:var(--line)}
.graph polyline{fill:none;stroke:currentColor;stroke-width:3;stroke-linejoin:round}
"""


def html_report(game: AnyGame, reviews: Sequence[SeatReview], spread: float, said: Words) -> str:
    """All seats of a game: figures, the graph, and each decision that gave something away."""
    title = said.say("Review: %(game)s") % {"game": game.traits.heading(said)}
    body = "".join(part for one in reviews for part in _seat(game, one, spread, said))
    return (
        f'<!doctype html>\n<html lang="{said.language}">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>{STYLE}{draw.STYLE}</style>\n</head>\n"
        f"<body>\n<main>\n<h1>{escape(title)}</h1>\n{body}</main>\n</body>\n</html>\n"
    )


def _seat(game: AnyGame, one: SeatReview, spread: float, said: Words) -> Iterator[str]:
    rate = error_rate(one.moves, spread)
    figures = {
        said.say("Total"): str(one.total),
        said.say("Expected"): _number(one.expected, said),
        said.say("Luck"): _number(one.luck, said, sign=True),
        said.say("Given away"): _number(-one.lost, said),
        said.say("Others' pace"): _number(one.early, said, sign=True) if abs(one.early) >= SMALL else "",
        said.say("Uncertain"): _number(one.drift, said, sign=True) if abs(one.drift) >= SMALL else "",
        said.say("Plays like"): class_name(class_of(rate, spread, bots_of(game).classes) or "", said),
    }
    yield f"<section>\n<h2>{escape(one.name)}</h2>\n<dl>"
    yield "".join(f"<div><dt>{escape(k)}</dt><dd>{escape(v)}</dd></div>" for k, v in figures.items() if v)
    yield "</dl>\n"
    if len(one.course) > 1:
        yield _graph(one.course, said)
    for move in one.moves:
        if mark(move, spread) in BAD_MARKS:
            yield _decision(game, move, spread, said)
    yield "</section>\n"


def _graph(course: Sequence[float], said: Words) -> str:
    """The total to be expected after each round: drawn, and as a table for those who listen."""
    low, high = min(course), max(course)
    step, scale = (WIDTH - EDGE) / (len(course) - 1), (HEIGHT - 20) / ((high - low) or 1.0)
    points = [f"{EDGE + i * step:.1f},{10 + (high - value) * scale:.1f}" for i, value in enumerate(course)]
    label = escape(said.say("Expected total, round by round"))
    rows = "".join(f'<tr><th scope="row">{i}</th><td>{value:.0f}</td></tr>' for i, value in enumerate(course, 1))
    return (
        f'<svg class="graph" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{label}">'
        f'<path d="M{EDGE} 10H{WIDTH}M{EDGE} {HEIGHT - 10}H{WIDTH}"/>'
        f'<text x="0" y="15">{high:.0f}</text><text x="0" y="{HEIGHT - 6}">{low:.0f}</text>'
        f'<polyline points="{" ".join(points)}"/></svg>\n'
        f"<details><summary>{label}</summary><table>{rows}</table></details>\n"
    )


def _decision(game: AnyGame, move: Move, spread: float, said: Words) -> str:
    """A decision on its sheet: what was better, what it spoiled, then by how much."""
    drawn = game.traits.draw(game.solo, move.sheet, said)
    title = said.say("Round %(number)s") % {"number": move.round}
    picture = draw.picture(game.traits, drawn, title, dice=drawn.dice or move.roll).inline(title)
    done, best = (game.traits.phrase(game.solo.read_action(do), said) for do in (move.do, move.best))
    verdict = said.say("Chosen: %(do)s. Better: %(best)s.") % {"do": done, "best": best}
    lost = said.say("Given away: %(points)s points.") % {"points": _number(move.lost, said)}
    error = f" ± {_number(move.error, said)}" if move.error else ""
    return (
        f"<article>{picture}<div><h3>{escape(title)}: {escape(mark_name(mark(move, spread) or '', said))}</h3>"
        f"<p><strong>{escape(verdict)}</strong></p>"
        f"<p>{escape(reason(game, move.sheet, move.do, move.best, said))}</p>"
        f"<p>{escape(lost)}{error}</p>{_choices(game, move, said)}</div></article>\n"
    )


def _choices(game: AnyGame, move: Move, said: Words) -> str:
    best = move.options[0].value
    rows = (
        f'<tr><th scope="row">{escape(game.traits.phrase(option.action, said))}</th>'
        f"<td>{_number(option.value - best, said) if option.value < best else _number(best, said)}</td></tr>"
        for option in move.options[:CHOICES]
    )
    return f"<table>{''.join(rows)}</table>"


def _number(value: float, said: Words, *, sign: bool = False) -> str:
    text = f"{value + 0.0:{'+' if sign else ''}.1f}".replace("-", "\N{MINUS SIGN}")
    return text if said.language == "en" else text.replace(".", ",")
