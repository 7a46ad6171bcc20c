"""`PATCH /memories/{id}`: parse, one verb, answer."""

from hashlib import sha256
from typing import Any, Final
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import ChangedMeanwhile, edit_memory
from memories.domain import LAYERS
from memories.http.bodies import Share, show_memory
from memories.ingestion import LONGEST_NAME, MOST_WORDS
from memories.llms import LONGEST_FIELD
from memories.storage import MemoryView
from security.rest import Flag, Moment, OneOf, Problem, StrictSerializer, Text, WholeNumber, read, texts

IF_MATCH: Final = OpenApiParameter("If-Match", str, OpenApiParameter.HEADER)


class MemoryEdit(StrictSerializer):
    """What is to be changed of a memory; what is left out stays. Its words are `correct`'s."""

    tags = texts(
        most=MOST_WORDS, length=LONGEST_NAME, required=False, help_text="All that were given by hand."
    )
    pinned = Flag(required=False)
    importance = WholeNumber(min_value=1, max_value=5, required=False)
    shared = Flag(required=False, help_text="True needs the scope share besides.")
    domain = Text(
        max_length=LONGEST_NAME,
        required=False,
        allow_blank=True,
        help_text="Whom of those shared with; * all.",
    )
    layer = OneOf(choices=LAYERS, required=False)
    valid_from = Moment(required=False, allow_null=True)
    valid_until = Moment(required=False, allow_null=True)
    outcome = Share(required=False, allow_null=True, help_text="Of an example: how it went.")
    reason = Text(max_length=LONGEST_FIELD, required=False, help_text="For the audit trail.")


def etag_of(body: dict[str, Any]) -> str:
    """Return the ETag of a memory as it is sent."""
    return f'"{sha256(repr(sorted(body.items())).encode()).hexdigest()[:32]}"'


def edit(request: Request, memory_id: UUID) -> Response:
    """Change the memory as the request says, if it is as it was read. Raises Problem."""
    wish = read(MemoryEdit, request.data)
    reason, wanted = wish.pop("reason", ""), request.headers.get("If-Match", "*")
    tags = {one.strip() for one in wanted.split(",")}

    def is_as_read(memory: MemoryView) -> bool:
        return "*" in tags or etag_of(show_memory(memory)) in tags

    try:
        done = edit_memory(memory_id, wish, now=timezone.now(), reason=reason, is_as_read=is_as_read)
    except ChangedMeanwhile as other:
        raise Problem(412, "changed-meanwhile", str(other)) from other
    body = show_memory(done.memory)
    response = Response(body)
    response["ETag"] = etag_of(body)
    return response
