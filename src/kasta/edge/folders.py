"""Where templates, styles and scripts are: in the page's folder, and in one for each feature, ours and others'."""

from __future__ import annotations

from pathlib import Path

PACKAGE = Path(__file__).parents[1]
PAGE = PACKAGE / "page"
FEATURES = {
    folder.name: folder for folder in sorted((PACKAGE / "features").iterdir()) if (folder / "__init__.py").exists()
}


def feature_of(template: str) -> str:
    """A feature's templates are called NAME/...; '' for those that belong to none."""
    name, _, _ = template.partition("/")
    return name if name in FEATURES else ""


def template_path(template: str) -> Path:
    if name := feature_of(template):
        return FEATURES[name] / "templates" / template.removeprefix(f"{name}/")
    return PAGE / "templates" / template
