"""Templates as Python functions, so that a browser shows them without the engine that reads them.

A function is given what the template sees, in one dict, and gives its HTML. Whatever is set in a template is set
in that dict. All that our own templates use is here; anything else is refused when the bundle is made.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from jinja2 import Environment, nodes
from markupsafe import escape

LOOP, CALLER = "loop", "caller"  # what templates call the loop they are in, and what a macro is called with
COMPARED = {
    "eq": "==", "ne": "!=", "gt": ">", "gteq": ">=", "lt": "<", "lteq": "<=", "in": "in", "notin": "not in",
}  # fmt: skip
CALCULATED = {"Add": "+", "Sub": "-", "Mul": "*", "FloorDiv": "//", "Mod": "%", "Div": "/"}


class NotPacked(Exception):  # noqa: N818
    """A template uses what a browser is not given."""


def function(environment: Environment, name: str, block: str = "") -> str:
    """A template, or one block of it, as a function called root."""
    source, _, _ = environment.loader.get_source(environment, name)  # type: ignore[union-attr]
    tree = environment.parse(source, name)
    body = tree.body
    if block:
        body = next(each for each in tree.find_all(nodes.Block) if each.name == block).body
    writer = _Writer()
    writer.block(body)
    return "\n".join(["def root(c):", " o = []; w = o.append", *writer.lines, " return ''.join(o)"])


def loads(environment: Environment, name: str) -> set[str]:
    """The templates that a template includes or imports."""
    source, _, _ = environment.loader.get_source(environment, name)  # type: ignore[union-attr]
    tree = environment.parse(source, name)
    asked = tree.find_all((nodes.Include, nodes.FromImport))
    return {each.template.value for each in asked if isinstance(each.template, nodes.Const)}  # type: ignore[attr-defined]


class _Writer:
    """Writes the lines of one function."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self._depth = 1
        self._text = ""

    def _line(self, text: str) -> None:
        self._flush()
        self.lines.append(" " * self._depth + text)

    def _flush(self) -> None:
        if self._text:
            self.lines.append(" " * self._depth + f"w({self._text!r})")
            self._text = ""

    def block(self, body: Iterable[nodes.Node]) -> None:
        for each in body:
            kind = type(each).__name__
            write: Callable[[Any], None] | None = getattr(self, f"_write_{kind.lower()}", None)
            if write is None:
                raise NotPacked(kind)
            write(each)
        self._flush()

    def _inner(self, body: Iterable[nodes.Node]) -> None:
        self._depth += 1
        before = len(self.lines)
        self.block(body)
        if len(self.lines) == before:
            self._line("pass")
        self._depth -= 1

    def _write_output(self, node: nodes.Output) -> None:
        for each in node.nodes:
            match each:
                case nodes.TemplateData(data=text):
                    self._text += text
                case nodes.Const(value=value):
                    self._text += str(escape(value))
                case _:
                    self._line(f"w(html({_expression(each)}))")

    def _write_if(self, node: nodes.If) -> None:
        self._line(f"if {_expression(node.test)}:")
        self._inner(node.body)
        for each in node.elif_:
            self._line(f"elif {_expression(each.test)}:")
            self._inner(each.body)
        if node.else_:
            self._line("else:")
            self._inner(node.else_)

    def _write_for(self, node: nodes.For) -> None:
        if node.else_ or node.recursive:
            raise NotPacked("for ... else")
        iterated = _expression(node.iter)
        if any(each.name == LOOP for child in node.body for each in _names(child)):
            if node.test:
                raise NotPacked("loop of some")
            self._line(f"for c['{LOOP}'], {_target(node.target)} in loops({iterated}):")
        else:
            self._line(f"for {_target(node.target)} in {iterated}:")
        body = node.body
        self._inner([nodes.If(node.test, body, [], [])] if node.test else body)

    def _write_assign(self, node: nodes.Assign) -> None:
        self._line(f"{_target(node.target)} = {_expression(node.node)}")

    def _write_with(self, node: nodes.With) -> None:
        for target, value in zip(node.targets, node.values, strict=True):
            self._line(f"{_target(target)} = {_expression(value)}")
        self.block(node.body)

    def _write_assignblock(self, node: nodes.AssignBlock) -> None:
        self._function("_set", [], node.body)
        self._line(f"{_target(node.target)} = _set()")

    def _write_include(self, node: nodes.Include) -> None:
        self._line(f"w(template({_expression(node.template)})({{**c}}))")

    def _write_fromimport(self, node: nodes.FromImport) -> None:
        for name in node.names:
            there, here = (name, name) if isinstance(name, str) else name
            self._line(f"c[{here!r}] = macro({_expression(node.template)}, {there!r})")

    def _write_macro(self, node: nodes.Macro) -> None:
        plain = len(node.args) - len(node.defaults)
        parameters = [
            each.name if place < plain else f"{each.name}={_expression(node.defaults[place - plain])}"
            for place, each in enumerate(node.args)
        ]
        given = [each.name for each in node.args]
        if any(each.name == CALLER for child in node.body for each in _names(child)):
            parameters.append(f"{CALLER}=None")
            given.append(CALLER)
        self._function(f"m_{node.name}", parameters, node.body, given)
        self._line(f"c[{node.name!r}] = m_{node.name}")

    def _write_callblock(self, node: nodes.CallBlock) -> None:
        self._function("_caller", [], node.body)
        call = _expression(node.call)
        comma = "" if call.endswith("()") else ", "
        self._line(f"w(html({call[:-1]}{comma}caller=_caller)))")

    def _function(
        self, name: str, parameters: list[str], body: list[nodes.Node], given: Iterable[str] = ()
    ) -> None:
        self._line(f"def {name}({', '.join([*parameters, 'c=c'])}):")
        self._depth += 1
        self._line(f"c = {{**c, {', '.join(f'{each!r}: {each}' for each in given)}}}; o = []; w = o.append")
        self.block(body)
        self._line("return Markup(''.join(o))")
        self._depth -= 1


def _names(node: nodes.Node) -> Iterator[nodes.Name]:
    if isinstance(node, nodes.Name):
        yield node
    yield from node.find_all(nodes.Name)


def _target(node: nodes.Node) -> str:
    match node:
        case nodes.Name(name=name):
            return f"c[{name!r}]"
        case nodes.Tuple(items=items):
            return f"({', '.join(map(_target, items))},)"
    raise NotPacked(type(node).__name__)


def _arguments(node: nodes.Call | nodes.Filter | nodes.Test) -> list[str]:
    if node.dyn_args or node.dyn_kwargs:
        raise NotPacked("*")
    return [*map(_expression, node.args), *(f"{each.key}={_expression(each.value)}" for each in node.kwargs)]


def _expression(node: nodes.Node) -> str:
    """An expression in Python."""
    match node:
        case nodes.Const(value=value):
            return repr(value)
        case nodes.TemplateData(data=text):
            return f"Markup({text!r})"
        case nodes.Name(name=name):
            return f"c[{name!r}]"
        case nodes.Getattr(node=inner, attr=attribute):
            return f"{_expression(inner)}.{attribute}"
        case nodes.Getitem(node=inner, arg=arg):
            return f"{_expression(inner)}[{_expression(arg)}]"
        case nodes.MarkSafe(expr=inner):
            return f"Markup({_expression(inner)})"
        case nodes.Call() | nodes.Filter() | nodes.Test():
            return _called(node)
        case nodes.List() | nodes.Tuple() | nodes.Dict() | nodes.Slice() | nodes.Concat():
            return _collected(node)
    return _judged(node)


def _called(node: nodes.Call | nodes.Filter | nodes.Test) -> str:
    match node:
        case nodes.Call(node=inner):
            return f"{_expression(inner)}({', '.join(_arguments(node))})"
        case nodes.Test(node=nodes.Name(name=name), name="defined"):
            return f"(c.get({name!r}) is not None)"
        case nodes.Test(node=inner, name="none"):
            return f"({_expression(inner)} is None)"
        case nodes.Test(node=inner, name=name):
            return f"filters.is_{name}({', '.join([_expression(inner), *_arguments(node)])})"
        case nodes.Filter(node=inner, name=name) if inner is not None:
            return f"filters.{name}({', '.join([_expression(inner), *_arguments(node)])})"
    raise NotPacked(type(node).__name__)


def _collected(node: nodes.Node) -> str:
    match node:
        case nodes.Concat(nodes=parts):
            return f"concat({', '.join(map(_expression, parts))})"
        case nodes.List(items=items):
            return f"[{', '.join(map(_expression, items))}]"
        case nodes.Tuple(items=items):
            return f"({''.join(f'{_expression(each)}, ' for each in items)})"
        case nodes.Dict(items=items):
            return f"{{{', '.join(f'{_expression(each.key)}: {_expression(each.value)}' for each in items)}}}"
        case nodes.Slice(start=start, stop=stop):
            return f"{_expression(start) if start else ''}:{_expression(stop) if stop else ''}"
    raise NotPacked(type(node).__name__)


def _judged(node: nodes.Node) -> str:
    """Conditions, comparisons and sums."""
    match node:
        case nodes.CondExpr(test=test, expr1=one, expr2=other):
            return f"({_expression(one)} if {_expression(test)} else {_expression(other) if other else repr('')})"
        case nodes.And(left=one, right=other):
            return f"({_expression(one)} and {_expression(other)})"
        case nodes.Or(left=one, right=other):
            return f"({_expression(one)} or {_expression(other)})"
        case nodes.Not(node=inner):
            return f"(not {_expression(inner)})"
        case nodes.Neg(node=inner):
            return f"(-{_expression(inner)})"
        case nodes.Compare(expr=inner, ops=operands):
            compared = (f"{COMPARED[each.op]} {_expression(each.expr)}" for each in operands)
            return f"({_expression(inner)} {' '.join(compared)})"
        case nodes.BinExpr(left=one, right=other) if type(node).__name__ in CALCULATED:
            return f"({_expression(one)} {CALCULATED[type(node).__name__]} {_expression(other)})"
    raise NotPacked(type(node).__name__)
