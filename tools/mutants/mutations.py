"""Small faults that can be put into a module: one comparison, number, condition or statement is changed."""

from __future__ import annotations

import ast
import copy
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice
from types import CodeType, FunctionType

Place = tuple[str, int]  # of a function: its name within its module, and its first line

_OPPOSITES: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Break: ast.Continue,
    ast.Continue: ast.Break,
}
_OPPOSITE_NAMES = {"min": "max", "max": "min", "any": "all", "all": "any"}
# Fields without code, or with code that runs when the function is made.
_NOT_RUN = {"annotation", "returns", "args", "decorator_list", "msg"}


@dataclass(frozen=True)
class Mutation:
    """One fault. `owner` is the function or method that has it, such as `Table.view`, or the name of a number."""

    number: int
    line: int
    owner: str
    text: str  # what is changed, unlike any other of the module; the same as long as these lines are
    functions: tuple[str, ...]  # that have it, or use the number: those of other modules are not known

    @property
    def is_number(self) -> bool:
        return self.owner.lstrip("_").isupper()


@dataclass(frozen=True)
class _Place:
    """Where a node stands in its tree, and a fault that can stand there instead."""

    owner: str
    parent: ast.AST
    field: str
    index: int | None
    node: ast.AST
    fault: ast.AST

    def put(self) -> None:
        if self.index is None:
            setattr(self.parent, self.field, self.fault)
        else:
            getattr(self.parent, self.field)[self.index] = self.fault


def mutations(source: str) -> list[Mutation]:
    """All small faults of a module's functions, of its classes' methods, and of its numbers that have a name."""
    found, times, tree = [], Counter[str](), ast.parse(source)
    users = _users(tree)
    for number, each in enumerate(_places(tree)):
        text = f"{each.owner}: {_said(each.node)} -> {_said(each.fault)}"
        times[text] += 1
        nth = f" #{times[text]}" if times[text] > 1 else ""
        functions = users.get(each.owner, (each.owner,))
        found.append(Mutation(number, _line(each.node), each.owner, text + nth, functions))
    return found


def mutate(source: str, number: int) -> ast.Module:
    """The module with one of its faults."""
    tree = ast.parse(source)
    next(islice(_places(tree), number, None)).put()
    return ast.fix_missing_locations(tree)


def marked(source: str, note: str, file: str) -> ast.Module:
    """The module, each function and method of which first calls `note` with the file and its own name.

    What is made inside one says the same, since it may be called later.
    """
    tree = ast.parse(source)
    for owner, node in _functions(tree.body):
        call = ast.parse(f"{note}({f'{file}:{owner}'!r})").body[0]
        assert isinstance(call, ast.Expr)  # noqa: S101 - as it was just written
        for each in list(ast.walk(node)):
            if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef):
                each.body.insert(0, call)
            elif isinstance(each, ast.Lambda):
                each.body = ast.BoolOp(ast.Or(), [call.value, each.body])
    return ast.fix_missing_locations(tree)


def place_of(code: CodeType) -> Place:
    return code.co_qualname, code.co_firstlineno


def codes_of(tree: ast.Module, file: str, owner: str = "") -> dict[Place, CodeType]:
    """The code of all functions and methods, or of one, and of what is made inside."""
    return {
        place_of(code): code
        for code in _inner(compile(tree, file, "exec"))
        if not owner or code.co_qualname == owner or code.co_qualname.startswith(f"{owner}.<locals>.")
    }


def put(codes: dict[Place, CodeType], functions: Iterable[FunctionType]) -> None:
    """Give functions other code."""
    for function in functions:
        code = codes.get(place_of(function.__code__))
        if code is not None and code.co_freevars == function.__code__.co_freevars:
            function.__code__ = code


def _inner(code: CodeType) -> Iterator[CodeType]:
    for each in code.co_consts:
        if isinstance(each, CodeType):
            yield each
            yield from _inner(each)


def number_of(tree: ast.Module, owner: str) -> object:
    """The value of a number, or a table of numbers, that has a name."""
    return dict(_values(tree))[owner]


def _numbers(tree: ast.Module) -> Iterator[tuple[str, ast.AST, str, int | None, ast.expr]]:
    """What stands at the top of a module under a name: the name, and where its value stands."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                yield name, node, "value", None, value
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                yield name, node, "value", None, value
            case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values) as both):
                for index, (each, value) in enumerate(zip(names, values, strict=True)):
                    if isinstance(each, ast.Name):
                        yield each.id, both, "elts", index, value


def _values(tree: ast.Module) -> Iterator[tuple[str, object]]:
    """Numbers, and tables of them, that are made of nothing but numbers and those before them."""
    known: dict[str, object] = {"__builtins__": {}}
    for name, _, _, _, value in _numbers(tree):
        with suppress(Exception):  # it needs more than that
            known[name] = eval(compile(ast.Expression(value), "", "eval"), known)  # noqa: S307 - our own source
            if isinstance(known[name], int | float | tuple | dict):
                yield name, known[name]


def _taken_by_classes(tree: ast.Module) -> set[str]:
    """What classes take as their defaults when they are made: to change it later changes nothing."""
    classes = (node for node in tree.body if isinstance(node, ast.ClassDef))
    defaults = (each for node in classes for each in node.body if isinstance(each, ast.Assign | ast.AnnAssign))
    return {each.id for default in defaults for each in ast.walk(default) if isinstance(each, ast.Name)}


def _users(tree: ast.Module) -> dict[str, tuple[str, ...]]:
    """Which functions of a module mention a number that has a name."""
    mentioned = {
        owner: {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
        for owner, node in _functions(tree.body)
    }
    return {name: tuple(owner for owner, names in mentioned.items() if name in names) for name, _ in _values(tree)}


def _functions(
    body: list[ast.stmt], prefix: str = ""
) -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    for node in body:
        if isinstance(node, ast.ClassDef):
            yield from _functions(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield prefix + node.name, node


def _places(tree: ast.Module) -> Iterator[_Place]:
    numbers, taken = dict(_values(tree)), _taken_by_classes(tree)
    for name, parent, field, index, value in _numbers(tree):
        if name in numbers.keys() - taken:
            for place in ((parent, field, index, value), *_children(value)):
                if isinstance(place[-1], ast.Constant):
                    yield from (_Place(name, *place, fault) for fault in _faults(place[-1]))
    for owner, node in _functions(tree.body):
        for place in _children(node):
            yield from (_Place(owner, *place, fault) for fault in _faults(place[-1]))


def _children(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    """All nodes below one, each with where it stands."""
    for field, value in ast.iter_fields(node):
        if field in _NOT_RUN and not isinstance(node, ast.Call):
            continue
        for index, child in enumerate(value) if isinstance(value, list) else [(None, value)]:
            if isinstance(child, ast.AST):
                yield node, field, index, child
                yield from _children(child)


def _faults(node: ast.AST) -> Iterator[ast.AST]:
    if isinstance(node, ast.expr):
        yield from _faults_of_expression(node)
    elif isinstance(node, ast.stmt):
        yield from _faults_of_statement(node)
    elif isinstance(node, ast.comprehension) and node.ifs:
        yield _with(node, ifs=[ast.UnaryOp(ast.Not(), node.ifs[0]), *node.ifs[1:]])


def _faults_of_condition(node: ast.Compare | ast.BoolOp) -> Iterator[ast.AST]:
    """Each comparison turned round; each of several conditions left out."""
    if isinstance(node, ast.Compare):
        for place, operator in enumerate(node.ops):
            opposite = _OPPOSITES[type(operator)]()
            yield _with(node, ops=[*node.ops[:place], opposite, *node.ops[place + 1 :]])
        return
    for place in range(len(node.values)):
        left = [*node.values[:place], *node.values[place + 1 :]]
        yield _with(node, values=left) if len(left) > 1 else left[0]


def _faults_of_expression(node: ast.expr) -> Iterator[ast.AST]:
    match node:
        case ast.Compare() | ast.BoolOp():
            yield from _faults_of_condition(node)
        case ast.BinOp(op=operator) if type(operator) in _OPPOSITES:
            yield _with(node, op=_OPPOSITES[type(operator)]())
        case ast.UnaryOp(op=ast.Not() | ast.USub(), operand=operand):
            yield operand
        case ast.Constant(value=bool() as value):
            yield _with(node, value=not value)
        case ast.Constant(value=int() | float() as number):
            yield _with(node, value=number + 1)
        case ast.IfExp(test=test) if not _is_negated_elsewhere(test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Call(func=ast.Name(id=name)) if name in _OPPOSITE_NAMES:
            yield _with(node, func=ast.Name(_OPPOSITE_NAMES[name], ast.Load()))


def _faults_of_statement(node: ast.stmt) -> Iterator[ast.AST]:
    match node:
        case ast.AugAssign(op=operator) if type(operator) in _OPPOSITES:
            yield _with(node, op=_OPPOSITES[type(operator)]())
        case ast.If(test=test) | ast.While(test=test) if not _is_negated_elsewhere(test):
            yield _with(node, test=ast.UnaryOp(ast.Not(), test))
        case ast.Return(value=ast.expr() as value) if not isinstance(value, ast.Constant):
            yield _with(node, value=ast.Constant(None))
        case ast.Expr(value=ast.Call() | ast.Await()) | ast.Raise():
            yield ast.copy_location(ast.Pass(), node)
        case ast.Break() | ast.Continue():
            yield ast.copy_location(_OPPOSITES[type(node)](), node)


def _is_negated_elsewhere(test: ast.expr) -> bool:
    """Whether the fault of the condition itself is already its opposite."""
    match test:
        case ast.Compare(ops=[ast.Eq() | ast.NotEq() | ast.In() | ast.NotIn() | ast.Is() | ast.IsNot()]):
            return True
        case ast.UnaryOp(op=ast.Not()):
            return True
    return False


def _with(node: ast.AST, **fields: object) -> ast.AST:
    changed = copy.copy(node)
    for name, value in fields.items():
        setattr(changed, name, value)
    return changed


def _line(node: ast.AST) -> int:
    return next(each.lineno for each in ast.walk(node) if isinstance(each, ast.expr | ast.stmt))


def _said(node: ast.AST) -> str:
    """A node as source, on one short line; of a branch or loop, its condition."""
    shown = node.test if isinstance(node, ast.If | ast.While) else node
    return " ".join(ast.unparse(ast.fix_missing_locations(shown)).split())[:80]
