"""What the OpenAPI description says of every endpoint alike: the key, the problems, the closed objects."""

from typing import Any, Final

from drf_spectacular.extensions import OpenApiAuthenticationExtension, OpenApiSerializerExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.plumbing import ResolvedComponent, force_instance
from drf_spectacular.utils import Direction, OpenApiResponse
from rest_framework import serializers

from security.rest.fields import StrictSerializer
from security.rest.idempotency import IDEMPOTENCY_KEY, takes_key
from security.rest.key_bounds import PERSON_HEADER
from security.rest.problems import PROBLEM_TYPE
from tenants.scope import PERSON_PATTERN


class FieldErrorSchema(serializers.Serializer[Any]):
    """What is wrong with one field; an empty name means the whole."""

    field = serializers.CharField(allow_blank=True)
    message = serializers.CharField()


class ProblemSchema(serializers.Serializer[Any]):
    """A problem after RFC 9457."""

    type = serializers.CharField(help_text="`about:blank`, or `urn:candor:problem:…` with a name.")
    title = serializers.CharField()
    status = serializers.IntegerField()
    detail = serializers.CharField()
    errors = FieldErrorSchema(many=True, required=False)  # type: ignore[assignment]


PROBLEMS = {
    "400": "The request cannot be accepted as it stands.",
    "401": "No key, or none that is in force.",
    "403": "The key may not do this.",
    "404": "Not there, or not yours: the answer is the same.",
    "405": "Another method is needed here.",
    "413": "The body is too large.",
    "415": "The body must be {sent} in UTF-8.",
    "422": "The idempotency key was used for another request.",
    "429": "Too many requests; wait as long as Retry-After says.",
    "500": "Something broke; the answer carries the request's id and nothing else.",
    "503": "The database cut or refused the request; try again as Retry-After says.",
}


_PERSON_NAMED: Final = {
    "in": "header",
    "name": PERSON_HEADER,
    "description": "The end user whom the request is for: what is theirs is seen, too.",
    "schema": {"type": "string", "pattern": PERSON_PATTERN},
}


_KEY: Final = {
    "in": "header",
    "name": IDEMPOTENCY_KEY.name,
    "description": IDEMPOTENCY_KEY.description,
    "schema": IDEMPOTENCY_KEY.type,
}


def problem_answer(status: int, description: str) -> dict[Any, Any]:
    """Return the `responses` entry of a problem that one endpoint has of its own."""
    return {(status, PROBLEM_TYPE): OpenApiResponse(ProblemSchema, description=description)}


class DoorSchema(AutoSchema):
    """Adds the problems that any endpoint may answer with."""

    def get_operation(self, *args: Any, **kwargs: Any) -> dict[str, Any] | None:
        """Return the operation's description with its problems."""
        operation = super().get_operation(*args, **kwargs)
        if operation is not None:
            if getattr(self.view, "scopes", None) and not self._names_person(operation):
                operation.setdefault("parameters", []).append(_PERSON_NAMED)
            if self._takes_key():
                operation.setdefault("parameters", []).append(_KEY)
            sent = next(iter(operation.get("requestBody", {}).get("content", ())), "application/json")
            for status in self._problems(operation):
                operation["responses"].setdefault(status, self._problem(status, sent))
            operation["responses"] = dict(sorted(operation["responses"].items()))
        return operation

    def _takes_key(self) -> bool:
        return takes_key(getattr(self.view, self.method.lower()))

    def _names_person(self, operation: dict[str, Any]) -> bool:
        """Return whether the body or the address says whom the request is for; else a header may."""
        asked = {parameter["name"] for parameter in operation.get("parameters", ())}
        if "requestBody" not in operation:
            return "person" in asked
        sent = force_instance(self.get_request_serializer())  # type: ignore[no-untyped-call]
        return "person" in asked or "person" in getattr(sent, "fields", ())

    def _problems(self, operation: dict[str, Any]) -> list[str]:
        absent = set()
        if "requestBody" not in operation:
            absent |= {"413", "415"}
        if "requestBody" not in operation and not operation.get("parameters"):
            absent |= {"400"}
        if not getattr(self.view, "scopes", None):
            absent |= {"401", "403", "429"}
        if "404" in operation["responses"] or "{" not in self.path:
            absent |= {"404"}
        if not self._takes_key():
            absent |= {"422"}
        return [status for status in PROBLEMS if status not in absent]

    def _problem(self, status: str, sent: str) -> dict[str, Any]:
        problem = self.resolve_serializer(ProblemSchema, "response")
        assert isinstance(problem, ResolvedComponent)
        headers = {"429": "Retry-After", "503": "Retry-After", "401": "WWW-Authenticate", "405": "Allow"}
        answer: dict[str, Any] = {
            "description": PROBLEMS[status].format(sent=sent),
            "content": {PROBLEM_TYPE: {"schema": problem.ref}},
        }
        if status in headers:
            answer["headers"] = {headers[status]: {"schema": {"type": "string"}}}
        return answer


class KeyScheme(OpenApiAuthenticationExtension):  # type: ignore[no-untyped-call]
    """Describes `Authorization: Bearer …`."""

    target_class = "security.keys.authentication.KeyAuthentication"
    name = "key"

    def get_security_definition(self, auto_schema: AutoSchema) -> dict[str, str]:  # noqa: ARG002
        """Return the scheme."""
        return {"type": "http", "scheme": "bearer", "bearerFormat": "cdr_…"}


class ClosedObject(OpenApiSerializerExtension):  # type: ignore[no-untyped-call]
    """Says of every request's object that unknown fields are refused."""

    target_class = StrictSerializer
    match_subclasses = True

    def map_serializer(self, auto_schema: AutoSchema, direction: Direction) -> Any:
        """Return the schema of the serializer, closed."""
        schema = auto_schema._map_serializer(self.target, direction, bypass_extensions=True)  # type: ignore[no-untyped-call]
        return {**schema, "additionalProperties": False} if direction == "request" else schema
