"""Maps that never change: each step makes a new one that shares nearly all of the old.

`Map` is that of `immutables`, or where that is not installed ours, in Python.
"""

from __future__ import annotations

from collections.abc import ItemsView, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from immutables import Map
else:
    try:
        from immutables import Map
    except ImportError:  # no wheels from Python 3.14 on, nor in a browser
        Map = None

__all__ = ["Map", "PureMap"]

K = TypeVar("K")
V_co = TypeVar("V_co", covariant=True)
# What a map is made of: entries, or 32 nodes that share those entries out by five bits of the keys' hashes.
Node = dict[Any, Any] | tuple[Any, ...]
_BITS = 5
_MOST = 1 << _BITS  # entries of a node before they are shared out, and nodes that share them
_DEEPEST = 60  # bits of a hash: what is the same up to here stays together


class PureMap(Mapping[K, V_co]):
    """What we need of `immutables.Map`, in Python: tests/test_persistent.py holds both to one contract."""

    __slots__ = ("_node", "_size")

    def __init__(self, entries: Mapping[K, V_co] | Iterable[tuple[K, V_co]] = ()) -> None:
        everything = dict(entries)
        self._node: Node = _shared_out(everything, 0)
        self._size = len(everything)

    def __getitem__(self, key: K) -> V_co:
        node = self._node
        if isinstance(node, tuple):
            place = hash(key)
            while isinstance(node, tuple):
                node = node[place % _MOST]
                place >>= _BITS
        value: V_co = node[key]
        return value

    def __iter__(self) -> Iterator[K]:
        for node in _leaves(self._node):
            yield from node

    def __len__(self) -> int:
        return self._size

    def items(self) -> ItemsView[K, V_co]:
        return _Items(self)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, PureMap):
            return NotImplemented
        return self._size == len(other) and dict(self.items()) == dict(other.items())

    def __hash__(self) -> int:
        return hash(frozenset(self.items()))

    def __repr__(self) -> str:
        return f"Map({dict(self.items())!r})"

    def __reduce__(self) -> tuple[type, tuple[dict[K, V_co]]]:
        return type(self), (dict(self.items()),)  # another process may hash the keys in another way

    def set(self, key: K, value: V_co) -> PureMap[K, V_co]:  # type: ignore[misc]  # as that of immutables
        grown = key not in self
        return self._with(_put(self._node, hash(key), 0, {key: value}), self._size + grown)

    def delete(self, key: K) -> PureMap[K, V_co]:
        if key not in self:
            raise KeyError(key)
        return self._with(_cut(self._node, hash(key), key), self._size - 1)

    def _with(self, node: Node, size: int) -> PureMap[K, V_co]:
        changed: PureMap[K, V_co] = object.__new__(PureMap)
        changed._node, changed._size = node, size
        return changed


class _Items(ItemsView[K, V_co]):
    """Without looking each key up."""

    _mapping: PureMap[K, V_co]

    def __iter__(self) -> Iterator[tuple[K, V_co]]:
        for node in _leaves(self._mapping._node):  # noqa: SLF001 - its own
            yield from node.items()


def _shared_out(entries: dict[Any, Any], shift: int) -> Node:
    if len(entries) <= _MOST or shift > _DEEPEST:
        return entries
    parts: list[dict[Any, Any]] = [{} for _ in range(_MOST)]
    for key, value in entries.items():
        parts[(hash(key) >> shift) % _MOST][key] = value
    return tuple(_shared_out(part, shift + _BITS) for part in parts)


def _put(node: Node, place: int, shift: int, entry: dict[Any, Any]) -> Node:
    if isinstance(node, dict):
        return _shared_out(node | entry, shift)
    at = place % _MOST
    return (*node[:at], _put(node[at], place >> _BITS, shift + _BITS, entry), *node[at + 1 :])


def _cut(node: Node, place: int, key: object) -> Node:
    """Without the key. Nodes that have become few entries are one again."""
    if isinstance(node, dict):
        rest = node.copy()
        del rest[key]
        return rest
    at = place % _MOST
    parts = (*node[:at], _cut(node[at], place >> _BITS, key), *node[at + 1 :])
    if set(map(type, parts)) == {dict} and sum(map(len, parts)) <= _MOST // 2:
        return {key: value for part in parts for key, value in part.items()}
    return parts


def _leaves(node: Node) -> Iterator[dict[Any, Any]]:
    if isinstance(node, dict):
        yield node
    else:
        for part in node:
            yield from _leaves(part)


if not TYPE_CHECKING and Map is None:
    Map = PureMap
