"""How kernels that allocate nothing are compiled.

Their parts take many arrays at once, as named tuples. Numba counts references to every array at every call, also
in calls that it inlines, and that took nine tenths of the time: without allocations there is nothing to count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from kasta.solve.jit import FOLDER

F = TypeVar("F", bound=Callable[..., Any])

_OPTIONS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy", "nogil": True, "_nrt": False}


def part(function: F) -> F:
    """Compile a small function into the kernels that call it."""
    compiled: F = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, forceinline=True, **_OPTIONS)(
        function
    )
    return compiled


def routine(function: F) -> F:
    """Compile a large function that kernels call."""
    compiled: F = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    return compiled


def kernel(function: F) -> F:
    """Compile a function and all its parts, and keep the result for the next process."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(FOLDER)  # read while decorating only: other users of numba keep their own
    try:
        compiled: F = numba.njit(cache=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    except RuntimeError:  # nowhere to write: compile in every process
        compiled = numba.njit(**_OPTIONS)(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled
