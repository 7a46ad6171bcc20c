"""The client against the OpenAPI description that the service serves: nothing is missing, nothing is old."""

import inspect
import json
import re
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from pydantic import BaseModel

from candor import AsyncCandor, Candor, models
from candor.development.generate import FILES, PACKAGE, generate, public_name
from candor.requests import OPERATIONS
from candor.wire.call import NotGiven, Operation

PROJECT = Path(__file__).resolve().parents[2]
Schema = Mapping[str, Any]


@cache
def document() -> dict[str, Any]:
    """Return the description as it is served."""
    response = Client().get("/api/v1/schema")
    assert response.status_code == 200
    found: dict[str, Any] = json.loads(response.content)
    return found


@pytest.fixture(autouse=True)
def _service(database: None) -> None:
    """Serve."""


def served() -> Iterator[tuple[str, str, Schema]]:
    """Yield path, method and description of every operation."""
    for path, methods in document()["paths"].items():
        for method, operation in methods.items():
            yield path, method, operation


def sent_fields(operation: Schema) -> Schema:
    """Return the fields of an operation's body."""
    content = operation.get("requestBody", {}).get("content", {})
    if not content:
        return {}
    (kind,) = content.values()
    fields: Schema = component(kind["schema"]["$ref"])["properties"]
    return fields


def component(reference: str) -> Schema:
    """Return what a reference leads to."""
    found: Schema = document()["components"]["schemas"][reference.rpartition("/")[2]]
    return found


def kinds(schema: Schema, defs: Schema) -> set[str]:
    """Return which JSON values a schema admits, however it is written: `string:uuid`, `array:integer`."""
    if "$ref" in schema:
        return kinds(defs[schema["$ref"].rpartition("/")[2]], defs)
    for word in ("anyOf", "oneOf", "allOf"):
        if word in schema:
            return {kind for one in schema[word] for kind in kinds(one, defs)}
    types = schema.get("type", "any")
    return {
        kind for one in ([types] if isinstance(types, str) else types) for kind in _kinds(one, schema, defs)
    }


def _kinds(one: str, schema: Schema, defs: Schema) -> set[str]:
    if one == "array":
        return {f"array:{kind}" for kind in kinds(schema["items"], defs)}
    if one == "object" and isinstance(schema.get("additionalProperties"), dict):
        inner = kinds(schema["additionalProperties"], defs) - {"any"}
        return {f"object:{kind}" for kind in inner} or {"object"}
    form = schema.get("format", "")
    return {f"{one}:{form}" if one == "string" and form in ("uuid", "date-time", "date") else one}


def test_the_generated_files_are_those_of_the_service_as_it_is() -> None:
    written = {name: (PACKAGE / name).read_text("utf-8") for name in FILES}
    stale = [name for name, text in generate(document()).items() if text != written[name]]
    assert stale == [], "run `make client`"


@pytest.mark.spec("I-02")
def test_every_operation_is_a_method_of_both_clients_with_all_its_arguments() -> None:
    names = set()
    clients = (Candor("http://candor.test", "key"), AsyncCandor("http://candor.test", "key"))
    for path, method, operation in served():
        name = operation["operationId"]
        names.add(name)
        known = OPERATIONS[name]
        assert (known.method.lower(), f"/api/v1/{known.path}") == (method, path)
        wanted = {one["name"] for one in operation.get("parameters", ()) if one["in"] != "header"}
        wanted |= set(sent_fields(operation))
        headers = {one["name"] for one in operation.get("parameters", ()) if one["in"] == "header"}
        assert set(known.in_headers.values()) == headers, name
        for client in clients:
            parameters = inspect.signature(getattr(client, name)).parameters
            assert set(parameters) == wanted | set(known.in_headers), name
            assert "Any" not in {parameter.annotation for parameter in parameters.values()}
    assert set(OPERATIONS) == names
    assert len(names) > 80


@pytest.mark.spec("I-02")
def test_what_must_be_given_must_be_given_here_and_the_rest_not() -> None:
    made = Candor("http://candor.test", "key")
    for _path, _method, operation in served():
        name = operation["operationId"]
        needed = {one["name"] for one in operation.get("parameters", ()) if one.get("required")}
        content = operation.get("requestBody", {}).get("content", {})
        if content:
            (kind,) = content.values()
            body = component(kind["schema"]["$ref"])
            needed |= set(body.get("required", ()))
        parameters = inspect.signature(getattr(made, name)).parameters.values()
        assert {one.name for one in parameters if not isinstance(one.default, NotGiven)} == needed, name


@pytest.mark.spec("I-02")
def test_every_field_of_every_body_and_answer_is_typed_as_it_is_described() -> None:
    defs = document()["components"]["schemas"]
    count = 0
    for name, schema in defs.items():
        if schema.get("type") != "object":
            continue
        model = getattr(models, public_name(name))
        own = model.model_json_schema(mode="serialization")
        assert set(own["properties"]) == set(schema["properties"]), name
        assert set(own.get("required", ())) == set(schema.get("required", ())), name
        for field, described in schema["properties"].items():
            optional = set() if field in schema.get("required", ()) else {"null"}
            wanted, found = kinds(described, defs), kinds(own["properties"][field], own.get("$defs", {}))
            assert found - optional == wanted - optional, (name, field)
            assert "any" not in wanted or described.get("type") is None
            count += 1
    assert count > 800


@pytest.mark.spec("I-02")
def test_every_answer_has_its_type() -> None:
    for _path, _method, operation in served():
        known: Operation[Any] = OPERATIONS[operation["operationId"]]
        for status, answer in operation["responses"].items():
            content = answer.get("content", {}).get("application/json")
            if not status.startswith("2") and not content:
                continue
            found = known.answers[int(status)]
            if content:
                assert found is getattr(models, public_name(content["schema"]["$ref"].rpartition("/")[2]))
                assert isinstance(found, type)
                assert issubclass(found, BaseModel)


def test_values_of_an_enumeration_are_the_services() -> None:
    defs = document()["components"]["schemas"]
    listed = {name: schema["enum"] for name, schema in defs.items() if "enum" in schema}
    found = {name: list(getattr(models, public_name(name)).__args__) for name in listed}
    assert found == listed


def test_the_client_imports_nothing_but_httpx_and_pydantic() -> None:
    code = (
        # httpx has a command line, which it leaves out where these are not there
        "import sys; sys.modules |= dict.fromkeys(('click', 'rich', 'pygments')); before = set(sys.modules); "
        "import candor, candor.testing; "
        "print(*sorted({name.partition('.')[0] for name in set(sys.modules) - before}))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", code], cwd=PROJECT, capture_output=True, text=True, check=True
    )
    pydantic = {"pydantic", "pydantic_core", "typing_extensions", "typing_inspection", "annotated_types"}
    httpx = {"httpx", "httpcore", "h11", "h2", "hpack", "hyperframe", "anyio", "sniffio", "certifi", "idna"}
    httpx |= {"exceptiongroup", "socksio", "brotli", "brotlicffi", "zstandard"}
    loaded = {name for name in ran.stdout.split() if not name.startswith("_")}
    assert loaded - pydantic - httpx - set(sys.stdlib_module_names) == {"candor"}


def test_the_wheel_holds_the_package_and_is_used_without_the_repository(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check"]
    build = ["wheel", "--no-deps", "--no-build-isolation", "--no-index", "-w", str(tmp_path)]
    subprocess.run([*pip, *build, str(PROJECT / "candor")], check=True, capture_output=True)
    (wheel,) = tmp_path.glob("candor-*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    assert [name for name in names if not re.match(r"candor(-[\d.]+\.dist-info)?/\w", name)] == []
    install = ["install", "--no-deps", "--no-index", "--target", str(tmp_path / "site"), str(wheel)]
    subprocess.run([*pip, *install], check=True, capture_output=True)

    code = "import candor, candor.testing; print(candor.__file__, len(candor.requests.OPERATIONS))"
    ran = subprocess.run(
        [sys.executable, "-P", "-c", code],
        cwd=tmp_path,
        env={"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=True,
    )

    assert ran.stdout.split() == [
        str(tmp_path / "site" / "candor" / "__init__.py"), str(len(OPERATIONS)),
    ]  # fmt: skip
    held = {path.relative_to(tmp_path / "site").parts[0] for path in (tmp_path / "site").rglob("*.py")}
    assert held == {"candor"}
    assert (tmp_path / "site" / "candor" / "py.typed").exists()
    assert not (tmp_path / "site" / "candor" / "development").exists()
