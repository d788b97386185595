"""How kernels are compiled: once per machine and per state of this folder's sources."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from hashlib import sha256
from pathlib import Path
from typing import Any, TypeVar

import numba
from platformdirs import user_cache_path

F = TypeVar("F", bound=Callable[..., Any])


def folder_for(sources: Iterable[Path]) -> Path:
    """Numba notices changes in a kernel's own file only, not in what it calls: so all sources name the folder."""
    digest = sha256()
    for source in sorted(sources):
        digest.update(source.read_bytes())
    return user_cache_path("kasta") / "kernels" / digest.hexdigest()[:16]


def kept(function: F, folder: Path, options: dict[str, Any]) -> F:
    """Compile a function and all its parts, and keep the result for the next process."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)  # read while decorating only: other users of numba keep their own
    try:
        compiled: F = numba.njit(cache=True, **options)(function)
    except RuntimeError:  # nowhere to write: compile in every process
        compiled = numba.njit(**options)(function)
    finally:
        numba.config.CACHE_DIR = before
    return compiled


FOLDER = folder_for(Path(__file__).parent.rglob("*.py"))

_OPTIONS: dict[str, Any] = {"boundscheck": False, "error_model": "numpy", "nogil": True}


def part(function: F) -> F:
    """Compile a function that only kernels call: without the way in from Python, which takes long to make."""
    compiled: F = numba.njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)
    return compiled


def kernel(function: F) -> F:
    return kept(function, FOLDER, {**_OPTIONS, "no_cfunc_wrapper": True})
