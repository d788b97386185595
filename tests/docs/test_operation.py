"""The tables of settings and metrics are those of the code, and boards and alerts ask for what there is."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
import yaml  # type: ignore[import-untyped]
from typer.main import get_command

from kasta.cli import app
from kasta.cli.serve.settings import DEFAULTS, TYPES, about, configured
from kasta.metrics import METRICS
from support.fixtures.golden import Golden

ROOT = Path(__file__).parents[2]
ENDS = ("_bucket", "_sum", "_count")
KNOWN = {"kasta_info", "up"} | {
    name + end for name, metric in METRICS.items() for end in (ENDS if metric.kind == "histogram" else ("",))
}


def settings_table() -> list[str]:
    options = {parameter.name for parameter in get_command(app).commands["serve"].params}  # type: ignore[attr-defined]
    lines = ["| setting | option | default | what it is |", "| --- | --- | --- | --- |"]
    for key in TYPES:
        option = f"`--{key.replace('_', '-')}`" if key in options else ""
        default = DEFAULTS[key]
        shown = f"`{json.dumps(default)}`" if default or default is False else "none"
        lines.append(f"| `{key}` | {option} | {shown} | {about(key)} |")
    return lines


def metrics_table() -> list[str]:
    lines = ["| metric | kind | labels | what it is |", "| --- | --- | --- | --- |"]
    for name, metric in METRICS.items():
        labels = ", ".join(f"`{label}`" for label in metric.labels)
        lines.append(f"| `{name}` | {metric.kind} | {labels} | {metric.about} |")
    return lines


@pytest.mark.parametrize(
    ("page", "mark", "table"), [("hosting", "settings", settings_table), ("monitoring", "metrics", metrics_table)]
)
def test_the_table_is_that_of_the_code(page: str, mark: str, table: Any, golden: Golden):  # noqa: ANN401
    path = ROOT / f"docs/{page}.md"
    before, begin, rest = path.read_text("utf-8").partition(f"<!-- {mark} -->\n")
    _, end, after = rest.partition(f"<!-- /{mark} -->\n")
    golden(path, before + begin + "\n".join(table()) + "\n" + end + after)


def test_the_file_of_settings_on_the_page_can_be_used(tmp_path: Path):
    (shown,) = re.findall(r"```toml\n(.*?)```", (ROOT / "docs/hosting.md").read_text("utf-8"), re.DOTALL)
    file = tmp_path / "kasta.toml"
    file.write_text(shown)
    assert configured(str(file)).proxy == ("127.0.0.1",)


def asked_for(query: str) -> set[str]:
    """The metrics that a query names."""
    plain = re.sub(r"\{[^}]*\}|\[[^]]*\]|\b(?:by|without) \([^)]*\)", "", query)
    return set(re.findall(r"[a-z][a-z_]+\b(?!\s*\()", plain)) - {"by"}


def alerts() -> list[dict[str, Any]]:
    (group,) = yaml.safe_load((ROOT / "deploy/alerts.yml").read_text("utf-8"))["groups"]
    rules: list[dict[str, Any]] = group["rules"]
    return rules


def panels() -> list[dict[str, Any]]:
    board = json.loads((ROOT / "deploy/grafana.json").read_text("utf-8"))
    return [panel for panel in board["panels"] if panel["type"] != "row"]


@pytest.mark.parametrize("rule", alerts(), ids=lambda rule: rule["alert"])
def test_an_alert_asks_for_what_there_is_and_is_explained(rule: dict[str, Any]):
    assert asked_for(rule["expr"])
    assert asked_for(rule["expr"]) <= KNOWN
    assert {"severity"} == rule["labels"].keys()
    assert f"\n| `{rule['alert']}` | " in (ROOT / "docs/monitoring.md").read_text("utf-8")


@pytest.mark.parametrize("panel", panels(), ids=lambda panel: panel["title"])
def test_a_panel_asks_for_what_there_is(panel: dict[str, Any]):
    for target in panel["targets"]:
        assert asked_for(target["expr"])
        assert asked_for(target["expr"]) <= KNOWN


def test_the_board_leaves_no_metric_of_ours_out():
    shown = set[str]().union(*(asked_for(target["expr"]) for panel in panels() for target in panel["targets"]))
    ours = {name for name in METRICS if name.startswith("kasta_")}
    assert {name for name in ours if not any(each.startswith(name) for each in shown)} == set()
