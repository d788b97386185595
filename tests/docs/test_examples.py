"""Every example in README and docs does what it says."""

from __future__ import annotations

import doctest
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TESTED_AS_A_PACKAGE = {"adding-a-game.md"}  # by tests/games/test_example_game.py
INSTALLED = {"adding-a-feature.md"}  # by tests/features/of_others
PAGES = [
    ROOT / "README.md",
    *(page for page in sorted((ROOT / "docs").rglob("*.md")) if page.name not in TESTED_AS_A_PACKAGE | INSTALLED),
]
TYPED = [ROOT / "README.md", ROOT / "docs/library.md"]
FENCE = re.compile(r"^```(\w+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def blocks(page: Path, language: str) -> list[str]:
    return [text for name, text in FENCE.findall(page.read_text("utf-8")) if name == language]


def pages_with(language: str) -> list[object]:
    return [pytest.param(page, id=page.name) for page in PAGES if blocks(page, language)]


@pytest.mark.parametrize("page", [*pages_with("python"), *(ROOT / "docs" / name for name in TESTED_AS_A_PACKAGE)])
def test_python_examples_run(page: Path):
    prompts: list[str] = []
    programs: list[str] = []
    for block in blocks(page, "python"):
        (prompts if block.startswith(">>>") else programs).append(block)
    if page.name in TESTED_AS_A_PACKAGE:
        programs.clear()
    program = compile("\n".join(programs), str(page), "exec", dont_inherit=True)
    exec(program, {"__name__": page.stem})  # noqa: S102 - our own page
    example = doctest.DocTestParser().get_doctest("\n".join(prompts), {}, page.name, str(page), 0)
    assert doctest.DocTestRunner().run(example).failed == 0


def test_typed_examples_pass_mypy_strict(tmp_path: Path):
    for page in TYPED:
        prompts = "\n".join(block for block in blocks(page, "python") if block.startswith(">>>"))
        statements = [example.source for example in doctest.DocTestParser().get_examples(prompts)]
        (tmp_path / f"{page.stem.lower()}.py").write_text("".join(statements), "utf-8")
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file="]  # as anybody would
    command += ["--cache-dir", str(ROOT / ".mypy_cache/examples"), *map(str, sorted(tmp_path.glob("*.py")))]
    command += map(str, sorted((ROOT / "examples/library").glob("*.py")))
    done = subprocess.run(
        command,
        env={**os.environ, "MYPYPATH": str(ROOT / "src")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("page", pages_with("console"))
def test_console_examples_print_what_they_show(page: Path, tmp_path: Path):
    path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
    for block in blocks(page, "console"):
        for command, expected in sessions(block):
            if command.startswith("make "):
                continue  # the run that tests this page was started by it
            done = subprocess.run(
                ["bash", "-c", command],
                cwd=tmp_path,
                env={**os.environ, "PATH": path},
                stdout=subprocess.PIPE,
                stderr=subprocess.STDOUT,
                text=True,
                check=False,
            )
            assert done.stdout == expected, command


def sessions(block: str) -> list[tuple[str, str]]:
    """The commands of a console block, each with its output; `> ` continues a command."""
    found: list[tuple[str, str]] = []
    for line in block.splitlines(keepends=True):
        if line.startswith("$ "):
            found.append((line[2:], ""))
        elif line.startswith("> "):
            found[-1] = (found[-1][0] + line[2:], "")
        else:
            found[-1] = (found[-1][0], found[-1][1] + line)
    return found
