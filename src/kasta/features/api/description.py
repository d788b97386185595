"""The API's own description, made complete: meanings, examples, enums, and what streams tell."""

from __future__ import annotations

from functools import cache
from typing import Any

import msgspec
from litestar import Litestar

from kasta.features.api.words import FIELDS, OWN, PARAMETERS
from kasta.tables.events import AnyEvent
from kasta.tables.rights import Rights, SeatRights
from kasta.wire.tables import Hearing

Schema = dict[str, Any]

STREAM = "/api/tables/{table}/stream"
REF = "#/components/schemas/"
KINDS = ["unreadable", "illegal", "conflict", "unavailable", "http"]


@cache
def description(app: Litestar) -> Schema:
    """The OpenAPI document of the application."""
    return explained(app.openapi_schema.to_schema())


def explained(document: Schema) -> Schema:
    """The same document, in which every field is explained."""
    schemas = document["components"]["schemas"]
    events = _of_streams()
    _without_false_items(events)
    schemas |= {name: schema for name, schema in events.items() if name not in schemas}
    _enum(schemas["TableState"]["properties"]["may"]["items"], [*Rights.__struct_fields__])
    _enum(schemas["SeatState"]["properties"]["may"]["items"], [*SeatRights.__struct_fields__])
    _enum(schemas["Problem"]["properties"]["kind"], KINDS)
    for name, schema in schemas.items():
        _explain_fields(name, schema.get("properties", {}))
    for methods in document["paths"].values():
        for operation in methods.values():
            _explain_operation(operation)
    _explain_stream(document["paths"][STREAM]["get"]["responses"]["200"], events)
    return document


def _explain_fields(name: str, fields: dict[str, Schema]) -> None:
    """Features of others explain theirs by themselves."""
    for field, about in fields.items():
        if found := OWN.get((name, field)) or FIELDS.get(field):
            _explain(about, *found)


def _explain_operation(operation: Schema) -> None:
    for parameter in operation.get("parameters", ()):
        if found := PARAMETERS.get(parameter["name"]):
            parameter |= dict(zip(("description", "example"), found, strict=True))
    for answer in operation["responses"].values():
        _without_null(answer)


def _explain_stream(told: Schema, events: dict[str, Schema]) -> None:
    told["description"] = (
        "Server-sent events. The data of each is one of these objects, and its id is its place in the log."
    )
    told["content"]["text/event-stream"]["schema"] = {
        "oneOf": [{"$ref": f"{REF}{name}"} for name in events if name.endswith("Event") or name == "Hearing"]
    }


def _of_streams() -> dict[str, Schema]:
    """The schemas of what streams tell. Events are called so, because answers have names like theirs."""
    own = [*AnyEvent.__args__, Hearing]
    _, found = msgspec.json.schema_components(own, ref_template=REF + "{name}")
    named = {kind.__name__: f"{kind.__name__.removesuffix('Event')}Event" for kind in AnyEvent.__args__}
    return {named.get(name, name): schema | {"title": named.get(name, name)} for name, schema in found.items()}


def _without_false_items(schema: object) -> None:
    """A list of fixed length says so by its length alone: many generators take no `items: false`."""
    if isinstance(schema, dict):
        if schema.get("items") is False:
            del schema["items"]
        schema = list(schema.values())
    for part in schema if isinstance(schema, list) else ():
        _without_false_items(part)


def _without_null(answer: Schema) -> None:
    """An answer that can be empty is another status: its own is never null."""
    for told in answer.get("content", {}).values():
        if {"type": "null"} in told["schema"].get("oneOf", ()):
            (told["schema"],) = (each for each in told["schema"]["oneOf"] if each != {"type": "null"})


def _enum(schema: Schema, names: list[str]) -> None:
    schema["enum"] = names


def _explain(about: Schema, meaning: str, example: object) -> None:
    """Beside a reference nothing else may stand in older readers' eyes, so it is wrapped."""
    if "$ref" in about:
        about["allOf"] = [{"$ref": about.pop("$ref")}]
    about["description"] = meaning
    if "const" not in about and "enum" not in about:
        about.setdefault("examples", [example])
    elif "enum" in about:
        about.setdefault("examples", about["enum"][:1])
    else:
        about.setdefault("examples", [about["const"]])
