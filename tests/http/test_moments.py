"""A time is refused by whichever operation is told it when the database could not hold it."""

import json
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final
from uuid import uuid4

import pytest
from django.test import Client
from drf_spectacular.generators import SchemaGenerator
from drf_spectacular.renderers import OpenApiJsonRenderer

from tenants.scope import Viewer
from tests.http.conftest import caller, key_of
from tests.http.forms import body_of

pytestmark = pytest.mark.spec("S-07")

BROWSER: Final = Client(raise_request_exception=False)
FAR_OFF: Final = ["A time's offset from UTC must be less than 16 hours."]


def moments() -> Iterator[tuple[str, str, str, str]]:
    """Yield each moment that an operation takes: its method and path, «query» or «body», its name."""
    described = json.loads(OpenApiJsonRenderer().render(SchemaGenerator().get_schema(public=True)))
    parts = described["components"]["schemas"]
    for path, operations in described["paths"].items():
        for method, operation in operations.items():
            for one in operation.get("parameters", []):
                if one["schema"].get("format") == "date-time":
                    yield method, path, one["in"], one["name"]
            content = operation.get("requestBody", {}).get("content", {})
            for body in content.values():
                fields = parts[body["schema"]["$ref"].rsplit("/", 1)[1]]["properties"]
                for name, field in fields.items():
                    if field.get("format") == "date-time":
                        yield method, path, "body", name


def tell(key: str, method: str, path: str, where: str, sent: Mapping[str, str]) -> Any:
    address = re.sub(r"{\w+}", str(uuid4()), path)
    headers = {"Authorization": f"Bearer {key}"}
    if where == "query":
        return BROWSER.generic(method.upper(), address, headers=headers, query_params=dict(sent))
    name = "upload_document" if path.endswith("/documents/upload") else ""
    return BROWSER.generic(method.upper(), address, headers=headers, **body_of(name, sent))


@pytest.mark.parametrize("offset", ["+16:00", "-16:00", "+23:59"])
def test_no_operation_takes_a_time_further_from_utc_than_the_database_holds(ada: Viewer, offset: str) -> None:
    key, told = key_of(ada), dict[tuple[str, ...], Any]()
    for method, path, where, name in moments():
        answer = tell(key, method, path, where, {name: f"2026-03-01T00:00:00{offset}"})
        told[method, path, name] = [
            one["message"] for one in answer.json().get("errors", []) if one["field"] == name
        ] or answer.status_code

    assert len(told) >= 15
    assert {one: said for one, said in told.items() if said != FAR_OFF} == {}


def test_a_time_as_far_from_utc_as_it_can_be_is_held(ada: Viewer) -> None:
    said = {"text": "The gate opens at noon.", "role": "user"}

    for offset in ("+15:59", "-15:59"):
        taken = caller(ada).post("captures", {**said, "clock": f"2026-03-01T00:00:00{offset}"})
        assert taken.status_code == 202, taken.content
