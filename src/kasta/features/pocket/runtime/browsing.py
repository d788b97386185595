"""What a browser does itself: regular expressions, what Unicode says of characters, JSON, chance."""

from __future__ import annotations

from typing import Any

from browser import self as scope  # type: ignore[attr-defined]  # of Brython

ASCII = 256


class Match:
    """What a pattern has found: by number, or by name."""

    def __init__(self, groups: Any) -> None:
        self._groups = groups

    def group(self, *keys: Any) -> Any:
        found = [self._groups[str(key)] for key in keys or (0,)]
        return found[0] if len(found) == 1 else tuple(found)

    def __getitem__(self, key: Any) -> Any:
        return self._groups[str(key)]

    def groups(self) -> tuple[Any, ...]:
        return tuple([self._groups[str(number)] for number in range(1, self._groups["length"])])

    def groupdict(self) -> dict[str, Any]:
        return {key: value for key, value in self._groups.items() if not key.isdigit() and key != "length"}


def fullmatch(pattern: str, text: str, _flags: int = 0) -> Match | None:
    found = loads(scope.kastaMatch(pattern, text))
    return None if found is None else Match(found)


def sub(pattern: str, made: Any, text: str) -> str:
    pieces = loads(scope.kastaSplit(pattern, str(text)))  # in turns: what lies between, and what was found
    return "".join([made(Match({"0": piece})) if place % 2 else piece for place, piece in enumerate(pieces)])


def normalize(form: str, text: str) -> str:
    made: str = scope.kastaNormalize(form, text)
    return made


def category(character: str) -> str:
    kind: str = scope.kastaCategory(character)
    return kind


def token_hex(size: int) -> str:
    return "".join([f"{scope.kastaRandom(256):02x}" for _ in range(size)])


def loads(text: str, **_known: Any) -> Any:
    return scope.kastaParse(text)


def dumps(thing: Any, *, ensure_ascii: bool = False, separators: tuple[str, str] = (", ", ": ")) -> str:  # noqa: ARG001
    between, after = separators
    if isinstance(thing, str):
        text: str = scope.kastaQuote(str(thing))
        return text
    if thing is None or isinstance(thing, bool):
        return {None: "null", True: "true", False: "false"}[thing]
    if isinstance(thing, dict):
        parts = [f"{dumps(str(key))}{after}{dumps(value, separators=separators)}" for key, value in thing.items()]
        return f"{{{between.join(parts)}}}"
    if isinstance(thing, list | tuple):
        return f"[{between.join([dumps(each, separators=separators) for each in thing])}]"
    return str(thing) if isinstance(thing, float) else str(int(thing))
