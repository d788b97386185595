"""What a test leaves running, or in shared memory, is noticed when all tests have run."""

from __future__ import annotations

import mmap
import os
import secrets
import subprocess
import sys

import pytest

from support.fixtures.left_behind import MARK, SHARED_MEMORY, processes, unused_memory

pytestmark = pytest.mark.skipif(not SHARED_MEMORY.exists(), reason="this system shows no shared memory")
LEAVES = """
import os, subprocess, sys
os.setsid()
subprocess.Popen([sys.executable, "-c", "import time; print(1, flush=True); time.sleep(60)"])
"""


def test_a_process_is_found_when_those_who_started_it_have_ended():
    mark = secrets.token_hex(8)
    with subprocess.Popen(
        [sys.executable, "-c", LEAVES], stdout=subprocess.PIPE, env=os.environ | {MARK: mark}
    ) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == b"1\n"
        assert parent.wait() == 0
        (found,) = processes(mark)
        assert "time.sleep(60)" in found
        os.kill(int(found.split()[1].rstrip(":")), 9)
        assert parent.stdout.read() == b""
    assert processes(mark) == []


def test_shared_memory_is_left_behind_when_nobody_uses_it():
    path = SHARED_MEMORY / f"kasta_test_{secrets.token_hex(8)}"
    with path.open("wb+") as file:
        file.truncate(mmap.PAGESIZE)
        try:
            assert str(path) in unused_memory()
            with mmap.mmap(file.fileno(), mmap.PAGESIZE):
                assert str(path) not in unused_memory()
        finally:
            path.unlink()
    assert str(path) not in unused_memory()
