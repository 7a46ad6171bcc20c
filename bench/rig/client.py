"""The service's API, asked with one key."""

import time
from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol

import httpx

PAGE: Final = 100
"""Rows asked for at a time: the most there are on a page."""

PATIENCE_SECONDS: Final = 60.0
"""How long to wait in all where the service asks to come back later (429, 503)."""


class ApiError(RuntimeError):
    """The service refused a request; `status` is HTTP's, the message is the problem's own words."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(f"{status}: {message}")
        self.status = status


class Poster(Protocol):
    """Whatever takes requests as the API does."""

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send a body and return the answer. Raises ApiError."""


class Api:
    """Requests below /api/v1/ with one key; may be used by several threads."""

    def __init__(self, address: str, key: str) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._http = httpx.Client(base_url=f"{address}/api/v1/", headers=headers, timeout=60.0)

    def get(self, path: str, **query: Any) -> dict[str, Any]:
        """Return what stands there. Raises ApiError."""
        return self._ask("GET", path, params=query)

    def post(
        self, path: str, body: Mapping[str, Any], *, idempotency_key: str | None = None
    ) -> dict[str, Any]:
        """Send a body and return the answer. Raises ApiError."""
        headers = {"Idempotency-Key": idempotency_key} if idempotency_key else {}
        return self._ask("POST", path, json=body, headers=headers)

    def rows(self, path: str, **query: Any) -> Iterator[dict[str, Any]]:
        """Yield every row of a list, newest first, a page at a time. Raises ApiError."""
        cursor: dict[str, str] = {}
        while True:
            page = self.get(path, limit=PAGE, **query, **cursor)
            yield from page["results"]
            if page["next"] is None:
                return
            cursor = {"cursor": page["next"]}

    def _ask(self, method: str, path: str, **options: Any) -> dict[str, Any]:
        deadline = time.monotonic() + PATIENCE_SECONDS
        while True:
            response = self._http.request(method, path, **options)
            pause = float(response.headers.get("Retry-After", 0))
            if not pause or time.monotonic() + pause > deadline:
                break
            time.sleep(pause)
        if not response.is_success:
            raise ApiError(response.status_code, _problem(response))
        answer: dict[str, Any] = response.json()
        return answer


def _problem(response: httpx.Response) -> str:
    try:
        problem = response.json()
    except ValueError:
        return response.text[:200]
    errors = "; ".join(f"{error['field']}: {error['message']}" for error in problem.get("errors", ()))
    return " ".join(filter(None, (problem.get("title"), problem.get("detail"), errors)))
