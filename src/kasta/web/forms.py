"""The forms on a table's page: each one is a wish of the device that posts it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any

from msgspec.structs import replace

from kasta.bots.base import at_level
from kasta.core import Pick, Seat
from kasta.errors import Illegal, KastaError, Unreadable
from kasta.i18n import Words
from kasta.table.commands import (
    Close,
    Configure,
    Correct,
    Extend,
    Host,
    Leave,
    Move,
    Play,
    Rename,
    Replace,
    Roll,
    Sit,
    TakeBack,
)
from kasta.table.rights import undo_all
from kasta.table.service import Service
from kasta.table.state import Table
from kasta.web.joining import Rooms


@dataclass(frozen=True, slots=True)
class Post:
    """A form that a device has posted at a table."""

    me: str
    words: Words
    table: str
    fields: dict[str, str]
    service: Service
    rooms: Rooms

    @property
    def turn(self) -> int:
        return self._whole("turn")

    @property
    def seat(self) -> Seat:
        return self._whole("seat")

    @property
    def step(self) -> int:
        return self._whole("step")

    @property
    def faces(self) -> tuple[int, ...]:
        return tuple(int(digit) for digit in re.findall(r"[0-9]", self.fields.get("faces", ""))[:20])

    def _whole(self, key: str) -> int:
        if not re.fullmatch(r"\d{1,9}", self.fields.get(key, ""), re.ASCII):
            raise Unreadable("wrong_type", key=key, wanted="a number")
        return int(self.fields[key])


async def _roll(post: Post) -> None:
    await post.service.do(post.table, Roll(post.me, post.turn, post.faces))


async def _play(post: Post) -> None:
    """Do something, instead of what was done on this throw if that was finished. What leaves no choice follows."""
    me, seat, do = post.me, post.seat, post.fields.get("do", "").strip()
    if post.fields.get("kept"):
        do = f"{do} {post.fields['kept']}"  # dice that were chosen on the page
    now = await post.service.table(post.table)
    step = post.step
    expected = now.next()
    if (
        not (isinstance(expected, Pick) and expected.is_due(seat))
        and now.turn == post.turn
        and step == now.step(seat)
    ):
        undone = undo_all(now, seat) if now.play is not None else None
        if undone is not None:  # nothing is taken back for something that cannot be done
            now.game.act(undone, seat, now.game.solo.read_action(do))
        while undone is not None and _may_undo(now, seat):
            now = await post.service.do(post.table, TakeBack(me, now.turn, seat, now.step(seat)))
        step = now.step(seat)
    now = await post.service.do(post.table, Play(me, post.turn, seat, step, do))
    if do.startswith("keep") and now.settings.dice == "app":
        await post.service.do(post.table, Roll(_roller(now, me), now.turn))
    while (only := _follow_up(now, seat)) is not None:
        now = await post.service.do(post.table, Play(me, now.turn, seat, now.step(seat), str(only)))


async def _take_back(post: Post) -> None:
    await post.service.do(post.table, TakeBack(post.me, post.turn, post.seat, post.step))


async def _correct(post: Post) -> None:
    await post.service.do(post.table, Correct(post.me, post.turn, post.faces))


async def _sit(post: Post) -> None:
    entropy = post.fields.get("entropy") or secrets.token_hex(8)
    await post.service.do(post.table, Sit(post.me, post.fields.get("name", ""), entropy=entropy))


async def _bot(post: Post) -> None:
    now = await post.service.table(post.table)
    name = post.words.say("Computer {number}", number=len(now.bots) + 1)
    await post.service.do(post.table, Sit(post.me, name, bot=at_level(post.fields.get("strength"), now.game)))


async def _rename(post: Post) -> None:
    await post.service.do(post.table, Rename(post.me, post.seat, post.fields.get("name", "")))


async def _leave(post: Post) -> None:
    await post.service.do(post.table, Leave(post.me, post.seat))


async def _replace(post: Post) -> None:
    game = (await post.service.table(post.table)).game
    bot = at_level(None, game) if post.fields.get("bot") else None
    await post.service.do(post.table, Replace(post.me, post.seat, bot))


async def _stand_in(post: Post) -> None:
    await post.service.stand_in(post.table, post.me, post.seat)


async def _remove_recent(post: Post) -> None:
    await post.service.remove_recent(post.table, post.me)


async def _lock(post: Post) -> None:
    settings = (await post.service.table(post.table)).settings
    await post.service.do(post.table, Configure(post.me, replace(settings, open=post.fields.get("open") == "on")))


async def _first(post: Post) -> None:
    settings = (await post.service.table(post.table)).settings
    await post.service.do(post.table, Configure(post.me, replace(settings, first=post.seat)))


async def _host(post: Post) -> None:
    me = post.me
    now = await post.service.table(post.table)
    to = now.places[post.seat].device if post.fields.get("seat") and post.seat in now.places else me
    await post.service.do(post.table, Host(me, to))


async def _extend(post: Post) -> None:
    await post.service.do(post.table, Extend(post.me, post.turn, post.seat))


async def _end(post: Post) -> None:
    await post.service.do(post.table, Close(post.me))


async def _code(post: Post) -> None:
    if (await post.service.table(post.table)).host != post.me:
        raise Illegal("host_only")
    await post.rooms.give_code(post.table)


async def _claim(post: Post) -> None:
    now = await post.service.table(post.table)
    if post.seat not in now.places:
        raise Illegal("no_such_seat", seat=post.seat, last=now.seats - 1)
    post.rooms.claim(post.table, post.seat, post.me)


async def _accept(post: Post) -> None:
    claim = post.rooms.claims(post.table).get(post.seat)
    if claim is None or str(claim.digits) != post.fields.get("digits"):
        raise Illegal("no_such_claim")
    await post.service.do(post.table, Move(post.me, claim.seat, claim.device))
    post.rooms.drop_claim(post.table, claim.seat)


async def _move(post: Post) -> None:
    """Take a seat along to this device with the secret of its link."""
    now, secret = await post.service.table(post.table), post.fields.get("secret", "")
    seat = int(secret.split(".")[0]) if re.match(r"\d{1,6}\.", secret, re.ASCII) else -1
    place = now.places.get(seat)
    good = place is not None and post.rooms.signer.check_seat_link(secret, post.table, seat, place.device)
    if place is None or not good or not post.rooms.use_link(secret):
        raise Illegal("link_used")
    await post.service.do(post.table, Move(place.device, seat, post.me))


async def _rematch(post: Post) -> str:
    return f"/t/{(await post.service.rematch(post.table, post.me)).id}"


def _may_undo(table: Table, seat: Seat) -> bool:
    try:
        table.game.take_back(table.play, seat)
    except KastaError:
        return False
    return True


def _follow_up(table: Table, seat: Seat) -> Any | None:  # noqa: ANN401 - an action
    """What the seat does next without a choice."""
    game = table.game
    if table.play is None or not game.legal(table.play, seat):
        return None
    return game.traits.follow_up(game.solo, game.sheet(table.play, seat))


def _roller(table: Table, me: str) -> str:
    """Who throws after a keep: whoever kept, or the host where the host throws always."""
    return me if table.settings.thrower == "turn" else table.host


FORMS: dict[str, Callable[[Post], Awaitable[str | None]]] = {
    "roll": _roll,
    "play": _play,
    "take-back": _take_back,
    "correct": _correct,
    "sit": _sit,
    "bot": _bot,
    "rename": _rename,
    "leave": _leave,
    "replace": _replace,
    "stand-in": _stand_in,
    "remove-recent": _remove_recent,
    "lock": _lock,
    "first": _first,
    "host": _host,
    "extend": _extend,
    "end": _end,
    "code": _code,
    "claim": _claim,
    "accept": _accept,
    "move": _move,
    "rematch": _rematch,
}
