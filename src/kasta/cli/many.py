"""Options of the commands that take many cores, or many machines."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

Processes = Annotated[
    int | None, typer.Option("--processes", metavar="P", help="How many work; by default, one for each core.")
]
Cluster = Annotated[
    str | None,
    typer.Option("--cluster", metavar="ADDRESS", help="Have a Dask cluster do it (docs/clusters.md)."),
]
Resume = Annotated[
    Path | None, typer.Option("--resume", metavar="FILE", help="Keep what is done there, and go on from it.")
]
