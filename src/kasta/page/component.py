"""Components: functions of hashable arguments that give HTML.

The signature of a component is the list of all that its HTML depends on. Where its arguments are the same as
before, nothing has to be made, compared or sent. Its body is a template, which sees only its arguments;
only tray and sheets are made by Python.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from functools import partial, wraps
from inspect import signature
from sys import getsizeof
from typing import Any, Concatenate, ParamSpec, Protocol

from markupsafe import Markup

from kasta.i18n import Words

MOST_KEPT = 32_000_000  # bytes of fragments, which are made once for all who see the same
LARGEST_KEPT = 64_000  # bytes of one; larger ones are of many sheets, and seldom the same for two pages
CHILD_SIZE = 200  # bytes of the arguments of a child, about
MARK, KNOWN = "\0", "\3"  # no page holds them

Child = tuple[Callable[..., object], tuple[Hashable, ...], tuple[Hashable, ...]]
"""A function, its arguments, and more of them that a page knows by itself. An id is of one function only."""


def known(html: str) -> str:
    """What a page knows by itself, so that it need not be told when only this changes."""
    return f"{KNOWN}{html}{KNOWN}"


def without_known(html: str) -> str:
    return "".join(html.split(KNOWN)[::2]) if KNOWN in html else html


def marked(child: str) -> str:
    """The place of a child in a frame."""
    return f"{MARK}{child}{MARK}"


class Fragment:
    """`frame` is HTML with a mark for each of its `children`, found by their ids, which are made when needed.

    `fresh` are those that were changed on the last throw, where that is known.
    """

    __slots__ = ("children", "frame", "fresh")

    def __init__(self, frame: str, children: dict[str, Child] | None = None, fresh: Sequence[str] = ()) -> None:
        self.frame, self.children, self.fresh = frame, {} if children is None else children, fresh

    def __html__(self) -> str:
        """All of it, as templates take it."""
        return self.joined({key: self.child(key) for key in self.children})

    __str__ = __html__

    def joined(self, children: Mapping[str, str]) -> str:
        """All of it, of children that were made."""
        parts = self.frame.split(MARK)
        parts[1::2] = [children[key] for key in parts[1::2]]
        return "".join(parts).replace(KNOWN, "")

    def child(self, key: str) -> str:
        """One child. What the page knows by itself is still marked."""
        make, arguments, known = self.children[key]
        return str(make(*arguments, *known))

    @property
    def size(self) -> int:
        """How many bytes it takes, about."""
        return getsizeof(self.frame) + CHILD_SIZE * (1 + len(self.children))


def placed(key: str, make: Callable[..., object], *arguments: Hashable) -> Fragment:
    """A child in its place."""
    return Fragment(marked(key), {key: (make, arguments, ())})


class FragmentCache:
    """The fragments that were used last, up to so many bytes: in two halves, of which the older one goes."""

    def __init__(self, most_bytes: int) -> None:
        self._half = most_bytes // 2
        self.cache_clear()

    def cache_clear(self) -> None:
        self._young: dict[Hashable, Fragment] = {}
        self._old: dict[Hashable, Fragment] = {}
        self._bytes = 0  # of the young ones

    def get(self, key: Hashable, make: Callable[[], Fragment]) -> Fragment:
        """What was made for this key before; else it is made."""
        if (found := self._young.get(key)) is None:
            found = self._old.get(key) or make()
            if (size := found.size) <= LARGEST_KEPT:
                self._keep(key, found, size)
        return found

    def _keep(self, key: Hashable, fragment: Fragment, size: int) -> None:
        if self._bytes + size > self._half:
            self._old, self._young, self._bytes = self._young, {}, 0
        self._young[key] = fragment
        self._bytes += size


class Render(Protocol):
    """Makes HTML of a template in a language, and of all that the template sees."""

    def __call__(self, language: str, template: str, context: Mapping[str, object], /) -> str: ...


class _Templates:
    render: Render


kept = FragmentCache(MOST_KEPT)
_templates = _Templates()


def use_templates(render: Render) -> None:
    """Say how templates are rendered: this half of the house has no engine for them."""
    _templates.render = render


P = ParamSpec("P")
Slots = Mapping[str, Fragment | Sequence[Fragment] | None]
Body = Callable[Concatenate[Words, P], Slots | None]
Component = Callable[Concatenate[Words, P], Fragment]


def component(
    template: str, *, is_kept: bool = True, is_compact: bool = False
) -> Callable[[Body[P]], Component[P]]:
    """A component whose body is a template; the function gives what the template puts into its slots, if anything.

    Kept is what many see. In a compact one, white space is one blank.
    """

    def decorate(body: Body[P]) -> Component[P]:
        names = tuple(signature(body).parameters)[1:]

        def make(said: Words, /, *args: P.args, **known: P.kwargs) -> Fragment:
            slots, children = body(said, *args, **known) or {}, dict[str, Child]()
            context = dict(zip(names, (*args, *known.values()), strict=True))
            context |= {name: _frames(slot, children) for name, slot in slots.items()}
            html = _templates.render(said.language, template, context)
            if is_compact and "<pre" not in html:
                html = " ".join(html.split())
            return Fragment(html, {key: children[key] for key in html.split(MARK)[1::2]})

        @wraps(body)
        def draw(said: Words, /, *args: P.args, **known: P.kwargs) -> Fragment:
            if not is_kept:
                return make(said, *args, **known)
            key = template, said.language, args, *known.values()
            return kept.get(key, partial(make, said, *args, **known))

        return draw

    return decorate


def _frames(slot: Fragment | Sequence[Fragment] | None, children: dict[str, Child]) -> Any:  # noqa: ANN401 - alike
    """What a template is given for a slot: frames, whose children become those of the whole."""
    if slot is None:
        return None
    if isinstance(slot, Fragment):
        children |= slot.children
        return Markup(slot.frame)  # noqa: S704 - made of templates
    return [_frames(each, children) for each in slot]
