"""`kasta site`: every page in every language, and every address leads to a file, wherever all of it lies."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from posixpath import normpath

import pytest

from kasta.features.pocket.packing.values import values_named
from kasta.games import OURS
from kasta.i18n import DEFAULT, LANGUAGES
from support.visitors import KASTA

ADDRESS = re.compile(r"""(?:href|src|action|srcset)="([^"]*)\"""")


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the command has written, into a folder that was not there."""
    folder = tmp_path_factory.mktemp("site") / "a" / "b"
    subprocess.run([KASTA, "site", "-o", folder], check=True)
    return folder


def pages(files: Path) -> Iterator[tuple[str, str]]:
    for path in sorted(files.rglob("*.html")):
        yield path.relative_to(files).as_posix(), path.read_text("utf-8")


def test_home_and_rules_of_every_game_are_there_in_every_language(files: Path):
    for language in LANGUAGES:
        folder = files if language == DEFAULT else files / language
        for path in ("", "play", *(f"rules/{game}" for game in OURS)):
            text = (folder / path / "index.html").read_text("utf-8")
            assert f'<html lang="{language}"' in text
            assert text.count(' aria-current="true"') == 1


def test_every_address_is_relative_and_leads_to_a_file(files: Path):
    found = list(pages(files))
    assert len(found) == len(LANGUAGES) * (2 + len(OURS))
    for path, text in found:
        addresses = [each for each in ADDRESS.findall(text) if not each.startswith("#")]
        assert len(addresses) > 5
        for address in addresses:
            assert re.match(r"\.\.?/|[\w-]", address), (path, address)
            assert ":" not in address, (path, address)
            way = address.partition("?")[0]
            target = normpath(f"{path.rpartition('/')[0] or '.'}/{way}")
            assert not target.startswith(".."), (path, address)
            file = files / target / "index.html" if way.endswith("/") or target == "." else files / target
            assert file.is_file(), (path, address)


def test_every_language_links_to_the_same_page_in_all_others(files: Path):
    swedish = (files / "sv/rules/knister/index.html").read_text("utf-8")
    assert 'hreflang="de" href="../../../de/rules/knister/"' in swedish
    assert 'hreflang="en" href="../../../rules/knister/"' in swedish


def test_the_worker_finds_its_files_beside_it(files: Path):
    worker = (files / "play/worker.js").read_text("utf-8")
    packed = {path.name for path in (files / "play/packed").iterdir()}
    assert len(packed) == 1 + len(LANGUAGES)  # Brython, our modules, a language without English
    assert set(re.findall(r"packed/([\w.-]+)", worker)) == packed
    values = re.findall(r'"(values/[^"]*)"', worker)
    assert len(values) == len(values_named()) > 0
    assert all((files / "play" / address).is_file() for address in values)
    for path, text in pages(files):
        for address in re.findall(r'data-(?:worker|table-\w+|page-script)="([^"]*)"', text):
            assert (files / normpath(f"{path.rpartition('/')[0]}/{address}")).is_file(), (path, address)


def test_nothing_is_written_that_no_page_loads(files: Path):
    text = "".join(text for _, text in pages(files))
    for path in files.rglob("static/**/*"):
        assert path.is_dir() or f"/{path.relative_to(files).as_posix()}" in text


def test_what_cannot_be_written_is_said_in_a_sentence(tmp_path: Path):
    taken = tmp_path / "index.html"
    taken.mkdir()
    ran = subprocess.run([KASTA, "site", "-o", tmp_path], capture_output=True, text=True, check=False)
    assert ran.returncode == 1
    assert "index.html" in ran.stderr
    assert "Traceback" not in ran.stderr
