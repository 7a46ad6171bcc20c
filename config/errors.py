"""What Django answers where no view does: problems below `/api/`, plain pages elsewhere, never an error."""

from http import HTTPStatus
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.views import defaults

from config.request_id import request_id
from security.rest import MISSING, plain_response, problem_body


def _for_api(request: HttpRequest) -> bool:
    return request.path.startswith("/api/")


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 400: a request that Django itself refuses."""
    if _for_api(request):
        return plain_response(problem_body(400, detail="The request is malformed."))
    return defaults.bad_request(request, exception)


def forbidden(request: HttpRequest, exception: Exception | None = None) -> HttpResponse:
    """Answer 403."""
    if _for_api(request):
        return plain_response(problem_body(403, detail="This may not be done."))
    return defaults.permission_denied(request, exception or PermissionError())


def not_found(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Answer 404, below `/api/` with the bytes that every missing thing there is answered with."""
    if _for_api(request):
        return plain_response(problem_body(404, detail=MISSING))
    return defaults.page_not_found(request, exception)


def broken(request: HttpRequest) -> HttpResponse:
    """Answer 500 with the request's id, by which the log says more."""
    if _for_api(request):
        body: dict[str, Any] = problem_body(
            HTTPStatus.INTERNAL_SERVER_ERROR,
            detail="Something broke on our side. The log has it under this request's id.",
            request_id=request_id.get(),
        )
        return plain_response(body)
    return defaults.server_error(request)
