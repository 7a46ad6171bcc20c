"""Read a JSON body strictly: what two readers could understand differently is refused (SPEC S-07)."""

import json
import math
import re
from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from django.http import HttpRequest
from rest_framework.exceptions import APIException, ParseError, UnsupportedMediaType
from rest_framework.parsers import BaseParser
from rest_framework.request import Request

from security.patterns import bounded

_SURROGATE: Final = bounded("[\ud800-\udfff]")


class BodyTooLarge(APIException):
    """The body is larger than this service takes."""

    status_code = 413
    default_detail = "The body is larger than this service takes."
    default_code = "too_large"


class StrictJSONParser(BaseParser):
    """
    Parse UTF-8 JSON whose top is an object.

    Refuses duplicate keys, NaN and infinities, numbers beyond a double, NUL and lone surrogates in any
    text, more levels than MAX_JSON_DEPTH, and more bytes than DATA_UPLOAD_MAX_MEMORY_SIZE.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        """Return the object. Raises ParseError, BodyTooLarge or UnsupportedMediaType."""
        _require_utf8(media_type or "")
        most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
        body = stream.read(most + 1)
        if len(body) > most:
            raise BodyTooLarge
        return parse_object(body, most_levels=settings.MAX_JSON_DEPTH)


def limit_body(request: Request | HttpRequest, *, most: int | None = None) -> None:
    """
    Raise BodyTooLarge when the announced length is too much already, before anything is read.

    most: bytes; None: as many as any request may have.
    """
    length = request.headers.get("Content-Length", "")
    if length.isdigit() and int(length) > (settings.DATA_UPLOAD_MAX_MEMORY_SIZE if most is None else most):
        raise BodyTooLarge


def strict_body(request: HttpRequest) -> bytes:
    """
    Return the body, which is a JSON object that StrictJSONParser would take, for who parses it themselves.

    Raises BodyTooLarge, ParseError.
    """
    limit_body(request)
    most = settings.DATA_UPLOAD_MAX_MEMORY_SIZE
    body = request.read(most + 1)
    if len(body) > most:
        raise BodyTooLarge
    parse_object(body, most_levels=settings.MAX_JSON_DEPTH)
    return body


def _require_utf8(media_type: str) -> None:
    charset = bounded(r"charset\s*=\s*\"?([^\s;\"]+)", re.IGNORECASE).search(media_type)
    if charset and charset[1].lower() not in {"utf-8", "utf8"}:
        raise UnsupportedMediaType(media_type, "JSON is read as UTF-8 only.")


def parse_object(body: bytes, *, most_levels: int) -> dict[str, Any]:
    """Return the JSON object in the body, nested at most `most_levels` deep. Raises ParseError."""
    try:
        data = json.loads(
            body.decode("utf-8"),
            object_pairs_hook=_without_duplicates,
            parse_float=_finite,
            parse_constant=_refuse_constant,
        )
    except RecursionError:
        raise ParseError("The JSON is nested too deeply.") from None
    except UnicodeDecodeError:
        raise ParseError("The body is not UTF-8.") from None
    except ValueError:
        raise ParseError("The body is not valid JSON.") from None
    if not isinstance(data, dict):
        raise ParseError("The body must be a JSON object.")
    _inspect(data, most_levels=most_levels)
    return data


def _without_duplicates(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) != len(pairs):
        raise ParseError("A key stands twice in one JSON object.")
    return found


def _finite(text: str) -> float:
    number = float(text)
    if not math.isfinite(number):
        raise ParseError("A number is too large.")
    return number


def _refuse_constant(text: str) -> float:
    raise ParseError(f"{text} is not a JSON number.")


def _inspect(data: dict[str, Any], *, most_levels: int) -> None:
    """Walk level by level, so that depth costs no stack. Raises ParseError."""
    level: list[Any] = [data]
    for _ in range(most_levels):
        level = [child for value in level for child in _children(value)]
        if not level:
            return
    if any(isinstance(value, dict | list) for value in level):
        raise ParseError("The JSON is nested too deeply.")
    for value in level:
        _children(value)


def _children(value: Any) -> list[Any]:
    """Return what stands one level below. Raises ParseError for a text that cannot be stored."""
    if isinstance(value, str):
        if "\x00" in value or _SURROGATE.search(value):
            raise ParseError("A text holds NUL or half a surrogate pair.")
        return []
    if isinstance(value, dict):
        return [*value.keys(), *value.values()]
    return value if isinstance(value, list) else []
