"""The API's description for programs (`/api/openapi.json`) and as a page for people (`/api/docs`)."""

from __future__ import annotations

import json
from dataclasses import dataclass

import msgspec
from litestar.enums import OpenAPIMediaType
from litestar.openapi.plugins import OpenAPIRenderPlugin

from kasta.edge.http import Visit
from kasta.edge.templates import render
from kasta.edge.visitor import visitor_of
from kasta.features.api.description import REF, Schema, description


@dataclass(frozen=True, slots=True)
class FieldPart:
    """A field of an object, or a parameter: its name, what it can be, what it means."""

    name: str
    kind: str
    link: str  # the object that it holds, if it holds one
    meaning: str
    example: str
    is_needed: bool


@dataclass(frozen=True, slots=True)
class ObjectPart:
    """An object of the API, with its fields."""

    name: str
    about: str
    fields: tuple[FieldPart, ...]


@dataclass(frozen=True, slots=True)
class AddressPart:
    """An address: how it is asked, what it takes, what it answers."""

    method: str
    path: str
    about: str
    parameters: tuple[FieldPart, ...]
    takes: str
    answers: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class ApiPage:
    """api/page.html: all addresses, and all objects."""

    about: str
    addresses: tuple[AddressPart, ...]
    objects: tuple[ObjectPart, ...]


class Described(OpenAPIRenderPlugin):
    """The description as JSON."""

    def __init__(self) -> None:
        super().__init__(path="/openapi.json", media_type=OpenAPIMediaType.OPENAPI_JSON)

    def render(self, request: Visit, openapi_schema: Schema) -> bytes:  # noqa: ARG002 - ours explains more
        return msgspec.json.encode(description(request.app))


class ReadablePage(OpenAPIRenderPlugin):
    """The description as a page of our own, which loads nothing from elsewhere."""

    def __init__(self) -> None:
        super().__init__(path="/docs")

    def render(self, request: Visit, openapi_schema: Schema) -> bytes:  # noqa: ARG002
        said = visitor_of(request).words
        return render(said, "api/page.html", api_page(description(request.app))).encode()


def api_page(document: Schema) -> ApiPage:
    """What the page shows of a description."""
    addresses = [
        _address(method.upper(), path, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    objects = [
        ObjectPart(name, schema.get("description", ""), _fields(schema))
        for name, schema in sorted(document["components"]["schemas"].items())
    ]
    return ApiPage(document["info"]["description"], tuple(addresses), tuple(objects))


def _address(method: str, path: str, operation: Schema) -> AddressPart:
    parameters = tuple(
        FieldPart(
            about["name"],
            _kind(about["schema"]),
            "",
            about["description"],
            _text(about["example"]),
            is_needed=about["required"],
        )
        for about in operation.get("parameters", ())
    )
    body = operation.get("requestBody", {}).get("content", {}).get("application/json", {}).get("schema", {})
    answers = {
        _link(schema)
        for status, answer in operation["responses"].items()
        if status < "400"
        for content in answer.get("content", {}).values()
        for schema in content["schema"].get("oneOf", [content["schema"]])
    }
    return AddressPart(
        method, path, operation["description"], parameters, _link(body), tuple(sorted(answers - {""}))
    )


def _fields(schema: Schema) -> tuple[FieldPart, ...]:
    needed = schema.get("required", ())
    return tuple(
        FieldPart(
            name,
            _kind(about),
            _link(about),
            about["description"],
            _text(about["examples"][0]),
            is_needed=name in needed,
        )
        for name, about in schema.get("properties", {}).items()
    )


def _kind(schema: Schema) -> str:
    """What something can be, in a few words."""
    if "const" in schema:
        return _text(schema["const"])
    if "enum" in schema:
        return " | ".join(map(_text, schema["enum"]))
    if choices := schema.get("oneOf") or schema.get("anyOf"):
        return " | ".join(dict.fromkeys(map(_kind, choices)))
    if link := _link(schema):
        return link
    if schema.get("type") == "array":
        return f"[{_kind(schema['items'])}]" if isinstance(schema.get("items"), dict) else "[]"
    return str(schema.get("type", "object"))


def _link(schema: Schema) -> str:
    """The name of the object that a schema refers to, alone or in a list."""
    for inner in (schema, *schema.get("allOf", ()), schema.get("items")):
        if isinstance(inner, dict) and "$ref" in inner:
            return str(inner["$ref"]).removeprefix(REF)
    return ""


def _text(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)
