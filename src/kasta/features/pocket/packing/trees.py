"""Modules as syntax trees, which CPython has read already. To read text takes Brython many times longer.

A tree is a text in which each character is a number: 0 is None, 1 begins a list whose length follows, then come
the kinds of nodes, and above them words. `read_trees.js` makes Brython's own nodes of them.
"""

from __future__ import annotations

import ast
import json
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

NONE, LIST = 0, 1
FIRST_KIND = 2
FIRST_CHARACTER = 35  # after the quote; the backslash is left out as well
BACKSLASH, MOST = 92, 0xD7FF
IGNORED = frozenset({"kind", "type_comment", "type_ignores", "type_params"})
ESCAPED = {"\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\u2028": "\\u2028", "\u2029": "\\u2029"}
HERE = Path(__file__).parent

Word = str  # JSON of a name or a constant
Item = int | type[ast.AST] | Word
"""A number that means itself, a kind of node, or a word."""


def beside(name: str) -> str:
    """A script that lies here, with names of its own."""
    return f"(() => {{\n{(HERE / name).read_text('utf-8')}}})();\n"


def script(modules: Mapping[str, tuple[str, bool]]) -> str:
    """A script that has Brython import these modules. Each is a text, and whether it is a package."""
    items = {name: list(_node(ast.parse(text))) for name, (text, _) in modules.items()}
    counted = Counter(each for every in items.values() for each in every if not isinstance(each, int))
    common = [each for each, _ in counted.most_common()]
    kinds = [each for each in common if isinstance(each, type)]
    words = [each for each in common if isinstance(each, str)]
    known: list[Item] = [*kinds, *words]
    numbers = {each: number for number, each in enumerate(known, FIRST_KIND)}
    packed = {
        name: [
            int(modules[name][1]),
            "".join(_character(each if isinstance(each, int) else numbers[each]) for each in every),
        ]
        for name, every in items.items()
    }
    about = json.dumps([[each.__name__, *_fields(each)] for each in kinds])
    of_words = f"[{','.join(words)}]"
    given = f'{{"kinds":{about},"words":{of_words},"modules":{json.dumps(packed, ensure_ascii=False)}}}'
    return f"{beside('read_trees.js')}self.readTrees(self.__BRYTHON__, {given});\n"


def _fields(kind: type[ast.AST]) -> list[str]:
    return [name for name in kind._fields if name not in IGNORED]


def _node(node: ast.AST) -> Iterator[Item]:
    yield type(node)
    for name in _fields(type(node)):
        value = getattr(node, name, None)
        if isinstance(node, ast.Constant):
            yield _constant(value)
        else:
            yield from _value(value)


def _value(value: Any) -> Iterator[Item]:  # noqa: ANN401 - whatever a field holds
    match value:
        case None:
            yield NONE
        case list():
            yield from (LIST, len(value))
            for each in value:
                yield from _value(each)
        case ast.AST():
            yield from _node(value)
        case _:
            yield json.dumps(value, ensure_ascii=False)


def _constant(value: Any) -> Word:  # noqa: ANN401 - whatever a constant is
    """A constant, as Brython's trees have it: text as it stands between quotes of JavaScript."""
    match value:
        case str():
            return json.dumps("".join(map(_escaped, value)), ensure_ascii=False)
        case bool() | int() if abs(value) < 1 << 53:
            return json.dumps(value)
        case float():
            return json.dumps({"float": repr(value)})
        case None:
            return json.dumps({"none": 1})
    raise ValueError(f"no constant for a browser: {value!r}")


def _escaped(character: str) -> str:
    is_half = "\ud800" <= character <= "\udfff"  # of a character that is two for JavaScript
    return f"\\u{ord(character):04x}" if is_half else ESCAPED.get(character, character)


def _character(number: int) -> str:
    code = number + FIRST_CHARACTER
    code += code >= BACKSLASH
    if code > MOST:
        raise ValueError("too many words for one bundle")
    return chr(code)
