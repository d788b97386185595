"""The parts of `collections`, `itertools` and `math` that a table needs."""

from __future__ import annotations

from typing import Any


class PocketCounter(dict):  # type: ignore[type-arg]
    def __init__(self, things: Any = ()) -> None:
        for each in things:
            self[each] = self.get(each, 0) + 1

    def __missing__(self, key: Any) -> int:
        return 0

    def most_common(self, most: int | None = None) -> list[tuple[Any, int]]:
        return sorted(self.items(), key=lambda each: -each[1])[:most]

    def total(self) -> int:
        return sum(self.values())

    def elements(self) -> Any:
        return [key for key, number in self.items() for _ in range(number)]

    def __sub__(self, other: Any) -> PocketCounter:
        made = PocketCounter()
        for key, number in self.items():
            if number > other.get(key, 0):
                made[key] = number - other.get(key, 0)
        return made

    def __add__(self, other: Any) -> PocketCounter:
        made = PocketCounter()
        for key in [*self, *(each for each in other if each not in self)]:
            if self.get(key, 0) + other.get(key, 0) > 0:
                made[key] = self.get(key, 0) + other.get(key, 0)
        return made

    def __le__(self, other: Any) -> bool:
        return all(number <= other.get(key, 0) for key, number in self.items())


Counter = PocketCounter


class PocketDefaults(dict):  # type: ignore[type-arg]
    def __init__(self, factory: Any) -> None:
        self._factory = factory

    def __missing__(self, key: Any) -> Any:
        self[key] = made = self._factory()
        return made


defaultdict = PocketDefaults


class chain:  # noqa: N801
    def __new__(cls, *parts: Any) -> Any:
        return chain.from_iterable(parts)

    @staticmethod
    def from_iterable(parts: Any) -> Any:
        for part in parts:
            yield from part


def islice(things: Any, most: int) -> Any:
    if most <= 0:
        return
    for number, each in enumerate(things, 1):
        yield each
        if number >= most:
            return


def count(first: int = 0) -> Any:
    while True:
        yield first
        first += 1


def repeat(thing: Any, times: int) -> Any:
    for _ in range(times):
        yield thing


def combinations(things: Any, size: int) -> Any:
    pool = list(things)
    return (tuple([pool[place] for place in places]) for places in _places(len(pool), size, 0, is_again=False))


def combinations_with_replacement(things: Any, size: int) -> Any:
    pool = list(things)
    return (tuple([pool[place] for place in places]) for places in _places(len(pool), size, 0, is_again=True))


def _places(length: int, size: int, first: int, *, is_again: bool) -> Any:
    if size == 0:
        yield ()
        return
    for place in range(first, length):
        for rest in _places(length, size - 1, place if is_again else place + 1, is_again=is_again):
            yield (place, *rest)


def permutations(things: Any, size: int | None = None) -> Any:
    pool = list(things)
    size = len(pool) if size is None else size
    if size == 0:
        yield ()
        return
    for place, each in enumerate(pool):
        for rest in permutations(pool[:place] + pool[place + 1 :], size - 1):
            yield (each, *rest)


def product(*pools: Any, repeat: int = 1) -> Any:
    made: list[tuple[Any, ...]] = [()]
    for pool in [list(each) for each in pools] * repeat:
        made = [(*before, each) for before in made for each in pool]
    return iter(made)


def groupby(things: Any, key: Any) -> Any:
    group: list[Any] = []
    last = None
    for each in things:
        now = key(each)
        if group and now != last:
            yield last, group
            group = []
        group.append(each)
        last = now
    if group:
        yield last, group


def prod(numbers: Any) -> Any:
    made = 1
    for each in numbers:
        made *= each
    return made


def factorial(number: int) -> int:
    return int(prod(range(1, number + 1)))
