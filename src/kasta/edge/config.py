"""What the person who hosts may set. The table of docs/hosting.md is made from this."""

from __future__ import annotations

from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Annotated, Any, Literal, TypeVar
from urllib.parse import urlsplit

from msgspec import Meta

from kasta.edge.limits import Limits

LOCAL, EVERYWHERE = "127.0.0.1", "0.0.0.0"  # noqa: S104 - only if told so

T = TypeVar("T")
Texts = tuple[str, ...]
Count = Annotated[int, Meta(ge=1)]


def _is(about: str) -> Meta:
    return Meta(description=about)


class Networks:
    """Addresses, and networks of them: `in` asks for an address."""

    def __init__(self, named: Texts) -> None:
        self._all = [ip_network(each, strict=False) for each in named]

    def __contains__(self, address: object) -> bool:
        try:
            asked = ip_address(str(address))
        except ValueError:
            return False
        plain = getattr(asked, "ipv4_mapped", None) or asked  # as a socket for both kinds names those of version 4
        return any(plain in each or asked in each for each in self._all)


@dataclass(frozen=True, slots=True)
class Config:
    """Without a `url`, links follow the request. Limits count an IPv6 network of /64 as one address."""

    host: Annotated[str, _is("the address to listen on; `0.0.0.0` or `::` for every one this machine has")] = LOCAL
    port: Annotated[int, Meta(ge=0, le=65_535), _is("the port to listen on; 0 for any that is free")] = 8000
    uds: Annotated[str, _is("the path of a Unix socket to listen on instead of a port")] = ""
    lan: Annotated[
        bool, _is("whether it is open to the phones in the same network, with a link and a QR code")
    ] = False
    url: Annotated[
        str, _is("how others reach the server: links and QR codes use it; with https, cookies are secure")
    ] = ""
    allow: Annotated[
        Texts, _is("the host names to answer to, beside `localhost` and that in `url`; others are refused")
    ] = ()
    proxy: Annotated[Texts, _is("the addresses or networks of proxies whose `X-Forwarded-For` is believed")] = ()
    store: Annotated[
        str,
        _is("`sqlite:///path`, `postgresql://user@host/name` or `memory:`; a file in your data folder if empty"),
    ] = ""
    workers: Annotated[int, Meta(ge=1, le=64), _is("how many processes share the work")] = 1
    log_level: Annotated[
        Literal["debug", "info", "warning", "error"],
        _is("what is logged: `debug` (a line for each request), `info`, `warning` or `error`"),
    ] = "info"
    log_format: Annotated[
        Literal["text", "json"], _is("how it is logged: as `text`, or as `json` for programs, one object a line")
    ] = "text"
    metrics_token: Annotated[
        str,
        Meta(min_length=16),
        _is("what a program must show to read `/metrics`; without it there is no such page"),
    ] = ""
    retention_days: Annotated[Count, _is("how many days tables are kept after their last move")] = 90
    tables_an_address: Annotated[Count, _is("how many tables an address may open in ten minutes")] = 60
    wrong_codes_an_address: Annotated[
        Count, _is("how many wrong room codes an address may try in ten minutes")
    ] = 20
    streams: Annotated[Count, _is("how many event streams a process has open at once")] = 20_000
    guests_an_address: Annotated[
        Count, _is("how many event streams the visitors without a seat of one address have at once")
    ] = 300
    bot_pace: Annotated[
        float,
        Meta(ge=0, le=10),
        _is("how long bots take where somebody watches: 1 as long as people, 2 twice as long, 0 no time at all"),
    ] = 1.0
    limits: Limits = field(default_factory=Limits)  # no settings: whoever meets them floods the server
    security_contact: Annotated[
        str, _is("the contact for security problems, for `security.txt`: an e-mail address or a link")
    ] = ""

    of_features: tuple[Any, ...] = ()  # for each feature that has settings, at most one object of their kind

    def of(self, kind: type[T]) -> T:
        """A feature's settings."""
        return next((each for each in self.of_features if isinstance(each, kind)), kind())

    @property
    def address(self) -> str:
        """Where to listen."""
        return EVERYWHERE if self.lan and self.host == LOCAL else self.host

    @property
    def is_open(self) -> bool:
        """Whether other machines may reach it without a proxy."""
        try:
            return not self.uds and not ip_address(self.address).is_loopback
        except ValueError:
            return self.address != "localhost"

    @property
    def secure(self) -> bool:
        """Behind https: cookies are marked so."""
        return self.url.startswith("https://")

    @property
    def cookie_prefix(self) -> str:
        return "__Host-" if self.secure else ""

    @property
    def hosts(self) -> tuple[str, ...]:
        """Names to answer to, none: all. On this machine only, no other site's name may be made to lead here."""
        own = [urlsplit(self.url).hostname or ""] if self.url and (self.allow or not self.is_open) else []
        named = [*self.allow, *own]
        local = [] if self.is_open and not named else ["localhost", LOCAL, "[::1]"]
        return tuple(name.lower() for name in (*named, *local))

    @property
    def proxies(self) -> Networks:
        return Networks(self.proxy)
