"""Frozen structs and JSON of them, as `kasta.structs` has them of msgspec.

Their methods are written out when the bundle is made. Decoding believes what it reads a little more than msgspec
does: the logs in a browser were written by this very code.
"""

from __future__ import annotations

import json
from typing import Any

from kasta.features.pocket.runtime.standard import replace

__all__ = ["UNREADABLE", "Decoder", "Encoder", "Struct", "field", "replace", "to_builtins"]

UNREADABLE = (ValueError, KeyError, TypeError, AttributeError)
KIND, TAG = "kind", "_tag"  # the field that says which event it is


class PocketStruct:
    """A base without anything: `packing.lean` writes its methods into each class."""


Struct = PocketStruct


def field(**_known: Any) -> Any:
    raise NotImplementedError


def to_builtins(thing: Any) -> Any:
    """Structs as dicts, the kind of an event first."""
    if isinstance(thing, PocketStruct):
        kept = {name: to_builtins(getattr(thing, name)) for name in thing._fields}  # type: ignore[attr-defined]
        tag = getattr(thing, TAG, None)
        return {KIND: tag, **kept} if tag else kept
    if isinstance(thing, list | tuple):
        return [to_builtins(each) for each in thing]
    return thing


class PocketEncoder:
    def encode(self, thing: Any) -> bytes:
        return json.dumps(to_builtins(thing), ensure_ascii=False, separators=(",", ":")).encode()


class PocketDecoder:
    """Reads the events of a union, by their kinds."""

    def __init__(self, kinds: list[type]) -> None:
        self._by_tag = {getattr(each, TAG): each for each in kinds}

    def decode(self, body: bytes | str) -> Any:
        given = json.loads(body if isinstance(body, str) else body.decode())
        kind = self._by_tag[given.pop(KIND)]
        return kind(**{name: self._read(name, value) for name, value in given.items()})

    def _read(self, name: str, value: Any) -> Any:
        if isinstance(value, list):
            return tuple([self._read(name, each) for each in value])
        if isinstance(value, dict):
            from kasta.tables.events import Settings

            return Settings(**value)
        return value


Encoder, Decoder = PocketEncoder, PocketDecoder
