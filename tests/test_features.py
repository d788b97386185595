"""A feature is one place: nothing outside its folder names it, and the site goes on without it.

`python tests/test_features.py` counts for each feature the files of its own, and those outside that name it.
"""

from __future__ import annotations

import re
from pathlib import Path

import httpx
import pytest

from kasta.app import OURS, create_app
from kasta.db.schema import steps
from kasta.db.sqlite.memory import MemoryLog
from kasta.edge.config import Config
from kasta.feature import Feature

SOURCE = Path(__file__).parents[1] / "src/kasta"
TEXTS = {".py", ".html", ".css", ".js", ".sql"}
APP = SOURCE / "app.py"
PAGES = [
    "/",
    "/new/knister",
    "/rules/knister",
    "/day",
    "/puzzle",
    "/games",
    "/practice/knister",
    "/print",
    "/tokens",
]


def own_files(feature: Feature) -> list[Path]:
    return [path for path in feature.folder.rglob("*") if path.suffix in TEXTS]


def naming(feature: Feature) -> list[str]:
    """The files outside of a feature's folder that name its modules, templates, styles or scripts."""
    name = feature.name
    names = re.compile(
        rf"features[./]{name}\b|import {name}$|[\"'(]{name}/[\w/]+\.(?:html|js|css)|[\"']{name}\.css"
    )
    outside = (path for path in SOURCE.rglob("*") if path.suffix in TEXTS and feature.folder not in path.parents)
    return [
        str(path.relative_to(SOURCE)) for path in outside if path != APP and names.search(path.read_text("utf-8"))
    ]


@pytest.mark.parametrize("feature", OURS, ids=lambda feature: feature.name)
def test_nothing_outside_its_folder_names_a_feature(feature: Feature):
    assert naming(feature) == []


def test_every_folder_of_a_feature_is_one_that_app_lists():
    folders = {path.parent for path in (SOURCE / "features").glob("*/__init__.py")}
    assert folders == {feature.folder for feature in OURS}
    assert [feature.name for feature in OURS] == [feature.folder.name for feature in OURS]


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_the_steps_of_all_features_follow_on_each_other(kind: str):
    numbers = [number for number, _ in steps(kind, 0)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("without", OURS, ids=lambda feature: feature.name)
async def test_the_site_goes_on_without_a_feature(without: Feature):
    """The home page, a table's page, and a throw and a pick on it."""
    left = [feature for feature in OURS if feature is not without]
    async with MemoryLog() as log:
        app = await create_app(log, Config(allow=("kasta.test",)), features=left)
        own = {"origin": "http://kasta.test"}
        async with httpx.AsyncClient(
            transport=httpx.ASGITransport(app), base_url="http://kasta.test", headers=own, follow_redirects=True
        ) as client:
            answers = {address: (await client.get(address)).status_code for address in PAGES}
            assert set(answers.values()) <= {200, 404}, answers
            assert sum(status == 404 for status in answers.values()) <= 1, answers
            if without.name == "lobby":
                return  # it opens tables
            table = (await client.post("/new/knister", data={"alone": "1"})).url.path
            assert (await client.get(table)).status_code == 200
            thrown = await client.post(f"{table}/roll", data={"turn": "0"})
            assert "/play" in thrown.text
            picked = await client.post(f"{table}/play", data={"turn": "1", "seat": "0", "step": "0", "do": "c3"})
            assert picked.status_code == 200


if __name__ == "__main__":
    for each in OURS:
        print(f"{each.name:10} {len(own_files(each)):3} files of its own, {len(naming(each))} outside name it")
