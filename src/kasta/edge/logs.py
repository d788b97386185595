"""What is logged, for people or for programs: no names, addresses, tokens or links, and which request it was."""

from __future__ import annotations

import hashlib
import json
import logging
import sys
import traceback
from contextvars import ContextVar
from datetime import UTC, datetime

MARK = 8  # letters; two tables share one hardly ever
WHILE_SECONDS, MOST_ALIKE, MOST_KINDS = 10.0, 10, 1_000


class LoggedRequest:
    """A request under way. What outlives it, as a channel does, no longer logs in its name."""

    __slots__ = ("id",)

    def __init__(self, name: str) -> None:
        self.id = name


NOBODY = LoggedRequest("")
current_request: ContextVar[LoggedRequest] = ContextVar("current_request", default=NOBODY)


def mark(table: str) -> str:
    """A table in a log: its id lets people in, this does not, and is the same every time."""
    return hashlib.sha256(table.encode()).hexdigest()[:MARK]


def begin(level: str, form: str) -> None:
    """Log to standard error from now on."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(FORMS[form]())
    handler.addFilter(Sparing())
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)
    for name in ("uvicorn", "asyncio", "litestar"):  # theirs is for those who work on them
        logging.getLogger(name).setLevel(logging.WARNING)
    logging.getLogger("asyncpg").setLevel(logging.ERROR)  # that it could not connect is told by who wanted to


def said(record: logging.LogRecord) -> str:
    """The message. Of an error only its kind and place: what it says may be somebody's name."""
    text = record.getMessage()
    if record.name == "asyncio":
        text = text.partition("\n")[0]  # what follows shows the error
    if record.exc_info and record.exc_info[0] is not None:
        place = "".join(traceback.format_tb(record.exc_info[2]))
        text = f"{text.rstrip()}: {record.exc_info[0].__name__}\n{place}"
    return text.rstrip()


class Sparing(logging.Filter):
    """Lets a few lines of a kind through in a while, and counts the others: a flood fills no disk."""

    def __init__(self) -> None:
        super().__init__()
        self._while: dict[str, tuple[float, int]] = {}  # when it began, and how many there were

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno < logging.INFO:
            return True
        kind = str(record.msg)
        began, count = self._while.get(kind, (record.created, 0))
        if record.created - began > WHILE_SECONDS:
            if count > MOST_ALIKE:
                record.msg = f"{kind} (before it, {count - MOST_ALIKE} alike were left out)"
            began, count = record.created, 0
        if len(self._while) > MOST_KINDS:
            self._while.clear()
        self._while[kind] = began, count + 1
        return count < MOST_ALIKE


class TextFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        at = datetime.fromtimestamp(record.created).strftime("%Y-%m-%d %H:%M:%S")  # noqa: DTZ006 - people's own time
        of = f"  (request {name})" if (name := current_request.get().id) else ""
        return f"{at} {record.levelname.lower():<7} {said(record)}{of}"


class JsonFormatter(logging.Formatter):
    def format(self, record: logging.LogRecord) -> str:
        line: dict[str, object] = {
            "at": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "message": said(record),
        }
        if name := current_request.get().id:
            line["request"] = name
        line |= getattr(record, "more", {})
        return json.dumps(line, ensure_ascii=False)


FORMS: dict[str, type[logging.Formatter]] = {"text": TextFormatter, "json": JsonFormatter}
