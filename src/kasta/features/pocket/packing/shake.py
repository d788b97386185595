"""Which statements of which modules are needed to play: all that some names lead to, and nothing else.

So the bundle holds no line that only a server needs, though rules, tables and pages are the server's own modules.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

from kasta.features.pocket.packing.lean import (
    MAKERS,
    TYPES,
    RecordField,
    is_record,
    lean,
    merged,
    own_fields,
    plain_base,
    statements,
)

WRITTEN_OUT = ("dataclass", "NamedTuple", "runtime_checkable", "final", "overload", "override")
"""What is gone when records are written out."""

Need = tuple[str, str]
"""A module, and a name in it; '' for the module itself."""


@dataclass(eq=False)
class Part:
    """A statement at the top of a module: which names it makes, and which it uses."""

    node: ast.stmt
    makes: frozenset[str]

    @cached_property
    def uses(self) -> frozenset[tuple[str, str]]:
        """Names, each with the attribute that is asked of it, if that is all."""
        return frozenset(_used(self.node))

    @cached_property
    def imports(self) -> list[ast.Import | ast.ImportFrom]:
        """Imports in functions."""
        return [each for each in ast.walk(self.node) if isinstance(each, ast.Import | ast.ImportFrom)]


def _used(node: ast.AST) -> Iterator[tuple[str, str]]:
    """The names that are read."""
    match node:
        case ast.Attribute(value=ast.Name(id=name), attr=attribute):
            yield name, attribute
        case ast.Name(id=name):
            yield name, ""
        case _:
            for each in _read(node):
                yield from _used(each)


def _read(node: ast.AST) -> Iterable[ast.AST]:
    """What is inside, apart from annotations and what only type checkers read."""
    match node:
        case ast.AnnAssign(value=value, target=target):
            return filter(None, (value, target))
        case ast.arg() | ast.FunctionDef(decorator_list=[ast.Name(id="overload")]):
            return ()
        case ast.ClassDef(bases=bases, body=body, decorator_list=decorators):
            kept = (each for each in decorators if _called(each) not in WRITTEN_OUT)
            return *filter(_is_kept_base, map(plain_base, bases)), *body, *kept
        case ast.Call(func=ast.Name(id="cast"), args=[_, value]):
            return (value,)
        case ast.Call(func=ast.Subscript(value=ast.Name(id=name) as maker)) if name in MAKERS:
            return maker, *node.args, *node.keywords
    return (
        each
        for key, value in ast.iter_fields(node)
        if key != "returns"
        for each in (value if isinstance(value, list) else [value])
        if isinstance(each, ast.AST)
    )


def _is_kept_base(base: ast.expr) -> bool:
    return not (isinstance(base, ast.Name) and base.id in {*TYPES, *WRITTEN_OUT})


def _called(node: ast.expr) -> str:
    node = node.func if isinstance(node, ast.Call) else node
    return node.id if isinstance(node, ast.Name) else ""


@dataclass(frozen=True, slots=True)
class ClassNote:
    """What is known of a class before it is made lean."""

    bases: tuple[str, ...]
    is_record: bool
    own: list[RecordField]


class Module:
    """A module that may be packed."""

    def __init__(self, name: str, path: Path) -> None:
        self.name, self.path, self.is_package = name, path, path.name == "__init__.py"
        self.kept: set[Part] = set()
        self.wanted: set[str] = set()
        self.parts: list[Part] = []
        self.imported: dict[str, Need] = {}  # by the name that it has here
        self.classes: dict[str, ClassNote] = {}
        for node in statements(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                self.imported |= dict(self.named(node))
            else:
                self.parts.append(Part(node, frozenset(_made(node))))
            if isinstance(node, ast.ClassDef):
                self._class(node)

    def named(self, node: ast.Import | ast.ImportFrom) -> Iterator[tuple[str, Need]]:
        for alias in node.names:
            if isinstance(node, ast.Import):
                yield (alias.asname or alias.name.partition(".")[0]), (alias.name, "")
            else:
                yield alias.asname or alias.name, (node.module or "", alias.name)

    def _class(self, node: ast.ClassDef) -> None:
        bases = tuple(filter(None, map(_base, node.bases)))
        self.classes[node.name] = ClassNote(bases, is_record(node), own_fields(node))


def _made(node: ast.stmt) -> Iterator[str]:
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.AsyncFunctionDef(name=name):
            yield name
        case ast.Assign() | ast.AnnAssign() | ast.AugAssign():
            for each in ast.walk(node):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield each.id
        case ast.Try() | ast.If() | ast.With() | ast.For():
            for each in ast.walk(node):
                if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store):
                    yield each.id
                elif isinstance(each, ast.alias):
                    yield each.asname or each.name


@dataclass
class Shaken:
    """What is needed of all modules. `others` are those that are not ours, which something else stands in for."""

    roots: dict[str, Path]  # packages that are packed, by name
    stand_ins: dict[str, str]  # modules that others stand in for
    left_out: frozenset[str] = frozenset()  # modules that need a server: what asks for them there fails
    modules: dict[str, Module] = field(default_factory=dict)
    others: set[str] = field(default_factory=set)
    asked: set[Need] = field(default_factory=set)  # what modules ask of each other

    def find(self, name: str) -> Path | None:
        """The file of a module that may be packed."""
        package = name.partition(".")[0]
        if package not in self.roots:
            return None
        path = self.roots[package].joinpath(*name.split(".")[1:])
        if (whole := path / "__init__.py").is_file():
            return whole
        return path.with_suffix(".py") if path.with_suffix(".py").is_file() else None

    def take(self, needs: Iterable[Need]) -> None:
        """Keep these names, and all that they lead to."""
        waiting = list(needs)
        while waiting:
            waiting += self._take(*waiting.pop())

    def _take(self, name: str, wanted: str) -> Iterator[Need]:
        if name in self.left_out:
            return
        if (path := self.find(name)) is None:
            self.others.add(name)
            return
        if name not in self.modules:
            module = self.modules[name] = Module(name, path)
            if parent := name.rpartition(".")[0]:
                yield parent, ""
            for part in module.parts:
                if not part.makes and not _is_text(part.node):
                    yield from self._keep(module, part)
        if wanted and wanted not in self.modules[name].wanted:
            self.modules[name].wanted.add(wanted)
            yield from self._names(self.modules[name], wanted)

    def _names(self, module: Module, wanted: str) -> Iterator[Need]:
        names = {each for part in module.parts for each in part.makes} if wanted == "*" else {wanted}
        for part in module.parts:
            if names & part.makes:
                yield from self._keep(module, part)
        for each in names:
            if each in module.imported:
                yield from self._asked(*module.imported[each])
            elif self.find(f"{module.name}.{each}"):
                yield f"{module.name}.{each}", ""

    def _asked(self, name: str, wanted: str) -> Iterator[Need]:
        """What `from name import wanted` needs."""
        name = self.stand_ins.get(name, name)
        if wanted and self.find(f"{name}.{wanted}"):
            yield f"{name}.{wanted}", ""
            yield name, ""
        else:
            self.asked.add((name, wanted))
            yield name, wanted

    def _keep(self, module: Module, part: Part) -> Iterator[Need]:
        if part in module.kept:
            return
        module.kept.add(part)
        for name, attribute in part.uses:
            yield module.name, name
            if (need := module.imported.get(name)) is not None:
                whole = self.stand_ins.get(".".join(filter(None, need)), ".".join(filter(None, need)))
                if self.find(whole):  # a module by its name
                    self.asked.add((whole, attribute))
                    yield whole, attribute or "*"
        for node in part.imports:
            for _, need in module.named(node):
                yield from self._asked(*need)

    def text(self, module: Module) -> str:
        """A module as it is packed."""
        made = [
            lean(part.node, lambda base: self._fields(module, base))
            for part in module.parts
            if part in module.kept
        ]
        body = [ImportStandIns(self.stand_ins).visit(each) for each in made if each is not None]
        names = {each.id for node in body for each in ast.walk(node) if isinstance(each, ast.Name)}
        return ast.unparse(ast.fix_missing_locations(ast.Module([*self._imports(module, names), *body], [])))

    def _imports(self, module: Module, names: set[str]) -> Iterator[ast.stmt]:
        """The imports of names that are used, or that others import from here."""
        found: dict[str, list[ast.alias]] = {}
        for local, (name, wanted) in sorted(module.imported.items()):
            is_used = local in names or (module.name, local) in self.asked
            if local not in module.wanted or name in self.left_out or not is_used:
                continue
            there = self.stand_ins.get(name, name)
            if there == module.name:
                continue  # what stands in for it is here
            if wanted:
                found.setdefault(there, []).append(ast.alias(wanted, local if local != wanted else None))
            else:
                yield ast.Import([ast.alias(there, local if local != there else None)])
        for there, aliases in found.items():
            yield ast.ImportFrom(there, aliases, 0)

    def _fields(self, module: Module, base: str) -> list[RecordField]:
        """The fields of a class that another one is made of. `struct NAME` asks whether it is a struct at all."""
        asks, _, name = base.rpartition(" ")
        if (found := module.classes.get(name)) is not None:
            is_struct = "Struct" in found.bases or any(
                self._fields(module, f"struct {each}") for each in found.bases
            )
            if asks:
                return [RecordField("")] * is_struct
            inherited = [each for parent in found.bases for each in self._fields(module, parent)]
            own = found.own if found.is_record or is_struct else []
            return merged(inherited, own)
        if name in module.imported:
            other, wanted = module.imported[name]
            if other in self.modules:
                return self._fields(self.modules[other], f"{asks} {wanted}".strip())
        return []


class ImportStandIns(ast.NodeTransformer):
    """Imports in functions, of what stands in."""

    def __init__(self, stand_ins: dict[str, str]) -> None:
        self._stand_ins = stand_ins

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        node.module = self._stand_ins.get(node.module or "", node.module)
        return node


def _base(node: ast.expr) -> str:
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.Subscript(value=ast.Name(id=name)):
            return name
    return ""


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
