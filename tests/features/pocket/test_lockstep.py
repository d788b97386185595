"""The same questions to the table in Brython, in a browser, and in CPython: the same answers, byte by byte."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Browser, Worker

from kasta.core import Over, Throw
from kasta.features.pocket.packing import trees
from kasta.features.pocket.packing.bundle import RUNTIME, stand_in_bots
from kasta.features.pocket.runtime.answers import Pocket
from kasta.features.pocket.runtime.chance import Chance
from kasta.games import GAMES, OURS
from kasta.page.sections import SECTIONS, BroughtSection, bring
from support.browsing import Server

LANGUAGES = ("sv", "nb", "de", "fr", "en")
MOST = 2_147_483_647  # of the simple generator that both sides have
FACTOR = 16_807
MANY = 2  # games of each kind; 2,000 in make prove
LOOK = 0.03  # of all steps are looked at as HTML; all are compared as events, refusals and records
ASKED = "texts => texts.map(text => self.kastaAnswer(text))"
SAME_CHANCE = f"""seed => {{
  let state = seed;
  self.kastaRandom = below => {{
    state = (state * {FACTOR}) % {MOST};
    return state % below;
  }};
}}"""
LEARN = """async files => {
  for (const [language, file] of Object.entries(files)) {
    self.kastaLearn(language, await (await fetch(file)).text());
  }
}"""

Ask = Callable[[dict[str, Any]], dict[str, Any]]


def same_chance(seed: int) -> Callable[[int], int]:
    state = seed

    def below(most: int) -> int:
        nonlocal state
        state = state * FACTOR % MOST
        return state % most

    return below


@pytest.fixture(scope="module")
def worker(browser: Browser, site: Server) -> Iterator[Worker]:
    """The worker of a page, which knows all languages."""
    context = browser.new_context(service_workers="block")
    page = context.new_page()
    with page.expect_worker() as asked:
        page.goto(f"{site.url}/pocket")
    worker = asked.value
    page.wait_for_selector("#go-on ul", state="attached")
    files = context.request.get(f"{site.url}/pocket/list").json()["files"]
    while not worker.evaluate("Boolean(self.kastaAnswer)"):
        page.wait_for_timeout(50)
    texts = {name.rpartition("/")[2].partition("-")[0]: name for name in files if name.endswith(".json")}
    assert sorted([*texts, "en"]) == sorted(LANGUAGES)
    worker.evaluate(LEARN, texts)
    yield worker
    context.close()


def opening(rng: Random, game: str, name: str) -> dict[str, Any]:
    names = rng.sample(["Anna", "Tim <b>", "Zoë & co", "Åse", "'"], rng.choice((1, 1, 1, 2, 3)))
    fields = [["game", game], *(["name", each] for each in names)]
    fields += rng.choice(([], [], [["bots", "1"], ["strength", "weak"]], [["points", "end"], ["bots", "1"]]))
    return {"ask": "open", "table": name, "fields": fields}


def act(rng: Random, pocket: Pocket, name: str) -> dict[str, Any]:
    """What a person, a bot or somebody careless does next."""
    here = pocket.of({"table": name})
    table, expected = here.table, here.table.next()
    seats = list(table.places)
    bots = [seat for seat in table.bots if not isinstance(expected, Throw | Over) and expected.is_due(seat)]
    chance = rng.random()
    seat = rng.choice(seats)
    fields = [["turn", str(table.turn)], ["seat", str(seat)], ["step", str(table.step(seat))]]
    if chance < 0.03:
        return form("take-back", fields)
    if chance < 0.06:
        return form(
            "play", [*fields, ["do", rng.choice(("a1", "fill chance", "keep 1", "(c3)", "nonsense", "-"))]]
        )
    if chance < 0.07:
        return form("rename", [["seat", str(seat)], ["name", rng.choice(("Eva", "", "x" * 99, "Tim <b>"))]])
    if bots or isinstance(expected, Over):
        return {"ask": "tick", "seq": table.seq}
    if isinstance(expected, Throw):
        if expected.roller in table.bots and table.turn:
            return {"ask": "tick", "seq": table.seq}
        return form("roll", [["turn", str(table.turn)]])
    seat = rng.choice([each for each in seats if expected.is_due(each)])
    do = str(rng.choice(list(table.game.legal(table.play, seat))))
    fields = [["turn", str(table.turn)], ["seat", str(seat)], ["step", str(table.step(seat))], ["do", do]]
    return form("play", fields)


def form(action: str, fields: list[list[str]]) -> dict[str, Any]:
    return {"ask": "act", "action": action, "fields": fields}


def script(game: str, number: int) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    """The questions of one game, each with its answer in CPython."""
    rng, name = Random(f"{game} {number}"), f"{game}-{number}"
    chance = Chance(same_chance(number + 1))
    pocket, language = Pocket(chance.dice, chance), rng.choice(LANGUAGES)

    def asked(question: dict[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
        whole = {"table": name, "language": language, **question}
        return whole, pocket.ask(whole)

    yield asked(opening(rng, game, name))
    here = pocket.of({"table": name})
    while not here.table.is_closed:
        yield asked(act(rng, pocket, name))
        if rng.random() < LOOK:
            yield asked({"ask": "parts", "all": True})
    yield asked({"ask": "parts", "all": True})
    yield asked({"ask": "about"})
    if rng.random() < 0.1:
        yield asked({"ask": "act", "action": "rematch", "fields": [], "next": f"{name}-again"})


def plain(answer: dict[str, Any]) -> dict[str, Any]:
    """Without what each side may have in its own way: checksums of what is shown, and chance that nobody sees."""
    for part in ("news",):
        answer.get(part, {}).pop("digest", None)
    events = {name: [_without_entropy(body) for body in bodies] for name, bodies in answer["events"].items()}
    return {**answer, "events": events}


def _without_entropy(body: str) -> str:
    return json.dumps({**json.loads(body), "entropy": ""}) if '"entropy":"' in body else body


def differing(one: str, other: str) -> str:
    """Where two texts begin to differ."""
    at = next((place for place, pair in enumerate(zip(one, other, strict=False)) if pair[0] != pair[1]), -1)
    return f"{one[max(at - 60, 0) : at + 60]!r} is not {other[max(at - 60, 0) : at + 60]!r}"


def check(worker: Worker, game: str, numbers: range) -> int:
    steps = 0
    for number in numbers:
        worker.evaluate(SAME_CHANCE, number + 1)
        played = list(script(game, number))
        answers = worker.evaluate(ASKED, [json.dumps(question) for question, _ in played])
        for (question, expected), text in zip(played, answers, strict=True):
            there, here = plain(json.loads(text)), plain(json.loads(json.dumps(expected)))
            shown = zip(there.get("news", {}).get("parts", ()), here.get("news", {}).get("parts", ()), strict=True)
            for one, other in shown:
                assert one == other, differing(one, other)
            assert there == here, (game, number, question)
        worker.evaluate(ASKED, [json.dumps({"ask": "forget", "table": played[0][0]["table"]})])
        steps += len(played)
    return steps


@pytest.fixture(autouse=True)
def _as_in_a_pocket(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """With the pocket's bots, and without sections that features bring to a server's tables."""
    # By a site that was made before in this process:
    brought = {name: each for name, each in SECTIONS.items() if isinstance(each, BroughtSection)}
    bring({})
    for name, bots in stand_in_bots().items():
        for game in OURS:
            if GAMES[game].bots == f"{name}:BOTS":
                monkeypatch.setattr(type(GAMES[game]), "bots", f"{RUNTIME}.bots:{bots}")
    yield
    bring(brought)


PYTHON = """
import json

def keyed(first, /, second=2, *rest, third, fourth=4, **more):
    return [first, second, list(rest), third, fourth, more]

def counted(most):
    number = 0
    def further():
        nonlocal number
        number += 1
        return number
    while (now := further()) <= most:
        if now % 2:
            continue
        yield now
    else:
        yield from (-1, -2)

class Noted:
    def __enter__(self):
        notes.append("in")
        return notes
    def __exit__(self, *error):
        notes.append("out")

def kind(thing):
    match thing:
        case None | True:
            return "one"
        case [first, *rest] if rest:
            return f"{first} and {len(rest)}"
        case {"key": value}:
            return value
        case str() as text:
            return text.upper()
    return "other"

class Base:
    word = "b"
    def say(self):
        return self.word

class More(Base):
    def say(self):
        return super().say() * 2

def tried(thing):
    try:
        return 1 / thing
    except (ZeroDivisionError, TypeError) as error:
        return type(error).__name__

number = 1234.5678
notes = []
with Noted() as seen:
    seen.append("there")
told = json.dumps([
    "'\\"\\\\ \\n\\r\\t\\x04\\x00 \\u2028 é \\N{GAME DIE} </script> {} %s", r"\\d+", "two" " parts",
    0, -7, 9007199254740991, 1.5, -0.25, 1e-7, None, True, False,
    f"{number:.2f}|{number!r:>12}|{'x':{5}}|{{}}",
    keyed(1, third=3), keyed(1, 2, 3, *[4, 5], third=6, **{"seven": 7}),
    list(counted(5)), [a for a in range(9) if a % 2 if a > 3], {str(a): b for a, b in zip("xy", (1, 2))},
    sorted({3, 1}), "abcdef"[1:-1:2], [*range(3)][::-1], 1 < 2 <= 2 != 3, not (1 and 0) or None,
    *map(kind, (None, True, [1, 2, 3], [1], {"key": "value"}, "text", 3)), More().say(),
    tried(0), tried("a"), tried(4), notes,
    (lambda a, b=2: a ** b)(3), 7 // 2, -7 % 3, 5 & 3 | 8 ^ 1, ~4 << 2, (1, 2) == (1, 2),
])
"""
RUN_PYTHON = """script => {
  (0, eval)(script);
  self.__BRYTHON__.runPythonSource(
    'from browser import self as scope\\nimport sample\\nscope.told = sample.told', 'of_a_test');
  return self.told;
}"""


def test_what_cpython_has_read_means_the_same_in_a_browser(worker: Worker):
    here: dict[str, Any] = {}
    exec(PYTHON, here)  # noqa: S102 - our own
    script = trees.script({"sample": (PYTHON.replace("import json", f"import {RUNTIME}.browsing as json"), False)})
    assert json.loads(worker.evaluate(RUN_PYTHON, script)) == json.loads(here["told"])


@pytest.mark.parametrize("game", OURS)
def test_random_games_are_the_same_in_a_browser(worker: Worker, game: str):
    assert check(worker, game, range(MANY)) > MANY * 20


@pytest.mark.prove
@pytest.mark.parametrize("game", OURS)
def test_2000_random_games_are_the_same_in_a_browser(worker: Worker, game: str):
    assert check(worker, game, range(40, 2_040)) > 2_000 * 20
