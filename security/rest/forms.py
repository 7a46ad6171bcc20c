"""Read a form with files strictly (multipart/form-data, RFC 7578): fields as JSON has them (SPEC S-07)."""

from collections.abc import Mapping
from typing import Any, Final

from django.conf import settings
from django.core.exceptions import RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, QueryDict
from django.http.multipartparser import MultiPartParser, MultiPartParserError
from django.utils.datastructures import MultiValueDict
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import BaseParser

from security.rest.fields import Flag, StrictSerializer, read_lists
from security.rest.parsing import BodyTooLarge, parse_object

MEDIA_TYPE: Final = "multipart/form-data"
_FLAGS: Final = {"true": True, "false": False}


class SentForm(dict[str, Any]):
    """A form as it came: each field's texts, and its files, in order."""


class StrictFormParser(BaseParser):
    """
    Parse a form into its texts and files; `read_form` makes of it what a JSON body would have said.

    Refuses NUL in any text, and as many fields and bytes of them as Django does. A large file lies in a
    temporary one until it is read.
    """

    media_type = MEDIA_TYPE

    def parse(
        self, stream: Any, media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> SentForm:
        """Return the form. Raises ParseError or BodyTooLarge."""
        request: HttpRequest = (parser_context or {})["request"]._request
        meta = {**request.META, "CONTENT_TYPE": media_type or MEDIA_TYPE}
        try:
            texts, files = MultiPartParser(meta, stream, request.upload_handlers, "utf-8").parse()
        except (RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent):
            raise BodyTooLarge from None
        except MultiPartParserError:
            raise ParseError("The body is not a form as multipart/form-data has it.") from None
        return _put_together(texts, files)


def _put_together(texts: QueryDict, files: "MultiValueDict[str, UploadedFile[Any]]") -> SentForm:
    form = SentForm({name: list(values) for name, values in texts.lists()})
    if any("\x00" in text for values in form.values() for text in values):
        raise ParseError("A text holds NUL.")
    for name, values in files.lists():
        form[name] = [*form.get(name, ()), *values]
    return form


def read_form(serializer: type[StrictSerializer], form: SentForm) -> dict[str, Any]:
    """
    Return the validated values of a form. Raises ValidationError, also for a field that stands twice.

    A list's field may stand as often as it has items; a flag is `true` or `false`; an object is JSON.
    """
    return read_lists(serializer, form, convert=_value)


def _value(name: str, field: Any, sent: Any) -> Any:
    """Return what a field's text says, by the kind of its field."""
    if isinstance(field, Flag):
        return _FLAGS.get(sent, sent)
    if isinstance(field, serializers.DictField) and isinstance(sent, str):
        try:
            return parse_object(sent.encode(), most_levels=settings.MAX_JSON_DEPTH)
        except ParseError as fault:
            raise serializers.ValidationError({name: [str(fault.detail)]}) from fault
    return sent
