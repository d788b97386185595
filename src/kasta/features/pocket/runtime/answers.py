"""What the page asks of the table in its pocket, and the answers: JSON in, JSON out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from kasta.bots.base import at_level
from kasta.errors import KastaError, Unreadable
from kasta.features.pocket.runtime.bots import LEVELS
from kasta.features.pocket.runtime.hints import BEST, Advised, Values, values_name
from kasta.features.pocket.runtime.playing import ME, Dice, PocketTable, fields_of, whole
from kasta.features.pocket.runtime.templates import render
from kasta.games import find_game
from kasta.i18n import words
from kasta.live.command_field import answer as answer_question
from kasta.live.news import moment
from kasta.live.page_state import PageState
from kasta.page.confirm import ask
from kasta.page.models import company, game_card
from kasta.page.sections import draw_sections
from kasta.page.table_page import Room, TablePage, Timing, table_page
from kasta.structs import replace
from kasta.tables import rights
from kasta.tables.autoplay import is_bots_turn
from kasta.tables.commands import (
    AskHint,
    Close,
    Configure,
    Correct,
    Leave,
    Play,
    Rematch,
    Rename,
    Replace,
    Roll,
    TakeBack,
)
from kasta.tables.events import Settings, decode, encode

FIRST = "Player {number}"


class Shown:
    """What a template of a whole page sees of a table: `page.table`, `page.sections` and `page.digest`."""

    def __init__(self, table: TablePage, sections: dict[str, Any], digest: str) -> None:
        self.table, self.sections, self.digest = table, ShownSections(sections), digest


class ShownSections(dict):  # type: ignore[type-arg]
    """By name, as templates ask for them."""

    def __getattr__(self, name: str) -> Any:
        return self[name]


class Pocket:
    """One page's table."""

    def __init__(self, dice: Dice, rng: Any, values: Values | None = None) -> None:
        self._dice, self._rng, self.values = dice, rng, values or Values()
        self._pockets: dict[str, PocketTable] = {}
        self._state = PageState()
        self._number = 0

    def ask(self, question: dict[str, Any]) -> dict[str, Any]:
        """Answer a question. What it wrote is in `events`, by table; `forget` undoes it."""
        said = words(question.get("language", "en"))
        try:
            answer: dict[str, Any] = _ANSWERS[question["ask"]](self, question)
        except KastaError as error:
            answer = {"refused": said.error(error), "code": error.code}
            if isinstance(error, Unreadable):
                answer["status"] = 400
        answer["events"] = {
            name: [encode(event).decode() for event in each.fresh]
            for name, each in self._pockets.items()
            if each.fresh
        }
        for name in answer["events"]:
            self._pockets[name].fresh.clear()
        return answer

    def new(self, pace: float = 1.0) -> PocketTable:
        return PocketTable(self._dice, self._rng, pace=pace)

    def of(self, question: dict[str, Any]) -> PocketTable:
        return self._pockets[question["table"]]

    # --- questions

    def open(self, question: dict[str, Any]) -> dict[str, Any]:
        """A new table, and those who play at this device."""
        form, said = fields_of(question["fields"]), words(question["language"])
        found = find_game(form["game"], form.get("rules") or None)
        alone = {"coach": "live"} if form.get("alone") and self.values.has(found) else {}
        settings = Settings(**alone | {key: SETTINGS[key](form[key]) for key in SETTINGS if key in form})
        pocket = self.new()
        names = [value for key, value in question["fields"] if key == "name" and value.strip()]
        if not names and form.get("alone"):
            names = [said.say(FIRST, number=1)]
        pocket.open(question["table"], form["game"], form.get("rules") or None, settings)
        self._pockets[question["table"]] = pocket
        pocket.seat(names, min(int(form.get("bots") or 0), 10), form.get("strength"))
        return {}

    def load(self, question: dict[str, Any]) -> dict[str, Any]:
        """Take up what is kept of a table."""
        pocket = self.new()
        pocket.load(decode(body.encode()) for body in question["bodies"])
        self._pockets[question["table"]] = pocket
        return {}

    def forget(self, question: dict[str, Any]) -> dict[str, Any]:
        """What was written could not be kept, or another page has kept something else. No page has seen it."""
        self._pockets.pop(question["table"], None)
        self._state = PageState()
        return {}

    def page(self, question: dict[str, Any]) -> dict[str, Any]:
        """The whole page."""
        page, said = self._page(question), words(question["language"])
        self._state = PageState()
        sections = {
            name: _markup(self._state.update_section(name, made))
            for name, made in draw_sections(said, page).items()
        }
        html = render(said.language, "table.html", {"page": Shown(page, sections, self._state.digest)})
        return {"html": html, "title": page.title, "theme": page.game.theme, "heading": page.game.heading}

    def parts(self, question: dict[str, Any]) -> dict[str, Any]:
        """All parts of the page, or those that differ."""
        return {"news": self._news(question, anew=question.get("all", False))}

    def act(self, question: dict[str, Any]) -> dict[str, Any]:
        """A form of the page."""
        pocket, form = self.of(question), fields_of(question["fields"])
        where = FORMS[question["action"]](self, pocket, form, question)
        if isinstance(where, dict):
            return where
        return {"done": True}

    def tick(self, question: dict[str, Any]) -> dict[str, Any]:
        """What the table does by itself, if nothing has happened since that was planned."""
        pocket = self.of(question)
        if question["seq"] == pocket.table.seq:
            pocket.act()
        return {"done": True}

    def plan(self, question: dict[str, Any]) -> dict[str, Any]:
        """When the table acts by itself."""
        pocket = self.of(question)
        return {"seconds": pocket.seconds(), "seq": pocket.table.seq}

    def about(self, question: dict[str, Any]) -> dict[str, Any]:
        """What is listed of a table, and its record once it is over."""
        pocket, said = self.of(question), words(question["language"])
        table = pocket.table
        card = game_card(table.game.traits, said)
        names = ", ".join(place.name for _, place in sorted(table.places.items()))
        about = {
            "game": card.name,
            "theme": card.theme,
            "heading": card.heading,
            "names": names if len(table.places) > 1 else company(table, ME),
            "due": pocket.is_due,
            "over": table.is_closed,
            "begun": table.turn > 0,
        }
        if table.is_closed and table.turn:
            about["record"], about["seat"] = pocket.record(), pocket.own_seat()
        return {"about": about}

    def confirm(self, question: dict[str, Any]) -> dict[str, Any]:
        """The question before something that cannot be undone."""
        pocket, said = self.of(question), words(question["language"])
        seat = question.get("seat")
        page = ask(pocket.table, question["action"], seat, ME, said)
        return {"html": render(said.language, "dialogs/ask.html", {"page": page}) if page else None}

    def record(self, question: dict[str, Any]) -> dict[str, Any]:
        return {"record": self.of(question).record()}

    def values_of(self, question: dict[str, Any]) -> dict[str, Any]:
        """Which values hints at a table need."""
        return {"name": values_name(self.of(question).table.game)}

    # --- what pages show

    def _page(self, question: dict[str, Any]) -> TablePage:
        pocket = self.of(question)
        table = pocket.table
        page = table_page(
            table,
            ME,
            words(question["language"]),
            rights.all_present,
            seat=question.get("seat"),
            serve=question.get("serve"),
            room=Room(levels=LEVELS),
            timing=Timing(pocket.waits(), is_bots_turn(table)),
        )
        return replace(page, may=replace(page.may, configure=page.may.configure & set(SETTINGS)))

    def _news(self, question: dict[str, Any], *, anew: bool) -> dict[str, Any]:
        page, said = self._page(question), words(question["language"])
        if anew:
            self._state = PageState()
        parts = self._state.update(page, said)
        if not parts:
            return {}
        return {
            **moment(self.of(question).table),
            "moved": None,
            "all": anew,
            "digest": self._state.digest,
            "parts": parts,
        }


def _markup(parts: list[str]) -> Any:
    return Markup("".join(parts))  # noqa: S704 - made of templates


Form = Callable[[Pocket, PocketTable, dict[str, str], dict[str, Any]], dict[str, Any] | None]


def _roll(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(Roll(ME, whole(form, "turn"), _faces(form)))


def _faces(form: dict[str, str]) -> tuple[int, ...]:
    return tuple(int(digit) for digit in form.get("faces", "") if digit in "0123456789")[:20]


def _play(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    do = form.get("do", "").strip()
    if form.get("kept"):
        do = f"{do} {form['kept']}"
    pocket.do(Play(ME, whole(form, "turn"), whole(form, "seat"), whole(form, "step"), do))


def _command(
    here: Pocket, pocket: PocketTable, form: dict[str, str], question: dict[str, Any]
) -> dict[str, Any] | None:
    """The command field: a question is answered, anything else is done."""
    text = answer_question(here._page(question), form.get("do", ""), words(question["language"]))  # noqa: SLF001
    if text is not None:
        return {"text": text}
    _play(here, pocket, form, question)
    return None


def _take_back(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(TakeBack(ME, whole(form, "turn"), whole(form, "seat"), whole(form, "step")))


def _skip(_: Pocket, pocket: PocketTable, __: dict[str, str], ___: dict[str, Any]) -> None:
    pocket.skip()


def _correct(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(Correct(ME, whole(form, "turn"), _faces(form)))


def _sit(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.seat([form.get("name", "")], 0, None)


def _bot(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.seat_bot(form.get("strength"))


def _rename(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(Rename(ME, whole(form, "seat"), form.get("name", "")))


def _leave(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(Leave(ME, whole(form, "seat")))


def _replace(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    bot = at_level(form.get("strength"), pocket.table.game) if form.get("bot") else None
    pocket.do(Replace(ME, whole(form, "seat"), bot))


def _hint(here: Pocket, pocket: PocketTable, form: dict[str, str], question: dict[str, Any]) -> dict[str, Any]:
    """What the coach would do; the log says that it was asked."""
    seat, said, table = whole(form, "seat"), words(question["language"]), pocket.table
    rights.check(rights.hint(table, ME, seat))
    if not here.values.has(table.game):
        return {"offline": True}
    sheet = table.game.sheet(table.play, seat)
    best = here.values.options(table.game, sheet)[:BEST]
    if seat not in table.coached:
        pocket.do(AskHint(ME, table.turn, seat))
    return {"text": render(said.language, "coach/hint.html", {"page": Advised(table, seat, sheet, best, said)})}


def _settings(here: Pocket, pocket: PocketTable, form: dict[str, str], _: dict[str, Any]) -> dict[str, Any] | None:
    wanted = {key: SETTINGS[key](form[key]) for key in SETTINGS if key in form}
    if wanted.get("coach") == "live" and not here.values.has(pocket.table.game):
        return {"offline": True}
    pocket.do(Configure(ME, replace(pocket.table.settings, **wanted)))
    return None


def _lock(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(Configure(ME, replace(pocket.table.settings, open=form.get("open") == "on")))


def _first(_: Pocket, pocket: PocketTable, form: dict[str, str], __: dict[str, Any]) -> None:
    pocket.do(Configure(ME, replace(pocket.table.settings, first=whole(form, "seat"))))


def _end(_: Pocket, pocket: PocketTable, __: dict[str, str], ___: dict[str, Any]) -> None:
    pocket.do(Close(ME))


def _rematch(here: Pocket, pocket: PocketTable, form: dict[str, str], question: dict[str, Any]) -> dict[str, Any]:
    """The same game again, or another one by its name and rule set."""
    old = pocket.table
    if old.next_table is not None:
        return {"moved": old.next_table}
    game, _, rules = form.get("game", "").partition("/")
    name = question["next"]
    pocket.do(Rematch(ME, name))
    following = here.new()
    following.begin_again(name, old, game or old.game.name, (rules or None) if game else old.game.rules)
    here._pockets[name] = following  # noqa: SLF001 - its own
    return {"moved": name}


SETTINGS: dict[str, Callable[[str], Any]] = {  # those that mean something on one device
    "points": lambda text: "end" if text == "end" else "now",
    "take_back": lambda text: text == "on",
    "dice": lambda text: "own" if text == "own" else "app",
    "thrower": lambda text: text if text in ("host", "auto") else "turn",
    "coach": lambda text: text if text in ("off", "live") else "after",
}
FORMS: dict[str, Form] = {
    "roll": _roll,
    "play": _play,
    "command": _command,
    "take-back": _take_back,
    "skip": _skip,
    "hint": _hint,
    "correct": _correct,
    "sit": _sit,
    "bot": _bot,
    "rename": _rename,
    "leave": _leave,
    "replace": _replace,
    "settings": _settings,
    "lock": _lock,
    "first": _first,
    "end": _end,
    "rematch": _rematch,
}
_ANSWERS: dict[str, Callable[[Pocket, dict[str, Any]], dict[str, Any]]] = {
    each.__name__: each
    for each in (
        Pocket.open,
        Pocket.load,
        Pocket.forget,
        Pocket.page,
        Pocket.parts,
        Pocket.act,
        Pocket.tick,
        Pocket.plan,
        Pocket.about,
        Pocket.confirm,
        Pocket.record,
        Pocket.values_of,
    )
}
