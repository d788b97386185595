"""The parts of the standard library that a table needs: those of a browser's Python take long to read."""

from __future__ import annotations

from typing import Any, Self

from browser import self as scope  # type: ignore[attr-defined]  # of Brython

# --- functools, operator, contextlib


class PocketPartial:
    def __init__(self, function: Any, *args: Any, **known: Any) -> None:
        self.func, self.args, self.keywords = function, args, known

    def __call__(self, *args: Any, **known: Any) -> Any:
        return self.func(*self.args, *args, **{**self.keywords, **known})


partial = PocketPartial


def cache(function: Any) -> Any:
    return lru_cache(None)(function)


def lru_cache(most: Any = 128) -> Any:
    if callable(most):
        return lru_cache(128)(most)

    def decorate(function: Any) -> Any:
        kept: dict[Any, Any] = {}

        def cached(*args: Any, **known: Any) -> Any:
            key = (args, tuple(sorted(known.items()))) if known else args
            if key in kept:
                return kept[key]
            if most is not None and len(kept) >= most:
                kept.clear()
            kept[key] = made = function(*args, **known)
            return made

        cached.__wrapped__ = function  # type: ignore[attr-defined]
        cached.__name__ = function.__name__
        return cached

    return decorate


class PocketCachedProperty:
    def __init__(self, function: Any) -> None:
        self.function, self.name = function, function.__name__

    def __get__(self, instance: Any, owner: Any = None) -> Any:
        if instance is None:
            return self
        kept = instance.__dict__
        key = f"_kept_{self.name}"
        if key not in kept:
            kept[key] = self.function(instance)
        return kept[key]


cached_property = PocketCachedProperty


def wraps(function: Any) -> Any:
    def decorate(wrapper: Any) -> Any:
        wrapper.__wrapped__ = function
        wrapper.__name__ = function.__name__
        return wrapper

    return decorate


def attrgetter(*paths: str) -> Any:
    if len(paths) > 1:
        readers = [attrgetter(path) for path in paths]
        return lambda thing: tuple([read(thing) for read in readers])
    first, _, rest = paths[0].partition(".")
    if rest:
        read = attrgetter(rest)
        return lambda thing: read(getattr(thing, first))
    return lambda thing: getattr(thing, first)


def itemgetter(*keys: Any) -> Any:
    if len(keys) > 1:
        return lambda thing: tuple([thing[key] for key in keys])
    return lambda thing: thing[keys[0]]


class PocketSuppress:
    def __init__(self, *kinds: type[BaseException]) -> None:
        self.kinds = kinds

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        return kind is not None and issubclass(kind, self.kinds)


suppress = PocketSuppress


class PocketContext:
    def __init__(self, steps: Any) -> None:
        self._steps = steps

    def __enter__(self) -> Any:
        return next(self._steps)

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: object) -> bool:
        if kind is None:
            for _ in self._steps:
                pass
            return False
        self._steps.throw(error)
        return True


def contextmanager(function: Any) -> Any:
    return lambda *args, **known: PocketContext(function(*args, **known))


# --- dataclasses: the methods of records are written out when the bundle is made


def replace(thing: Any, /, **changes: Any) -> Any:
    kept = thing.__dict__
    given = {name: kept[name] for name in thing._fields}
    given.update(changes)
    return type(thing)(**given)


def asdict(thing: Any) -> dict[str, Any]:
    return {name: _plain(getattr(thing, name)) for name in thing._fields}


def _plain(value: Any) -> Any:
    if hasattr(value, "_fields") and not isinstance(value, tuple):
        return asdict(value)
    return type(value)([_plain(each) for each in value]) if type(value) in (list, tuple) else value


# --- collections, abc


class PocketMapping:
    """What a mapping can do once it can be asked, counted and gone through."""

    def get(self: Any, key: Any, default: Any = None) -> Any:
        try:
            return self[key]
        except KeyError:
            return default

    def keys(self: Any) -> Any:
        return list(self)

    def values(self: Any) -> Any:
        return [self[key] for key in self]

    def items(self: Any) -> Any:
        return [(key, self[key]) for key in self]

    def __contains__(self: Any, key: Any) -> bool:
        try:
            self[key]
        except KeyError:
            return False
        return True


class PocketItems:
    def __init__(self, mapping: Any) -> None:
        self._mapping = mapping

    def __len__(self) -> int:
        return len(self._mapping)


Mapping, ItemsView = PocketMapping, PocketItems
Hashable = Callable = Iterator = Iterable = Sequence = object


class ABC:
    pass


def abstractmethod(function: Any) -> Any:
    return function


# --- typing, inspect, enum: what is still there at run time


class PocketAnyType:
    """Stands for every type: it has every attribute."""

    def __getattr__(self, name: str) -> Any:
        return self

    def __getitem__(self, key: Any) -> Any:
        return self

    def __call__(self, *_args: Any, **_known: Any) -> Any:
        return self

    def __or__(self, other: Any) -> Any:
        return self

    __ror__ = __or__


TypeVar = ParamSpec = Literal = Concatenate = PocketAnyType()
TYPE_CHECKING = False


def get_type_hints(_of: Any) -> Any:
    return PocketAnyType()


class PocketParameter:
    KEYWORD_ONLY = "keyword"

    def __init__(self, name: str, kind: str) -> None:
        self.name, self.kind = name, kind


Parameter = PocketParameter


class PocketSignature:
    def __init__(self, function: Any) -> None:
        code = getattr(function, "__wrapped__", function).__code__
        names, most = code.co_varnames, code.co_argcount
        self.parameters = {name: PocketParameter(name, "plain") for name in names[:most]}
        for name in names[most : most + code.co_kwonlyargcount]:
            self.parameters[name] = PocketParameter(name, PocketParameter.KEYWORD_ONLY)


signature = PocketSignature


def cleandoc(text: str) -> str:
    lines = text.strip().split("\n")
    return "\n".join([lines[0], *(line.strip() for line in lines[1:])])


class IntEnum:
    """Its members are whole numbers."""


# --- importlib, gettext: texts come as a file of their own, in `TEXTS`


def import_module(name: str) -> Any:
    return __import__(name, fromlist=["all"])


TEXTS: dict[str, Any] = {}


class PocketFile:
    """The texts of a language, where a file of them is looked for."""

    def __init__(self, name: str = "") -> None:
        self.name = name

    def __truediv__(self, name: str) -> PocketFile:
        return PocketFile(name)

    def is_file(self) -> bool:
        return True

    def open(self, _mode: str) -> PocketFile:
        return self

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_of: object) -> None:
        return None


def files(_package: str) -> PocketFile:
    return PocketFile()


class NullTranslations:
    """English: the text itself."""

    def gettext(self, text: str) -> str:
        return text

    def ngettext(self, one: str, many: str, number: int) -> str:
        return one if number == 1 else many

    def pgettext(self, _context: str, text: str) -> str:
        return text

    def npgettext(self, _context: str, one: str, many: str, number: int) -> str:
        return one if number == 1 else many


class GNUTranslations:
    """A language: `texts` by context and text, `many` where there are two."""

    def __init__(self, file: PocketFile) -> None:
        given = TEXTS[file.name.partition(".")[0]]
        self._texts, self._many, self._is_none_one = given["texts"], given["many"], given["none"]

    def gettext(self, text: str) -> str:
        return self._texts.get(text, text)

    def pgettext(self, context: str, text: str) -> str:
        return self._texts.get(f"{context}\x04{text}", text)

    def ngettext(self, one: str, many: str, number: int) -> str:
        return self._of(one, one, many, number)

    def npgettext(self, context: str, one: str, many: str, number: int) -> str:
        return self._of(f"{context}\x04{one}", one, many, number)

    def _of(self, key: str, one: str, many: str, number: int) -> str:
        found = self._many.get(key)
        if found is None:
            return one if number == 1 else many
        return found[0 if number == 1 or (number == 0 and self._is_none_one) else 1]


# --- the rest


class blake2b:  # noqa: N801
    """Not that of the standard library: only this page compares its own sums."""

    def __init__(self, data: bytes, digest_size: int = 8) -> None:  # noqa: ARG002
        self._sum: int = scope.kastaSum(data.decode())

    def digest(self) -> bytes:
        return self._sum.to_bytes(8, "big")


def getsizeof(thing: Any) -> int:
    return len(thing)


SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_.-~"


def quote(text: str, safe: str = "/") -> str:
    def byte(number: int) -> str:
        return chr(number) if chr(number) in SAFE + safe else f"%{number:02X}"

    return "".join(map(byte, text.encode()))


class date:  # noqa: N801
    """A day, as text has it."""

    def __init__(self, year: int, month: int, day: int) -> None:
        self.year, self.month, self.day = year, month, day

    @classmethod
    def fromisoformat(cls, text: str) -> date:
        return cls(*map(int, text.split("-")))


def warn(text: str, *_args: Any, **_known: Any) -> None:
    raise RuntimeWarning(text)
