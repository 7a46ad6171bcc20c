"""The door that every endpoint is (SPEC T-09): who asks is settled before the handler runs."""

import logging
from collections.abc import Mapping
from contextlib import ExitStack
from typing import Any, ClassVar

from django.db import DatabaseError
from django.http.response import HttpResponseBase
from rest_framework.exceptions import APIException, MethodNotAllowed
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.views import APIView

from security.rest.key_bounds import PERSON_HEADER, of_header
from security.rest.parsing import limit_body
from security.rest.read_marks import HEADER, classes_shown, kind_of_read, mark_read, named_session
from security.rest.schema import DoorSchema
from security.rest.throttles import KeyThrottle
from tenants.scope import Viewer, tenant_scope
from tenants.telemetry.tracing import tell

log = logging.getLogger(__name__)


class JsonAlways(BaseContentNegotiation):
    """Answer JSON whatever is asked for: there is nothing else."""

    def select_parser(self, request: Request, parsers: Any) -> BaseParser | None:
        """Return the parser of the body's media type, or None, which is a 415."""
        full = request.content_type or ""
        given = full.split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == given), None)

    def select_renderer(
        self,
        request: Request,  # noqa: ARG002
        renderers: Any,
        format_suffix: str | None = None,  # noqa: ARG002
    ) -> tuple[BaseRenderer, str]:
        """Return the one renderer."""
        return renderers[0], renderers[0].media_type


class Door(APIView):
    """
    An endpoint. Each handler runs with the key's viewer in force, and opens no transaction of its own:
    the verb it calls does.
    """

    #: Scope needed for each method; a method that is not named here is refused.
    scopes: ClassVar[Mapping[str, str]] = {}
    #: Methods whose answer leaves no mark: it shows what its caller has just said, or is noted otherwise.
    unmarked: ClassVar[frozenset[str]] = frozenset()
    http_method_names = ["get", "head", "post", "patch", "put", "delete"]
    content_negotiation_class = JsonAlways
    throttle_classes = [KeyThrottle]
    schema = DoorSchema()

    def dispatch(self, request: Any, *args: Any, **kwargs: Any) -> HttpResponseBase:
        """Answer the request; whoever was put in force for it is gone afterwards."""
        with ExitStack() as self._stack:
            return super().dispatch(request, *args, **kwargs)

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Settle method, key, scope and rate, then put the viewer in force."""
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        super().initial(request, *args, **kwargs)
        limit_body(request, most=self.most_bytes(request))
        if isinstance(request.auth, Viewer):
            viewer = of_header(request.auth, request.headers.get(PERSON_HEADER))
            self._stack.enter_context(tenant_scope(viewer))
            tell({"candor.tenant_id": str(viewer.tenant_id), "candor.actor_kind": viewer.actor_kind})

    def most_bytes(self, request: Request) -> int | None:  # noqa: ARG002 - for who overrides it
        """Return how many bytes the body may have; None: as many as any."""
        return None

    def who_asks_now(self, request: Request) -> Viewer | None:
        """Return who asks as things are now, for what goes on for a while; None: they may not any more."""
        try:
            found = next(filter(None, (one.authenticate(request) for one in self.get_authenticators())), None)
            viewer = of_header(found[1], request.headers.get(PERSON_HEADER)) if found else None
        except APIException:
            return None
        return (
            viewer if viewer is not None and self.scopes.get(str(request.method)) in viewer.scopes else None
        )

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Note how high the answer reads before it leaves; what cannot be noted is not shown."""
        if response.status_code < 300:
            try:
                self._mark(request, response)
            except DatabaseError as failure:
                response = self.handle_exception(failure)
        return super().finalize_response(request, response, *args, **kwargs)

    def _mark(self, request: Request, response: Any) -> None:
        viewer = request.auth
        if request.method in self.unmarked or not isinstance(viewer, Viewer):
            return
        if session := named_session(request.headers.get(HEADER, "")):
            person, kind = self._person_named(request, viewer), kind_of_read(request.path)
            for rank in sorted(classes_shown(getattr(response, "data", None))):
                mark_read(viewer, rank, session=session, person=person, kind=kind)

    def _person_named(self, request: Request, viewer: Viewer) -> str:
        """Return whom the request was for; a name that it may not have was refused before."""
        sent = request.data if isinstance(request.data, Mapping) else {}
        named = (request.headers.get(PERSON_HEADER), request.query_params.get("person"), sent.get("person"))
        return next((one for one in named if one and isinstance(one, str)), viewer.person)

    def check_permissions(self, request: Request) -> None:
        """Hold the rate before the scopes: who is refused has asked all the same."""
        super().check_throttles(request)
        super().check_permissions(request)

    def check_throttles(self, request: Request) -> None:
        """Do nothing: the rate was held before the scopes."""

    def raise_uncaught_exception(self, exc: Exception) -> Any:
        """Write the error down while the tenant's id is still known, then hand it to `handler500`."""
        log.error("a request failed", exc_info=exc)
        return super().raise_uncaught_exception(exc)
