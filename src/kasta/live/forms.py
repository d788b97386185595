"""The forms on a table's page: each one is a command of the device that posts it."""

from __future__ import annotations

import re
import secrets
from collections.abc import Awaitable, Callable, Iterable
from typing import Any, Self

from litestar.exceptions import ClientException

from kasta.bots.base import at_level
from kasta.core import Seat
from kasta.edge.visitor import Visitor
from kasta.errors import Illegal
from kasta.i18n import Words
from kasta.live.channel import Channels
from kasta.live.joining import Joining
from kasta.live.viewer import Viewer, Views
from kasta.structs import Struct, replace
from kasta.tables import rights
from kasta.tables.commands import (
    Agree,
    Close,
    Command,
    Configure,
    Correct,
    Extend,
    Host,
    Leave,
    MoveSeat,
    Play,
    Rename,
    Replace,
    Roll,
    Sit,
    TakeBack,
    Wait,
)
from kasta.tables.names import bot_name
from kasta.tables.service import Service
from kasta.tables.state import Table


class Post(Struct, frozen=True):
    """A form that a device has posted at a table, from an address."""

    me: str
    address: str
    words: Words
    table: str
    fields: dict[str, str]
    service: Service
    joining: Joining

    @classmethod
    def of(cls, visitor: Visitor, table: str, fields: dict[str, str], views: Views) -> Self:
        who = visitor.known_device, visitor.address, visitor.words
        return cls(*who, table, fields, views.service, views.joining)

    async def do(self, command: Command) -> Table:
        return await self.service.do(self.table, command)

    async def now(self) -> Table:
        return await self.service.table(self.table)

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
            raise ClientException
        return int(self.fields[key])


async def _roll(post: Post) -> Table:
    return await post.do(Roll(post.me, post.turn, post.faces))


async def _play(post: Post) -> Table:
    """What was tapped on the sheet, or chosen among the dice."""
    do = post.fields.get("do", "").strip()
    if post.fields.get("kept"):
        do = f"{do} {post.fields['kept']}"  # dice that were chosen on the page
    return await post.do(Play(post.me, post.turn, post.seat, post.step, do))


async def _take_back(post: Post) -> Table:
    return await post.do(TakeBack(post.me, post.turn, post.seat, post.step))


async def _skip(post: Post) -> Table:
    return await post.service.autoplay.skip(post.table, post.me)


async def _correct(post: Post) -> Table:
    return await post.do(Correct(post.me, post.turn, post.faces))


async def _sit(post: Post) -> Table:
    post.joining.count_seats(post.address)
    entropy = post.fields.get("entropy") or secrets.token_hex(8)
    return await post.do(Sit(post.me, post.fields.get("name", ""), entropy=entropy))


async def _bot(post: Post) -> Table:
    post.joining.count_seats(post.address)
    now = await post.now()
    return await post.do(Sit(post.me, bot_name(now.names), bot=at_level(post.fields.get("strength"), now.game)))


async def _rename(post: Post) -> Table:
    wall = post.fields.get("wall") == "on"
    return await post.do(Rename(post.me, post.seat, post.fields.get("name", ""), wall))


async def _leave(post: Post) -> Table:
    return await post.do(Leave(post.me, post.seat))


async def _replace(post: Post) -> Table:
    bot = at_level(post.fields.get("strength"), (await post.now()).game) if post.fields.get("bot") else None
    return await post.do(Replace(post.me, post.seat, bot))


async def _stand_in(post: Post) -> Table:
    return await post.service.stand_in(post.table, post.me, post.seat)


async def _remove_recent(post: Post) -> Table:
    return await post.service.remove_recent(post.table, post.me)


async def _settings(post: Post) -> Table:
    """Change what the form names; what else it might name stays."""
    wanted = {key: read(post.fields[key]) for key, read in SETTINGS.items() if key in post.fields}
    return await post.do(Configure(post.me, replace((await post.now()).settings, **wanted)))


async def _lock(post: Post) -> Table:
    settings = (await post.now()).settings
    return await post.do(Configure(post.me, replace(settings, open=post.fields.get("open") == "on")))


async def _first(post: Post) -> Table:
    settings = (await post.now()).settings
    return await post.do(Configure(post.me, replace(settings, first=post.seat)))


async def _host(post: Post) -> Table:
    now = await post.now()
    to = now.places[post.seat].device if post.fields.get("seat") and post.seat in now.places else post.me
    return await post.do(Host(post.me, to))


async def _extend(post: Post) -> Table:
    return await post.do(Extend(post.me, post.turn, post.seat))


async def _end(post: Post) -> Table:
    return await post.do(Close(post.me))


async def _code(post: Post) -> Table:
    now = await post.now()
    rights.check(rights.invite(now, post.me))
    await post.joining.give_code(post.table)
    return now


async def _wait(post: Post) -> Table:
    return await post.do(Wait(post.me, post.fields.get("name", "")))


async def _claim(post: Post) -> Table:
    now = await post.now()
    await post.service.node.refresh(post.table)
    silence = post.service.silence(post.table)
    rights.check(rights.still_open(now) or rights.claim(now, post.me, post.seat, silence))
    await post.joining.claim(post.table, post.seat, post.me, post.address)
    return now


async def _accept(post: Post) -> Table:
    wanted = str(post.seat), post.fields.get("digits")
    claims = await post.joining.claims_now(post.table)
    claim = next((claim for claim in claims if (str(claim.seat), str(claim.digits)) == wanted), None)
    if claim is None:
        raise Illegal("no_such_claim")
    after = await post.do(MoveSeat(post.me, claim.seat, claim.device))
    await post.joining.drop_claims(post.table, claim.seat)
    return after


async def _move(post: Post) -> Table:
    """Take a seat along to this device with the secret of its link."""
    now, secret = await post.now(), post.fields.get("secret", "")
    seat = int(secret.split(".")[0]) if re.match(r"\d{1,6}\.", secret, re.ASCII) else -1
    place = now.places.get(seat)
    good = place is not None and post.joining.signer.check_seat_link(secret, post.table, seat, place.device)
    if place is None or not good or not await post.joining.use_link(secret):
        raise Illegal("link_used")
    return await post.do(MoveSeat(place.device, seat, post.me))


async def _rematch(post: Post) -> str:
    """The same game again, or another one by its name and rule set."""
    game, _, rules = post.fields.get("game", "").partition("/")
    await post.joining.count_rematch(post.address, post.table, post.me)
    return f"/t/{(await post.service.rematch(post.table, post.me, game or None, rules or None)).id}"


async def _agree(post: Post) -> str:
    """What the evening is played for; seats without a level have no handicap."""
    best_of = post.fields.get("best_of", "")
    seats = (await post.now()).places
    levels = tuple((seat, level) for seat in sorted(seats) if (level := post.fields.get(f"level-{seat}")))
    await post.do(Agree(post.me, int(best_of) if re.fullmatch(r"[0-9]{1,4}", best_of) else None, levels))
    return f"/t/{post.table}/evening"


SETTINGS: dict[str, Callable[[str], Any]] = {  # of a table: how each is read from a form
    "points": lambda text: "end" if text == "end" else "now",
    "take_back": lambda text: text == "on",
    "dice": lambda text: "own" if text == "own" else "app",
    "thrower": lambda text: text if text in {"host", "auto"} else "turn",
    "pace": lambda text: int(text) if re.fullmatch(r"[1-9]\d{0,4}", text, re.ASCII) else None,
    "wall": lambda text: text == "on",
    "signed": lambda text: text == "on",
    "coach": lambda text: text if text in {"off", "live"} else "after",
    "listed": lambda text: text == "on",
    "reactions": lambda text: text == "on",
}
BACK = re.compile(r"remote|wall(\?also=[a-z]{2})?")  # pages of a table that have forms, too
FORMS: dict[str, Callable[[Post], Awaitable[Table | str]]] = {  # the table after it, or where to go then
    "roll": _roll,
    "play": _play,
    "take-back": _take_back,
    "skip": _skip,
    "correct": _correct,
    "sit": _sit,
    "bot": _bot,
    "rename": _rename,
    "leave": _leave,
    "replace": _replace,
    "stand-in": _stand_in,
    "remove-recent": _remove_recent,
    "settings": _settings,
    "lock": _lock,
    "first": _first,
    "host": _host,
    "extend": _extend,
    "end": _end,
    "code": _code,
    "wait": _wait,
    "claim": _claim,
    "accept": _accept,
    "move": _move,
    "rematch": _rematch,
    "agree": _agree,
}


def read_fields(sent: Iterable[tuple[str, object]]) -> dict[str, str]:
    """The fields of a form, by name. The dice to keep, which have one name, become one field."""
    pairs = [(key, str(value)) for key, value in sent]
    return {**dict(pairs), "kept": " ".join(sorted(value for key, value in pairs if key == "kept"))}


async def carry_out(
    action: str, post: Post, channels: Channels, viewer: Viewer | None = None, page: str = ""
) -> dict[str, Any] | str:
    """Do what a form asks for: what a viewer's page does not show yet, or else where to go then."""
    after = await FORMS[action](post)
    back = post.fields.get("back", "")
    where = f"/{back}" if BACK.fullmatch(back) else ""
    if isinstance(after, str):
        return after + where
    if viewer is not None:
        is_first_pick = action == "play" and post.fields.get("step") == "0"
        return await channels.changed(after, viewer, page, is_first_pick=is_first_pick)
    seat = re.fullmatch(r"\d{1,6}", post.fields.get("seat", ""), re.ASCII)
    return f"/t/{post.table}{where or (f'?seat={seat[0]}' if seat else '')}"
