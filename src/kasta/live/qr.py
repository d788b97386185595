"""QR codes."""

from __future__ import annotations

import io

import segno
from markupsafe import Markup


def qr_svg(link: str) -> Markup:
    """A link as an SVG picture, for a file or within a page."""
    out = io.BytesIO()
    segno.make(link, error="m").save(out, kind="svg", border=2, omitsize=True, xmldecl=False)
    return Markup(out.getvalue().decode())  # noqa: S704 - only the drawing, not the link
