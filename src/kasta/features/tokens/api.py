"""Named tokens for programs, and how to take them back."""

from __future__ import annotations

from typing import Annotated

from litestar import get, post
from litestar.di import NamedDependency
from litestar.params import JSONBody, PathParameter

from kasta.edge.http import Visit
from kasta.edge.problems import REFUSALS
from kasta.edge.visitor import visitor_of
from kasta.features.tokens.service import Tokens
from kasta.wire.tables import NewToken, TokenMade, TokensTold, TokenTold

TheTokens = NamedDependency[Tokens]


@post("/tokens", responses=REFUSALS)
async def make_token(request: Visit, data: JSONBody[NewToken], tokens: TheTokens) -> TokenMade:
    """Make a named token for a program that shall act for you. Only your own token can do that."""
    made, token = await tokens.make(visitor_of(request).owner, data.name)
    return TokenMade(made, data.name, token)


@get("/tokens", responses=REFUSALS)
async def list_tokens(request: Visit, tokens: TheTokens) -> TokensTold:
    """Your named tokens, the newest first."""
    return await _told(visitor_of(request).owner, tokens)


@post("/tokens/{token:str}/revoke", status_code=200, responses=REFUSALS)
async def revoke_token(
    request: Visit, token: Annotated[str, PathParameter(max_length=40)], tokens: TheTokens
) -> TokensTold:
    """Take a named token back: from now on it is nobody's."""
    me = visitor_of(request).owner
    await tokens.revoke(me, token)
    return await _told(me, tokens)


async def _told(device: str, tokens: Tokens) -> TokensTold:
    return TokensTold([TokenTold(made, name) for made, name in (await tokens.of(device)).items()])


API = [make_token, list_tokens, revoke_token]
