"""How kernels are compiled: once a machine, and again whenever a source of the environments changes."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

from kasta.extras import extra

with extra("rl"):
    import numba

from kasta.solve.jit import folder_for, kept

F = TypeVar("F", bound=Callable[..., Any])

FOLDER = folder_for(Path(__file__).parents[1].rglob("*.py"))

OPTIONS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy", "nogil": True}


def part(function: F) -> F:
    """Compile a function that only kernels call."""
    compiled: F = numba.njit(forceinline=True, **OPTIONS)(function)
    return compiled


def kernel(function: F) -> F:
    return kept(function, FOLDER, OPTIONS)
