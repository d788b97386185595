"""Sends notices by Web Push (RFC 8030), in tasks of its own: nobody waits for a push service.

What there is no room for is dropped. A subscription that its service does not know any more is deleted; a service
that is busy or broken is asked again a little later, a few times.
"""

from __future__ import annotations

import asyncio
import base64
import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import blake2b
from typing import TYPE_CHECKING

from kasta.edge.assets import static_url
from kasta.edge.limits import Rate, RateLimit
from kasta.errors import KastaError
from kasta.features.notices.post import is_known, origin_of, post
from kasta.features.notices.store import Subscription, Subscriptions
from kasta.features.notices.times import is_night
from kasta.i18n import words
from kasta.live.notices import Notice
from kasta.metrics import PUSHES

if TYPE_CHECKING:
    from kasta.features.notices.encryption import ServerKey

logger = logging.getLogger(__name__)

MOST_WAITING = 5_000  # to be sent
MOST_HELD = 5_000  # until the morning
AT_ONCE = 16  # requests to push services
MOST_OTHERS, OTHERS_AT_ONCE = 1_000, 4  # for services that anybody may have made up: they may be slow
A_DEVICE = Rate(20, 1 / 60)  # notices
PACE_SECONDS = 0.01  # between two that begin: what is played comes first
TRIES = 3
PAUSE_SECONDS, LONGEST_PAUSE = 30.0, 600.0  # before the next try
LIFE_SECONDS = 21_600  # how long a push service may keep a notice for a device that it cannot reach
GONE, REFUSED, TOO_OFTEN, BROKEN = {404, 410}, 300, 429, 500
DAILY = "today"  # comes at an hour that was chosen, at night, too
MOST_TOKENS = 100  # signatures that are kept, by push service
FRESH_SECONDS = 3_600


@dataclass(frozen=True, slots=True)
class Push:
    """Something for a device: a notice, which may have been held, or that there is none of a topic any more."""

    device: str
    topic: str
    notice: Notice | None = None
    tries: int = 0
    was_held: bool = False


def tag_of(topic: str) -> str:
    """A topic as push services take it, and as the notice is known on the device: 32 characters."""
    return base64.urlsafe_b64encode(blake2b(topic.encode(), digest_size=24).digest()).decode()


class Sender:
    """Takes what is to be sent, and never waits."""

    def __init__(
        self,
        store: Subscriptions,
        signing: bytes,
        contact: str,
        trusted: tuple[str, ...] = (),
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._store, self._signing, self._contact, self._trusted = store, signing, contact, trusted
        self._clock = clock
        self._waiting: asyncio.Queue[Push] = asyncio.Queue(MOST_WAITING)
        self._others: asyncio.Queue[Push] = asyncio.Queue(MOST_OTHERS)
        self._limit = RateLimit(A_DEVICE)
        self._held: dict[tuple[str, str], Notice] = {}
        self._tokens: dict[str, tuple[float, str]] = {}
        self._tasks: list[asyncio.Task[None]] = []
        self._next = 0.0  # when the next request may begin

    @cached_property
    def key(self) -> ServerKey:
        """Made when it is first needed: a server that sends nothing never loads what it takes."""
        from kasta.features.notices.encryption import ServerKey

        return ServerKey(self._signing)

    def send(self, notice: Notice) -> None:
        self._put(Push(notice.device, notice.topic, notice), self._waiting)

    def withdraw(self, device: str, topic: str) -> None:
        """What was told of a matter is no longer so."""
        self._held.pop((device, topic), None)
        self._put(Push(device, topic), self._waiting)

    def wake_held(self) -> None:
        """See for whom the night is over."""
        held, self._held = self._held, {}
        for notice in held.values():
            self._put(Push(notice.device, notice.topic, notice, was_held=True), self._waiting)

    @property
    def waiting(self) -> int:
        """How much is to be sent."""
        return self._waiting.qsize()

    async def settled(self) -> None:
        """Return once all that waits has been sent, or dropped."""
        await self._waiting.join()
        await self._others.join()

    async def close(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    def _put(self, push: Push, queue: asyncio.Queue[Push]) -> None:
        if not self._tasks:
            several = [self._waiting] * AT_ONCE + [self._others] * OTHERS_AT_ONCE
            self._tasks = [asyncio.create_task(self._work(each)) for each in several]
        try:
            queue.put_nowait(push)
        except asyncio.QueueFull:
            PUSHES.add("dropped")

    async def _work(self, queue: asyncio.Queue[Push]) -> None:
        while True:
            push = await queue.get()
            try:
                await self._in_turn()
                await self._take(push, queue)
            except KastaError as error:
                logger.warning("a notice could not be sent: %s", error.code)
            except Exception:
                logger.exception("a notice could not be sent")
            finally:
                queue.task_done()

    async def _in_turn(self) -> None:
        now = time.monotonic()
        self._next = max(now, self._next) + PACE_SECONDS
        await asyncio.sleep(self._next - PACE_SECONDS - now)

    async def _take(self, push: Push, queue: asyncio.Queue[Push]) -> None:
        wish = (await self._store.of([push.device])).get(push.device)
        if wish is None:
            return
        if queue is not self._others and not is_known(wish.endpoint, self._trusted):
            self._put(push, self._others)
        elif push.notice is not None:
            await self._tell(push, push.notice, wish)
        elif push.tries or await self._store.withdraw(push.device, push.topic):
            await self._post(push, wish)

    async def _tell(self, push: Push, notice: Notice, wish: Subscription) -> None:
        if not (wish.wants(notice.kind) and await self._is_so(push, notice)):
            return
        if notice.kind != DAILY and is_night(wish.zone, self._clock()):
            await self._hold(push.device, push.topic, notice)
        elif push.tries:
            if await self._store.told([push.device], push.topic):  # it is not withdrawn by now
                await self._post(push, wish)
        elif self._limit.take(push.device, time.monotonic()):
            PUSHES.add("dropped")
        elif await self._store.tell(push.device, push.topic, notice.once):
            await self._post(push, wish)

    async def _is_so(self, push: Push, notice: Notice) -> bool:
        """Whether nobody has withdrawn it while it was held."""
        return not push.was_held or await self._store.is_held(push.device, push.topic, notice.once)

    async def _hold(self, device: str, topic: str, notice: Notice) -> None:
        """Keep a notice until the morning, unless the device has been told."""
        if len(self._held) < MOST_HELD and await self._store.hold(device, topic, notice.once):
            self._held[device, topic] = notice

    async def _post(self, push: Push, wish: Subscription) -> None:
        from kasta.features.notices.encryption import BrowserKeys, encrypt, padded

        try:
            keys = BrowserKeys.read(wish.p256dh, wish.auth)
            body = encrypt(padded(_told(push, wish)), keys)  # shorter than a thread would hold the others up
            answer = await post(wish.endpoint, self._headers(push, wish), body, self._trusted)
        except (OSError, ValueError, TimeoutError) as error:
            logger.info("a push service does not answer: %s", type(error).__name__)
            self._again(push, PAUSE_SECONDS)
            return
        if answer.status in GONE:
            PUSHES.add("gone")
            await self._store.delete_broken(wish)
        elif answer.status == TOO_OFTEN or answer.status >= BROKEN:
            self._again(push, min(answer.wait or PAUSE_SECONDS, LONGEST_PAUSE))
        else:
            PUSHES.add("sent" if answer.status < REFUSED else "refused")

    def _again(self, push: Push, seconds: float) -> None:
        if push.tries + 1 < TRIES:
            PUSHES.add("delayed")
            later = replace(push, tries=push.tries + 1, was_held=False)
            asyncio.get_running_loop().call_later(seconds, self._put, later, self._waiting)
        else:
            PUSHES.add("failed")

    def _headers(self, push: Push, wish: Subscription) -> dict[str, str]:
        return {
            "authorization": self._authorization(wish),
            "content-encoding": "aes128gcm",
            "content-type": "application/octet-stream",
            "ttl": str(LIFE_SECONDS),
            "topic": tag_of(push.topic),
            "urgency": "normal" if push.notice else "low",
        }

    def _authorization(self, wish: Subscription) -> str:
        audience, now = origin_of(wish.endpoint, self._trusted), self._clock()
        until, token = self._tokens.get(audience, (0.0, ""))
        if not now < until:
            token = self.key.authorization(audience, self._contact, now)
            if len(self._tokens) >= MOST_TOKENS:
                self._tokens.clear()
            self._tokens[audience] = now + FRESH_SECONDS, token
        return token


def _told(push: Push, wish: Subscription) -> dict[str, str]:
    """What the device's worker is told: what to show, or to take away."""
    said, tag = words(wish.language), tag_of(push.topic)
    if push.notice is None:
        return {"tag": tag, "title": said.say("Done already"), "withdraw": "1"}
    return {
        "tag": tag,
        "title": push.notice.title(said),
        "text": push.notice.text(said),
        "address": push.notice.address,
        "icon": static_url("icon.png"),
    }
