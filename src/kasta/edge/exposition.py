"""Metrics as Prometheus reads them, those of all workers: each leaves its own for the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from msgspec import json

from kasta import __version__
from kasta.metrics import METRICS

TYPE = "text/plain; version=0.0.4"  # Litestar adds the encoding
LEAVE_SECONDS = 5.0  # how old another worker's numbers may be

Lines = dict[str, list[str]]  # of each metric


class Exposition:
    """The metrics of this process, worker number `place`, and of those that leave theirs in the same folder."""

    def __init__(self, folder: Path | None = None, place: int = 0) -> None:
        self.folder, self._place = folder, place

    def text(self) -> str:
        workers = [self._own(), *self._of_others()]
        told = [f"# TYPE kasta_info gauge\nkasta_info{_braces({'version': __version__})} 1\n"]
        for name, metric in METRICS.items():
            told.append(f"# HELP {name} {metric.about}\n# TYPE {name} {metric.kind}\n")
            told += (f"{line}\n" for lines in workers for line in lines.get(name, ()))
        return "".join(told)

    def leave(self) -> None:
        """Put this process's numbers where the others find them."""
        if self.folder is not None:
            draft = self.folder / f"{self._place}.new"
            draft.write_bytes(json.encode(self._own()))
            draft.replace(self._file)

    @property
    def _file(self) -> Path:
        return (self.folder or Path()) / f"{self._place}.json"

    def _own(self) -> Lines:
        worker = {"worker": str(self._place)}
        return {
            name: [
                f"{name}{end}{_braces(worker | labels)} {value:.10g}" for end, labels, value in metric.samples()
            ]
            for name, metric in METRICS.items()
        }

    def _of_others(self) -> Iterator[Lines]:
        for path in sorted(self.folder.glob("*.json")) if self.folder else ():
            if path != self._file:
                yield json.decode(path.read_bytes(), type=Lines)


def _braces(labels: Mapping[str, str]) -> str:
    pairs = (f'{name}="{_escaped(value)}"' for name, value in labels.items())
    return f"{{{','.join(pairs)}}}"


def _escaped(value: str) -> str:
    return value.replace("\\", r"\\").replace('"', r"\"").replace("\n", r"\n")
