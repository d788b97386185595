"""What people install is the wheel, so it must work itself; `make wheels` tries it with each extra alone."""

from __future__ import annotations

import subprocess
import sys
import sysconfig
import tomllib
import venv
from importlib.metadata import distribution
from pathlib import Path
from zipfile import ZipFile

import pytest
from hatchling.builders.sdist import SdistBuilder
from packaging.requirements import Requirement

from wheels.install import ROOT, VALUES, build, run_checks

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]
SHIPPED = {".py", ".values", ".estimate"}
LARGEST_WHEEL = 4_000_000
INSTALLED = Path(sysconfig.get_path("purelib"))


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("wheel"))


@pytest.fixture(scope="module")
def values(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("values"), VALUES)


def install(folder: Path, *wheels: Path) -> tuple[Path, Path]:
    """These wheels alone in an environment of its own: its Python, and where packages lie."""
    venv.create(folder, with_pip=False)
    packages = folder / "lib" / f"python{sys.version_info.major}.{sys.version_info.minor}" / "site-packages"
    for wheel in wheels:
        with ZipFile(wheel) as file:
            file.extractall(packages)  # as pip does, only quicker
    return folder / "bin/python", packages


def needed(name: str) -> set[str]:
    """What a package needs when no extra is asked for, and what that needs."""
    found = {name}
    for text in distribution(name).requires or []:
        requirement = Requirement(text)
        if not requirement.marker or requirement.marker.evaluate({"extra": ""}):
            found |= needed(requirement.name)
    return found


def test_without_extras_the_wheel_brings_rules_records_and_the_command(wheel: Path, tmp_path: Path):
    python, packages = install(tmp_path, wheel)
    for name in needed("kasta") - {"kasta"}:
        for file in distribution(name).files or []:
            if ".." not in file.parts and "__pycache__" not in file.parts:
                target = packages / file
                target.parent.mkdir(parents=True, exist_ok=True)
                target.symlink_to(file.locate())
    run_checks(python, "", tmp_path)
    assert (packages / "kasta/py.typed").exists()
    assert not list(packages.glob("kasta/**/*.po"))


def test_with_all_extras_the_wheels_do_everything(wheel: Path, values: Path, tmp_path: Path):
    python, packages = install(tmp_path, wheel, values)
    (packages / "tests.pth").write_text(f"{INSTALLED}\n", "utf-8")
    run_checks(python, "all", tmp_path)


def test_the_values_are_in_a_wheel_of_their_own_of_a_version_that_the_extra_allows(wheel: Path, values: Path):
    with ZipFile(values) as file:
        packed = {name for name in file.namelist() if "dist-info" not in name}
    assert packed == {f"kasta_values/{each.name}" for each in VALUES.iterdir() if each.suffix in SHIPPED}
    assert wheel.stat().st_size < LARGEST_WHEEL
    needs = [Requirement(each) for each in PROJECT["optional-dependencies"]["solve"]]
    (asked,) = (each for each in needs if each.name == "kasta-values")
    assert values.name.split("-")[1] in asked.specifier


def test_who_lacks_the_values_is_told_how_to_get_them(wheel: Path, tmp_path: Path):
    """As with `kasta[openspiel]`, which brings NumPy, too."""
    python, packages = install(tmp_path, wheel)
    (packages / "tests.pth").write_text(f"{INSTALLED}\n", "utf-8")
    asked = subprocess.run(
        [python, "-c", "import kasta; kasta.find_valuer(kasta.find_game('knister'))"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
    )
    assert asked.stderr.splitlines()[-1].endswith("This needs an extra: pip install 'kasta[solve]'.")


def test_the_source_distribution_has_all_that_its_tests_need():
    """Everything that git has, but for what only runs CI; a tree without git is a source distribution itself."""
    kept = {file.distribution_path for file in SdistBuilder(str(ROOT)).recurse_included_files()}
    if (ROOT / ".git").exists():
        tracked = set(subprocess.check_output(["git", "ls-files"], cwd=ROOT, text=True).splitlines())
        assert {path for path in tracked if (ROOT / path).exists()} - kept == {".ci/run"}
    needed = {
        "Makefile",
        "pyproject.toml",
        "requirements/dev.txt",
        "examples/trappa/pyproject.toml",
        "src/kasta_values/knister.values",
        "tools/often.py",
    }
    assert needed <= kept
    assert not {path for path in kept if path.endswith((".mo", ".pyc"))}
