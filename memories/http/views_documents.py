"""Documents over HTTP: parse, one verb, answer."""

from collections.abc import Callable
from typing import Any, ClassVar, cast
from uuid import UUID

from django.conf import settings
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from memories.documents import (
    LONGEST_SOURCE,
    LONGEST_TITLE,
    DocumentRequest,
    DocumentTaken,
    DocumentView,
    get_document,
    list_documents,
    list_passages,
    take_document,
    take_upload,
)
from memories.files import TEXT_TYPES
from memories.http.bodies import Metadata, NotDone, show_not_done
from memories.http.views_memories import write_problems
from memories.ingestion import LONGEST_NAME, MOST_WORDS, may_share
from memories.models.capture import STATES
from security.classification import Classification
from security.rest import (
    DEFAULT_PAGE,
    MOST_PAGE,
    ClassName,
    Flag,
    Moment,
    OneOf,
    PageQuery,
    PersonId,
    QueryNumber,
    SentForm,
    Slug,
    StrictFormParser,
    StrictSerializer,
    Text,
    ZoneName,
    for_person,
    for_person_if_named,
    last_had,
    named_project,
    page,
    read,
    read_form,
    read_query,
    texts,
)
from security.rest.api_view import Door
from tenants.scope import viewer_in_force


class DocumentFacts(StrictSerializer):
    """What is said of a document beside its words."""

    source = Text(  # type: ignore[assignment]  # a name that DRF's Field has, too
        max_length=LONGEST_SOURCE, required=False, help_text="A path, an address, a connector."
    )
    tags = texts(most=MOST_WORDS, length=LONGEST_NAME, required=False)
    occurred_at = Moment(required=False, help_text="The document's own date; default: now.")
    timezone = ZoneName(required=False)
    project = Slug(required=False, allow_null=True)
    classification = ClassName(required=False, default=Classification.INTERNAL)
    shared = Flag(required=False, help_text="A hint: needs a key with the scope share.")
    domain = Text(max_length=LONGEST_NAME, required=False)
    person = PersonId(required=False, help_text="The end user it is of; it is theirs alone unless common.")
    common = Flag(required=False, help_text="Though a person is named, it is everybody's.")
    metadata = Metadata(required=False)


class DocumentWish(DocumentFacts):
    """A text from outside, whole."""

    title = Text(max_length=LONGEST_TITLE)
    text = Text(max_length=settings.MAX_DOCUMENT_LENGTH)
    media_type = OneOf(choices=TEXT_TYPES, required=False)


class UploadWish(DocumentFacts):
    """A file from outside, whole: PDF, Word (.docx), HTML, Markdown or plain text."""

    file = serializers.FileField(
        max_length=LONGEST_NAME, allow_empty_file=True, help_text="Its kind is told by what is in it."
    )
    title = Text(
        max_length=LONGEST_TITLE, required=False, help_text="Default: the file's own, else its name."
    )


class DocumentFilter(PageQuery):
    """Which documents are wanted."""

    source = Text(max_length=LONGEST_SOURCE, required=False)  # type: ignore[assignment]
    person = PersonId(required=False, help_text="What is this end user's own.")


class PassageQuery(StrictSerializer):
    """Which passages of a document are wanted."""

    first = QueryNumber(required=False, default=0, min_value=0, help_text="Place of the first one, from 0.")
    limit = QueryNumber(required=False, default=DEFAULT_PAGE, min_value=1, max_value=MOST_PAGE)


class DocumentTakenShown(serializers.Serializer[Any]):
    """A document that is kept."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=["processing", "settled"])
    passages = serializers.IntegerField(allow_null=True, help_text="Pieces; null until it is cut.")
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    not_done = NotDone(many=True, required=False, help_text="Only what was asked for and not done.")


class DocumentShown(serializers.Serializer[Any]):
    """A document, its summary, and how far its passages have come."""

    id = serializers.UUIDField()
    state = serializers.ChoiceField(choices=["processing", "settled"])
    title = serializers.CharField()
    source = serializers.CharField()  # type: ignore[assignment]
    media_type = serializers.CharField()
    file_name = serializers.CharField(help_text="Empty: it came as text.")
    replaced_by = serializers.UUIDField(
        allow_null=True, help_text="The version of its source that holds now."
    )
    refusal = serializers.CharField(help_text="Why nothing is remembered of it, and what to do; else empty.")
    tags = serializers.ListField(child=serializers.CharField())
    occurred_at = serializers.DateTimeField()
    passages = serializers.IntegerField(allow_null=True, help_text="Pieces; null until it is cut.")
    settled = serializers.DictField(
        child=serializers.IntegerField(), help_text="State → passages; before it is cut, it counts as one."
    )
    summary = serializers.CharField(help_text="Two or three sentences; empty until the passages are settled.")
    summary_model = serializers.CharField()
    project_id = serializers.UUIDField(allow_null=True)
    agent_id = serializers.UUIDField(allow_null=True)
    shared = serializers.BooleanField()
    domain = serializers.CharField()
    person = serializers.CharField(allow_blank=True, help_text="The end user whose it is; empty: common.")
    classification = ClassName()
    metadata = serializers.DictField()
    created_at = serializers.DateTimeField()


class DocumentPage(serializers.Serializer[Any]):
    """A page of documents."""

    results = DocumentShown(many=True)
    next = serializers.CharField(allow_null=True)


class PassageShown(serializers.Serializer[Any]):
    """A passage, and the memory it became."""

    passage = serializers.IntegerField(help_text="Place in the document, from 0.")
    capture = serializers.UUIDField()
    state = serializers.ChoiceField(choices=STATES)
    memories = serializers.ListField(child=serializers.UUIDField())
    text = serializers.CharField(help_text="Redacted.")
    classification = ClassName()


class PassagePage(serializers.Serializer[Any]):
    """Passages in their order."""

    results = PassageShown(many=True)
    next = serializers.IntegerField(allow_null=True, help_text="`first` of the following page.")


class Documents(Door):
    """Texts from outside."""

    scopes: ClassVar = {"GET": "read", "POST": "capture"}
    unmarked: ClassVar = frozenset({"POST"})  # what was handed in, by who did

    def works_later(self, request: Request) -> bool:
        """Return whether it brings a document."""
        return request.method == "POST"

    @extend_schema(operation_id="list_documents", parameters=[DocumentFilter], responses=DocumentPage)
    def get(self, request: Request) -> Response:
        """List the documents that the key may see, newest first."""
        query = read_query(DocumentFilter, request.query_params)
        source, person = query.get("source"), query.get("person")
        with for_person_if_named(person):
            return Response(
                page(
                    lambda after, most: list_documents(
                        source=source, person=person, after=last_had(after), most=most
                    ),
                    show_document,
                    query,
                )
            )

    @extend_schema(
        operation_id="create_document",
        request=DocumentWish,
        responses={200: DocumentTakenShown, 202: DocumentTakenShown},
    )
    def post(self, request: Request) -> Response:
        """Keep a document; it is cut and remembered later. 200 when the same text was kept before."""
        return _keep(read(DocumentWish, request.data), lambda asked: take_document(asked, now=timezone.now()))


class DocumentUploads(Door):
    """Files from outside."""

    scopes: ClassVar = {"POST": "capture"}
    unmarked: ClassVar = frozenset({"POST"})  # what was handed in, by who did
    parser_classes = [StrictFormParser]

    def works_later(self, _request: Request) -> bool:
        """Return that a file is read after the answer."""
        return True

    def most_bytes(self, _request: Request) -> int:
        """Return a file's most bytes, with room for what its form says beside it."""
        return int(settings.MAX_UPLOAD_BYTES + settings.DATA_UPLOAD_MAX_MEMORY_SIZE)

    @extend_schema(
        operation_id="upload_document",
        request=UploadWish,
        responses={200: DocumentTakenShown, 202: DocumentTakenShown},
    )
    def post(self, request: Request) -> Response:
        """Keep a file; it is read, cut and remembered later. 200 when the same file was kept before."""
        wish = read_form(UploadWish, cast("SentForm", request.data))
        file = wish.pop("file")
        return _keep(
            wish,
            lambda asked: take_upload(
                asked, name=file.name, size=file.size, read=file.read, now=timezone.now()
            ),
        )


def _keep(wish: dict[str, Any], take: Callable[[DocumentRequest], DocumentTaken]) -> Response:
    """Take what is wished for and answer: 202, or 200 when it was here before."""
    wish["tags"] = tuple(wish.get("tags", ()))
    with for_person(wish.pop("person", None)), write_problems():
        wish["project_id"] = named_project(wish.pop("project", None))
        undone = show_not_done(shared=wish.get("shared", False) and not may_share(viewer_in_force()))
        taken = take(DocumentRequest(**wish))
    body = {"id": taken.id, "state": taken.state, "passages": taken.passages, "person": taken.person}
    return Response(body | undone, status=200 if taken.repeated else 202)


class OneDocument(Door):
    """One document."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_document", responses=DocumentShown)
    def get(self, _request: Request, document_id: UUID) -> Response:
        """Show a document, its summary, and how far its passages have come."""
        return Response(show_document(get_document(document_id)))


class DocumentPassages(Door):
    """The pieces of a document."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_passages", parameters=[PassageQuery], responses=PassagePage)
    def get(self, request: Request, document_id: UUID) -> Response:
        """List the passages of a document in their order, with the memory each became, and then its facts."""
        query = read_query(PassageQuery, request.query_params)
        most = query["limit"]
        found = list_passages(document_id, first=query["first"], most=most + 1)
        names = ("passage", "capture", "state", "memories", "text")
        shown = [
            {name: getattr(one, name) for name in names}
            | {"classification": Classification(one.classification).label}
            for one in found[:most]
        ]
        return Response({"results": shown, "next": found[most].passage if len(found) > most else None})


def show_document(view: DocumentView) -> dict[str, Any]:
    """Return a document as it is answered."""
    return dict(DocumentShown(view).data)
