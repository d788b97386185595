"""What the person who hosts may set."""

from __future__ import annotations

from dataclasses import dataclass, field

from kasta.web.limits import Limits


@dataclass(frozen=True, slots=True)
class Config:
    """`url` is how others reach this server; without one, links follow the request."""

    url: str | None = None
    hosts: tuple[str, ...] = ()  # allowed Host headers; none: all
    proxies: tuple[str, ...] = ()  # addresses whose X-Forwarded-For is believed
    tables_an_address: int = 60  # opened in ten minutes
    wrong_codes_an_address: int = 20  # in ten minutes
    streams: int = 20_000  # open at once, in this process
    guests_an_address: int = 300  # streams of those without a seat
    limits: Limits = field(default_factory=Limits)
    secure: bool = False  # behind https: cookies are marked so

    @property
    def cookie_prefix(self) -> str:
        return "__Host-" if self.secure else ""
