"""Modules as a browser needs them: without annotations and docstrings, and with plain classes for records.

Records are dataclasses, structs and named tuples. In CPython their methods are made when a class is made; here
they are written out beforehand, because making them in a browser costs more than all the rest of an import.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from operator import attrgetter

TYPES = ("Generic", "Protocol")  # bases that mean nothing at run time
VARIABLES = ("TypeVar", "ParamSpec")
MAKERS = ("list", "dict", "set", "tuple", "frozenset", "defaultdict", "Counter")  # called with a type in brackets
MISSING = "None"  # stands for a default that is made anew each time


@dataclass(frozen=True, slots=True)
class RecordField:
    """A field of a record, with the expression of its default."""

    name: str
    default: ast.expr | None = None
    is_made: bool = False  # the default is a call of this
    is_keyword: bool = False
    is_hidden: bool = False  # not a parameter, and not compared


FieldsOf = Callable[[str], list[RecordField]]
"""The fields of a base class, by the name that it has in the module."""


def is_type_checking(node: ast.stmt) -> bool:
    """A part of a module that only type checkers read."""
    if not isinstance(node, ast.If):
        return False
    test = node.test.operand if isinstance(node.test, ast.UnaryOp) else node.test
    return _name(test) == "TYPE_CHECKING"


def statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """What a module does when it is imported, without what only type checkers read."""
    for node in tree.body:
        if is_type_checking(node) and isinstance(node, ast.If):
            yield from statements(ast.Module(node.orelse if _name(node.test) else node.body, []))
        elif isinstance(node, ast.Try) and isinstance(node.body[0], ast.ImportFrom | ast.Import):
            yield from node.handlers[0].body  # what may not be installed is not there
        elif not (_is_type_variable(node) or (isinstance(node, ast.ImportFrom) and node.module == "__future__")):
            yield node


def _is_type_variable(node: ast.stmt) -> bool:
    """A name for a type, or a variable for some."""
    match node:
        case ast.Assign(value=ast.Call() as value):
            return _name(value) in VARIABLES
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Subscript()):
            return not name.isupper() and not name.islower() and not name.startswith("_")
    return False


def _name(node: ast.expr) -> str:
    """The last name of what a base or a decorator is called."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name):
            return name
        case ast.Subscript(value=value) | ast.Call(func=value):
            return _name(value)
    return ""


def _keywords(node: ast.expr | ast.ClassDef) -> dict[str, ast.expr]:
    found = node.keywords if isinstance(node, ast.Call | ast.ClassDef) else []
    return {each.arg: each.value for each in found if each.arg}


def _dataclass(node: ast.ClassDef) -> ast.expr | None:
    return next((each for each in node.decorator_list if _name(each) == "dataclass"), None)


def is_record(node: ast.ClassDef) -> bool:
    """Whether its annotations are fields."""
    return _dataclass(node) is not None or "NamedTuple" in map(_name, node.bases)


def own_fields(node: ast.ClassDef) -> list[RecordField]:
    """The fields that a class itself declares."""
    decorator = _dataclass(node)
    found, is_keyword = [], decorator is not None and "kw_only" in _keywords(decorator)
    for each in node.body:
        if not isinstance(each, ast.AnnAssign) or not isinstance(each.target, ast.Name):
            continue
        if _name(each.annotation) == "KW_ONLY":
            is_keyword = True
        elif _name(each.annotation) != "ClassVar":
            found.append(_field(each.target.id, each.value, is_keyword=is_keyword))
    return found


def merged(inherited: list[RecordField], own: list[RecordField]) -> list[RecordField]:
    """All fields of a class: one that is declared again keeps its place."""
    return list(({each.name: each for each in inherited} | {each.name: each for each in own}).values())


def _field(name: str, value: ast.expr | None, *, is_keyword: bool) -> RecordField:
    if isinstance(value, ast.Call) and _name(value) == "field":
        given = _keywords(value)
        made = given.get("default_factory")
        is_hidden = ast.unparse(given.get("init", ast.Constant(True))) == "False"  # noqa: FBT003
        return RecordField(name, made or given.get("default"), made is not None, is_keyword, is_hidden)
    return RecordField(name, value, is_keyword=is_keyword)


class Lean(ast.NodeTransformer):
    """Leaves out what a browser does not need."""

    def visit_ClassDef(self, node: ast.ClassDef) -> ast.ClassDef:
        self.generic_visit(node)
        node.bases = [plain_base(base) for base in node.bases if _name(base) not in TYPES]
        node.body = _without_docstring(node.body) or [ast.Pass()]
        node.decorator_list = [
            each for each in node.decorator_list if _name(each) not in {"runtime_checkable", "final"}
        ]
        return node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef | None:
        if "overload" in map(_name, node.decorator_list):
            return None
        self.generic_visit(node)
        node.returns = None
        node.body = _without_docstring(node.body) or [ast.Pass()]
        for each in (
            *node.args.posonlyargs,
            *node.args.args,
            *node.args.kwonlyargs,
            node.args.vararg,
            node.args.kwarg,
        ):
            if each is not None:
                each.annotation = None
        node.decorator_list = [each for each in node.decorator_list if _name(each) != "override"]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.stmt | None:
        self.generic_visit(node)
        return ast.Assign([node.target], node.value, lineno=node.lineno) if node.value else None

    def visit_Assign(self, node: ast.Assign) -> ast.Assign:
        self.generic_visit(node)
        if _is_union(node.value):
            node.value = ast.List(_alternatives(node.value), ast.Load())
        return node

    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        match node:
            case ast.Call(func=ast.Name(id="cast"), args=[_, value]):
                return value
            case ast.Call(func=ast.Name(id="isinstance"), args=[_, ast.BinOp() as kinds]):
                node.args[1] = ast.Tuple(_alternatives(kinds), ast.Load())
        if isinstance(node.func, ast.Subscript) and _name(node.func) in MAKERS:
            node.func = node.func.value
        return node


def _alternatives(kinds: ast.expr) -> list[ast.expr]:
    if isinstance(kinds, ast.BinOp) and isinstance(kinds.op, ast.BitOr):
        return [*_alternatives(kinds.left), *_alternatives(kinds.right)]
    return [kinds]


def _is_union(value: ast.expr) -> bool:
    """Whether it is one type or another."""
    return isinstance(value, ast.BinOp) and all(
        isinstance(each, ast.Name | ast.Attribute | ast.Subscript) and _name(each)[:1].isupper()
        for each in _alternatives(value)
    )


def plain_base(base: ast.expr) -> ast.expr:
    return base.value if isinstance(base, ast.Subscript) else base


def _without_docstring(body: list[ast.stmt]) -> list[ast.stmt]:
    return [each for each in body if not (isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant))]


def lean(node: ast.stmt, fields_of: FieldsOf) -> ast.stmt:
    """A statement of a module as a browser needs it."""
    fields, keywords, decorator = None, dict[str, ast.expr](), None
    if isinstance(node, ast.ClassDef):
        inherited = [each for base in node.bases for each in fields_of(_name(base))]
        decorator, keywords = _dataclass(node), _keywords(node)
        is_struct = "Struct" in map(_name, node.bases) or any(fields_of(f"struct {_name(b)}") for b in node.bases)
        if is_record(node) or is_struct:
            fields = merged(inherited, own_fields(node))
    before = node
    made: ast.stmt = Lean().visit(node)
    if fields is None or not isinstance(made, ast.ClassDef):
        return made
    kind = "tuple" if "NamedTuple" in map(_name, before.bases) else "record"  # type: ignore[attr-defined]
    return _record(made, fields, kind, _keywords(decorator) if decorator else keywords)


def _record(
    node: ast.ClassDef, fields: list[RecordField], kind: str, keywords: dict[str, ast.expr]
) -> ast.ClassDef:
    """A class with the methods of a record written out."""
    names = {each.name for each in fields}
    body = [each for each in node.body if not (isinstance(each, ast.Assign) and _target(each) in names)]
    defined = {each.name for each in body if isinstance(each, ast.FunctionDef)}
    node.keywords, node.decorator_list = [], [each for each in node.decorator_list if _name(each) != "dataclass"]
    text = _tuple_methods(fields) if kind == "tuple" else _methods(fields, keywords, defined)
    if kind == "tuple":
        node.bases = [ast.Name("tuple")]
    made = [each for each in ast.parse(text).body if getattr(each, "name", None) not in defined]
    node.body = [*made, *(each for each in body if not isinstance(each, ast.Pass))]
    return node


def _target(node: ast.Assign) -> str:
    return node.targets[0].id if isinstance(node.targets[0], ast.Name) else ""


def _parameters(fields: list[RecordField]) -> str:
    parts, is_keyword = [], False
    for each in sorted(fields, key=attrgetter("is_keyword")):
        if each.is_hidden:
            continue
        if each.is_keyword and not is_keyword:
            parts.append("*")
            is_keyword = True
        default = MISSING if each.is_made else each.default and ast.unparse(Lean().visit(each.default))
        parts.append(f"{each.name}={default}" if default else each.name)
    return ", ".join(parts)


def _methods(fields: list[RecordField], keywords: dict[str, ast.expr], defined: set[str]) -> str:
    names = [each.name for each in fields if not each.is_hidden]
    lines = [f"_fields = {tuple(names)!r}", f"__match_args__ = {tuple(names)!r}"]
    lines.append("__struct_fields__ = _fields")
    if tag := keywords.get("tag"):
        lines.append(f"_tag = {ast.unparse(tag)}")
    if "__init__" not in defined:
        lines.append(f"def __init__({', '.join(filter(None, ['self', _parameters(fields)]))}):")
        for each in fields:
            if each.is_hidden and each.default:
                lines.append(f"    self.{each.name} = {ast.unparse(each.default)}{'()' if each.is_made else ''}")
                continue
            made = (
                f"{ast.unparse(each.default)}() if {each.name} is {MISSING} else "
                if each.is_made and each.default
                else ""
            )
            lines.append(f"    self.{each.name} = {made}{each.name}")
        if "__post_init__" in defined:
            lines.append("    self.__post_init__()")
        if lines and lines[-1].endswith(":"):
            lines.append("    pass")
    if ast.unparse(keywords.get("eq", ast.Constant(True))) == "True":  # noqa: FBT003
        mine, other = (f"({''.join(f'{each}.{name}, ' for name in names)})" for each in ("self", "other"))
        lines += [
            "def __eq__(self, other):",
            f"    return self is other or (type(self) is type(other) and {mine} == {other})",
        ]
        if "frozen" in keywords:
            lines += ["def __hash__(self):", f"    return hash({mine})"]
    return "\n".join(lines)


def _tuple_methods(fields: list[RecordField]) -> str:
    names = [each.name for each in fields]
    lines = [
        f"_fields = {tuple(names)!r}",
        f"__match_args__ = {tuple(names)!r}",
        f"def __new__(cls, {_parameters(fields)}):",
        f"    return tuple.__new__(cls, ({''.join(f'{name}, ' for name in names)}))",
        "def _replace(self, **changes):",
        "    return type(self)(*[changes.get(name, value) for name, value in zip(self._fields, self)])",
    ]
    lines += [f"{name} = property(lambda self: self[{place}])" for place, name in enumerate(names)]
    return "\n".join(lines)
