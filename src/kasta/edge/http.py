"""What handlers read from a request, and the answers that most of them give."""

from __future__ import annotations

import re
from typing import Any

from litestar import Request, Response
from litestar.datastructures import FormMultiDict
from litestar.exceptions import ClientException
from litestar.response import Redirect

from kasta.edge.visitor import visitor_of
from kasta.i18n import Words

PARTS = "application/vnd.kasta.parts+json"  # what the page's script accepts: the parts of the page that changed

Visit = Request[Any, Any, Any]


def device(request: Visit) -> str:
    """Who asks; refused with a token that is not one of ours."""
    return visitor_of(request).known_device


def spoken(request: Visit) -> Words:
    """The visitor's language."""
    return visitor_of(request).words


def wants_parts(request: Visit) -> bool:
    return PARTS in request.headers.get("accept", "")


async def posted(request: Visit) -> FormMultiDict:
    """The form that was sent; refused if a part of it is in an encoding that nobody knows or can read."""
    try:
        return await request.form()
    except (LookupError, UnicodeError):
        raise ClientException from None


def whole_number(value: Any, least: int = 1) -> int | None:  # noqa: ANN401 - whatever a form holds
    text = str(value or "")
    return int(text) if re.fullmatch(r"\d{1,6}", text, re.ASCII) and int(text) >= least else None


def html(content: str, status: int = 200) -> Response[str]:
    return Response(content, status_code=status, media_type="text/html", headers={"cache-control": "no-store"})


def back_to(table: str, query: str = "") -> Redirect:
    return Redirect(f"/t/{table}{query}", status_code=303)
