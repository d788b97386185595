"""The tray as HTML, put together by hand like sheets: every pick's answer holds one."""

# ruff: noqa: A002, FBT001 - parameters are named as the attributes of the page, and read by templates

from __future__ import annotations

from functools import cache

from markupsafe import Markup, escape

from kasta.i18n import GRID, MOST_GAMES, Words
from kasta.page.component import Fragment, component, known
from kasta.page.models import ThrownDice
from kasta.page.table_page import KeepPart

SIDES = "<i data-side></i>" * 6
SHORT = 18  # characters of a hint that takes one line on a phone


def status(
    said: Words,
    id: str,
    seq: int,
    turn: int,
    phase: str,
    is_corrected: bool,
    settings_dice: str,
    dice: ThrownDice,
    title: str,
    status: str,
    hint: str,
    round: tuple[int, int] | None,
    keep: KeepPart | None,
    may_throw: bool,
    may_type_dice: int,
    may_correct: bool,
    roll_label: str,
    next_table: str | None,
    receipt: str,
    may_skip: bool,
    *,
    waits: float | None,
) -> Fragment:
    """The tray: what fell, what is to do now, and the button that does it. It has the same size all the time."""
    kind = " faces" * (dice.shows == "faces") + " real" * (settings_dice == "own")
    kind += " own" * bool(may_type_dice) + " lying" * (phase == "throw")
    clock = "" if waits is None else known(f' data-waits="{waits:.1f}"')
    hurry = ""
    if dice.owing:
        hurry = f' data-hurry="{escape(said.say("20 seconds left. You can ask for more time below."))}"'
    choice = _choice(said, id, turn, keep, dice) if keep else ""
    tip = _tip(said, keep, is_short=len(hint) <= SHORT) if keep and not dice.feast else ""
    act = _typed(said, id, turn, may_type_dice, dice) or _act(
        said, id, turn, may_throw, roll_label, keep, next_table
    )
    act = act or (_skip(said, id) if may_skip else "")
    fix = _fix(said, id, turn, dice) if may_correct else ""
    return Fragment(
        f'<section id="status" class="tray{kind}" tabindex="-1" aria-label="{escape(said.say("Throw"))}"'
        f' data-title="{escape(title)}" data-seq="{seq}" data-phase="{phase}"'
        f' data-receipt="{escape(receipt)}" data-corrected="{turn if is_corrected else ""}"{clock}{hurry}>'
        f'{thrown(said, dice, choice)}<div class="words">{_words(said, status, round, hint)}{tip}</div>'
        f'<p class="joy" aria-hidden="true"></p><div class="act">{act}</div>{fix}{_mute(said)}</section>'
    )


def _words(said: Words, status: str, round: tuple[int, int] | None, hint: str) -> str:
    number = ""
    if round:
        text = escape(said.say("Round {turn} of {rounds}", turn=round[0], rounds=round[1]))
        number = f' <span class="round">{text}</span>'
    asked = f'<p class="hint">{escape(hint)}</p>' if hint else ""
    return (
        '<p class="say"><span class="clock" aria-hidden="true" hidden></span>'
        f' <strong>{escape(status)}</strong>{number}<span class="note"></span></p>{asked}'
    )


def _tip(said: Words, keep: KeepPart, *, is_short: bool) -> str:
    """What there is to do with the dice, while none of them is kept; a long hint leaves no room for it."""
    text = said.say("Keep at least one die") if keep.rethrow.least else said.say("Choose dice to keep")
    return f'<p class="tip{"" if is_short else " hidden"}" id="tip">{escape(text)}</p>'


def _act(
    said: Words,
    table: str,
    turn: int,
    may_throw: bool,
    roll_label: str,
    keep: KeepPart | None,
    next_table: str | None,
) -> str:
    if may_throw:
        return (
            f'<form method="post" action="/t/{table}/roll" data-live>'
            f'<input type="hidden" name="turn" value="{turn}">'
            f'<button class="throw" id="roll">{escape(roll_label)}</button></form>'
        )
    if keep:
        return _again(said, keep)
    if next_table:
        return f'<a class="button throw" href="/t/{next_table}">{escape(said.say("To the next game"))}</a>'
    return ""


def _skip(said: Words, table: str) -> str:
    """Bots take their time; whoever does not want to watch them goes on."""
    return (
        f'<form method="post" action="/t/{table}/skip" data-live>'
        f'<button class="quiet" id="skip">{escape(said.say("Skip"))}</button></form>'
    )


def _again(said: Words, keep: KeepPart) -> str:
    """The button that throws again: all dice, or those that are not kept. Which of the two, the style sees."""
    every = "" if keep.rethrow.least else f'<span class="every">{escape(said.say("Throw all again"))}</span>'
    costs = f"<small>{escape(keep.rethrow.costs)}</small>" if keep.rethrow.costs else ""
    return (
        f'<button class="throw" form="keep" name="do" value="{escape(keep.rethrow.verb)}" id="again"'
        f' data-least="{keep.rethrow.least}" aria-describedby="tip">'
        f'{every}<span class="others">{escape(said.say("Throw the others again"))}</span>{costs}</button>'
    )


@component("components/own_dice.html", is_compact=True)
def own_dice(
    said: Words,
    action: str,
    turn: int,
    faces: tuple[int, ...],
    shows: str,
    field: str,
    ask: str,
    label: str,
    value: str,
) -> None:
    """The form in which real dice are told: `faces` has 0 for each that is missing, `value` these."""


def _typed(said: Words, table: str, turn: int, number: int, dice: ThrownDice) -> str:
    if not number:
        return ""
    lying = tuple(die.face for die in dice.places)
    faces = lying if lying.count(0) == number else (0,) * number
    asked = said.say("What do your dice show?"), said.say("Enter")
    return own_dice(said, f"/t/{table}/roll", turn, faces, dice.shows, "faces", *asked, "").frame


def _fix(said: Words, table: str, turn: int, dice: ThrownDice) -> str:
    kind = GRID if dice.shows == "sum" else MOST_GAMES
    faces, typed = tuple(die.face * die.is_kept for die in dice.places), "".join(map(str, dice.faces))
    asked = said.say("Which die is wrong?"), said.say("Correct")
    form = own_dice(said, f"/t/{table}/correct", turn, faces, dice.shows, "correction", *asked, typed).frame
    return (
        '<details id="fix" class="fix"><summary>'
        '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 20l1-5L16 4l4 4L9 19zM13 7l4 4"/></svg>'
        f'<span class="hidden">{escape(said.term(kind, "Correct the throw"))}</span></summary>{form}</details>'
    )


@cache
def _mute(said: Words) -> str:
    return (
        '<button type="button" id="mute" class="mute" aria-pressed="false" hidden>'
        '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 9h4l5-4v14l-5-4H4z"/>'
        '<path class="waves" d="M16 9q3 3 0 6m2.5-8.5q6 5.5 0 11"/><path class="cross" d="M16 9l6 6m0-6l-6 6"/>'
        f'</svg><span class="hidden">{escape(said.say("Sound off"))}</span></button>'
    )


# ---- dice


def cube(face: int, *, is_kept: bool = False) -> Markup:
    """A solid die, which shows its face to whoever looks; it can be thrown. Without a face it still has to be."""
    shown = f' role="img" aria-label="{face}" data-face="{face}"' if face else ""
    return Markup(f'<span class="cube"{shown}{" data-kept" * is_kept}><span>{SIDES}</span></span>')  # noqa: S704 - numbers


def thrown(said: Words, dice: ThrownDice, choice: str = "") -> Markup:
    """The dice that were thrown, where they lie; a `choice` stands in their place where their owner keeps some."""
    feast = f' data-feast="{dice.feast.size}" data-call="{escape(dice.feast.call)}"' if dice.feast else ""
    cubes = "".join(f'<span class="spot">{cube(die.face, is_kept=die.is_kept)}</span>' for die in dice.places)
    still = f'<span class="spots" aria-hidden="true">{cubes}</span>'
    told = ""
    if dice.faces and dice.shows == "sum":
        told = f'<strong class="sum"><span class="hidden">{escape(said.say("Sum"))} </span>{dice.said}</strong>'
    elif dice.faces and not choice:
        told = f'<span class="hidden">{escape(said.say("Thrown"))}: {dice.said}</span>'
    if dice.kept:
        told += f'<span class="hidden">{escape(said.say("Kept"))}: {", ".join(map(str, dice.kept))}</span>'
    return Markup(  # noqa: S704 - escaped where it is put together
        f'<div id="dice" class="dice" data-dice="{len(dice.places)}" data-turn="{dice.turn}"'
        f' data-owing="{dice.owing}" data-say="{escape(dice.told)}"{feast}>'
        f"{choice or still}{told}</div>"
    )


def _choice(said: Words, table: str, turn: int, keep: KeepPart, dice: ThrownDice) -> str:
    """Where the viewer chooses which dice to keep: a box to tick on each."""
    spots = "".join(
        f'<label class="spot"><input type="checkbox" name="kept" value="{die.face}" id="k-{number}"'
        f' autocomplete="off"{" checked" * die.is_kept}>{cube(die.face, is_kept=die.is_kept)}</label>'
        for number, die in enumerate(dice.places, 1)
    )
    return (
        f'<form id="keep" method="post" action="/t/{table}/play" class="spots" data-live>'
        f"{move_fields(turn, keep.seat, keep.step)}<fieldset>"
        f'<legend class="hidden">{escape(said.say("Choose dice to keep"))}</legend>{spots}</fieldset></form>'
    )


def move_fields(turn: int, seat: int, step: int, *, is_copied: bool = False) -> Markup:
    """What a move must name, so that one made on an older page is refused; copied: from the form of the sheet."""
    fields = [(name, f' value="{value}"') for name, value in (("turn", turn), ("seat", seat), ("step", step))]
    if is_copied:
        fields = [(name, known(value) + " data-copied") for name, value in fields]
    html = (f'<input type="hidden" name="{name}"{rest}>' for name, rest in fields)
    return Markup("".join(html))  # noqa: S704 - numbers
