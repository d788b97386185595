"""`kasta` as a process of its own, forked from one that has loaded it: loading takes longer than all else."""

from __future__ import annotations

import multiprocessing
import os
import sys
import tempfile
from collections.abc import Mapping
from multiprocessing.process import BaseProcess
from pathlib import Path
from subprocess import CompletedProcess

from kasta.cli import COMMANDS, main

FORKING = multiprocessing.get_context("forkserver")
FORKING.set_forkserver_preload(
    [
        *sorted({f"kasta.cli.{module}" for module in COMMANDS.values()}),
        "kasta.cli.commands",
        "kasta.db.sqlite.log",
        "kasta.db.postgres.log",
        "kasta.tables.service",
        "kasta.app",
        "importlib.metadata",
        "pydantic",  # for Typer
    ]
)


def kasta(
    *args: str, given: str | bytes = "", environment: Mapping[str, str] | None = None
) -> CompletedProcess[bytes]:
    """Run a command in the folder where we are; what it says and its exit code are those of a process."""
    with tempfile.TemporaryDirectory() as name:
        stdin, stdout, stderr = files = [Path(name, stream) for stream in ("stdin", "stdout", "stderr")]
        stdin.write_bytes(given.encode() if isinstance(given, str) else given)
        process = FORKING.Process(target=_run, args=(args, files, environment or {}))
        process.start()
        process.join()
        assert process.exitcode is not None
        return CompletedProcess(args, process.exitcode, stdout.read_bytes(), stderr.read_bytes())


def begin(*args: str, errors: Path, environment: Mapping[str, str]) -> BaseProcess:
    """Begin a command that goes on until it is told to end. What it complains of is added to a file."""
    files = [Path(os.devnull), Path(os.devnull), errors]
    process = FORKING.Process(target=_run, args=(args, files, environment), daemon=True)
    process.start()
    return process


def _run(args: tuple[str, ...], files: list[Path], environment: Mapping[str, str]) -> None:
    os.environ.update(environment)
    for number, (file, mode) in enumerate(zip(files, ("rb", "wb", "ab"), strict=True)):
        with file.open(mode) as stream:
            os.dup2(stream.fileno(), number)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115 - a fork has none to begin with
    sys.argv = ["kasta", *args]
    main()
