"""The tray as HTML, put together by hand like sheets: every pick's answer holds one."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache

from markupsafe import Markup, escape

from kasta.i18n import Words
from kasta.page.fragments import known
from kasta.page.models import ThrownDice
from kasta.page.table_page import TablePage

SIDES = "<i data-side></i>" * 6

OwnDice = Callable[..., str]
"""Makes components/own_dice.html, the form in which real dice are typed."""


def tray(said: Words, page: TablePage, own_dice: OwnDice) -> str:
    """What fell, what is to do now, and the button that does it. It has the same size all the time."""
    kind = " faces" * (page.dice.shows == "faces") + " real" * (page.settings.dice == "own")
    kind += " own" * bool(page.may.type_dice) + " lying" * (page.phase == "throw")
    waits = "" if page.waits is None else known(f' data-waits="{round(page.waits, 1)}"')
    hurry = ""
    if page.dice.owing:
        hurry = f' data-hurry="{escape(said.say("20 seconds left: more time can be had below."))}"'
    return (
        f'<section id="status" class="tray{kind}" tabindex="-1" aria-label="{escape(said.say("Throw"))}"'
        f' data-title="{escape(page.title)}" data-seq="{page.seq}" data-phase="{page.phase}"'
        f' data-corrected="{page.turn if page.is_corrected else ""}"{waits}{hurry}>'
        f'{thrown(said, page.dice, _choice(said, page))}<div class="words">{_words(said, page)}</div>'
        f'<div class="act">{_act(said, page, own_dice)}</div>{_fix(said, page, own_dice)}{_mute(said)}</section>'
    )


def _words(said: Words, page: TablePage) -> str:
    number = ""
    if page.round:
        text = escape(said.say("Round {turn} of {rounds}", turn=page.round[0], rounds=page.round[1]))
        number = f' <span class="round">{text}</span>'
    hint = f'<p class="hint">{escape(page.hint)}</p>' if page.hint else ""
    tip = ""
    if page.keep and not page.dice.kept and not page.dice.feast:
        tip = f'<p class="tip" aria-hidden="true">{escape(said.say("Tap the dice you keep"))}</p>'
    return (
        '<p class="say"><span class="clock" aria-hidden="true" hidden></span>'
        f" <strong>{escape(page.status)}</strong>{number}</p>{hint}{tip}"
    )


def _act(said: Words, page: TablePage, own_dice: OwnDice) -> str:
    if page.may.throw:
        return (
            f'<form method="post" action="/t/{page.id}/roll" data-live>'
            f'<input type="hidden" name="turn" value="{page.turn}">'
            f'<button class="throw" id="roll">{escape(page.roll_label)}</button></form>'
        )
    if page.may.type_dice:
        return own_dice(
            action=f"/t/{page.id}/roll",
            turn=page.turn,
            dice=page.may.type_dice,
            field="faces",
            label=said.say("Enter"),
        )
    if page.keep:
        return (
            f'<button class="throw" form="keep" name="do" value="{escape(page.keep.verb)}" id="again">'
            f"{escape(said.say('Throw the others again'))}</button>"
        )
    if page.next_table:
        return f'<a class="button throw" href="/t/{page.next_table}">{escape(said.say("To the next game"))}</a>'
    return ""


def _fix(said: Words, page: TablePage, own_dice: OwnDice) -> str:
    if not page.may.correct:
        return ""
    form = own_dice(
        action=f"/t/{page.id}/correct",
        turn=page.turn,
        dice=len(page.dice.faces),
        field="correction",
        label=said.say("Correct"),
    )
    return (
        '<details id="fix" class="fix"><summary>'
        '<svg viewBox="0 0 24 24" aria-hidden="true"><path d="M4 20l1-5L16 4l4 4L9 19zM13 7l4 4"/></svg>'
        f'<span class="hidden">{escape(said.say("Correct the throw"))}</span></summary>{form}</details>'
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
        f' data-owing="{dice.owing}" data-say="{dice.said}"{feast}>'
        f"{choice or still}{told}</div>"
    )


def _choice(said: Words, page: TablePage) -> str:
    """Where the viewer chooses which dice to keep: a box to tick on each."""
    if not page.keep:
        return ""
    spots = "".join(
        f'<label class="spot"><input type="checkbox" name="kept" value="{die.face}" id="k-{number}"'
        f' autocomplete="off"{" checked" * die.is_kept}>{cube(die.face, is_kept=die.is_kept)}</label>'
        for number, die in enumerate(page.dice.places, 1)
    )
    return (
        f'<form id="keep" method="post" action="/t/{page.id}/play" class="spots" data-live>'
        f"{move_fields(page.turn, page.keep.seat, page.keep.step)}<fieldset>"
        f'<legend class="hidden">{escape(said.say("Tap the dice you keep"))}</legend>{spots}</fieldset></form>'
    )


def move_fields(turn: int, seat: int, step: int, *, is_copied: bool = False) -> Markup:
    """What a move must name, so that one made on an older page is refused; copied: from the form of the sheet."""
    fields = [(name, f' value="{value}"') for name, value in (("turn", turn), ("seat", seat), ("step", step))]
    if is_copied:
        fields = [(name, known(value) + " data-copied") for name, value in fields]
    html = (f'<input type="hidden" name="{name}"{rest}>' for name, rest in fields)
    return Markup("".join(html))  # noqa: S704 - numbers
