"""Where a push service is: only at public addresses, whatever its name says.

A name is looked up in a thread of its own, which nothing can end while a server of names is silent. So there are
few of them, and fewer for hosts that anybody may have made up.
"""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from threading import Semaphore, Thread

USUAL = ("fcm.googleapis.com", ".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
"""The push services of the browsers that nearly all people have; with a dot, all hosts of a domain."""

_ROOM = {True: Semaphore(8), False: Semaphore(4)}  # for usual hosts, and others: lookups that are under way

_UNICAST = ip_network("2000::/3")
_NAT64 = ip_network("64:ff9b::/96")  # an IPv4 address, as networks without IPv4 write it
_ELSEWHERE = [  # tunnels and examples, which Python's own list holds for global or has not known for long
    ip_network(text) for text in ("2002::/16", "3fff::/20", "192.0.0.0/24", "192.88.99.0/24")
]


def is_usual(host: str) -> bool:
    return any(host.endswith(known) if known.startswith(".") else host == known for known in USUAL)


async def addresses_of(host: str, port: int, *, is_known: bool) -> list[str]:
    """All addresses of a host; OSError if there are none, or too many names are looked up."""
    room = _ROOM[is_known]
    if not room.acquire(blocking=False):
        raise ConnectionError("too many names are looked up")
    loop = asyncio.get_running_loop()
    found: asyncio.Future[list[str]] = loop.create_future()

    def tell(result: list[str] | Exception) -> None:
        if found.done():
            return
        if isinstance(result, Exception):
            found.set_exception(result)
        else:
            found.set_result(result)

    def look_up() -> None:
        result: list[str] | Exception
        try:
            result = [str(each[4][0]) for each in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]
        except (OSError, UnicodeError) as error:
            result = error
        finally:
            room.release()
        with suppress(RuntimeError):  # the loop has ended
            loop.call_soon_threadsafe(tell, result)

    Thread(target=look_up, daemon=True).start()
    return await found


def is_public(address: str) -> bool:
    """Whether an address is one of the internet, and not of a network of ours, also behind a translation."""
    found: IPv4Address | IPv6Address = ip_address(address)
    if isinstance(found, IPv6Address):
        found = found.ipv4_mapped or (IPv4Address(found.packed[12:]) if found in _NAT64 else found)
    if isinstance(found, IPv6Address) and found not in _UNICAST:
        return False
    return found.is_global and not found.is_multicast and not any(found in network for network in _ELSEWHERE)
