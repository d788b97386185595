"""How kernels are compiled, for solvers and environments alike.

Three decorators: `kernel` for what Python calls, compiled once per machine and kept; `part` for what only kernels
call; `inline` for small parts that are compiled into each of their callers.

The `lean_` versions are for kernels that allocate nothing. Their parts take many arrays at once, as named tuples.
Numba counts references to every array at every call, also in calls that it inlines, and that took nine tenths of
the time: without allocations there is nothing to count.
"""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, Protocol, TypeVar

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

PACKAGE = Path(__file__).parents[1]
SOURCES = ("core.py", "games", "solve", "env")  # what kernels are made of, and what fills their arrays

OPTIONS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy", "nogil": True}
LEAN = {**OPTIONS, "_nrt": False}
ONLY_FOR_KERNELS = {"no_cpython_wrapper": True, "no_cfunc_wrapper": True}  # ways in that take long to make
INLINE = {"forceinline": True}


def cache_folder(package: Path = PACKAGE) -> Path:
    """Where compiled kernels are kept, one folder for each state of the sources.

    Numba notices a change in a kernel's own file only, not in what it calls: so all sources name the folder.
    """
    digest = sha256()
    for source in SOURCES:
        path = package / source
        for file in sorted(path.rglob("*.py")) if path.is_dir() else [path]:
            digest.update(file.relative_to(package).as_posix().encode() + b"\0" + file.read_bytes())
    return user_cache_path("kasta") / "kernels" / digest.hexdigest()[:16]


FOLDER = cache_folder()


class Decorator(Protocol):
    def __call__(self, function: F, /) -> F: ...


def _kept(options: dict[str, Any]) -> Decorator:
    def decorate(function: F, /) -> F:
        before = numba.config.CACHE_DIR
        numba.config.CACHE_DIR = str(FOLDER)  # read while decorating only: other users of numba keep their own
        try:
            compiled: F = numba.njit(cache=True, no_cfunc_wrapper=True, **options)(function)
        except RuntimeError:  # nowhere to write: compile in every process
            compiled = numba.njit(no_cfunc_wrapper=True, **options)(function)
        finally:
            numba.config.CACHE_DIR = before
        return compiled

    return decorate


kernel = _kept(OPTIONS)
part: Decorator = numba.njit(**OPTIONS, **ONLY_FOR_KERNELS)
inline: Decorator = numba.njit(**OPTIONS, **ONLY_FOR_KERNELS, **INLINE)

lean_kernel = _kept(LEAN)
lean_part: Decorator = numba.njit(**LEAN, **ONLY_FOR_KERNELS)
lean_inline: Decorator = numba.njit(**LEAN, **ONLY_FOR_KERNELS, **INLINE)
