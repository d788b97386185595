"""How the server says no: the status of each error, and its sentence as JSON, as a page or as a line."""

from __future__ import annotations

import logging
import re
import time
import traceback
from collections.abc import Callable
from typing import Any

from litestar import Response
from litestar.exceptions import ClientException, HTTPException, ValidationException
from litestar.openapi.datastructures import ResponseSpec
from litestar.status_codes import (
    HTTP_400_BAD_REQUEST,
    HTTP_404_NOT_FOUND,
    HTTP_405_METHOD_NOT_ALLOWED,
    HTTP_503_SERVICE_UNAVAILABLE,
)

from kasta import metrics
from kasta.edge.http import Visit, html, spoken, wants_parts
from kasta.errors import Conflict, Illegal, KastaError, Unavailable
from kasta.i18n import Words
from kasta.wire.tables import Problem, Refusal

logger = logging.getLogger(__name__)

LONGEST_FIELD = 100  # of what is named in an answer
RETRY_SECONDS = 2  # while the store does not answer
QUIET_SECONDS = 10.0  # between two lines in the log that say the same of the store

ErrorPage = Callable[[Words, str, str], str]
"""Draws a page of a sentence and a way back."""

REFUSALS = {  # for the description of the API
    status: ResponseSpec(Refusal, description=text, generate_examples=False)
    for status, text in {
        400: "Unreadable.",
        401: "The token is not one of ours.",
        403: "From another site.",
        404: "No such table or seat.",
        409: "Something else came first.",
        413: "Too large.",
        414: "The address is too long.",
        421: "The server does not answer to that name.",
        422: "Against the rules.",
        429: "Too often.",
        431: "The headers are too long.",
        503: "The store cannot be used now.",
        507: "The disk is nearly full.",
    }.items()
}


STATUS = {
    "bad_token": 401,
    "no_such_table": 404,
    "no_such_seat": 404,
    "no_such_token": 404,
    "no_such_day": 404,
    "no_such_circle": 404,
    "too_many_streams_in_all": 503,  # whoever asks is not to blame
    "store_failed": 503,
    "no_room": 507,
}
STATUS_OF_KIND = {
    Unavailable: 500,
    Conflict: 409,
    Illegal: 422,
    KastaError: 400,
}  # 500: trying again does not help


def status_of(error: KastaError) -> int:
    of_code = 429 if error.code.startswith("too_many_") else None
    of_kind = next(status for kind, status in STATUS_OF_KIND.items() if isinstance(error, kind))
    return STATUS.get(error.code) or of_code or of_kind


class Problems:
    """The exception handlers of the app."""

    def __init__(self, error_page: ErrorPage) -> None:
        self._error_page = error_page
        self._quiet_until: dict[str, float] = {}
        self.handlers: dict[int | type[Exception], Any] = {
            Unavailable: self._unavailable,
            KastaError: self._refused,
            HTTPException: self._failed,
            RecursionError: self._garbled,
            UnicodeDecodeError: self._garbled,
            Exception: self._broken,
        }

    def _unavailable(self, request: Visit, error: Unavailable) -> Response[Any]:
        """What ails the store is for whoever hosts it: visitors hear neither addresses nor paths."""
        said, status = spoken(request), status_of(error)
        if status != HTTP_503_SERVICE_UNAVAILABLE:
            text = said.say("This table cannot be continued on this server.")
            return self._answer(request, status, text, Unavailable(error.code))
        self._log_trouble(error)
        text = said.say("The store does not answer: try again in a moment.")
        answer = self._answer(request, status, text, Unavailable(error.code))
        answer.headers["retry-after"] = str(RETRY_SECONDS)
        return answer

    def _log_trouble(self, error: Unavailable) -> None:
        """A store that is down refuses thousands: that is said once in a while."""
        now = time.monotonic()
        if now >= self._quiet_until.get(error.code, 0.0):
            self._quiet_until[error.code] = now + QUIET_SECONDS
            logger.warning("%s", error)

    def _refused(self, request: Visit, error: KastaError) -> Response[Any]:
        """What the rules refuse, in the visitor's language."""
        answer = self._answer(request, status_of(error), spoken(request).error(error), error)
        if "seconds" in error.params:
            answer.headers["retry-after"] = str(error.params["seconds"])
        return answer

    def _failed(self, request: Visit, error: HTTPException) -> Response[Any]:
        said, field = spoken(request), _wrong_field(error)
        if error.status_code == HTTP_404_NOT_FOUND:
            text = said.say("There is nothing here.")
        elif field:
            text = said.say("That did not work: check “{field}”.", field=field)
        elif error.status_code == HTTP_400_BAD_REQUEST and request.url.path.startswith("/api"):
            text = said.say("The body must be a JSON object.")
        elif error.status_code == HTTP_405_METHOD_NOT_ALLOWED:
            text = said.say("This address does not answer {method}.", method=request.method)
        else:
            text = said.say("That did not work.")
        answer = self._answer(request, error.status_code, text, field=field)
        answer.headers.update(error.headers or {})
        return answer

    def _garbled(self, request: Visit, _error: Exception) -> Response[Any]:
        """A body nested too deeply, or no UTF-8, which the decoder does not call a fault of the sender's."""
        return self._failed(request, ClientException())

    def _broken(self, request: Visit, error: Exception) -> Response[Any]:
        """A fault of ours. It is logged by its kind and place, without names, tokens or links."""
        place = "".join(traceback.format_tb(error.__traceback__))
        logger.error("a fault: %s\n%s", type(error).__name__, place)
        return self._answer(request, 500, spoken(request).say("That did not work."))

    def _answer(
        self, request: Visit, status: int, text: str, error: KastaError | None = None, field: str | None = None
    ) -> Response[Any]:
        kind, code = (error.kind, error.code) if error else ("http", str(status))
        metrics.REFUSALS.add(code)
        if request.url.path.startswith("/api"):
            params = error.params.items() if error else ()
            told = {key: value if isinstance(value, int) else str(value) for key, value in params}
            return Response({"error": Problem(kind, code, text, told, field)}, status_code=status)
        if wants_parts(request):
            return Response(text, status_code=status, media_type="text/plain")
        parts = request.url.path.split("/")
        back = f"/t/{parts[2]}" if parts[1] == "t" and status != HTTP_404_NOT_FOUND else "/"
        return html(self._error_page(spoken(request), text, back), status)


def _wrong_field(error: HTTPException) -> str | None:
    """What is wrong, missing or unknown in a body or query that does not fit its description."""
    if not isinstance(error, ValidationException) or not isinstance(error.extra, list) or not error.extra:
        return None
    about: dict[str, Any] = error.extra[0]
    path = [] if about.get("key") in {None, "data"} else [str(about["key"])]
    named = re.search(r"field `([^`]*)`", str(about.get("message")))
    return ".".join([*path, *([named[1]] if named else [])])[:LONGEST_FIELD] or None
