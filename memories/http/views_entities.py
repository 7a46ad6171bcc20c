"""Entities and triples over HTTP: parse, one verb, answer."""

from typing import Any, ClassVar
from uuid import UUID

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from memories.curation import NamesNothing, NotItsName, OwnName, add_alias, separate_name
from memories.entity_resolution import (
    EntityFilter,
    find_communities,
    get_entity,
    get_profile,
    list_entities,
    list_entity_memories,
    list_triples,
)
from memories.http.bodies import (
    AliasWish,
    CommunitiesShown,
    EntityPage,
    EntityQuery,
    EntityShown,
    HistoryQuery,
    MemoryPage,
    ProfileShown,
    SeparatedShown,
    TriplePage,
    show_communities,
    show_entity,
    show_memory,
    show_profile,
    show_triple,
)
from security.rest import Place, field_problem, last_had, last_id, page, read, read_query
from security.rest.api_view import Door


class Entities(Door):
    """Whom and what memories speak of."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_entities", parameters=[EntityQuery], responses=EntityPage)
    def get(self, request: Request) -> Response:
        """List the entities of the memories that the key may see, newest first."""
        query = read_query(EntityQuery, request.query_params)
        wanted = EntityFilter(type=query.get("type"), prefix=query.get("q"))
        return Response(
            page(
                lambda after, most: list_entities(wanted, after=last_id(after), most=most), show_entity, query
            )
        )


class OneEntity(Door):
    """One entity."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_entity", responses=EntityShown)
    def get(self, _request: Request, entity_id: UUID) -> Response:
        """Show an entity with its names, types and counts; one that was merged is shown as what it is now."""
        return Response(show_entity(get_entity(entity_id)))


class EntityProfile(Door):
    """What is known of an entity, in prose."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="get_entity_profile", responses=ProfileShown)
    def get(self, _request: Request, entity_id: UUID) -> Response:
        """
        Say who or what it is in sentences of the memories that you may see, each with its memory.

        Composed when it is asked for, so it is never out of date. Empty below five facts.
        """
        return Response(show_profile(get_profile(entity_id, now=timezone.now())))


class EntityCommunities(Door):
    """What is spoken of together."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_communities", responses=CommunitiesShown)
    def get(self, _request: Request) -> Response:
        """
        Say what your memory is about: entities that are spoken of together, and sentences that say so.

        At most 20, found when they are asked for among the newest memories that hold and that you may see.
        """
        return Response(show_communities(find_communities(now=timezone.now())))


class EntityTriples(Door):
    """What is said of an entity."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_entity_triples", parameters=[HistoryQuery], responses=TriplePage)
    def get(self, request: Request, entity_id: UUID) -> Response:
        """List the triples that the entity stands in, newest first: those that hold, or all."""
        query, now = read_query(HistoryQuery, request.query_params), timezone.now()

        def fetch(after: Place | None, most: int) -> Any:
            return list_triples(entity_id, now=now, history=query["history"], after=last_id(after), most=most)

        return Response(page(fetch, show_triple, query))


class EntityMemories(Door):
    """What speaks of an entity."""

    scopes: ClassVar = {"GET": "read"}

    @extend_schema(operation_id="list_entity_memories", parameters=[HistoryQuery], responses=MemoryPage)
    def get(self, request: Request, entity_id: UUID) -> Response:
        """List the memories that speak of the entity, newest first: current ones, or all."""
        query = read_query(HistoryQuery, request.query_params)

        def fetch(after: Place | None, most: int) -> Any:
            return list_entity_memories(entity_id, history=query["history"], after=last_had(after), most=most)

        return Response(page(fetch, show_memory, query))


class EntityAliases(Door):
    """The names of an entity."""

    scopes: ClassVar = {"POST": "correct"}

    @extend_schema(operation_id="add_entity_alias", request=AliasWish, responses=EntityShown)
    def post(self, request: Request, entity_id: UUID) -> Response:
        """Let another name mean the entity, too; who went by it is merged into it. A person's to say."""
        wish = read(AliasWish, request.data)
        try:
            entity = add_alias(entity_id, wish["name"], now=timezone.now())
        except NamesNothing as noise:
            raise field_problem("name", str(noise)) from noise
        return Response(show_entity(entity))


class EntitySeparation(Door):
    """What an entity is not called."""

    scopes: ClassVar = {"POST": "correct"}

    @extend_schema(operation_id="separate_entity_name", request=AliasWish, responses=SeparatedShown)
    def post(self, request: Request, entity_id: UUID) -> Response:
        """Let a name of the entity mean one of its own again, with the memories that have only that name."""
        wish = read(AliasWish, request.data)
        try:
            parted = separate_name(entity_id, wish["name"], now=timezone.now())
        except (NotItsName, OwnName) as wrong:
            raise field_problem("name", str(wrong)) from wrong
        both = {"entity": parted.entity, "separated": parted.separated}
        return Response({name: one and show_entity(one) for name, one in both.items()})
