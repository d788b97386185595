"""How kernels that allocate nothing are compiled.

Their parts take many arrays at once, as named tuples. Numba counts references to every array at every call, also
in calls that it inlines, and that took nine tenths of the time: without allocations there is nothing to count.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import numba

from kasta.solve.jit import FOLDER, kept

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
    return kept(function, FOLDER, {**_OPTIONS, "no_cfunc_wrapper": True})
