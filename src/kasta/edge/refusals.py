"""How the API refuses, for its description."""

from __future__ import annotations

from litestar.openapi.datastructures import ResponseSpec

from kasta.wire.tables import Refusal

REFUSALS = {
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
    }.items()
}
