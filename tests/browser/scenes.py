"""Every state that a page can be in, for the pictures of it: each scene sets its table, and says where to look."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from playwright.sync_api import Browser, Page

from kasta.games import OURS
from support.browsing import PHONE, Hands, Server

FOUR = ("Sarah", "Tim", "Eva", "Oskar")
MANY = 40
# Plays by clicking, as well as a page without a plan can: equal numbers in a row, the box that pays most. It stops
# after so many throws, once they are answered or not, or when the tray says what is waited for.
PLAY = """async ({ throws, answered, until }) => {
    const FREE = '#play:not([data-moves]) ~ * .cell button:enabled';
    const numbers = cell => [...cell.closest('tr').querySelectorAll('.cell')].map(each => each.textContent.trim());
    const worth = each => each.classList.contains('pay')
        ? Number(each.textContent.replace(/\\D/g, ''))
        : numbers(each).filter(text => text === sum()).length + Math.random();
    const sum = () => document.querySelector('#dice .sum')?.textContent.replace(/\\D/g, '');
    const best = selector => [...document.querySelectorAll(selector)].sort((a, b) => worth(b) - worth(a))[0];
    const status = () => document.getElementById('status');
    const said = () => new RegExp(until).test(status().textContent);
    const turn = () => Number(document.getElementById('dice').dataset.turn);
    for (let step = 0; step < 2000 && status().dataset.phase !== 'over' && !(until && said()); step++) {
        if (turn() >= throws && (!answered || document.getElementById('roll'))) {
            break;
        }
        const tab = document.querySelector('.tabs a:not([aria-current]):is([data-throws], :has(.due))');
        const next = best(FREE) ?? best('.pay') ?? document.querySelector('#roll, .serve, #after [name=do]');
        const { seq } = status().dataset;
        if (!next && tab) {
            tab.click();  // whoever is next need not wait until their sheet slides in
        }
        // Not by a click where there is a form: the second of two quick clicks counts for nothing.
        next?.form ? next.form.requestSubmit(next) : next?.click();
        if (!next) { // the next player's sheet is still to come
            document.body.dispatchEvent(new PointerEvent('pointerdown', { bubbles: true }));
        }
        for (let waits = 0; waits < (next ? 250 : 5) && status().dataset.seq === seq; waits++) {
            await new Promise(done => setTimeout(done, 4));
        }
    }
}"""


@dataclass(frozen=True, slots=True)
class Scene:
    """Where to look; `opened` is clicked first, and a long page is shown to its end."""

    name: str
    address: str
    opened: tuple[str, ...] = ()
    is_long: bool = False
    is_wall: bool = False  # for a large screen alone


@dataclass
class Stage:
    """One person with a browser, and as many guests as are wanted, each with a device of their own."""

    browser: Browser
    url: str
    server: Server | None = None  # for scenes that put something into its store

    def __post_init__(self) -> None:
        context = self.browser.new_context(**{**PHONE, "reduced_motion": "reduce"})
        self.page: Page = context.new_page()
        self.hands = Hands(context.request, self.url)

    def look(self, scene: Scene) -> None:
        """Open a scene as it is to be seen."""
        self.page.goto(scene.address, wait_until="domcontentloaded")
        self.page.locator("html.js, main:not(:has(#table))").first.wait_for()
        for selector in scene.opened:
            self.page.locator(selector).first.click()
        self.page.evaluate("document.fonts.ready")

    def open(self, game: str, *names: str, **form: str) -> Hands:
        self.hands.open(game, *(names or ("Sarah",)), **form)
        return self.hands

    def play(self, throws: int, *, answered: bool = False, until: str = "") -> str:
        """Play on at the table that was opened last, and give its address."""
        self.page.goto(self.hands.table, wait_until="domcontentloaded")
        self.page.locator("html.js").wait_for()
        self.page.evaluate(PLAY, {"throws": throws, "answered": answered, "until": until})
        return self.hands.table

    def guest(self, table: str) -> Hands:
        return Hands(self.browser.new_context().request, self.url, table)

    def seat_guests(self, table: str, number: int) -> list[Hands]:
        guests = [self.guest(table) for _ in range(number)]
        for at, each in enumerate(guests, 1):
            each.post("sit", name=f"Guest {at}" if at % 3 else f"Wolfeschlegel {at}")
        return guests


def home(stage: Stage, name: str, games: int = 0) -> Scene:
    for game in (*OURS, *OURS)[:games]:
        stage.open(game, "Sarah", "Tim")
        stage.play(2)
    return Scene(name, f"{stage.url}/", is_long=bool(games))


def path(stage: Stage, name: str, path: str) -> Scene:
    return Scene(name, f"{stage.url}/{path}", is_long=True)


def lobby(stage: Stage, name: str, guests: int, *, is_host_seated: bool = True) -> Scene:
    table = stage.open("knister", *(("Sarah", "Tim") if is_host_seated else ("",)), bots="1", room="1").table
    stage.seat_guests(table, guests)
    return Scene(name, table)


def playing(stage: Stage, name: str, game: str, throws: int, names: tuple[str, ...] = ("Sarah",)) -> Scene:
    stage.open(game, *names)
    return Scene(name, stage.play(throws))


def answered(stage: Stage, name: str, game: str, throws: int) -> Scene:
    stage.open(game)
    return Scene(name, stage.play(throws, answered=True))


def choosing_a_line(stage: Stage, name: str, opened: tuple[str, ...] = ()) -> Scene:
    hands = stage.open("knaster", dice="own")
    for faces, place in zip(
        ("34", "44", "33", "46", "45", "56", "56", "11", "34", "44", "44"),
        ("a3", "a1", "b3", "d3", "c1", "c2", "c4", "c5", "(a3)", "(a1)", "e3"),
        strict=True,
    ):
        hands.roll(faces)
        hands.play(place)
    hands.roll("45")
    hands.play("c3")
    return Scene(name, hands.table, opened)


def keeping(stage: Stage, name: str, game: str) -> Scene:
    stage.open(game)
    table = stage.play(7)
    for place in (1, 3):
        stage.page.locator(f"#k-{place}").check(force=True)
    stage.page.locator("#again").click()
    stage.page.wait_for_timeout(300)
    return Scene(name, table, opened=("label:has(#k-2)",))


def joker(stage: Stage, name: str) -> Scene:
    hands = stage.open("yatzy", dice="own")
    for box in ("yatzy", "sixes"):
        hands.roll("66666")
        hands.play(f"fill {box}")
    hands.roll("66666")
    return Scene(name, hands.table)


def own_dice(stage: Stage, name: str, game: str) -> Scene:
    return Scene(name, stage.open(game, "Sarah", "Tim", dice="own").table)


def turn_of_another(stage: Stage, name: str, game: str) -> Scene:
    hands = stage.open(game, "Sarah", room="1", thrower="host")
    (guest,) = stage.seat_guests(hands.table, 1)
    stage.play(1)
    guest.refresh()
    stage.play(1, answered=True, until="Guest|still to")
    return Scene(name, hands.table)


def watching(stage: Stage, name: str, game: str) -> Scene:
    other = Stage(stage.browser, stage.url)
    other.open(game, *FOUR, room="1")
    return Scene(name, other.play(9))


def announced(stage: Stage, name: str) -> Scene:
    stage.open("knaster", "Sarah", "Tim")
    return Scene(name, stage.play(99, until="last|Last"))


def end(stage: Stage, name: str, game: str, *names: str) -> Scene:
    stage.open(game, *names)
    return Scene(name, stage.play(999), is_long=True)


def crowd(stage: Stage, name: str, throws: int, *, is_over: bool = False) -> Scene:
    hands = stage.open("knister", "Sarah", room="1", thrower="host")
    guests = stage.seat_guests(hands.table, MANY)
    for throw in range(throws):
        hands.refresh()
        hands.roll()
        place = f"{'abcde'[throw % 5]}{throw // 5 + 1}"
        for each in guests[: MANY if throw < throws - 1 or is_over else MANY // 2]:
            each.refresh()
            each.play(place)
        if throw < throws - 1 or is_over:
            hands.play(place)
    if is_over:
        hands.post("end")
    return Scene(name, hands.table, is_long=is_over)


def wall(stage: Stage, name: str, throws: int = 0, *, answered: bool = False, **form: str) -> Scene:
    """A wall after so many throws."""
    stage.open("knister", *FOUR, room="1", thrower="host", **form)
    if throws:
        stage.play(throws, answered=answered)
    return Scene(name, f"{stage.hands.table}/wall", is_wall=True)


def claim(stage: Stage, name: str) -> Scene:
    hands = stage.open("knister", "Sarah", "Tim", room="1")
    hands.roll()
    other = stage.guest(hands.table)
    other.post("claim", seat="1")
    return Scene(name, hands.table, is_long=True)


def question(stage: Stage, name: str) -> Scene:
    table = stage.open("knister", "Sarah", "Tim").table
    return Scene(name, f"{table}/ask/leave?seat=0", is_long=True)


def seat_link(stage: Stage, name: str) -> Scene:
    table = stage.open("knister", "Sarah", "Tim").table
    return Scene(name, f"{table}/seat", is_long=True)


def proof(stage: Stage, name: str) -> Scene:
    stage.open("knister", "Sarah")
    return Scene(name, f"{stage.play(999)}/proof", is_long=True)


def opened(stage: Stage, name: str, selector: str) -> Scene:
    stage.open("knister", "Sarah", "Tim", bots="1", room="1")
    return Scene(name, stage.play(3), opened=(selector,))


Setting = Callable[[Stage, str], Scene]


def _scenes() -> dict[str, Setting]:
    made: dict[str, Setting] = {
        "home": home,
        "new": partial(path, path="new/yatzy"),
        "error": partial(path, path="nothing/here"),
        "error-table": partial(path, path="t/nothing"),
        "question": question,
        "seat-link": seat_link,
        "claim": claim,
        "proof": proof,
        "lobby-few": partial(lobby, guests=2),
        "lobby-many": partial(lobby, guests=28),
        "lobby-crowd": partial(lobby, guests=MANY, is_host_seated=False),
        "lobby-wall": partial(lobby, guests=12, is_host_seated=False),
        "home-running": partial(home, games=5),
        "wall-lobby": partial(wall, wall="on"),
        "wall-pick": partial(wall, throws=6),
        "wall-throw": partial(wall, throws=6, answered=True, wall="on"),
        "wall-over": partial(wall, throws=999, wall="on"),
    }
    for game in OURS:
        made |= {
            f"{game}-start": partial(playing, game=game, throws=0),
            f"{game}-thrown": partial(playing, game=game, throws=1),
            f"{game}-answered": partial(answered, game=game, throws=4),
            f"{game}-late": partial(playing, game=game, throws=11),
            f"{game}-four": partial(playing, game=game, throws=17, names=FOUR),
            f"{game}-other": partial(turn_of_another, game=game),
            f"{game}-watching": partial(watching, game=game),
            f"{game}-own": partial(own_dice, game=game),
            f"{game}-end": partial(end, game=game),
            f"{game}-rules": partial(path, path=f"rules/{game}"),
        }
    return made | {
        "knaster-choosing": choosing_a_line,
        "knaster-serving": partial(choosing_a_line, opened=("a.serve",)),
        "knaster-last": announced,
        "yatzy-keeping": partial(keeping, game="yatzy"),
        "maxi-keeping": partial(keeping, game="maxi"),
        "yatzy-joker": joker,
        "end-four": lambda stage, name: end(stage, name, "knister", *FOUR),
        "end-four-yatzy": lambda stage, name: end(stage, name, "yatzy", *FOUR),
        "crowd": partial(crowd, throws=3),
        "crowd-end": partial(crowd, throws=2, is_over=True),
        "desk": partial(opened, selector="#desk summary"),
        "tools": partial(opened, selector=".tools summary"),
    }


SCENES = _scenes()
"""All scenes by name: the first word says which game or page it is."""
