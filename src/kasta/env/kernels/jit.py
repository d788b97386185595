"""How kernels are compiled: once a machine, and again whenever a source of the environments changes."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])

_CONFIG: Any = numba.config  # its settings have no types

OPTIONS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy", "nogil": True}


def _folder() -> Path:
    """Numba notices changes in a kernel's own file only, not in what it calls: so all sources name the folder."""
    digest = sha256()
    for source in sorted(Path(__file__).parents[1].rglob("*.py")):
        digest.update(source.read_bytes())
    return user_cache_path("kasta") / "kernels" / digest.hexdigest()[:16]


FOLDER = _folder()


def part(function: F) -> F:
    """Compile a function that only kernels call."""
    compiled: F = numba.njit(forceinline=True, **OPTIONS)(function)
    return compiled


def kernel(function: F) -> F:
    """Compile a function and all its parts, and keep the result for the next process."""
    before = _CONFIG.CACHE_DIR
    _CONFIG.CACHE_DIR = str(FOLDER)  # read while decorating only: other users of numba keep their own
    try:
        compiled: F = numba.njit(cache=True, **OPTIONS)(function)
    except RuntimeError:  # nowhere to write: compile in every process
        compiled = numba.njit(**OPTIONS)(function)
    finally:
        _CONFIG.CACHE_DIR = before
    return compiled
