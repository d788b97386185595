"""Time that has passed, without waiting for it."""

from __future__ import annotations

import time

import pytest


def let_pass(monkeypatch: pytest.MonkeyPatch, seconds: float) -> None:
    """The steady clock is so many seconds ahead from now on, and goes on: a clock that stood would wake nobody."""
    steady = time.monotonic
    monkeypatch.setattr(time, "monotonic", lambda: steady() + seconds)
