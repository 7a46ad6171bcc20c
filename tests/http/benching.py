"""The service in this process, as a bench asks it."""

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from django.utils import timezone

from bench.rig.client import ApiError
from memories.pipeline import process_capture
from tenants.scope import Viewer, tenant_scope
from tests.factories import make_agent
from tests.http.conftest import caller


class Service:
    """The API as a bench asks it; a capture is worked on at once instead of being waited for."""

    def __init__(self, tenant: Viewer) -> None:
        self._tenant = tenant
        self._caller = caller(tenant, agent=make_agent(tenant=tenant, slug="reader").id)

    def post(self, path: str, body: Mapping[str, Any]) -> dict[str, Any]:
        """Send a body. Raises ApiError."""
        response = self._caller.post(path.partition("?")[0], body)
        if response.status_code >= 400:
            raise ApiError(response.status_code, response.content.decode())
        answer: dict[str, Any] = response.json()
        if not path.startswith("captures"):
            return answer
        with tenant_scope(self._tenant):
            process_capture(UUID(answer["id"]), now=timezone.now())
        return dict(self._caller.get(f"captures/{answer['id']}").json())
