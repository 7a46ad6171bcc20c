"""Every address of the API says for each method which scope it needs (SPEC S-02)."""

from collections.abc import Iterator
from typing import Any

import pytest
from django.urls import URLPattern, URLResolver, get_resolver
from rest_framework.permissions import AllowAny
from rest_framework.views import APIView

from security.keys.permissions import HasScope

pytestmark = pytest.mark.spec("S-02")

OPEN = {"health-live", "health-ready", "schema", "docs"}
"""Names of the API's addresses that need no key and tell nothing of any tenant."""


def addresses(resolver: URLResolver, prefix: str = "") -> Iterator[tuple[str, URLPattern]]:
    """Yield each address with its pattern; the admin's own have another door."""
    for entry in resolver.url_patterns:
        path = f"{prefix}{entry.pattern}"
        if isinstance(entry, URLResolver):
            if entry.namespace != "admin":
                yield from addresses(entry, path)
        else:
            yield path, entry


def view_of(pattern: URLPattern) -> Any:
    """Return the view's class, or None for what is no API view."""
    return getattr(pattern.callback, "cls", None)


def api() -> list[tuple[str, URLPattern, type[APIView]]]:
    """Return the API's addresses."""
    found = [(path, pattern, view_of(pattern)) for path, pattern in addresses(get_resolver())]
    return [(path, pattern, view) for path, pattern, view in found if view is not None]


def test_every_address_under_the_api_is_an_api_view() -> None:
    plain = {path for path, pattern in addresses(get_resolver()) if view_of(pattern) is None}
    assert {path for path in plain if path.startswith("api/")} == set()


def test_every_method_of_every_view_declares_its_scope() -> None:
    silent = [
        (path, method)
        for path, pattern, view in api()
        if pattern.name not in OPEN
        for method in ("GET", "POST", "PUT", "PATCH", "DELETE")
        if hasattr(view, method.lower()) and not getattr(view, "scopes", {}).get(method)
    ]
    assert silent == []


def test_every_view_asks_for_the_scope_but_the_open_ones() -> None:
    asked = [(str(pattern.name), list(view.permission_classes)) for _, pattern, view in api()]
    assert {name for name, classes in asked if classes == [AllowAny]} == OPEN
    assert {name for name, classes in asked if HasScope not in classes} == OPEN
