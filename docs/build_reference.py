"""
Write the API reference of the documentation site out of the service's OpenAPI description.

    python manage.py spectacular --format openapi-json | python docs/build_reference.py FOLDER

One page for each group of operations, one for the objects they take and answer, and an index. Standard
library alone; `make docs` runs it before `build_site.py`.
"""

import json
import sys
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

Schema = Mapping[str, Any]

_BOUNDS = (
    ("minLength", "at least {} characters"), ("maxLength", "at most {} characters"),
    ("minItems", "at least {}"), ("maxItems", "at most {}"), ("minimum", "from {}"), ("maximum", "to {}"),
    ("default", "default {}"),
)  # fmt: skip
_SOME = (("minLength", 1), ("minItems", 1))
_NEEDED = "*Needed.*"
_SUCCESS = 300


def main(description: Schema, folder: Path) -> None:
    """Write the pages of a description into a folder."""
    folder.mkdir(parents=True, exist_ok=True)
    schemas = description["components"]["schemas"]
    groups: dict[str, list[tuple[str, str, Schema]]] = {}
    for path, methods in description["paths"].items():
        for method, operation in methods.items():
            groups.setdefault(operation["tags"][0], []).append((method.upper(), path, operation))
    for group, operations in groups.items():
        page = group_page(group, operations, schemas)
        (folder / f"{group}.md").write_text("\n".join(page) + "\n", "utf-8")
    (folder / "README.md").write_text("\n".join(index_page(groups)) + "\n", "utf-8")
    (folder / "objects.md").write_text("\n".join(object_page(schemas)) + "\n", "utf-8")


def index_page(groups: Mapping[str, list[tuple[str, str, Schema]]]) -> Iterator[str]:
    """Yield the index: every operation by its group."""
    yield "# API reference"
    yield ""
    yield (
        "Every operation of the service, made from its OpenAPI description, which a running service tells at "
        "`/api/v1/schema`. By example it is in [The API by example](../api.md). In Python each is a method "
        "of `candor.Candor` of its name, in a shell `candor api NAME`."
    )
    for group, operations in sorted(groups.items()):
        yield from ("", f"## [{titled(group)}]({group}.md)", "", "| operation | request | what it does |")
        yield "| --- | --- | --- |"
        for method, path, operation in operations:
            name = operation["operationId"]
            yield f"| [{name}]({group}.md#{name}) | `{method} {path}` | {one_line(operation)} |"


def group_page(
    group: str, operations: list[tuple[str, str, Schema]], schemas: Mapping[str, Schema]
) -> Iterator[str]:
    """Yield the page of a group: its operations with what they take and answer."""
    yield f"# {titled(group)}"
    for method, path, operation in operations:
        yield from ("", f"## {operation['operationId']}", "", one_line(operation), "", "```http")
        yield from (f"{method} {path}", "```")
        rows = [
            row(
                one["name"], one["schema"], one.get("description", ""), f"{one['in']} | ",
                _NEEDED * one.get("required", False),
            )
            for one in operation.get("parameters", ())
        ]  # fmt: skip
        bodies = content(operation.get("requestBody", {}))
        for schema in list(bodies.values())[:1]:
            of = schemas.get(schema.get("$ref", "").rpartition("/")[2], schema)
            rows += fields(of, "body | ", _NEEDED)
        if bodies:
            kinds = " or ".join(f"`{kind}`" for kind in bodies)
            yield from ("", f"The body is {type_of(next(iter(bodies.values())))}, as {kinds}.")
        if rows:
            yield from ("", "| name | in | type | what it is |", "| --- | --- | --- | --- |", *rows)
        yield from ("", "| status | answer |", "| --- | --- |", *answers(operation["responses"]))


def answers(responses: Mapping[str, Schema]) -> Iterator[str]:
    """Yield the rows of what an operation answers."""
    for status, answer in sorted(responses.items()):
        bodies = [type_of(schema) for schema in content(answer).values()]
        told = [answer.get("description", ""), *(bodies if int(status) < _SUCCESS else [])]
        yield f"| {status} | {' '.join(filter(None, told)) or 'Nothing.'} |"


def object_page(schemas: Mapping[str, Schema]) -> Iterator[str]:
    """Yield the page of the objects, each with its fields."""
    yield from ("# Objects", "", "What operations take and answer, by the names of the OpenAPI description.")
    for name, schema in sorted(schemas.items()):
        yield from ("", f"## {name}", "", cell(schema.get("description", "")) or "An object.")
        if "enum" in schema:
            yield from ("", "One of " + ", ".join(f"`{one}`" for one in schema["enum"]) + ".")
        properties = schema.get("properties", {})
        if properties:
            yield from ("", "| field | type | what it is |", "| --- | --- | --- |")
            yield from fields(schema, "", _NEEDED if name.endswith("Request") else "*Always there.*")


def fields(schema: Schema, where: str, required: str) -> list[str]:
    """Return the rows of an object's fields; required: what is said of those that it cannot be without."""
    return [
        row(name, of, of.get("description", ""), where, required * (name in schema.get("required", ())))
        for name, of in schema.get("properties", {}).items()
    ]


def row(name: str, schema: Schema, description: str, where: str, required: str) -> str:
    """Return a row of a table of fields."""
    told = " ".join(filter(None, (cell(description), bounds(schema), required)))
    return f"| `{name}` | {where}{type_of(schema)} | {told} |"


def content(of: Schema) -> dict[str, Schema]:
    """Return the schemas of a body or an answer by their media types."""
    return {kind: one["schema"] for kind, one in of.get("content", {}).items() if "schema" in one}


def type_of(schema: Schema) -> str:
    """Return a type in words, with links to the objects in it."""
    if "$ref" in schema:
        name = schema["$ref"].rpartition("/")[2]
        return f"[{name}](objects.md#{name.lower()})"
    parts = [one for key in ("allOf", "oneOf", "anyOf") for one in schema.get(key, ())]
    if parts:
        return " or ".join(dict.fromkeys(map(type_of, parts)))
    if "enum" in schema:
        return ", ".join(f"`{one}`" for one in schema["enum"])
    kinds = schema.get("type", "any")
    names = [str(one) for one in (kinds if isinstance(kinds, list) else [kinds])]
    return " or ".join(_named(one, schema) for one in names)


def _named(kind: str, schema: Schema) -> str:
    more = schema.get("additionalProperties")
    if kind == "array":
        return f"list of {type_of(schema.get('items', {}))}"
    if kind == "object" and isinstance(more, dict) and more:
        return f"object of {type_of(more)}"
    form = schema.get("format") if kind == "string" else None
    return f"{kind} ({form})" if form else kind


def bounds(schema: Schema) -> str:
    """Return the limits of a value in words."""
    told = [
        "not empty" if (key, schema[key]) in _SOME else words.format(json.dumps(schema[key]))
        for key, words in _BOUNDS
        if key in schema
    ]
    pattern = f"like `{schema['pattern']}`".replace("|", "\\|") if "pattern" in schema else ""
    return f"({', '.join(filter(None, [*told, pattern]))})" if told or pattern else ""


def one_line(operation: Schema) -> str:
    """Return what an operation does."""
    return cell(operation.get("description", "") or operation.get("summary", ""))


def cell(text: str) -> str:
    """Return a description fit for a table's cell, without the values that its type lists."""
    plain = text.partition("\n\n* `")[0] if not text.startswith("* `") else ""
    return " ".join(plain.split()).replace("|", "\\|").replace("<", "&lt;")


def titled(group: str) -> str:
    """Return the title of a group's page."""
    return group.replace("-", " ").capitalize()


if __name__ == "__main__":
    main(json.load(sys.stdin), Path(sys.argv[1]))
