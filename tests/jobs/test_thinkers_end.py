"""A process that thinks ends when nobody waits for it any more, however long its thought would take."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

LONG = """
import asyncio, time
from kasta.jobs.workers import ThinkerPool

async def main():
    pool = ThinkerPool(1)
    await pool.ask("anna", abs, -1)  # it has begun
    pool.ask("anna", time.sleep, 600)
    await asyncio.sleep(0.5)
    pool.close()

if __name__ == "__main__":
    asyncio.run(main())
"""


def test_a_program_does_not_wait_for_a_thought_when_it_ends(tmp_path: Path):
    program = tmp_path / "long.py"
    program.write_text(LONG)
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False, timeout=60)
    assert (done.returncode, done.stderr) == (0, "")
