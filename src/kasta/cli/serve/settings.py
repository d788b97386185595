"""Settings from options, the environment and a file, the first of these that has one; else the default."""

from __future__ import annotations

import difflib
import os
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any, NamedTuple, get_type_hints
from urllib.parse import urlsplit

from kasta.cli.common import open_file
from kasta.errors import Unreadable
from kasta.extras import extra

with extra("web"):
    import msgspec
    import platformdirs

    from kasta.app import all_features
    from kasta.edge.config import Config, Networks

PREFIX = "KASTA_"
FILE = "KASTA_CONFIG"
OF_TESTS = "KASTA_TEST_"  # not for us
OF_FEATURES: tuple[type[Any], ...] = tuple(feature.settings for feature in all_features() if feature.settings)
OWNERS: tuple[type[Any], ...] = (Config, *OF_FEATURES)
TYPES: dict[str, Any] = {
    key: kind
    for owner in OWNERS
    for key, kind in get_type_hints(owner, include_extras=True).items()
    if hasattr(kind, "__metadata__")
}
DEFAULTS = {each.name: each.default for owner in OWNERS for each in fields(owner)}


class Given(NamedTuple):
    """A value, and who gave it. One from the environment is text, whatever it means."""

    key: str
    value: object
    where: str
    is_text: bool = False


def configured(file: str = "", **options: object) -> Config:
    """The settings in force. An option that is None or an empty list, or an empty variable, was not given."""
    path = file or os.environ.get(FILE) or _usual_place()
    given = [
        *(_from_file(path) if path else ()),
        *_from_environment(os.environ),
        *(
            Given(key, value, f"--{key.replace('_', '-')}")
            for key, value in options.items()
            if value not in (None, [])
        ),
    ]
    values = {each.key: _converted(each) for each in given}
    return Config(
        **{each.name: values[each.name] for each in fields(Config) if each.name in values},
        of_features=tuple(chosen for kind in OF_FEATURES if (chosen := _chosen(kind, values)) != kind()),
    )


def _chosen(kind: type[Any], values: Mapping[str, object]) -> Any:  # noqa: ANN401 - of that kind
    """A feature's settings."""
    return kind(**{each.name: values[each.name] for each in fields(kind) if each.name in values})


def about(key: str) -> str:
    """What a setting is."""
    metas: tuple[msgspec.Meta, ...] = TYPES[key].__metadata__
    return next(meta.description for meta in metas if meta.description)


def _usual_place() -> str:
    path = Path(platformdirs.user_config_dir("kasta"), "kasta.toml")
    return str(path) if path.exists() else ""


def _from_file(path: str) -> Iterator[Given]:
    with open_file(path) as source:
        try:
            values = tomllib.load(source)
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise Unreadable("not_toml", path=path, reason=str(error)) from None
    for key, value in values.items():
        if key not in TYPES:
            raise Unreadable("unknown_setting", where=f"{key} in {path}", near=_nearest(key, TYPES))
        yield Given(key, value, f"{key} in {path}")


def _from_environment(environment: Mapping[str, str]) -> Iterator[Given]:
    known = {PREFIX + key.upper(): key for key in TYPES}
    for name, value in environment.items():
        if not value or not name.startswith(PREFIX) or name.startswith((FILE, OF_TESTS)):
            continue
        if name not in known:
            raise Unreadable("unknown_setting", where=name, near=_nearest(name, known))
        yield Given(known[name], value, name, is_text=True)


def _nearest(key: str, known: Mapping[str, Any]) -> str:
    found: list[str] = difflib.get_close_matches(key, known, n=1, cutoff=0)
    return found[0]


def _converted(given: Given) -> Any:  # noqa: ANN401 - of the setting's own type
    value = given.value
    if given.is_text and isinstance(value, str) and isinstance(DEFAULTS[given.key], tuple):
        value = value.replace(",", " ").split()
    try:
        found = msgspec.convert(value, TYPES[given.key], strict=not given.is_text)
        return _checked(given.key, found)
    except (msgspec.ValidationError, ValueError) as error:
        raise Unreadable("bad_setting", where=given.where, reason=str(error), about=about(given.key)) from None


def _checked(key: str, value: Any) -> Any:  # noqa: ANN401
    """What a type cannot say."""
    match key:
        case "proxy":
            Networks(value)
        case "url":
            parts = urlsplit(value)
            if value and (parts.scheme not in {"http", "https"} or not parts.hostname or parts.path.strip("/")):
                raise ValueError("write it as in https://kasta.example.org")
            return value.rstrip("/")
    return value
